"""A user without a home folder, and faults before a command begins: no exit code 1."""

import sys
import tempfile
from importlib.resources import files
from pathlib import Path

import platformdirs
import pytest
from click.testing import CliRunner

from matcha_p2p import cli
from matcha_p2p.cli import commands
from matcha_p2p.cli.help import SpokenCommand
from matcha_p2p.store.home import Home
from tests.vectors import base

HOMELESS = {
    "verify": ("FILE",),
    "rules": (),
    "help": (),
    "kashi": ("check", "FILE"),
    "arena": ("uniform", "uniform", "--games", "1"),
    "doctor": ("--stun", "127.0.0.1"),
    "demo": (),
    "tutorial": (),
    "engine": ("greedy",),
    "worker": (),
}
"""The commands that work without a home, with words for each."""
AT_HOME = {
    "host": (),
    "join": ("matcha1",),
    "watch": ("matcha1",),
    "resume": (),
    "claim": (),
    "practice": (),
    "call": ("Mina",),
    "wait": (),
    "me": (),
    "friends": (),
    "export": ("FILE", "--format", "json"),
    "analyse": ("FILE",),
    "replay": ("FILE",),
    "page": ("FILE",),
    "index": ("FOLDER",),
    "games": (),
}
"""The commands that need a home."""


SHORTENED = ("app.invite.doctor", "app.bots.demo", "app.practice.tutorial")
"""The bodies of commands that take long, or ask a person."""


@pytest.fixture(params=["relative", "unknown"])
def homeless(request, monkeypatch, tmp_path):
    """Let the system know no home folder of the user: an old platformdirs returned "~"."""

    def folder(*_: object, **__: object) -> Path:
        if request.param == "unknown":
            raise RuntimeError("could not determine the home directory")
        return Path("~/.local/share/matcha_p2p")

    for name in ("user_data_path", "user_state_path", "user_config_path"):
        monkeypatch.setattr(platformdirs, name, folder)
    monkeypatch.delenv("MATCHA_HOME", raising=False)
    for module in SHORTENED:
        monkeypatch.setattr(f"matcha_p2p.{module}.run", lambda *_, **__: 0)
    monkeypatch.chdir(tmp_path)


def run(name: str, words: tuple[str, ...], file: Path):
    given = {"FILE": str(file), "FOLDER": str(file.parent)}
    return CliRunner().invoke(commands, [name, *(given.get(word, word) for word in words)])


@pytest.fixture
def game(tmp_path):
    file = tmp_path / "game.matcha"
    file.write_bytes(base("short.matcha"))
    return file


def test_every_command_either_needs_a_home_or_not():
    assert sorted((*HOMELESS, *AT_HOME)) == sorted(commands.commands)


@pytest.mark.usefixtures("homeless")
@pytest.mark.parametrize("name", HOMELESS)
def test_command_that_needs_no_home_works_without_one(name, game, tmp_path):
    if name == "kashi":
        game = files("matcha_p2p.games.kashi.board").joinpath("board.toml")
    result = run(name, HOMELESS[name], game)
    assert (result.exit_code, result.exception) == (0, None), result.stderr
    assert "knows no home" not in result.stderr
    assert not (tmp_path / "~").exists()


@pytest.mark.usefixtures("homeless")
@pytest.mark.parametrize("name", AT_HOME)
def test_command_that_needs_a_home_names_the_option(name, game, tmp_path):
    result = run(name, AT_HOME[name], game)
    assert result.exit_code == 8
    assert "knows no home folder of this user. Name a folder with --home." in result.stderr
    assert not (tmp_path / "~").exists()


@pytest.mark.usefixtures("homeless")
def test_menu_without_a_home_names_the_option():
    result = CliRunner().invoke(commands, ["--ui", "line"])
    assert (result.exit_code, "--home" in result.stderr) == (8, True)


@pytest.mark.parametrize("words", [["--home=~/x", "games"], ["games", "--home=~/x"], ["games"]])
def test_home_may_begin_with_a_tilde(words, monkeypatch, tmp_path):
    """In --home=~/x and MATCHA_HOME=~/x a shell keeps the ~, or a file of settings does."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MATCHA_HOME", "~/x")
    assert str(tmp_path / "x" / "games") in CliRunner().invoke(commands, words).stdout


def test_home_of_an_unknown_user_is_refused():
    result = CliRunner().invoke(commands, ["games", "--home", "~nobody-here/x"])
    assert (result.exit_code, "does not know where '~nobody-here/x' is" in result.stderr) == (
        2,
        True,
    )


@pytest.fixture
def reports(monkeypatch, tmp_path):
    """Return the folder of the reports of faults that have no home."""
    folder = tmp_path / "reports"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def fail(*_: object) -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize("name", [*commands.commands, None])
def test_fault_before_a_command_begins_is_no_verdict(name, reports, monkeypatch, capsys):
    """Python itself would end with 1, which means "not valid"."""
    monkeypatch.setattr(SpokenCommand, "parse_args", fail)
    monkeypatch.setattr(sys, "argv", ["matcha", *([name] if name else [])])
    assert cli._run() == 70
    said = capsys.readouterr().err
    (report,) = reports.iterdir()
    assert "ZeroDivisionError" in report.read_text()
    assert f"bug (ZeroDivisionError). Please report the contents of {report}" in said
    assert "Traceback" not in said


@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize("name", sorted(commands.commands.keys() - {"engine", "worker"}))
def test_fault_while_the_home_is_sought_is_no_verdict(name, game, monkeypatch, capsys):
    monkeypatch.setattr(Home, "find", fail)
    monkeypatch.setattr("matcha_p2p.app.bots.demo.run", fail)
    words = (HOMELESS | AT_HOME)[name]
    given = [str(game) if word in ("FILE", "FOLDER") else word for word in words]
    monkeypatch.setattr(sys, "argv", ["matcha", name, *given])
    with pytest.raises(SystemExit) as ended:
        sys.exit(cli._run())
    assert ended.value.code == 70
    assert "bug (ZeroDivisionError)" in capsys.readouterr().err
