"""Finished games as a log, as JSON and as sentences."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from matcha_p2p.chain.verify import Report, verify_transcript
from matcha_p2p.cli import commands
from matcha_p2p.games import game_of
from matcha_p2p.games.kashi.replay import steps
from matcha_p2p.games.kashi.review.export import EXPORT, text_of
from matcha_p2p.games.kashi.rules.log import play_log
from matcha_p2p.games.kashi.table.events import GameEnded, OrdersDrawn
from matcha_p2p.games.kashi.table.forms import END
from matcha_p2p.review.export import exported
from matcha_p2p.seats import Seat
from matcha_p2p.store.home import Home
from matcha_p2p.table.seat import state_record
from matcha_p2p.wire.names import GameId
from matcha_p2p.wire.statements import Resign
from tests.games.kashi.table import SEATS, course, kashi

pytestmark = pytest.mark.slow


@cache
def transcript(seats: int, *, most: int = 10_000) -> bytes:
    return course(seats, most=most).party.file()


@cache
def report_of(seats: int, *, most: int = 10_000) -> Report:
    return verify_transcript(transcript(seats, most=most))


def resigned_transcript() -> bytes:
    """Return a game in which seat 1 has conceded early."""
    played = course(3, most=30)
    table = played.tables[-1]
    record = state_record(played.party.players[1], table, Resign())
    return played.party.file(records=[record.encoded])


def resigned() -> Report:
    return verify_transcript(resigned_transcript())


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "game.matcha"
    path.write_bytes(transcript(3))
    return path


def run(*words: str | Path) -> Result:
    result = CliRunner().invoke(commands, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.parametrize("seats", SEATS)
def test_log_of_a_game_is_judged_with_the_result_of_the_transcript(seats):
    report = report_of(seats)
    assert isinstance(report.result, GameEnded)
    game = exported(game_of("kashi"), report)
    first = game["first"]
    assert first is not None
    *_, last = play_log(text_of(report).splitlines())
    won = [(first + place) % seats for place in last["won"]]
    assert sorted(won) == [*report.result.winners] == game["result"]["winners"]
    scores = [own.points for own in report.result.scores]
    assert last["score"] == [scores[(first + place) % seats] for place in range(seats)]
    assert [*END.read(game["result"]).points] == scores


def test_log_of_an_unfinished_game_is_judged_as_far_as_it_goes():
    report = report_of(4, most=60)
    told = [*play_log(exported(game_of("kashi"), report)["log"])]
    assert not any("refused" in line for line in told)
    assert exported(game_of("kashi"), report)["result"] is None
    table = course(4, most=60).tables[-1]
    assert told[-1]["turns"] == kashi(table).state.turns > 0


def test_game_before_the_first_seat_is_drawn_has_a_heading_alone():
    game = exported(game_of("kashi"), report_of(3, most=1))
    assert (game["first"], game["log"], game["result"]) == (None, ["KASHI 1 3"], None)


def test_nothing_of_a_game_without_all_greetings_is_exported():
    game = exported(game_of("kashi"), verify_transcript(course(3).party.file(2)))
    assert (game["board"], game["log"]) == (None, [])


def test_printed_log_is_read_back_by_the_rules(file, tmp_path):
    log = tmp_path / "game.log"
    log.write_text(run("export", file, "--format", "text").stdout)
    lines = run("rules", "--game", "kashi", "--log", log, "--json").stdout.splitlines()
    told = [json.loads(line) for line in lines]
    assert not any("refused" in line for line in told)
    game = json.loads(run("export", file, "--format", "json").stdout)
    first, winners = game["first"], game["result"]["winners"]
    assert sorted((first + place) % 3 for place in told[-1]["won"]) == winners
    fact = json.loads(run("export", file, "--format", "json", "--json").stdout)
    assert fact["game"] == game


def test_no_card_of_a_game_stays_unopened():
    assert [*EXPORT.unopened_cards(report_of(3))] == []


def test_replay_names_every_player_and_ends_with_the_points(file):
    lines = run("replay", file, "--ui", "line").stdout.splitlines()
    assert lines[0] == "A valid game of seat 0, seat 1, seat 2: COMPLETE."
    assert not any(re.search(r"\byou\b", line.lower()) for line in lines)
    result = report_of(3).result
    assert isinstance(result, GameEnded)
    for seat, own in enumerate(result.scores):
        assert lines[seat - 4].startswith(f"seat {seat}: {own.points} points.")
    late = run("replay", file, "--ui", "line", "--from", "9").stdout.splitlines()
    assert late[1:] == lines[-len(late) + 1 :]


def test_resignation_is_the_last_step_of_a_replay():
    replay = steps.replay_of(resigned())
    gone, *scores, won = replay.sentences(len(replay.steps) - 1)
    assert gone.startswith("seat 1 has conceded")
    assert [line.partition(":")[0] for line in scores] == ["seat 0", "seat 1", "seat 2"]
    assert won == "seat 2 wins."
    assert exported(game_of("kashi"), resigned())["result"]["winners"] == [Seat(2)]


def test_replay_has_a_step_for_each_event():
    replay = steps.replay_of(report_of(4))
    drawn = [step.event for step in replay.steps if isinstance(step.event, OrdersDrawn)]
    assert sum(len(event.orders) for event in drawn) == len(replay.steps[-1].game.drawn)


@pytest.mark.parametrize(
    ("seats", "made"),
    [(3, lambda: transcript(3)), (4, lambda: transcript(4)), (3, resigned_transcript)],
    ids=["three", "four", "resigned"],
)
def test_list_of_games_names_all_seats_and_winners(seats, made, tmp_path):
    content = made()
    report = verify_transcript(content)
    home = Home.find(tmp_path)
    path = home.store_transcript(GameId(report.accepted[0].entry.id), content)
    winners = report.result.winners
    (fact,) = map(json.loads, run("games", "--home", tmp_path, "--json").stdout.splitlines())
    assert fact["names"] == [f"seat {seat}" for seat in range(seats)]
    assert (fact["winners"], fact["over"]) == ([*winners], True)
    said = run("games", "--home", tmp_path).stdout
    loser = next(seat for seat in range(seats) if seat not in winners)
    assert f"seat {winners[0]}" in said.partition(" won against ")[0]
    home.note_game(path, Seat(loser), None)
    assert "0 won, 1 lost, 0 drawn" in run("games", "--home", tmp_path).stdout
