"""The public points of rounds as C knows the points: a table of stages, which only grows."""

import functools
from ctypes import Array, Structure, c_int32
from itertools import product
from typing import Final

from matcha_p2p.games.matcha.bots.solving.course import NOWHERE, Course
from matcha_p2p.games.matcha.bots.solving.search import stage_of
from matcha_p2p.games.matcha.rules.seats import Seat


class Stage(Structure):
    """A stage, as declared in search.c.

    seat: the seat to move, -1 once the round is over. free: for each place, whether the seat
    may lay a card there. following: the number of the next stage, by place. ways: the number of
    ways in which both may still lay cards. open_counts: the number of cards that both lay, by
    way. open: the places of these cards, by way.
    """

    _fields_ = (
        ("seat", c_int32),
        ("free", c_int32 * 2),
        ("following", c_int32 * 3),
        ("ways", c_int32),
        ("open_counts", c_int32 * 4),
        ("open", c_int32 * 4 * 4),
    )


STAGES: Final = (Stage * 4096)()  # an edition has some hundred
_numbers: Final[dict[Course, int]] = {}


def stage_number(course: Course) -> int:
    """Return the number of the stage of ``course``, and list the stages that may follow."""
    if course in _numbers:
        return _numbers[course]
    number = _numbers[course] = len(_numbers)
    stage, listed = stage_of(course), STAGES[number]
    listed.seat = -1 if stage.seat is None else stage.seat
    listed.ways = len(stage.open)
    for way, places in enumerate(stage.open):
        listed.open_counts[way] = len(places)
        listed.open[way][: len(places)] = places
    for place in (*stage.free, NOWHERE) if stage.seat is not None else ():
        listed.following[place] = stage_number(course.after(place))
    for place in stage.free:
        listed.free[place] = 1
    return number


@functools.cache
def first_stages(limit: int | None, dealer: Seat) -> Array[c_int32]:
    """Return the numbers of the stages at the beginning of a round.

    By 6·(cards of seat 0) + (cards of seat 1). Both seats then hold a card.
    """
    found = (c_int32 * 36)()
    for first, second in product(range(1, 6), repeat=2):
        found[6 * first + second] = stage_number(Course(limit, dealer, (first, second)))
    return found
