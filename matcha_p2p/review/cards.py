"""The cards of a verified game that open books show."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from matcha_p2p.chain.verify import Report
from matcha_p2p.crypto.elgamal import share
from matcha_p2p.crypto.ristretto255 import ORDER, base_mul
from matcha_p2p.seats import Seat
from matcha_p2p.table.piles import Card
from matcha_p2p.table.table import Table

Keys: TypeAlias = Mapping[Seat, int]
"""The game keys of the seats that have exposed their keys."""


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


def known_faces(table: Table, pile: str, keys: Keys) -> tuple[int | None, ...]:
    """Return the faces of ``pile``, as far as shares on the table and ``keys`` open cards."""
    return tuple([_face(table, card, keys) for card in table.piles[pile]])


def _face(table: Table, card: Card, keys: Keys) -> int | None:
    if card.face is not None:
        return card.face
    shares = [
        share(keys[Seat(seat)], card.masked) if given is None and seat in keys else given
        for seat, given in enumerate(card.shares)
    ]
    known = [each for each in shares if each is not None]
    return None if len(known) < len(shares) else table.deck.face_of(card.masked, known)
