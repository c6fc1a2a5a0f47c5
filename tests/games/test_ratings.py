"""Ratings of several bots from matches between two."""

import math
import random
import statistics

import pytest

from matcha_p2p.games.matches import ratings
from matcha_p2p.games.matches.ratings import Lead, Unit


def points(value: float, error: float = 1.0) -> Lead:
    return Lead(Unit.POINTS, value, error)


def test_two_bots_are_half_a_lead_from_their_mean():
    first, second = ratings.ratings(2, {(0, 1): points(6, 2)})
    assert (first.value, second.value) == (pytest.approx(3), pytest.approx(-3))
    assert first.reach == pytest.approx(1.96 * 2 / 2)


def test_leads_that_agree_are_fitted_exactly():
    strengths = [10.0, 4.0, -2.0, -12.0]
    leads = {
        (one, two): points(strengths[one] - strengths[two], 1 + one + two)
        for one in range(4)
        for two in range(one + 1, 4)
    }
    assert [each.value for each in ratings.ratings(4, leads)] == pytest.approx(strengths)


def test_bots_that_have_not_met_are_rated_by_a_third():
    first, second, third = ratings.ratings(3, {(0, 1): points(5), (2, 1): points(2)})
    assert first.value - third.value == pytest.approx(3)
    assert second.value == pytest.approx(-7 / 3)


def test_lead_that_is_surer_counts_more():
    leads = {(0, 1): points(1, 0.1), (1, 2): points(1, 0.1), (0, 2): points(8, 10)}
    first, _, third = ratings.ratings(3, leads)
    assert first.value - third.value == pytest.approx(2, abs=0.01)


def test_interval_holds_the_truth_in_nineteen_of_twenty_tournaments():
    rng = random.Random(5)
    strengths = [3.0, 0.0, -3.0]
    held = []
    for _ in range(1000):
        leads = {
            (one, two): points(rng.gauss(strengths[one] - strengths[two], 2), 2)
            for one, two in ((0, 1), (0, 2), (1, 2))
        }
        found = ratings.ratings(3, leads)
        held += [
            abs(each.value - truth) < each.reach
            for each, truth in zip(found, strengths, strict=True)
        ]
    assert statistics.fmean(held) == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize(
    ("rate", "others", "elo"), [(0.5, 1, 0), (10 / 11, 1, 400), (0.25, 3, 0)]
)
def test_elo_points_of_a_rate(rate, others, elo):
    assert ratings.elo_lead(rate, 0.01, others).value == pytest.approx(elo, abs=1e-9)


def test_error_in_elo_points_is_the_slope_times_the_error_of_the_rate():
    lead = ratings.elo_lead(0.7, 1e-6)
    step = ratings.elo_lead(0.7 + 1e-6, 1e-6).value - lead.value
    assert math.isclose(lead.error, step, rel_tol=1e-4)
