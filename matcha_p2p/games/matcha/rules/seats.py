"""The two seats of Matcha."""

from typing import Final

from matcha_p2p.seats import Seat, opposite

__all__ = ["SEATS", "Seat", "opposite"]

SEATS: Final = (Seat(0), Seat(1))
