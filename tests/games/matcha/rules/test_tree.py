"""Tree counts: how many courses a set can take, by the engine and by a model of a page.

The model knows nothing of cards: it counts hands by size, mats by how many are still free.
"""

from functools import cache

import pytest

from matcha_p2p.games.matcha.rules.game import legal_keeps, legal_moves, place, reveal
from matcha_p2p.games.matcha.rules.phases import Keeping, Placing, Revealing


@cache
def courses_2015(round_, hands, free, passed, seat):
    """Count from ``seat``'s turn to the end of the set, choices of cards to keep included."""
    if passed == (True, True):
        if round_ == 3:
            return 2 ** sum(hands)
        return courses_2015(round_ + 1, hands, (2, 2), (False, False), 0)
    if passed[seat]:
        return courses_2015(round_, hands, free, passed, 1 - seat)

    def fewer(pair):
        return tuple(value - (own == seat) for own, value in enumerate(pair))

    out = tuple(was or own == seat for own, was in enumerate(passed))
    ways = hands[seat] * free[seat]
    total = courses_2015(round_, hands, free, out, 1 - seat)
    if ways:
        total += ways * courses_2015(round_, fewer(hands), fewer(free), passed, 1 - seat)
    return total


@cache
def courses_2020(turn, hands, free):
    """Count from the turn 0..11 of the set to its end."""
    if turn == 12:
        return 1
    if turn % 4 == 0:
        free = (2, 2)
    first, second = hands
    at_first, at_second = free
    total = courses_2020(turn + 1, hands, free)
    if turn % 2 == 0 and first and at_first:
        total += (
            first
            * at_first
            * courses_2020(turn + 1, (first - 1, second), (at_first - 1, at_second))
        )
    if turn % 2 == 1 and second and at_second:
        total += (
            second
            * at_second
            * courses_2020(turn + 1, (first, second - 1), (at_first, at_second - 1))
        )
    return total


def courses(game, hands):
    """Count the same by playing every move of every position."""
    match game.phase:
        case Placing():
            return sum(courses(place(game, move), hands) for move in legal_moves(game))
        case Revealing(due):
            running = game.rounds[-1]
            for seat in (0, 1):
                faces = {mat: hands[seat][running.slot_at(seat, mat)] for mat in due[seat]}
                game = reveal(game, seat, faces)
            return courses(game, hands)
        case Keeping():
            return len(legal_keeps(game, 0)) * len(legal_keeps(game, 1))
        case _:
            return 1


@pytest.mark.parametrize(
    ("number", "hands", "counts"),
    [
        (1, (1, 0), (8, 13)),
        (1, (1, 1), (64, 169)),
        (1, (2, 1), (512, 1729)),
        (2, (2, 1), (216, 513)),
        (3, (2, 2), (256, 169)),
        (3, (3, 2), (896, 325)),
    ],
)
def test_engine_and_model_count_the_same_courses(board, edition, number, hands, counts):
    """R7 to R11, R16, R17, from the start of round ``number`` with so many cards in hand."""
    table = board(edition)
    while table.game.rounds[-1].number < number:
        table.play("p")
    game = table.game._replace(hands=tuple(frozenset(range(size)) for size in hands))
    if edition.turns is None:
        model = courses_2015(number, hands, (2, 2), (False, False), 0)
    else:
        model = courses_2020(4 * (number - 1), hands, (2, 2))
    assert courses(game, table.hands) == model == counts[edition.turns is not None]
