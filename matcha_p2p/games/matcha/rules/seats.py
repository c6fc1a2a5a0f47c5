"""The two seats of Matcha."""

from typing import Final

from matcha_p2p.seats import Seat

__all__ = ["SEATS", "Seat", "opposite"]

SEATS: Final = (Seat(0), Seat(1))


def opposite(seat: Seat) -> Seat:
    """Return the seat on the other side of the table."""
    return SEATS[1 - seat]
