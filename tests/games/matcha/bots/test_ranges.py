"""The report on round 3 under other ranges: with even ones it is that under even ranges."""

import random

import pytest
from training import ranges
from training.round3 import loss

from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.bots.solving.endings import ending_of, types_of
from matcha_p2p.games.matcha.bots.solving.round3 import Round3, point_of, solution_of
from matcha_p2p.games.matcha.bots.solving.tells import past_of
from matcha_p2p.games.matcha.rules.edition import EDITION_2020, EDITIONS
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.observation import observe


def always_passing(side):
    """Return the plan that takes the last choice of each decision, which is the pass."""
    plan = [1.0] + [0.0] * (side.sequences - 1)
    for decisions in side.decisions:
        for at, parent in enumerate(decisions.parents):
            plan[range(side.sequences)[decisions.sequences(at)][-1]] = plan[parent]
    return plan


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)
def test_even_ranges_change_nothing(edition, monkeypatch):
    monkeypatch.setattr(ranges, "explained", lambda *_: 0.25)
    for _, (seen, before) in zip(
        range(4), ranges.positions(edition, BOTS["greedy"], "even"), strict=False
    ):
        asked, rng = ranges.Asked(BOTS["greedy"], 1), random.Random(1)
        likely = [ranges.likelihoods(seen, before, seat, asked, rng, 3) for seat in (0, 1)]
        ending = ending_of(seen.game)
        solution = solution_of(ending, past_of(seen.game))
        assert ranges.loss(ending, solution, likely) == pytest.approx(
            loss(ending, solution), abs=1e-9
        )


def test_chances_of_all_deals_add_up_to_one():
    seen, before = next(ranges.positions(EDITION_2020, BOTS["greedy"], "sum"))
    whole = Round3(ending_of(seen.game), reaching=True)
    asked, rng = ranges.Asked(BOTS["greedy"], 1), random.Random(1)
    likely = [ranges.likelihoods(seen, before, seat, asked, rng, 3) for seat in (0, 1)]
    assert len(set(likely[1].values())) > 1
    sides = ranges.weighed(whole, likely)
    first, second = map(always_passing, sides)
    total = sum(
        gain * first[own] * second[other]
        for own, row in sides[0].payoffs.items()
        for other, gain in row.items()
    )
    assert total == pytest.approx(1)


def test_hands_agree_with_the_cards_turned_up():
    seen, _ = next(ranges.positions(EDITION_2020, BOTS["greedy"], "hands"))
    ending = ending_of(seen.game)
    hands = list(ranges.hands_of(seen.game, seen.seat))
    kinds = {point_of(observe(seen.game, seen.seat, hand), ending)[0] for hand in hands}
    assert point_of(seen, ending)[0] in kinds
    assert kinds == set(types_of(ending, seen.seat))


def test_a_bot_is_asked_once_about_hands_that_look_alike():
    """So many times as it is to be; what it answers differently is shared out."""
    seen, before = next(ranges.positions(EDITION_2020, BOTS["greedy"], "alike"))
    first = next(it for it in before if it.seat == seen.seat)
    other = (*reversed(first.hand),)
    bot = Turning()
    asked = ranges.Asked(bot, 4)
    for hand in (first.hand, other):
        moves = [Play(0, hand.index(first.hand[slot])) for slot in (0, 1)]
        assert [asked.share(first, hand, move) for move in moves] == [0.25, 0.75]
    assert bot.asked == [first] * 4


class Turning:
    """A bot that lays its first card the first time, and its second card afterwards."""

    name = "turning"

    def __init__(self):
        self.asked = []

    def choose(self, observation, _):
        self.asked.append(observation)
        return Play(0, 0 if len(self.asked) == 1 else 1)
