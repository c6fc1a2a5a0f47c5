"""A command and its processes run no code of the current folder.

People verify strangers' files in the download folder.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from matcha_p2p.app.command.output import Output
from matcha_p2p.app.rules import rules
from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.cli import commands
from tests.duel import chooser, opened, play_out
from tests.processes import Matcha, answer, environment

pytestmark = pytest.mark.slow

GAMES = [f"game{number:02}.matcha" for number in range(20)]
FIRST = GAMES[0]
MODULES = {*sys.stdlib_module_names, *packages_distributions(), "matcha_p2p"}
# A file beside the module shows that the module has run.
PLANTED = "open(__file__ + '.ran', 'w').close()\n"
PROGRAMS = ("less", "netsh", "node", "python", "python3", "route", "systemctl", "xdg-open")
PLANTED_PROGRAM = '#!/bin/sh\n: > "$0.ran"\n'
# As pip writes it: Python puts the folder of the script first, not the current one.
SCRIPT = "from matcha_p2p.cli import main\nmain()\n"

ALONE: dict[str, tuple[str, ...]] = {
    "analyse": (FIRST,),
    "arena": ("greedy", "uniform", "--games", "20", "--edition", "2020"),
    "call": ("Taro",),
    "claim": (),
    "demo": ("--edition", "2020"),
    "doctor": (),
    "engine": ("greedy",),
    "export": (FIRST, "--format", "text"),
    "friends": (),
    "games": (),
    "help": (),
    "index": (".",),
    "kashi": ("check", FIRST),
    "me": (),
    "page": (FIRST,),
    "replay": (FIRST, "--ui", "line"),
    "resume": (),
    "rules": (),
    "tutorial": ("--ui", "line"),
    "verify": tuple(GAMES),
    "wait": ("--play", "greedy"),
    "watch": ("matcha1nonsense",),
    "worker": (),
}
"""How each command is run; ``host``, ``join`` and ``practice`` have tests of their own."""
ENDS = {"analyse": 2, "call": 2, "claim": 8, "kashi": 1, "resume": 8, "wait": 2, "watch": 2}
"""The exit codes of commands without work in the folder."""


class Installed(Matcha):
    """A command as an installed program runs it."""

    program = (sys.executable, "")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of twenty games, programs, and a module of each imported name."""
    folder = tmp_path_factory.mktemp("downloads")
    for name in PROGRAMS:
        (folder / name).write_text(PLANTED_PROGRAM)
        (folder / name).chmod(0o755)
    for name in MODULES:
        (folder / f"{name}.py").write_text(PLANTED)
    duel = opened("current folder", "2020")
    play_out(duel, (chooser("greedy", "a"), chooser("greedy", "b")))
    game = encode_archive([entry.encoded for entry in duel.entries], [], duel.state.roster)
    for name in GAMES:
        (folder / name).write_bytes(game)
    script = tmp_path_factory.mktemp("bin") / "matcha"
    script.write_text(SCRIPT)
    Installed.program = (sys.executable, str(script))
    return folder


def code_run(folder: Path) -> list[str]:
    """Return the names of the run modules and programs, and delete the traces."""
    traces = sorted(folder.glob("*.ran"))
    for trace in traces:
        trace.unlink()
    return [trace.name.removesuffix(".ran").removesuffix(".py") for trace in traces]


@pytest.fixture
def downloads(prepared: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Be in the folder, first on PATH as on Windows; no code there may have run at the end."""
    monkeypatch.chdir(prepared)
    monkeypatch.setenv("PATH", f"{os.pathsep}.{os.pathsep}{os.environ['PATH']}")
    yield prepared
    assert not code_run(prepared)


def test_module_that_runs_leaves_a_trace(downloads):
    subprocess.run([sys.executable, "-c", "import click"], check=True)
    assert code_run(downloads) == ["click"]


@pytest.mark.skipif(sys.platform == "win32", reason="the planted programs are scripts")
def test_program_that_runs_leaves_a_trace(downloads):
    subprocess.run(["netsh"], check=True)
    assert code_run(downloads) == ["netsh"]


def test_bot_is_no_program_of_the_current_folder(downloads, tmp_path):
    (downloads / "stranger").write_text(PLANTED_PROGRAM)
    (downloads / "stranger").chmod(0o755)
    done = subprocess.run(
        [*Installed.program, "arena", "cmd:stranger", "greedy", "--games", "2"],
        capture_output=True,
        env=environment(MATCHA_HOME=str(tmp_path)),
        check=False,
    )
    assert done.returncode == 2
    assert b"The bot stranger cannot be started" in done.stderr


def test_table_here_names_every_command():
    assert {*ALONE, "host", "join", "practice"} == {*commands.commands}


@pytest.mark.parametrize("name", ALONE)
def test_command_runs_no_code_of_the_current_folder(downloads, tmp_path, name):
    done = subprocess.run(
        [*Installed.program, name, *ALONE[name]],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(MATCHA_HOME=str(tmp_path)),
        timeout=60,
        check=False,
    )
    assert done.returncode == ENDS.get(name, 0), done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_windows_looks_for_no_program_in_the_current_folder():
    name = "NoDefaultCurrentDirectoryInExePath"
    code = (
        f"import os; from matcha_p2p import cli; cli._run = lambda: int(os.environ[{name!r}])"
    )
    env = {key: value for key, value in environment().items() if key != name}
    command = [sys.executable, "-c", f"{code}; cli.main()"]
    assert subprocess.run(command, env=env, check=False).returncode == 1


def test_rules_on_windows_start_no_pager(monkeypatch, capsys):
    """Of Python 3.11 shutil.which, by which click finds one, looks into the current folder."""
    windows = SimpleNamespace(platform="win32", stdout=SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(rules, "sys", windows)
    monkeypatch.setattr(click, "echo_via_pager", None)
    assert rules.run(Output(facts=False), "matcha", "2020") == 0
    assert "There are 18 cards" in capsys.readouterr().out


def test_menu_runs_no_code_of_the_current_folder(downloads, tmp_path):
    with Installed(tmp_path, "--ui", "line", stdin="") as menu:
        menu.end()


@pytest.mark.parametrize("bot", ["greedy", "cmd:{program} engine greedy"])
def test_bots_of_host_and_join_run_no_code_of_the_current_folder(downloads, tmp_path, bot):
    plays = ("--json", "--play", bot.format(program=" ".join(Installed.program)))
    where = ("--address", "127.0.0.1", "--port", "0", "--edition", "2020")
    with Installed(tmp_path / "a", "host", *where, *plays) as host:
        invite = host.until("invite")["invite"]
        with Installed(tmp_path / "b", "join", "-", *plays, stdin=invite) as guest:
            assert (host.end(), guest.end()) == (0, 0)
    for peer in (host, guest):
        assert peer.facts("game-ended")[0]["how"] != "resigned", peer.stderr


def test_bot_of_practice_runs_no_code_of_the_current_folder(downloads, tmp_path):
    words = ("practice", "--edition", "2020", "--bot", "greedy", "--seed", "5")
    with Installed(tmp_path, *words) as game:
        while (line := game.line()) is not None:
            typed = answer(line)
            if typed is not None:
                game.type(f"{typed}\n")
        assert game.end() == 0
    assert "The bot's seat resigns" not in game.stderr
