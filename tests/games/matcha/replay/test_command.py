"""``matcha replay``: line by line and on a real terminal, on files good and bad."""

import json
import signal
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from matcha_p2p.app.command.output import Output
from matcha_p2p.app.library.transcripts import read_game
from matcha_p2p.cli import commands
from matcha_p2p.cli.options import VIEWS
from matcha_p2p.review.steps import viewpoints
from tests.console.pseudo_terminal import Terminal

ACCEPTED = Path(__file__).parents[4] / "protocol" / "vectors" / "accept"
ONE = ACCEPTED / "open-book-by-one.matcha"  # Taro's; Mina's book is closed
BOTH = ACCEPTED / "open-book-by-both.matcha"


def run(*words: str | Path) -> Result:
    result = CliRunner().invoke(commands, ["replay", *map(str, words)])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result


def lines(*words: str | Path) -> list[str]:
    result = run(*words)
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_offered_views_are_the_known_views():
    assert set(VIEWS) == {*viewpoints(2)}


def test_a_game_is_told_a_fact_a_line_to_its_end():
    told = lines(ONE)
    assert told[0] == "A valid game of Mina, Taro: COMPLETE."
    assert told[1] == "Set 1. Mina deals and leads."
    assert told[-1] == "Taro wins: more water tokens, 1 to 0, after the last set."
    assert not any("\x1b" in line or "\r" in line for line in told)


def test_each_view_tells_only_its_own_knowledge():
    hands = {
        view: [line for line in lines(ONE, "--view", view) if "'s hand: " in line]
        for view in VIEWS
    }
    assert hands["public"] == hands["first"] == []
    assert len(hands["second"]) == 2
    assert hands["both"] == hands["second"]
    both = "\n".join(lines(BOTH))
    assert "Mina's hand: " in both
    assert "Taro's hand: " in both
    assert "'s hand" not in "\n".join(lines(BOTH, "--view", "public"))


def test_replay_begins_at_the_given_place():
    whole = lines(ONE)
    assert lines(ONE, "--from", "1") == whole
    assert lines(ONE, "--from", "35") == [whole[0], whole[-1]]
    assert lines(ONE, "--from", "999") == whole[:1]
    assert run(ONE, "--from", "0").exit_code == 2


def test_game_without_a_table_is_told():
    assert lines(ACCEPTED / "nothing-said.matcha") == ["In this game nobody has moved."]


@pytest.mark.parametrize("damage", ["cut", "altered", "foreign", "empty"])
def test_a_transcript_that_is_not_valid_is_refused_with_why(tmp_path, damage):
    whole = ONE.read_bytes()
    contents = {
        "cut": whole[: len(whole) // 2],
        "altered": whole[:9000] + bytes([whole[9000] ^ 1]) + whole[9001:],
        "foreign": b"\x89PNG\r\n" * 100,
        "empty": b"",
    }
    file = tmp_path / "game.matcha"
    file.write_bytes(contents[damage])
    result = run(file)
    assert result.exit_code == 1
    assert "The transcript is not valid from entry" in result.stderr
    assert result.stdout == ""


def test_missing_file_exits_8(tmp_path):
    for file in (tmp_path / "nowhere", tmp_path):
        result = run(file)
        assert result.exit_code == 8
        assert "cannot be read" in result.stderr


def test_a_screen_without_a_terminal_is_refused_before_anything_is_judged(tmp_path):
    result = run(tmp_path / "nowhere", "--ui", "full")
    assert result.exit_code == 2
    assert "needs a terminal" in result.stderr


def test_with_json_stdout_stays_clean():
    result = run(ONE, "--json")
    assert (result.exit_code, result.stdout) == (0, "")
    error = json.loads(run("nowhere", "--json").stdout)
    assert (error["event"], error["exit"]) == ("error", 8)


def test_long_checks_say_now_and_then_how_far_they_are(monkeypatch, capsys):
    clock = iter(range(0, 10_000, 1))
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))
    assert read_game(Output(facts=False), ONE).valid
    captured = capsys.readouterr()
    assert "Checking the game: 1 messages are valid so far." in captured.err
    assert captured.out == ""


# On a real terminal.


@pytest.fixture
def terminal(tmp_path):
    if sys.platform == "win32":
        pytest.skip("there are no pseudo-terminals")
    with Terminal(tmp_path, "replay", str(ONE)) as opened:
        opened.until("Step 1 of 35")
        yield opened


@pytest.mark.slow
def test_keys_step_jump_turn_and_leave(terminal):
    assert "valid: Mina and Taro" in terminal.text
    terminal.type("\x1b[C")  # Right
    terminal.until("Step 2 of 35")
    terminal.until("Taro's hand: 1: leaf 3")
    terminal.type("n")
    terminal.until("Taro holds: none.")  # of the news of a step the last lines are shown
    terminal.type("v")
    terminal.until("as an onlooker saw it")
    terminal.type("\x1b[6~")  # PgDn
    terminal.until("round 3 of 3")
    terminal.type("\x1b[F")  # End
    terminal.until("Step 35 of 35")
    terminal.until("Taro wins: more water tokens")
    terminal.type("\x1b[H\x1b[D")  # Home, Left
    terminal.until("Step 1 of 35")
    terminal.type("q")
    assert terminal.end() == 0
    terminal.assert_restored()


@pytest.mark.slow
def test_pages_open_over_the_table_and_close_again(terminal):
    for key, words in (
        ("\x1bOP", "the next and the previous round"),  # F1
        ("\x1bOQ", "18 cards"),  # F2
        ("\x1bOS", "Set 1. Mina deals"),  # F4
        ("w", "No round is over"),
    ):
        terminal.type(key)
        terminal.until(words)
        terminal.type("\x1b")
        terminal.until("Step 1 of 35")
    terminal.type("\x1b")
    assert terminal.end() == 0
    terminal.assert_restored()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["TERM", "INT"])
def test_a_signal_restores_the_terminal(terminal, number):
    terminal.signal(number)
    assert terminal.end() == 128 + number
    terminal.assert_restored()


@pytest.mark.slow
def test_closed_terminal_ends_the_replay(terminal):
    assert terminal.hang_up() in (0, 128 + signal.SIGHUP)


@pytest.mark.slow
def test_replay_follows_the_size_and_asks_for_room(terminal):
    terminal.resize(50, 10)
    terminal.until("Please enlarge")
    terminal.resize(110, 40)
    terminal.until("Step 1 of 35")
    terminal.type("\x1b[200~qq\x03v\x1b[201~n")  # what is pasted is no key
    terminal.until("Step 7 of 35, with all")
    terminal.type("\x03")
    assert terminal.end() == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "env"), [(("--ui", "line"), {}), ((), {"TERM": "dumb"})], ids=["option", "dumb"]
)
def test_line_mode_on_a_terminal_prints_and_ends(tmp_path, words, env):
    if sys.platform == "win32":
        pytest.skip("there are no pseudo-terminals")
    with Terminal(tmp_path, "replay", str(ONE), *words, **env) as opened:
        assert opened.end() == 0
        assert b"\x1b[?1049h" not in opened.raw
        assert b"Taro wins" in opened.raw
