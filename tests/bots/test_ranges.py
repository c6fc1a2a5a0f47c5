"""The report on round 3 under other ranges: with even ones it is that under even ranges."""

import random

import pytest

from matcha_p2p.bots.roster import BOTS
from matcha_p2p.bots.solving.endings import ending_of, types_of
from matcha_p2p.bots.solving.round3 import Round3, point_of, solution_of
from matcha_p2p.bots.solving.tells import past_of
from matcha_p2p.rules.edition import EDITION_2020, EDITIONS
from matcha_p2p.rules.observation import observe
from tests.training import ranges
from tests.training.round3 import loss


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
        range(4), ranges.positions(edition, "greedy", "even"), strict=False
    ):
        found = ranges.loss(seen, before, BOTS["greedy"], random.Random(1))
        ending = ending_of(seen.game)
        solution = solution_of(ending, past_of(seen.game))
        assert found == pytest.approx(loss(ending, solution), abs=1e-9)


def test_chances_of_all_deals_are_one_whatever_the_ranges():
    seen, before = next(ranges.positions(EDITION_2020, "greedy", "sum"))
    whole = Round3(ending_of(seen.game), reaching=True)
    rng = random.Random(1)
    likely = [ranges.likelihoods(seen, before, seat, BOTS["greedy"], rng) for seat in (0, 1)]
    assert len(set(likely[1].values())) > 1
    sides = ranges.weighed(whole, likely)
    first, second = map(always_passing, sides)
    total = sum(
        gain * first[own] * second[other]
        for own, row in sides[0].payoffs.items()
        for other, gain in row.items()
    )
    assert total == pytest.approx(1)


def test_hands_are_those_that_agree_with_what_was_turned_up():
    seen, _ = next(ranges.positions(EDITION_2020, "greedy", "hands"))
    ending = ending_of(seen.game)
    hands = list(ranges.hands_of(seen.game, seen.seat))
    kinds = {point_of(observe(seen.game, seen.seat, hand), ending)[0] for hand in hands}
    assert point_of(seen, ending)[0] in kinds
    assert kinds == set(types_of(ending, seen.seat))
