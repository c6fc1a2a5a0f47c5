"""A path that the system refuses is told as such by every command."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from matcha_p2p.cli import commands
from matcha_p2p.cli.parsing import HomePath
from tests.vectors import base

WORDS = {
    "host": ["--game", "kashi"],
    "practice": ["--game", "kashi"],
    "wait": ["--game", "kashi"],
    "rules": ["--game", "kashi"],
    "arena": ["uniform", "uniform", "--games", "1"],
    "kashi": ["check"],
    "export": ["--format", "json"],
    "index": ["--output", "pages"],
}
"""Words that a command needs beside its paths."""
READING = (
    "games", "friends", "me", "claim", "resume", "export", "analyse", "replay", "page",
)  # fmt: skip
"""Commands that look into the home at once."""


def paths() -> Iterator[tuple[str, str]]:
    """Yield each command with each option that is a path; for an argument, yield ""."""
    for name, command in commands.commands.items():
        for param in command.params:
            if isinstance(param.type, HomePath):
                if name in READING:
                    yield name, "--home"
            elif isinstance(param.type, click.Path):
                yield name, param.opts[0] if isinstance(param, click.Option) else ""


@pytest.fixture(params=["too long", "closed", "loop"])
def refused(request, tmp_path):
    """Return a path that the system refuses to look at."""
    if request.param == "too long":
        yield tmp_path / ("x" * 300)
    elif request.param == "loop":
        (tmp_path / "loop").symlink_to(tmp_path / "loop")
        yield tmp_path / "loop" / "x"
    else:
        if sys.platform == "win32" or os.geteuid() == 0:
            pytest.skip("every folder is open to this user")
        closed = tmp_path / "closed"
        closed.mkdir(mode=0o000)
        yield closed / "x.matcha"
        closed.chmod(0o700)


def told(name: str, option: str, path: str | Path, tmp_path: Path) -> tuple[int, str]:
    """Run a command with one path; return the exit code and stderr."""
    game = tmp_path / "game.matcha"
    game.write_bytes(base("short.matcha"))
    words = [*WORDS.get(name, []), *([option] if option else []), str(path)]
    if option == "--output":
        words.append(str(game))
    if option == "--board" and name == "rules":
        words += ["--log", str(game)]
    env = {"MATCHA_HOME": None if option == "--home" else str(tmp_path / "home")}
    result = CliRunner().invoke(commands, [name, *words], env=env, prog_name="matcha")
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stderr


@pytest.mark.parametrize(("name", "option"), [*paths()])
def test_reason_of_a_refused_path_is_told(name, option, refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, said = told(name, option, refused, tmp_path)
    assert code in (2, 8)
    assert "because of a bug" not in said
    assert any(reason in said for reason in ("too long", "denied", "symbolic", "--output")), (
        said
    )


def test_index_of_a_refused_path_tells_one_error(refused, tmp_path):
    """Not also that no list can be written there."""
    words = ["index", str(refused), "--home", str(tmp_path / "home")]
    result = CliRunner().invoke(commands, words)
    assert (result.exit_code, len(result.stderr.splitlines())) == (8, 1)


def test_earlier_index_stays_where_nothing_can_be_read(tmp_path):
    pages, game = tmp_path / "pages", tmp_path / "game.matcha"
    game.write_bytes(base("short.matcha"))
    for file, code in ((game, 0), (tmp_path / "none.matcha", 8)):
        words = ["index", str(file), "--output", str(pages), "--home", str(tmp_path / "home")]
        assert CliRunner().invoke(commands, words).exit_code == code
        assert "game.html" in (pages / "index.html").read_text()


@pytest.mark.parametrize(("name", "option"), [*paths()])
def test_empty_path_is_refused(name, option, tmp_path, monkeypatch):
    """It is the current folder for Python, and nothing for a person."""
    monkeypatch.chdir(tmp_path)
    code, said = told(name, option, "", tmp_path)
    assert (code, "The name of the file or folder is empty" in said) == (2, True)
