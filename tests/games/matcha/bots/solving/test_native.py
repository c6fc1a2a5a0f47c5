"""The bots' libraries in C load only if made of the source beside."""

import os
import shutil
import subprocess
import sys

import pytest

from matcha_p2p.app.bots.opponents import see_it_start
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.game.bot_seat import BotSeat
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.practice import practice
from matcha_p2p.errors import BotError
from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.bots.solving import native
from matcha_p2p.games.matcha.rules.edition import EDITION_2020
from matcha_p2p.session.news import Terms
from matcha_p2p.store.home import Home
from tests.compiled import ROOT, SANITIZED, compiled_bots, sanitizer
from tests.games.matcha.bots.positions import observations

FOLDER = native.FOLDER


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return an empty folder in the place of the libraries' folder."""
    monkeypatch.setattr(native, "FOLDER", tmp_path)
    native.library.cache_clear()
    yield tmp_path
    native.library.cache_clear()


@pytest.mark.parametrize("name", ["expert", "expert-bold"])
def test_expert_without_its_libraries_says_how_to_get_them(folder, name):
    with pytest.raises(BotError, match=r"Install a C compiler .* or choose the bot strong"):
        see_it_start("matcha", name)
    with pytest.raises(BotError, match="Install a C compiler"):
        BOTS[name].choose(observations(EDITION_2020, "a")[0], None)


def test_practice_refuses_to_begin_without_its_libraries(folder):
    setup = SeatSetup(
        Terms("Mina", "matcha", None, open_book=False),
        BotSeat(BOTS["uniform"], "matcha", None, print),
        Home.find(folder),
        Output(facts=False),
    )
    with pytest.raises(BotError, match="Install a C compiler"):
        practice.run(setup, "expert-careful", None, 2)


def test_others_need_none(folder):
    for name in {*BOTS} - {"expert", "expert-careful", "expert-bold"}:
        see_it_start("matcha", name)


@pytest.mark.parametrize("name", native.SOURCES)
def test_a_library_of_another_source_is_refused(libraries, folder, name):
    library = FOLDER / f"lib{name}.so"
    if not library.exists():
        pytest.skip("nothing was compiled at installation")
    shutil.copy(library, folder)
    (folder / f"{name}.c").write_text("/* another */\n")
    with pytest.raises(BotError, match="compiled from another source"):
        native.library(name)


def test_foreign_library_is_refused(folder):
    (folder / "libsearch.so").write_bytes(b"\0" * 100)
    with pytest.raises(BotError, match="cannot be loaded"):
        native.library("search")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD is of Linux")
def test_no_observation_misuses_memory_or_arithmetic(tmp_path):
    """True observations and lies, as another program may send."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.games.matcha.bots.hostile",
            compiled_bots(tmp_path, *SANITIZED),
        ],
        cwd=ROOT,
        env=os.environ | sanitizer(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "possible" in done.stdout
