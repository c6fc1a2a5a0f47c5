"""The two seats of a table."""

from typing import Final, NewType

Seat = NewType("Seat", int)
"""0 or 1. In a game over the line the host has seat 0, the guest seat 1."""

SEATS: Final = (Seat(0), Seat(1))


def opposite(seat: Seat) -> Seat:
    """Return the seat on the other side of the table."""
    return SEATS[1 - seat]
