"""``matcha analyse`` of Tichu: what decisions have cost."""

import json
import random
import re
from functools import cache

import pytest

from matcha_p2p.app.library import transcripts
from matcha_p2p.games.front import Analyst
from matcha_p2p.games.tichu.bots.club import answer
from matcha_p2p.games.tichu.bots.keen import KEEN, Keen
from matcha_p2p.games.tichu.conversation import Conversation
from matcha_p2p.games.tichu.game import GAME as TICHU
from matcha_p2p.games.tichu.replay import analyse
from matcha_p2p.games.tichu.replay.analyse import analysis_of
from matcha_p2p.games.tichu.review.analysis import JudgedDecision, judged
from matcha_p2p.games.tichu.review.mistakes import Analyse
from matcha_p2p.games.tichu.rules.actions import Lay
from matcha_p2p.games.tichu.rules.moves import legal_plays
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.session.news import Settled
from matcha_p2p.store.home import Home
from matcha_p2p.wire.names import GameId
from tests.app.library.test_verify_and_export import run
from tests.games.tichu.party import course
from tests.games.tichu.review.test_export import kept, report, transcript

pytestmark = pytest.mark.slow

ANALYST: Analyst = analyse


@cache
def facts_of(options: tuple[str, ...], file) -> tuple[str, list]:
    result = run("analyse", "--json", *options, file)
    assert result.exit_code == 0
    facts = [json.loads(line) for line in result.stdout.splitlines()]
    return result.stderr, [fact for fact in facts if fact["event"] == "decision"]


def test_decisions_of_all_seats_are_judged(tmp_path):
    _, decided = facts_of((), kept(tmp_path, transcript(course(1))))
    assert {fact["seat"] for fact in decided} == set(SEATS)
    for fact in decided:
        assert fact["round"] == 1
        plays = {it["move"].partition(" wish")[0] for it in fact["moves"]}
        assert fact["move"].partition(" wish")[0] in plays
        assert fact["loss"] in (0, fact["moves"][0]["value"] - fact["value"])


def several(seen):
    """Tell whether the seat can lay different cards, or some and none."""
    return len({it.places if isinstance(it, Lay) else () for it in seen.legal_moves()}) > 1


def test_judged_are_the_decisions_that_the_seats_made():
    """What each seat saw in the game is the judge.

    The places of cards that are never opened are not known.
    """

    def known(seen, move):
        return seen.state, seen.seat, sorted(seen.hand), seen.laid, seen.number, move

    decided = [
        known(seen, move)
        for seen, move in course(2).decided
        if KEEN.judges(seen) and several(seen)
    ]
    assert decided
    found = analysis_of(report(course(2))).decisions
    assert [known(it.seen, it.made) for it in found] == decided


def test_own_key_tells_what_was_exchanged():
    party = course(2).party
    own = SEATS[1], party.players[1].x
    found = analysis_of(report(course(2)), own).decisions
    saw = {seen.seat: seen for seen, _ in course(2).decided if seen.given}
    exchanged = {it.seen.seat: (it.seen.given, it.seen.received) for it in found}
    assert exchanged.pop(SEATS[1]) == (saw[SEATS[1]].given, ())
    assert set(exchanged.values()) == {((), ())}


def test_open_books_tell_what_was_exchanged():
    opened = report(course(2), opened=SEATS)
    saw = {
        seen.seat: (seen.given, seen.received) for seen, _ in course(2).decided if seen.given
    }
    for decision in analysis_of(opened).decisions:
        seen = decision.seen
        assert (seen.given, seen.received) == saw[seen.seat]


@pytest.mark.parametrize("seed", range(3))
def test_decisions_of_a_seat_with_other_gifts_than_of_a_bot_are_judged(seed):
    """A file with our own key has the gifts; here they are cards drawn at random."""
    for player in course(seed).party.players:
        own = player.seat, player.x
        for decision in analysis_of(report(course(seed)), own, player.seat).decisions:
            assert judged(decision).loss >= 0


def test_of_a_known_seat_only_its_own_decisions_are_told(tmp_path):
    home = Home.find(tmp_path)
    party = course(1).party
    path = home.store_transcript(GameId(bytes(32)), transcript(course(1)))
    home.note_game(path, SEATS[2], "points", party.players[2].x)
    _, decided = facts_of(("--home", str(tmp_path)), path)
    assert {fact["seat"] for fact in decided} == {2}


def test_mistakes_are_told_in_order_with_what_was_better(tmp_path, monkeypatch):
    monkeypatch.setattr(transcripts, "_QUIET_FOR", 0.0)
    result = run("analyse", kept(tmp_path, transcript(course(1))))
    assert "Decisions judged so far: 1 of " in result.stderr
    told = result.stdout.splitlines()
    lost = [line for line in told if " Lost: " in line]
    assert [line.split(".")[0] for line in lost] == [str(at + 1) for at in range(len(lost))]
    tricks = [int(re.search(r"trick (\d+)", line)[1]) for line in lost]
    assert tricks == sorted(tricks)
    assert f"Mistakes: {len(lost)}. The dearest is number " in result.stdout


def test_the_better_answer_loses_nothing():
    found = analysis_of(report(course(1)))
    for decision in found.decisions[:4]:
        best = judged(decision).judgement.moves[0].move
        assert judged(decision._replace(made=best)).loss == 0


def test_what_the_bot_does_not_try_is_judged_too():
    """A play that keen does not try has its worth all the same."""
    few = Keen(cards=56, worlds=2, moves=0)
    seen = next(it.seen for it in analysis_of(report(course(1))).decisions)
    chance = random.Random(1)
    play = legal_plays(seen.state, seen.held.values())[-1]
    tried = {it.move for it in few.judge(seen, chance, also=(play,)).moves}
    assert answer(seen, play) in tried


def test_a_game_without_a_finished_round_is_refused(tmp_path):
    result = run("analyse", kept(tmp_path, transcript(course(1), 200)))
    assert result.exit_code == 2
    assert "No round" in result.stderr


async def test_line_mode_analyses_the_own_decisions_after_the_game():
    seat = SEATS[3]
    talk = Conversation(seat, TICHU, analyst=analyse)
    assert talk.read("analyse").task is None
    for seen, _ in course(1).decided:
        if seen.seat == seat and seen.given:
            talk._fall_due(seen)
            break
    talk.hear(Settled(transcript(course(1))))
    task = talk.read("analyse").task
    assert task.exchanged == {1: (seen.given, seen.received)}
    shown: list[str] = []
    await talk.perform(task, shown.extend)
    assert any(" Lost: " in line for line in shown)
    assert not any("seat 1: " in line for line in shown)


def test_a_front_end_gets_each_judgement():
    analysis = ANALYST.begin(Analyse(transcript(course(1)), SEATS[0], {}))
    assert {it.seen.seat for it in analysis.decisions} == {SEATS[0]}
    assert isinstance(ANALYST.judge(analysis.decisions[0]), JudgedDecision)
