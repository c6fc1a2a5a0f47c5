"""The public knowledge at the beginning of round 2, if all cards of round 1 were turned up.

Each seat then holds three of eight unknown cards.
"""

import functools
from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Final, TypeAlias

from matcha_p2p.games.matcha.bots.solving.course import NOWHERE, Course, History
from matcha_p2p.games.matcha.bots.solving.tells import Past, past_of
from matcha_p2p.games.matcha.rules.cards import DECK, DEMANDS, Face, matches
from matcha_p2p.games.matcha.rules.history import Round
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, Play
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.rules.state import GameState

UNKNOWN: Final = 8
HELD: Final = 3

UnknownCards: TypeAlias = tuple[int, ...]
"""Cards by their numbers among the unknown cards, rising."""
SlotsLaid: TypeAlias = tuple[int, ...]
"""The slots of a hand whose cards lie on the mats, the slot of the number mat first."""
SlotMove: TypeAlias = tuple[int, int | None]
"""A place, and the slot of the hand whose card goes there, None to pass."""

HANDS: Final[list[UnknownCards]] = sorted(
    combinations(range(UNKNOWN), HELD), key=lambda hand: sum(1 << card for card in hand)
)
"""The possible hands of a seat, in the order of C."""


@dataclass(frozen=True, slots=True)
class Middle:
    """The public knowledge at the beginning of round 2.

    past: the set before round 2. unknown: the eight hidden faces. Faces that match no mat of
    round 3 come last, where C looks for cards that are alike.
    """

    past: Past
    comparing: bool
    unknown: tuple[Face, ...]


def middle_of(past: Past, *, comparing: bool) -> Middle | None:
    """Return the public knowledge after round 1. If round 1 left a card face down, return None.

    past: includes the finished round 1; later rounds are ignored.
    """
    first = past.rounds[0]
    if not all(resolution.revealed for resolution in first.resolutions):
        return None
    hidden = Counter(DECK)
    hidden.subtract(past.table)
    hidden.subtract(card for it in first.resolutions for card in it.cards if card is not None)
    mats = [(DEMANDS[mat], past.table[mat]) for mat in MATS_OF_ROUND[2]]
    unknown = sorted(
        hidden.elements(),
        key=lambda face: not any(matches(demand, shown, face) for demand, shown in mats),
    )
    return Middle(replace(past, rounds=(first,)), comparing, tuple(unknown))


def middle_at(game: GameState) -> Middle | None:
    """Return the public knowledge after round 1 of a running game, or None."""
    return middle_of(past_of(game), comparing=game.comparing)


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """A public point of the round where a seat decides.

    moves: the seat's moves for each laying so far, and the place in a plan where the
    probabilities of the moves begin.
    """

    course: Course
    seat: Seat
    moves: dict[SlotsLaid, tuple[list[SlotMove], int]]


@functools.cache  # two editions, two dealers
def points(limit: int | None, dealer: Seat) -> dict[History, DecisionPoint]:
    """Return the points of a round 2, in the order of C."""
    found: dict[History, DecisionPoint] = {}
    written = 0

    def grow(course: Course, history: History) -> None:
        nonlocal written
        seat = course.to_move
        if seat is None:
            return
        free, lain = course.free(seat), len(course.laid[seat])
        point = found[history] = DecisionPoint(course, seat, {})
        for laying in product(range(HELD), repeat=lain):
            moves: list[SlotMove] = [
                (place, slot) for place in free for slot in range(HELD) if slot not in laying
            ]
            point.moves[laying] = ([*moves, (NOWHERE, None)], written)
            written += (len(moves) + 1) * len(HANDS)
        for place in (*free, NOWHERE):
            grow(course.after(place), (*history, place))

    grow(Course(limit, dealer, (HELD, HELD)), ())
    return found


def history_of(played: Round) -> History:
    """Return the places of a round's decisions so far."""
    return tuple(
        turn.move.mat % 2 if isinstance(turn.move, Play) else NOWHERE
        for turn in played.turns
        if not turn.auto
    )
