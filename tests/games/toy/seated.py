"""What verification asks of the toy game (``matcha_p2p/games/game.py``)."""

from dataclasses import dataclass

from matcha_p2p.seats import Seat
from matcha_p2p.table.table import Table


@dataclass(frozen=True, slots=True)
class Ended:
    """The highest card has won, or all but the seat that has resigned."""

    winners: tuple[Seat, ...]
    how: str


def ended(table: Table, resigned: Seat | None) -> Ended | None:
    if resigned is not None:
        others = [Seat(seat) for seat in range(table.game.seats) if seat != resigned]
        return Ended(tuple(others), "resigned")
    result = table.game.result()
    return None if result is None else Ended(tuple(map(Seat, result)), "highest")
