"""Strangers choose the names of files; each name is shown as one quoted line."""

import json
from pathlib import Path, PureWindowsPath

import pytest
from click.testing import CliRunner, Result

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.cli import commands
from matcha_p2p.errors import shown
from tests.cheats.scene import played

NAMES = {
    "line": "a\ngood.matcha: COMPLETE: all players have signed the result..matcha",
    "return": "bad\rgood.matcha",
    "wipe": "a\x1b[2J\x1b[1;1Hb.matcha",
    "bidi": "a\u202eb\u2066c\u200f.matcha",
    "separator": "a\u2028b\u2029c\x85d.matcha",
    "byte": "a\udcffb\udc9b2J.matcha",
    "wrap": "bad" + " " * 60 + "good.matcha: COMPLETE: valid.matcha",
    "quote": "a' COMPLETE 'b.matcha",
    "code": "x [own-fork].matcha",
}
WORDS = {
    "verify": ("verify",),
    "export": ("export", "--format", "json"),
    "replay": ("replay", "--ui", "line"),
}


@pytest.fixture(params=NAMES)
def name(request) -> str:
    return NAMES[request.param]


def run(*words: str | Path) -> Result:
    result = CliRunner(charset="utf-8").invoke(commands, [str(word) for word in words])
    assert isinstance(result.exception, SystemExit) or result.exception is None
    return result


def told(result: Result) -> list[str]:
    """Return the lines that reach the terminal, all printable."""
    lines = result.output.split("\n")
    assert all(line.isprintable() for line in lines)
    return lines


@pytest.mark.parametrize("command", WORDS)
@pytest.mark.parametrize("content", [None, b"", b"no transcript"], ids=["none", "empty", "bad"])
def test_a_bad_file_cannot_say_by_its_name_that_it_is_good(tmp_path, name, command, content):
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    result = run(*WORDS[command], file)
    assert result.exit_code in (1, 8)
    lines = told(result)
    assert shown(file) in result.output
    assert not any(line.lstrip().startswith(("good", "COMPLETE")) for line in lines)


def test_the_code_of_an_error_is_not_looked_for_in_its_words(tmp_path):
    for file, code in (
        ("nowhere [own-fork].matcha", "file-unreadable"),
        ("x [bug]", "not-valid"),
    ):
        if code == "not-valid":
            (tmp_path / file).write_bytes(b"")
        stdout = run("export", tmp_path / file, "--format", "json", "--json").stdout
        (fact,) = map(json.loads, stdout.splitlines())
        assert (fact["event"], fact["code"]) == ("error", code)


def test_a_name_too_many_is_told_safely(name):
    """Wrong usage: the shell's names for * may be more than a command takes."""
    told(run("replay", "one", name))
    told(run("replay", "one", f"--{name}"))
    told(run(name))


@pytest.mark.parametrize("content", [b"no game", None], ids=["bad", "game"])
@pytest.mark.parametrize("ending", [".matcha", ".dispute"])
def test_the_list_of_games_shows_each_name_on_one_line(tmp_path, name, ending, content):
    if content is None:
        scene = played("short")
        begun = [entry.encoded for entry in scene.log[:9]]
        content = encode_archive(begun, [], scene.state.roster)
    games = tmp_path / "games"
    games.mkdir()
    file = games / name.replace(".matcha", ending)
    file.write_bytes(content)
    result = run("games", "--home", tmp_path)
    told(result)
    assert shown(file) in result.output
    (fact,) = map(json.loads, run("games", "--json", "--home", tmp_path).stdout.splitlines())
    assert fact["file"] == str(file)


def test_plain_path_stays_unchanged():
    for plain in ("/mina/games/2026-01-02-ab12cd34.matcha", "a_b~c.d", "/家/Оленка.matcha"):
        assert shown(Path(plain)) == plain


def test_a_path_with_spaces_or_quotes_can_be_pasted_into_a_shell():
    assert shown(Path("/a b/$(c)`d`.matcha")) == "'/a b/$(c)`d`.matcha'"
    assert shown(Path("it's.matcha")) == r"'it'\''s.matcha'"
    assert shown(PureWindowsPath(r"C:\Users\Mina K\a.matcha")) == r'"C:\Users\Mina K\a.matcha"'
    assert shown(PureWindowsPath(r"C:\Users\Mina\a.matcha")) == r"C:\Users\Mina\a.matcha"
