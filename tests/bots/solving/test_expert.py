"""The trainer of a policy for round 2: its slopes are those of what best responses gain."""

from itertools import islice

import numpy as np
import pytest

from matcha_p2p.rules.seats import SEATS
from tests.training import expert
from tests.training.expert import Lesson, Network, judged, trained
from tests.training.round2 import valued
from tests.training.rounds import positions

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lessons():
    return [Lesson(it, valued(it, 2).worth) for it in islice(positions("lessons"), 3)]


def exploited(lesson, scores):
    plans = lesson.plans(lesson.chances(scores))
    return sum(float(lesson.rounds.best(seat, plans)[0]) for seat in SEATS)


def test_slopes_lead_down_what_best_responses_gain(lessons, monkeypatch):
    monkeypatch.setattr(expert, "EVEN", 0.0)
    rng = np.random.default_rng(1)
    for lesson in lessons:
        scores = rng.normal(size=lesson.pairs.shape[1])
        slopes = lesson.slopes(scores)
        if np.abs(slopes).max() < 1e-4:
            continue  # whatever is done there, the game is decided
        step = 1e-4 * slopes / np.abs(slopes).max()
        gained = exploited(lesson, scores - step) - exploited(lesson, scores + step)
        assert gained == pytest.approx(2 * float(step @ slopes), rel=0.05)


def test_slopes_of_a_network_are_those_of_its_scores(lessons):
    lesson, network = lessons[0], Network(np.random.default_rng(2))
    wanted = lesson.slopes(network.scores(lesson)[0])
    for at, slope in enumerate(network._slopes(lesson)):
        step = 1e-3 * slope / np.abs(slope).max()
        there, back = (
            [*network.layers[:at], network.layers[at] + way, *network.layers[at + 1 :]]
            for way in (step, -step)
        )
        moved = network.scores(lesson, there)[0] - network.scores(lesson, back)[0]
        assert float(moved @ wanted) == pytest.approx(2 * float((step * slope).sum()), rel=0.05)


def test_a_network_learns_and_always_learns_the_same(lessons):
    first, again = (trained(lessons, 40, np.random.default_rng(3)) for _ in range(2))
    before = judged(Network(np.random.default_rng(3)), lessons)
    after = judged(first, lessons)
    assert after == judged(again, lessons)
    assert sum(after) < sum(before) / 2
