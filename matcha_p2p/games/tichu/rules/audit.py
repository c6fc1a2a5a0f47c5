"""What only open hands can show: who has passed over a duty (T13, T21, T33)."""

from collections.abc import Sequence
from typing import NamedTuple

from matcha_p2p.games.tichu.rules.cards import MAH_JONG
from matcha_p2p.games.tichu.rules.moves import owes
from matcha_p2p.games.tichu.rules.round import SEATS, Round
from matcha_p2p.seats import Seat


class Foul(NamedTuple):
    """A duty passed over. turn: the index of the turn in ``Round.passed``."""

    seat: Seat
    turn: int


def holder(hands: Sequence[Sequence[int]]) -> Seat:
    """Return who holds the Mah Jong; if nobody has shown it, this seat has fouled (T13)."""
    return next(seat for seat in SEATS if MAH_JONG in hands[seat])


def audit(state: Round, hands: Sequence[Sequence[int]]) -> Foul | None:
    """Return the first wish passed over (T21), or None. hands: the faces by seat and place."""
    for turn, (seat, held, wish, under) in enumerate(state.passed):
        if owes([hands[seat][place] for place in held], under, wish):
            return Foul(seat, turn)
    return None
