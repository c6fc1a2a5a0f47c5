"""The seats of a table."""

from typing import Final, NewType

Seat = NewType("Seat", int)
"""0 to n - 1. In a game over the line the host has seat 0."""


def number_of(seat: int) -> int:
    """Return the number of ``seat`` for people, who count from 1."""
    return seat + 1


LEAST_SEATS: Final = 2
MOST_SEATS: Final = 4
"""A table has two to four seats."""

_TWO: Final = (Seat(0), Seat(1))


def opposite(seat: Seat) -> Seat:
    """Return the other seat of a table for two."""
    return _TWO[1 - seat]
