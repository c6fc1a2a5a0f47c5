"""``matcha kashi check``: faults of a board file by line, and how often each seat wins."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from matcha_p2p.app import workers
from matcha_p2p.cli import commands
from matcha_p2p.games.kashi import trials
from matcha_p2p.games.kashi.bots import arena
from matcha_p2p.games.kashi.bots.arena import SeatWins, Wins, play
from matcha_p2p.games.kashi.bots.roster import BOTS
from matcha_p2p.games.kashi.rules.game import TABLES
from matcha_p2p.games.kashi.table.written import digest
from tests.games.kashi.rules.positions import BOARD

SHIPPED = files("matcha_p2p.games.kashi.board").joinpath("board.toml").read_text()


def checked(folder: Path, text: str, *words: str) -> Result:
    file = folder / "board.toml"
    file.write_text(text)
    return CliRunner().invoke(commands, ["kashi", "check", str(file), *words])


def test_board_without_faults_is_named_with_its_digest(tmp_path):
    result = checked(tmp_path, SHIPPED)
    assert (result.exit_code, result.stderr) == (0, "")
    assert digest(BOARD).hex()[:16] in result.stdout
    fact = json.loads(checked(tmp_path, SHIPPED, "--json").stdout)
    assert (fact["event"], fact["name"]) == ("board", "Kashi-ichi")
    assert fact["digest"] == digest(BOARD).hex()


def test_each_fault_is_told_with_its_line(tmp_path):
    text = SHIPPED.replace('"dd', '"d').replace("idle = 20", "idle = -1")
    result = checked(tmp_path, text)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    numbers = [int(line.removeprefix("Line ").partition(":")[0]) for line in lines]
    assert numbers == sorted(numbers)
    assert numbers[0] == 3
    facts = map(json.loads, checked(tmp_path, text, "--json").stdout.splitlines())
    assert [(fact["event"], fact["line"]) for fact in facts] == [
        ("fault", number) for number in numbers
    ]


def test_uneven_boards_are_valid_with_a_warning(tmp_path):
    text = SHIPPED.replace('"12 A 6 2ap"', '"11 B 6 2ap"').replace('"124 C', '"111 C')
    result = checked(tmp_path, text)
    assert result.exit_code == 0
    assert "rice 21" in result.stderr
    assert "temple 9, theatre 11, harbour 10" in result.stderr


def test_unreadable_file_is_explained(tmp_path):
    result = CliRunner().invoke(commands, ["kashi", "check", str(tmp_path / "none")])
    assert result.exit_code == 8
    assert "cannot be read" in result.stderr


@pytest.mark.slow
def test_bots_show_how_often_each_seat_and_style_wins(tmp_path):
    words = ("--simulate", "2", "--seed", "4", "--json")  # no seat wins too often by chance
    lines = checked(tmp_path, SHIPPED, *words).stdout.splitlines()[1:]
    facts = [json.loads(line) for line in lines]
    seated = [fact for fact in facts if fact["event"] == "seats"]
    styled = [fact for fact in facts if fact["event"] == "style"]
    assert len(facts) == len(seated) + len(styled)
    assert [(fact["seats"], fact["bot"]) for fact in seated] == [
        (seats, bot) for seats in TABLES for bot in ("beginner", "club")
    ]
    for fact in seated:
        assert (fact["games"], fact["unfinished"]) == (2, 0)
        assert sum(fact["wins"]) == pytest.approx(2)
    assert [(fact["seats"], fact["style"]) for fact in styled] == [
        (seats, style) for seats in TABLES for style in trials.STYLES
    ]
    for fact in styled:
        assert (fact["games"], fact["unfinished"]) == (fact["seats"], 0)
        assert 0 <= fact["wins"] <= fact["games"]


def figures(folder: Path, seed: str) -> str:
    return checked(folder, SHIPPED, "--simulate", "3", "--seed", seed).stdout


@pytest.mark.slow
def test_seed_alone_decides_the_figures_however_many_processes_play(tmp_path, monkeypatch):
    monkeypatch.setattr(trials, "TABLES", (3,))
    alone = figures(tmp_path, "7")
    monkeypatch.setattr(trials, "_CHUNK", 1)
    monkeypatch.setattr(workers, "cores", lambda: 2)
    assert figures(tmp_path, "7") == alone
    assert figures(tmp_path, "8") != alone


def test_standard_error_is_that_of_equal_seats(tmp_path, monkeypatch):
    monkeypatch.setattr(trials._Table, "_pooled", pooled)
    result = checked(tmp_path, SHIPPED, "--simulate", "100")
    assert "3 seats, 100 games of club: the seats win" in result.stdout
    assert "standard error 4.7%" in result.stdout
    assert "a player without a plan wins 10.0% among bots of the level club." in result.stdout
    assert "An equal share is 33.3%" in result.stdout


def pooled(_table, _work, _count, nothing):
    return PLAYED[type(nothing)]


PLAYED = {Wins: Wins((100, 0, 0), 3), SeatWins: SeatWins(34, (10.2, 0.0, 0.0))}
"""Results of 100 games, and of a style from each seat of 34 decks."""


def test_unfair_and_endless_boards_are_warned_of(tmp_path, monkeypatch):
    monkeypatch.setattr(trials._Table, "_pooled", pooled)
    result = checked(tmp_path, SHIPPED, "--simulate", "100")
    assert "3 seats, 100 games of club: the seats win 100.0%, 0.0%, 0.0%;" in result.stdout
    assert "more than 2 points in 100" in result.stderr
    assert "Games without an end after 5000 turns: 3." in result.stderr


def test_endless_game_is_given_up(monkeypatch):
    monkeypatch.setattr(arena, "MOST_TURNS", 3)
    assert play(BOARD, 3, BOTS["club"], range(1), "1") == Wins((0.0,) * 3, 1)
