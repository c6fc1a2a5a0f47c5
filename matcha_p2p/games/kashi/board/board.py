"""The board of a game: squares, areas, orders, and the start values of each seat (K2 to K10).

A square is a number: row * ``width`` + column, from 0. ``width`` has one column more than the
grid, without squares, so that a set of squares is an int and steps are shifts of its bits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final, NamedTuple, TypeAlias

from matcha_p2p.games.kashi.rules.orders import OrderCard

Square: TypeAlias = Annotated[int, "row,column"]
"""A square of a board, which gives the square its plain form (``forms.py``)."""
NO_SQUARE: Final = "#"
WHOLESALERS: Final = "12345"
DESTINATIONS: Final = "ABC"


class Area(NamedTuple):
    """An area. values: the points of the first, second and third rank."""

    letter: str
    values: tuple[int, ...]


class Begins(NamedTuple):
    """The start values of the seats of a table.

    gold, points: the gold and the points of each seat. hand: the number of shops in hand.
    later: the number of shops that each of two settlements adds.
    """

    gold: tuple[int, ...]
    points: tuple[int, ...]
    hand: int
    later: int


@dataclass(frozen=True)
class Board:
    """The data of a game, checked.

    ap: the action points of each seat's first turn. begins: the start values for three seats,
    then for four seats. idle: rounds without an order before the question of K39; 0 is never.
    """

    name: str
    goods: tuple[str, ...]
    guests: tuple[str, ...]
    grid: tuple[str, ...]
    starts: tuple[int, ...]
    areas: tuple[Area, ...]
    ap: tuple[int, ...]
    begins: tuple[Begins, Begins]
    orders: tuple[OrderCard, ...]
    idle: int

    def __hash__(self) -> int:
        """Return the hash of the name and the grid alone: distances are kept by board."""
        return hash((self.name, self.grid))

    @cached_property
    def width(self) -> int:
        """The distance of two squares in one column."""
        return len(self.grid[0]) + 1

    @cached_property
    def squares(self) -> int:
        """The set of all squares."""
        return sum(1 << self.square(*place) for place, _ in places(self.grid))

    @cached_property
    def wholesalers(self) -> tuple[int, ...]:
        """The square of each good."""
        return tuple(self._tile(letter) for letter in WHOLESALERS)

    @cached_property
    def destinations(self) -> tuple[int, ...]:
        """The square of each guest."""
        return tuple(self._tile(letter) for letter in DESTINATIONS)

    @cached_property
    def tiles(self) -> int:
        """The set of the squares where no shop can stand."""
        return sum(1 << square for square in (*self.wholesalers, *self.destinations))

    @cached_property
    def grounds(self) -> tuple[int, ...]:
        """The set of the squares of each area."""
        return tuple(
            sum(1 << self.square(*at) for at, it in places(self.grid) if it == area.letter)
            for area in self.areas
        )

    def square(self, row: int, column: int) -> int:
        """Return the number of a square; both counts begin with 0."""
        return row * self.width + column

    def named(self, row: int, column: int) -> int | None:
        """Return the square at a row and column, from 1. Without a square, return None."""
        if not (0 < row <= len(self.grid) and 0 < column < self.width):
            return None
        square = self.square(row - 1, column - 1)
        return square if self.squares >> square & 1 else None

    def name_of(self, square: int) -> str:
        """Return the name of a square: "3,5"."""
        row, column = divmod(square, self.width)
        return f"{row + 1},{column + 1}"

    def around(self, squares: int) -> int:
        """Return the squares next to a set of squares (K2)."""
        width = self.width
        shifted = squares << 1 | squares >> 1 | squares << width | squares >> width
        return shifted & self.squares

    def order(self, number: int) -> OrderCard:
        """Return the order ``number``, 1..30."""
        return self.orders[number - 1]

    def _tile(self, letter: str) -> int:
        return next(self.square(*place) for place, it in places(self.grid) if it == letter)


def places(grid: tuple[str, ...]) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the row and column of each square, from 0, and its letter."""
    for row, letters in enumerate(grid):
        for column, letter in enumerate(letters):
            if letter != NO_SQUARE:
                yield (row, column), letter


def each(squares: int) -> Iterator[int]:
    """Yield the squares of a set, ascending."""
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest
