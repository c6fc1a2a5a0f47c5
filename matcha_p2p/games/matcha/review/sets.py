"""A verified game cut into its sets, and the faces known by exposed keys."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, TypeAlias

from matcha_p2p.chain.verify import Report
from matcha_p2p.crypto.elgamal import share
from matcha_p2p.crypto.ristretto255 import ORDER, base_mul
from matcha_p2p.games.matcha.events import GameEnded, TableLaid
from matcha_p2p.games.matcha.rules.cards import FACES, Face
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.seated import RULES
from matcha_p2p.games.matcha.steps import HAND, hand_of
from matcha_p2p.games.matcha.told import told
from matcha_p2p.table.piles import Card
from matcha_p2p.table.step import Taken
from matcha_p2p.table.table import Table

Keys: TypeAlias = Mapping[Seat, int]
"""The game keys of the seats that have exposed their keys."""

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


def with_own_key(report: Report, own: tuple[Seat, int] | None) -> Report:
    """Return the report with our own key exposed, which opens our own cards to us.

    own: our seat and our game key. If the game has another key for the seat, return
    ``report``.
    """
    tables = [sound.state for sound in report.accepted if isinstance(sound.state, Table)]
    if own is None or not tables:
        return report
    seat, key = own
    fits = 0 < key < ORDER and base_mul(key) == tables[-1].hellos[seat].game_key
    return replace(report, exposed={**report.exposed, seat: key}) if fits else report


def end_of(report: Report) -> GameEnded | None:
    """Return how the game has ended; None while the game is undecided.

    Raises:
        TypeError: the report is not of Matcha.
    """
    match report.result:
        case None | GameEnded() as end:
            return end
        case end:
            raise TypeError(f"{end} is no end of Matcha")


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
    return tuple(_face(table, card, keys) for card in table.piles[pile])


def _face(table: Table, card: Card, keys: Keys) -> Face | None:
    if card.face is not None:
        return FACES[card.face]
    shares = [
        share(keys[seat], card.masked) if given is None and seat in keys else given
        for seat, given in zip(SEATS, card.shares, strict=True)
    ]
    known = [each for each in shares if each is not None]
    if len(known) < len(shares):
        return None
    return FACES[table.deck.face_of(card.masked, known)]
