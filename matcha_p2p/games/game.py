"""What a game is to the rooms that all games share.

``table/game.py`` says what it is to the table.
A shared room imports no game: it gets what it needs from ``matcha_p2p.games``, by name.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeAlias

from matcha_p2p.seats import Seat

if TYPE_CHECKING:  # front ends import this file before the protocol is loaded
    from matcha_p2p.table import step
    from matcha_p2p.table.game import Game
    from matcha_p2p.table.seat import Player
    from matcha_p2p.table.table import Table

Event: TypeAlias = Any
"""Something that has happened, a value of the game's own."""

Move: TypeAlias = Any
"""What a seat decides, a value of the game's own."""

GameState: TypeAlias = Any
"""The public state of a game as its rules see it, a value of the game's own."""

RESIGNED: Final = "resigned"
"""How a game has ended in which a seat has conceded, in every game."""


class End(Protocol):
    """How a game has ended."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that have won, ascending; none in a draw."""
        ...

    @property
    def how(self) -> str:
        """By what, in a word for files and programs."""
        ...


class View(Protocol):
    """What one seat may know of a game, and what it can decide."""

    def legal_moves(self) -> Sequence[Move]:
        """Return the moves among which the seat chooses now."""
        ...

    def after(self, earlier: Self, /) -> Self:
        """Return the view with what the seat still knows of ``earlier``, its last one."""
        ...


class Seated(Protocol):
    """What a program at a table asks of the game that is played there, or that it has read.

    ``table`` is always a table of this very game.
    """

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants of a game that follows no other, the usual one first."""
        ...

    def begin(self, variant: str) -> "Game":
        """Return the game before its first step.

        Raises:
            ValueError: there is no such variant.
        """
        ...

    def told(
        self, events: "Sequence[step.Event]", player: "Player | None" = None
    ) -> tuple[Event, ...]:
        """Return what ``player`` is told of ``events`` of the table, in order.

        player: None for what all are told.
        """
        ...

    def state(self, table: "Table") -> GameState:
        """Return the public state of the game."""
        ...

    def dealt(self, table: "Table") -> bool:
        """Tell whether the first hands are dealt; before that nobody has decided anything."""
        ...

    def hand(self, player: "Player", table: "Table") -> tuple[Any, ...]:
        """Return the faces of the player's cards as dealt, () while there are none."""
        ...

    def look(self, player: "Player", table: "Table") -> View:
        """Return what the player may know while moves are being made."""
        ...

    def running(self, table: "Table") -> int:
        """Return how many moves were made in the part of the game that is not over.

        Watchers may have to wait until it is (SPEC#watching).
        """
        ...

    def ended(self, table: "Table", resigned: Seat | None) -> End | None:
        """Return how the game has ended; None while it is undecided.

        resigned: the seat that has conceded, if one did.
        """
        ...

    def again(self, table: "Table") -> tuple[str, tuple[Seat, ...]]:
        """Return the variant of the next game of the same players, and who sits where in it.

        The first seat named is seat 0 of the next game.
        """
        ...
