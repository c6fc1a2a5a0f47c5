"""``matcha analyse`` of Kashi-ichi, and the analysis in line mode after a game."""

import json

import pytest

from matcha_p2p.games.front import Analyst
from matcha_p2p.games.kashi.bots import judge
from matcha_p2p.games.kashi.bots.keen import Plan
from matcha_p2p.games.kashi.conversation import Conversation
from matcha_p2p.games.kashi.game import GAME as KASHI
from matcha_p2p.games.kashi.replay import analyse
from matcha_p2p.games.kashi.review.mistakes import Analyse
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.table.events import TurnTaken
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import Settled
from matcha_p2p.store.home import Home
from matcha_p2p.wire.names import GameId
from tests.app.library.test_verify_and_export import run
from tests.games.kashi.test_replay_screen import FILE, FILES, replayed
from tests.schemas import faults

pytestmark = pytest.mark.slow

ANALYST: Analyst = analyse
TURNS = [step.event for step in replayed().steps if isinstance(step.event, TurnTaken)]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Judge each turn as 4 points worse than taking gold, and gold as 1 point ahead."""

    def judged(game, seat, made):
        return judge.JudgedTurn(Plan((moves.TAKE_GOLD,), None, 0), -3.0, 1.0, 0.4)

    monkeypatch.setattr(judge, "judged", judged)


def test_each_turn_of_all_seats_is_a_decision_with_its_loss():
    result = run("analyse", "--json", FILE)
    assert result.exit_code == 0
    decided = [json.loads(line) for line in result.stdout.splitlines()]
    assert [fact["seat"] for fact in decided] == [turn.seat for turn in TURNS]
    assert [fact["round"] for fact in decided[:5]] == [1, 1, 1, 1, 2]
    for fact in decided:
        assert fact["event"] == "decision"
        assert faults(fact, "facts") == []
        best, made = fact["moves"]
        assert (best["move"], best["value"]) == ("gold; end", 1)
        assert (made["move"], made["value"]) == (fact["move"], fact["value"])
        assert fact["loss"] == 4


def test_mistakes_of_the_own_seat_alone_are_told_to_its_player(tmp_path):
    home = Home.find(tmp_path)
    path = home.store_transcript(GameId(bytes(32)), FILE.read_bytes())
    home.note_game(path, Seat(2), "ichi", 1)
    result = run("analyse", "--home", str(tmp_path), path)
    *told, verdict, _ = result.stdout.splitlines()
    count = sum(turn.seat == 2 for turn in TURNS)
    assert len(told) == count
    assert [line.split(".")[0] for line in told] == [str(at + 1) for at in range(count)]
    assert all(" Round " in line and "seat 2" not in line for line in told)
    assert all("Better: taking 3 gold. Lost: 4 points (+-0)." in line for line in told)
    assert verdict.startswith(f"Decisions judged: {count}. Mistakes: {count}. The dearest is ")


def test_game_without_a_turn_is_refused():
    result = run("analyse", FILES / "starting.matcha")
    assert result.exit_code == 2
    assert "Nobody has had a turn" in result.stderr


async def test_line_mode_analyses_the_own_turns_after_the_game():
    talk = Conversation(Seat(1), KASHI, analyst=ANALYST)
    assert talk.read("analyse").task is None
    _, *rows = talk.hear(Settled(FILE.read_bytes()))
    assert [row.partition(":")[0] for row in rows] == ["again", "analyse", "leave"]
    answer = talk.read("analyse")
    assert answer.lines
    assert answer.task == Analyse(FILE.read_bytes(), Seat(1))
    shown: list[str] = []
    await talk.perform(answer.task, shown.extend)
    assert shown[0].startswith("1. Round 1: ")
    assert shown[-2].startswith("Decisions judged: ")
    assert not any("seat 1" in line for line in shown)
