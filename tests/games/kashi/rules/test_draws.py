"""Orders are drawn as from a mixed stack (K12): exactly, and by many coins."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from math import prod, sqrt

import pytest

from matcha_p2p.crypto.sponge import H
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.deck import draw
from matcha_p2p.games.kashi.table.steps import drawn
from tests.games.kashi.rules.positions import BOARD

PLAIN = tuple(order.number for order in BOARD.orders if not order.settle)
SETTLING = tuple(order.number for order in BOARD.orders if order.settle)
LAST_TEN = (*PLAIN[:9], SETTLING[0], *PLAIN[9:18], SETTLING[1])
"""Twenty orders, as they can come; one settlement is left."""


def chances(known: tuple[int, ...], count: int) -> dict[tuple[int, ...], Fraction]:
    """Return the chance of each run of ``count`` orders, over all answers of UNIFORM."""
    found = dict[tuple[int, ...], Fraction]()
    answers: list[int] = []
    while True:
        given, sizes = iter(answers), list[int]()

        def uniform(below: int, given=given, sizes=sizes) -> int:
            sizes.append(below)
            return next(given, 0)

        run = draw(BOARD, known, count, uniform)
        found[run] = found.get(run, Fraction(0)) + Fraction(1, prod(sizes))
        answers += [0] * (len(sizes) - len(answers))
        while answers and answers[-1] + 1 == sizes[len(answers) - 1]:
            answers.pop()
        if not answers:
            return found
        answers[-1] += 1


def stacks(plain: tuple[int, ...], settling: tuple[int, ...], count: int) -> Iterator:
    """Yield ``count`` orders of each ten that is as K12 says, of the last places of the ten."""
    for order in settling:
        for others in permutations(plain, count - 1):
            for place in range(count - 3, count):
                yield (*others[:place], order, *others[place:])


@pytest.mark.parametrize("left", [2, 3, 4, 5])
def test_each_order_of_the_last_cards_has_the_same_chance(left):
    known = (*LAST_TEN, *PLAIN[18 : 27 - left])
    expected = [*stacks(PLAIN[27 - left :], SETTLING[2:], left + 1)]
    assert chances(known, left + 1) == {run: Fraction(1, len(expected)) for run in expected}


@pytest.mark.slow
def test_each_end_of_the_first_ten_has_the_same_chance():
    expected = [*stacks(PLAIN[7:], SETTLING, 3)]
    assert len(expected) == 3 * 3 * 20 * 19
    assert chances(PLAIN[:7], 3) == {run: Fraction(1, len(expected)) for run in expected}


def test_first_seven_of_a_ten_are_plain_and_alike():
    for count in range(7):
        found = chances(PLAIN[:count], 1)
        assert found == {(order,): Fraction(1, 27 - count) for order in PLAIN[count:]}


COINS = 100_000


def assert_fits(counts: Counter, shares: dict) -> None:
    """Compare counts of coins with their shares by chi-square, at 1 in 1000 on either side."""
    assert counts.keys() <= shares.keys()
    chi2 = sum(
        (counts[run] - COINS * share) ** 2 / (COINS * share) for run, share in shares.items()
    )
    free = len(shares) - 1
    low, high = (  # Wilson and Hilferty
        free * (1 - 2 / (9 * free) + z * sqrt(2 / (9 * free))) ** 3 for z in (-3.09, 3.09)
    )
    assert low < chi2 < high


@pytest.mark.slow
@pytest.mark.parametrize(
    ("known", "count"),
    [((), 1), ((), 2), (PLAIN[:7], 1), (PLAIN[:8], 1), (LAST_TEN + PLAIN[18:25], 3)],
)
def test_coins_draw_as_often_as_the_stack_says(known, count):
    game = rules.new_game(BOARD, 3)._replace(drawn=known)
    label = bytes([len(known), count])
    counts = Counter(
        drawn(game, count, H("test", label, number.to_bytes(4))) for number in range(COINS)
    )
    assert_fits(counts, {run: float(share) for run, share in chances(known, count).items()})
