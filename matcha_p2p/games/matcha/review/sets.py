"""A verified game cut into its sets, and the faces known by exposed keys."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final, TypeAlias

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.matcha.rules.cards import FACES, Face
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.table.events import TableLaid
from matcha_p2p.games.matcha.table.seated import RULES
from matcha_p2p.games.matcha.table.steps import HAND, hand_of
from matcha_p2p.games.matcha.table.told import told
from matcha_p2p.review.cards import Keys, known_faces
from matcha_p2p.table.step import Taken
from matcha_p2p.table.table import Table

Faces: TypeAlias = tuple[Face | None, ...]

UNKNOWN: Final[Faces] = (None,) * HAND
"""An unknown hand."""


@dataclass(frozen=True, slots=True)
class PlayedSet:
    """One set.

    dealt: the first table with both hands, before any re-shuffle. held: the last table with
    both hands. Both are None before the deal. end: the last table before the next set is laid.
    """

    laid: TableLaid
    dealt: Table | None
    held: Table | None
    end: Table


def played_sets(report: Report) -> Iterator[PlayedSet]:
    """Cut the game into its sets, from the first table on."""
    events = [event for sound in report.accepted for event in sound.events]
    laid = {event.number: event for event in told(events) if isinstance(event, TableLaid)}
    tables = [event.after for event in events if isinstance(event, Taken)]
    for number, group in groupby(tables, RULES.begun):
        if number in laid:
            own = list(group)
            with_hands = [table for table in own if hand_of(SEATS[0]) in table.piles]
            dealt, held = (with_hands[0], with_hands[-1]) if with_hands else (None, None)
            yield PlayedSet(laid[number], dealt, held, own[-1])


def held_faces(played: PlayedSet, seat: Seat, keys: Keys) -> Faces:
    """Return the faces of the hand as played, by slot.

    If the seat's key is unknown, UNKNOWN.
    """
    if played.held is None or seat not in keys:
        return UNKNOWN
    return faces_of(played.held, hand_of(seat), keys)


def faces_of(table: Table, pile: str, keys: Keys) -> Faces:
    """Return the faces of ``pile``, as far as shares on the table and ``keys`` open cards."""
    known = known_faces(table, pile, keys)
    return tuple(None if face is None else FACES[face] for face in known)
