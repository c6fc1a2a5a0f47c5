"""A verified game cut into its sets, and the faces that exposed keys make known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, TypeAlias

from matcha_p2p.crypto.elgamal import Ciphertext, share
from matcha_p2p.crypto.ristretto255 import ORDER, base_mul
from matcha_p2p.machine.deal import HAND, hand_out
from matcha_p2p.machine.events import TableLaid
from matcha_p2p.machine.faces import unmask
from matcha_p2p.machine.table import Dealing, Table
from matcha_p2p.review.verify import Report
from matcha_p2p.rules.cards import Face
from matcha_p2p.rules.phases import AwaitingDeal
from matcha_p2p.rules.seats import SEATS, Seat, opposite

Keys: TypeAlias = tuple[int | None, int | None]
"""For each seat its game key, None if that was not exposed."""

Faces: TypeAlias = tuple[Face | None, ...]

UNKNOWN: Final[Faces] = (None,) * HAND
"""A hand of which nothing is known."""


@dataclass(frozen=True, slots=True)
class PlayedSet:
    """One set. dealt: with the hands before any re-shuffle, None while they are not dealt.

    end: the last table before that of the next set is laid, or the last one there is.
    """

    laid: TableLaid
    dealt: Table | None
    end: Table


def with_own_key(report: Report, own: tuple[Seat, int] | None) -> Report:
    """Return the report as if our own key were exposed, which opens our own cards to us.

    own: our seat and our game key. It has no effect if the game has another key there.
    """
    tables = [sound.state for sound in report.accepted if isinstance(sound.state, Table)]
    if own is None or not tables:
        return report
    seat, key = own
    fits = 0 < key < ORDER and base_mul(key) == tables[-1].hellos[seat].game_key
    first, second = (key if fits and each == seat else report.exposed[each] for each in SEATS)
    return replace(report, exposed=(first, second))


def played_sets(report: Report) -> Iterator[PlayedSet]:
    """Cut the game into its sets, from the first table on."""
    told = (event for sound in report.accepted for event in sound.events)
    laid = {event.number: event for event in told if isinstance(event, TableLaid)}
    states = (sound.state for sound in report.accepted)
    tables = [state for state in states if isinstance(state, Table)]
    for number, group in groupby(tables, _number_laid):
        if number in laid:
            own = list(group)
            yield PlayedSet(laid[number], _dealt(own), own[-1])


def _number_laid(table: Table) -> int:
    """Return the number of the set that lies on the table; 0 before the first one."""
    match table.game.phase:
        case AwaitingDeal():  # the next set has begun, but the last one still lies there
            return table.game.number - 1
        case _:
            return table.game.number


def _dealt(tables: list[Table]) -> Table | None:
    """Return the table of a set as dealt: the entry after the one that lays it deals."""
    match tables:
        case [laid, Table(phase=Dealing(deck=deck)), *_]:
            return hand_out(laid, deck)
        case _:
            return None


def held_faces(played: PlayedSet, seat: Seat, keys: Keys) -> Faces:
    """Return the faces of the hand as it was played, by slot."""
    own, theirs = keys[seat], keys[opposite(seat)]
    if played.dealt is None or own is None:
        return UNKNOWN
    hand = played.end.hands[seat]
    if theirs is not None:
        return open_cards(hand.cards, own, theirs)
    if not hand.shares:
        return UNKNOWN
    return tuple(
        unmask(card, (share(own, card), stripped))
        for card, stripped in zip(hand.cards, hand.shares, strict=True)
    )


def open_cards(cards: Sequence[Ciphertext], first: int, second: int) -> Faces:
    """Return the faces of ``cards``. first, second: the game keys of both seats."""
    return tuple(unmask(card, (share(first, card), share(second, card))) for card in cards)
