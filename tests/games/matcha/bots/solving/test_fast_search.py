"""The search in C tries moves as often as the search in Python, and plays by the rules."""

import random
from collections import Counter
from statistics import fmean

import pytest
from training.fast_strong import FastStrong

from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.bots.solving.fast_search import FastSearch
from matcha_p2p.games.matcha.bots.solving.search import Search
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITION_2020, EDITIONS
from matcha_p2p.games.matcha.rules.phases import Keeping, Placing
from tests.games.matcha.bots.positions import observations, played

pytestmark = pytest.mark.usefixtures("libraries")
both = pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)


def early(edition, seed, count):
    """Return decisions of rounds 1 and 2 among several moves, from games of greedy."""
    found = [
        seen
        for seen in observations(edition, seed, games=count // 3)
        if isinstance(seen.game.phase, Placing) and len(seen.game.rounds) < 3
    ]
    found = [seen for seen in found if len(seen.legal_moves()) > 1]
    return random.Random(seed).sample(found, count)


def compared(edition, count, runs, iterations):
    """Return the distance from C to Python in visits, and in the values of positions.

    The first is the total variation between the mean visits of so many runs of each, divided
    by that of other ways to part the same runs in two: about 1 if only chance tells them apart.
    """
    rng, apart, mixed, gaps = random.Random(1), [], [], []
    for seen in early(edition, "compared", count):
        slow = [Search(seen, random.Random(seed)).run(iterations) for seed in range(runs)]
        search = FastSearch(seen)
        fast = [search.run(random.Random(seed), iterations) for seed in range(runs)]
        moves = [{choice.move for choice in found} for found in slow + fast]
        assert all(some == moves[0] for some in moves)
        apart.append(distance(slow, fast))
        for _ in range(20):
            every = rng.sample(slow + fast, 2 * runs)
            mixed.append(distance(every[:runs], every[runs:]))
        gaps.append(value(slow) - value(fast))
    return fmean(apart) / fmean(mixed), abs(fmean(gaps))


def distance(some, others):
    """Return the total variation between the visits of some runs and of as many others."""
    visits = Counter()
    for found in some:
        visits.update({choice.move: choice.visits for choice in found})
    total = visits.total()
    for found in others:
        visits.subtract({choice.move: choice.visits for choice in found})
    return sum(map(abs, visits.values())) / 2 / total


def value(runs):
    """Return the average winnings of the seat over all iterations."""
    choices = [choice for found in runs for choice in found]
    return sum(it.value * it.visits for it in choices) / sum(it.visits for it in choices)


@both
@pytest.mark.parametrize(
    ("sample", "most_apart", "widest_gap"),
    [
        ({"count": 12, "runs": 4, "iterations": 60}, 1.25, 0.02),
        pytest.param(
            {"count": 60, "runs": 10, "iterations": 500}, 1.15, 0.003, marks=pytest.mark.slow
        ),
    ],
    ids=["short", "long"],
)
def test_c_tries_moves_as_python_does(edition, sample, most_apart, widest_gap):
    apart, gap = compared(edition, **sample)
    assert apart < most_apart
    assert gap < widest_gap


@both
def test_fast_strong_plays_by_the_rules_and_repeats_itself(edition):
    first, second = (played(edition, FastStrong("greedy"), "fast") for _ in range(2))
    assert first == second
    for seen, move in first:
        assert move in seen.legal_moves()


def test_each_run_begins_anew():
    (seen,) = early(EDITION_2020, "anew", 3)[:1]
    search = FastSearch(seen)
    first, _, third = (search.run(random.Random(seed), 500) for seed in (1, 2, 1))
    assert first == third
    assert sum(choice.visits for choice in first) == 500


def test_fast_strong_leaves_the_rest_to_strong():
    """Decisions on keeping, and a decision of round 3; C has no code for either."""
    game = observations(EDITION_2015, "a")
    kept = [seen for seen in game if isinstance(seen.game.phase, Keeping)]
    late = [seen for seen in game if len(seen.game.rounds) == 3 and seen not in kept]
    assert kept
    for seen in [*kept, late[0]]:
        moves = [bot.choose(seen, random.Random(1)) for bot in (FastStrong(), BOTS["strong"])]
        assert moves[0] == moves[1]
