"""The hint in practice."""

import random

import pytest

from matcha_p2p.games.tichu.bots.arena import OpenRound, deal
from matcha_p2p.games.tichu.bots.hint import advise
from matcha_p2p.games.tichu.bots.keen import KEEN
from matcha_p2p.games.tichu.bots.roster import BOTS
from matcha_p2p.games.tichu.conversation import Conversation
from matcha_p2p.games.tichu.game import GAME as TICHU
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import SEATS, Ask, Variant
from matcha_p2p.session.news import MoveDue
from tests.games.tichu.rules.table import go, opened


@pytest.fixture
def late() -> Observation:
    """Return what a seat sees that can lay any of three cards, or pass."""
    state, hands = opened("M R5 G7", "R6 R9 GK", "R7 B7 K8", "BA B2 R8")
    state = go(state, hands, "0 R5")
    return Observation(state, SEATS[1], tuple(hands[1]), (), 1, (0, 0))


def test_all_answers_late_in_a_round_are_judged_by_points(late):
    judgement = advise(late)
    assert judgement == advise(late)
    assert judgement.moves[0].move == BOTS["keen"].choose(late, random.Random(0))
    assert {judged.move for judged in judgement.moves} == {*late.legal_moves()}
    assert all(-300 <= judged.points <= 300 for judged in judgement.moves)


def test_calls_and_gifts_are_advised_as_club_makes_them_and_the_lead_is_judged():
    table = OpenRound(Variant(), SEATS[0], deal(random.Random(2)))
    while table.seen(seat := table.state.asked[0][0]).asked is not Ask.TURN:
        move = BOTS["club"].choose(table.seen(seat), random.Random(0))
        judgement = advise(table.seen(seat))
        assert [(it.move, it.points) for it in judgement.moves] == [(move, None)]
        table.take(seat, move)
    tried = len({judged.points for judged in advise(table.seen(seat)).moves})
    assert (tried > 1) == KEEN.judges(table.seen(seat))  # not without the compiled core


def test_hint_is_a_command_that_can_be_typed(late):
    talk = Conversation(late.seat, TICHU, advise)
    talk.hear(MoveDue(late))
    line, *reasons = talk.read("hint").lines
    assert [reason[:3] for reason in reasons][:3] == ["1. ", "2. ", "3. "]
    typed = line.removeprefix("A good player would type: ")
    assert talk.read(typed).choice.move == advise(late).moves[0].move
