"""The bot keen: it tries turns, and takes another than club's only if that surely gains."""

import random
from collections import Counter

import pytest

from matcha_p2p.games.kashi.bots import keen
from matcha_p2p.games.kashi.bots.hint import advise
from matcha_p2p.games.kashi.bots.keen import CLUB, KEEN
from matcha_p2p.games.kashi.rules.game import take_turn
from matcha_p2p.games.kashi.rules.moves import Fulfil, TakeTurn
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.ways import Map
from matcha_p2p.seats import Seat
from tests.games.kashi.rules.positions import position

OWN = Outlook(position(person="1,2"), Seat(0))


def usual() -> TakeTurn:
    turn = CLUB.choose(OWN, random.Random(0))
    assert isinstance(turn, TakeTurn)
    return turn


@pytest.mark.parametrize(
    ("gains", "taken"), [((1, 1), True), ((3, -2), False), ((-1, -1), False)]
)
def test_another_turn_than_clubs_has_to_gain_more_than_its_error(monkeypatch, gains, taken):
    after, played = take_turn(*OWN, usual().actions), Counter()

    def lead(game, _seat, _number):
        played[game] += 1
        return 0 if game == after else gains[played[game] % 2]

    monkeypatch.setattr(keen, "_lead", lead)
    made = KEEN.choose(OWN, random.Random(0))
    assert (made != usual()) is taken


def test_a_plan_says_its_order_and_the_way_that_is_left():
    game, seat = OWN
    plan = KEEN.plan(game, seat, random.Random(1))
    delivered = [made.order for made in plan.actions if isinstance(made, Fulfil)]
    if delivered:
        assert (plan.order, plan.ap) == (delivered[0], 0)
    else:
        assert plan.ap == Map(take_turn(game, seat, plan.actions), seat).way(plan.order).ap
    assert advise(OWN).move == TakeTurn(KEEN.plan(game, seat, random.Random(0)).actions)


def test_same_chance_gives_the_same_turn():
    assert KEEN.choose(OWN, random.Random(3)) == KEEN.choose(OWN, random.Random(3))
