"""A game without optional parts: no command calls a missing part a bug."""

import json
import re
import sys
from types import ModuleType

import pytest

from matcha_p2p import cli, games
from matcha_p2p.app.command import front_end
from matcha_p2p.cli import commands
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games.game import Game, late
from matcha_p2p.language import Sentence
from matcha_p2p.table.piles import GuardError
from matcha_p2p.table.verbs import result_of
from tests.games.toy import steps
from tests.table.party import begun
from tests.vectors import FOLDER

CASES = {
    "host": [["--game", "kashi"], ["--game", "kashi", "--board", "FILE"]],
    "practice": [["--game", "kashi"], ["--game", "kashi", "--bot", "cmd:bot"]],
    "wait": [["--game", "kashi"]],
    "tutorial": [["--game", "kashi"]],
    "rules": [
        ["--game", "kashi"],
        ["--game", "kashi", "--log", "FILE"],
    ],
    "arena": [["random", "random", "--games", "1", "--game", "kashi"]],
    "engine": [["random", "--game", "kashi"]],
    "kashi": [["check", "FILE"]],
    "export": [["FILE", "--format", "json"], ["FILE", "--format", "text"]],
    "analyse": [["FILE"]],
    "replay": [["FILE"]],
    "page": [["FILE"], ["FILE", "--analyse"]],
    "index": [["FOLDER"]],
}
"""Words by which a command needs a part that the game lacks."""
PARTLESS = {
    *("claim", "demo", "doctor", "friends", "games", "help", "me", "verify", "worker"),
}
"""Commands that need no part of a game that a game may lack."""
CONNECTED = {"call", "join", "resume", "watch"}
"""Commands that learn the game from another program, or from a journal."""


class Bare(Game):
    """The toy without optional parts."""

    name = "toy"
    number = 200
    title = "Bare"
    entry = Sentence("Bare")
    tables = (3,)
    variants = ("one",)
    new = late("toy.steps:new_game")
    rules = late("toy.seated:RULES")
    telling = late("toy.telling")
    endings = late("toy.words.endings:HOWS")


@pytest.fixture(autouse=True)
def bare(monkeypatch):
    """Let the toy and Kashi-ichi be games without other parts."""
    module = ModuleType("bare.game")
    module.__dict__["GAME"] = Bare()
    monkeypatch.setitem(sys.modules, "bare", ModuleType("bare"))
    monkeypatch.setitem(sys.modules, "bare.game", module)
    for game in ("toy", "kashi"):
        monkeypatch.setitem(games.FOLDERS, game, "bare")


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run a command at a home with a file of the game."""
    file = tmp_path / "games" / "2026-01-01-game.matcha"
    file.parent.mkdir()
    file.write_bytes((FOLDER / "toy" / "first-0.matcha").read_bytes())
    given = {"FILE": str(file), "FOLDER": str(file.parent)}
    monkeypatch.setenv("MATCHA_HOME", str(tmp_path))

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["matcha", *(given.get(it, it) for it in words)])
        with pytest.raises(SystemExit) as ended:
            sys.exit(cli._run())
        return int(ended.value.code), *capsys.readouterr()

    return run


def test_every_command_is_tried_or_needs_no_part():
    assert {*CASES} | PARTLESS | CONNECTED == {*commands.commands}
    assert not {*CASES} & (PARTLESS | CONNECTED)


@pytest.mark.parametrize(
    ("name", "words"), [(name, words) for name, tried in CASES.items() for words in tried]
)
def test_missing_part_is_told_in_a_sentence(run, name, words):
    code, _, said = run(name, *words)
    assert code == 2
    assert "bug" not in said
    assert re.fullmatch("Bare lacks this part: [a-z ]+[.]\n", said)


def test_game_without_words_for_its_variants_is_called_by_its_title():
    bare = Bare()
    assert (bare.label("one"), bare.named("one"), bare.described("one")) == ("Bare",) * 3


def test_bot_of_a_game_without_teams_never_agrees_to_resign():
    table = begun("resigns", steps.new_game("one", 3)).table
    rules = games.game_of("toy").rules
    assert not any(rules.resigns(rules.state(table), seat) for seat in range(3))


@pytest.mark.parametrize(
    ("ui", "lacks"), [("auto", "a notation of moves"), ("full", "a full screen")]
)
def test_game_without_screen_is_played_in_line_mode(monkeypatch, run, ui, lacks):
    monkeypatch.setattr(front_end, "look_for", lambda *_: Look(SYMBOLS))
    code, _, said = run("practice", "--game", "kashi", "--ui", ui)
    assert (code, said) == (2, f"Bare lacks this part: {lacks}.\n")


@pytest.mark.parametrize(
    ("words", "how"),
    [(["verify", "-v", "FILE"], "with the highest card"), (["games"], "by the rules")],
)
def test_honest_file_is_called_valid(run, words, how):
    code, said, wrong = run(*words)
    assert (code, wrong) == (0, "")
    assert how in said
    assert "cannot be read" not in said


def test_games_as_facts_have_the_winner(run):
    code, said, _ = run("games", "--json")
    facts = map(json.loads, said.splitlines())
    (stored,) = [fact for fact in facts if fact["event"] == "stored"]
    assert (code, stored["winners"], stored["how"]) == (0, [0], None)


@pytest.mark.parametrize("result", [(3,), (-1,), (0, 7)])
def test_result_that_names_no_seat_is_a_bug_of_the_game(monkeypatch, result):
    """A file with such a result would be called wrong."""
    table = begun("result", steps.new_game("one", 3)).table
    monkeypatch.setattr(type(table.game), "result", lambda _: result)
    with pytest.raises(GuardError, match="names a seat"):
        result_of(table)
