"""The base of a game that another program brings along, and that no registry knows.

``table/game.py`` has the whole interface. Here a game lists the legal moves of a seat, and all
that the table and the seats ask about moves follows from the list.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Self, cast

from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games import names
from matcha_p2p.games.game import RESIGNED, End, Event
from matcha_p2p.games.timing import Timing, forced_if_single
from matcha_p2p.seats import Seat
from matcha_p2p.table.game import Find, TableGame
from matcha_p2p.table.moves import MoveForms
from matcha_p2p.table.piles import NewPiles, Piles
from matcha_p2p.table.seat import Player
from matcha_p2p.table.step import TableEvent
from matcha_p2p.table.steps import Order, Outcome, Step, Wire
from matcha_p2p.table.table import Table
from matcha_p2p.wire.encoding import Value

DECIDED: Final = "decided"
"""How a new game ends in which no seat has conceded."""


@dataclass(frozen=True, slots=True)
class NewView:
    """What a seat knows of a new game."""

    player: Player
    table: Table
    moves: tuple[Wire, ...]

    @property
    def game(self) -> "NewGame":
        """The public state."""
        return new_game_of(self.table)

    def faces(self, pile: str) -> tuple[int | None, ...]:
        """Return the faces of the cards of ``pile``, None for cards hidden from the seat."""
        return self.player.faces(self.table, pile)

    def legal_moves(self) -> tuple[Wire, ...]:
        """Return the moves among which the seat chooses."""
        return self.moves

    def timing(self) -> Timing:
        """Return the timing of the answer: all seats know the legal moves."""
        return forced_if_single(self.moves)


@dataclass(frozen=True, slots=True)
class NewEnd:
    """How a new game has ended."""

    winners: tuple[Seat, ...]
    how: str
    points: tuple[int, ...] = ()


class NewGame(ABC):
    """The public state of a game, an immutable value: each step makes a new value.

    name: 1 to 16 letters a-z. seats: 2 to 4. faces: how many cards show each face, 0 to 255.
    forms: the fields of each move, by the move's name.
    """

    name: str
    seats: int
    variant: str = "one"
    faces: Mapping[int, int] = MappingProxyType({})
    forms: MoveForms = MappingProxyType({})

    @property
    def order(self) -> Order:
        """All seats, the last seat first, as the first step of a game needs them."""
        return tuple(Seat((place - 1) % self.seats) for place in range(self.seats))

    @abstractmethod
    def next(self, piles: Piles) -> Step:
        """Return the next step, the same in every seat's program."""

    @abstractmethod
    def done(self, outcome: Outcome, piles: Piles) -> tuple[Self, NewPiles]:
        """Return the game after the step from ``next``, and the new piles."""

    @abstractmethod
    def result(self) -> tuple[Seat, ...] | None:
        """Return the winners, for all seats to sign, or None while the game is undecided."""

    def snapshot(self) -> Value:
        """Return the public state as numbers, texts, bytes and lists, for a digest.

        Without a method of its own, the state is the fields of the game, a dataclass.
        """
        fields = vars(self).values()
        return [
            [*cast("tuple[Value, ...]", field)] if isinstance(field, tuple) else field
            for field in fields
        ]

    def moves(self, seat: Seat, piles: Piles) -> Sequence[Wire]:
        """Return the legal moves of ``seat`` now: each a name and fields of ``forms``."""
        del seat, piles
        return ()

    def rules(self) -> Value:
        """Return the values in which rules differ; greetings agree on these values."""
        return []

    def judge(self, seat: Seat, move: Wire, piles: Piles) -> Wire:
        """Return ``move``, if the move is legal.

        Raises:
            IllegalMoveError: the move is not legal.
        """
        if move not in self.moves(seat, piles):
            raise IllegalMoveError("moves", f"{move} is no legal move of seat {seat}")
        return move

    def sealable(self, seat: Seat, piles: Piles) -> Iterator[Wire]:
        """Yield every move that ``seat`` may seal now."""
        return iter(self.moves(seat, piles))

    def write(self, seat: Seat, move: Wire, piles: Piles) -> Wire:
        """Return the signed form of ``move``, which is the move."""
        del seat, piles
        return move


def told(events: Sequence[TableEvent], player: Player | None = None) -> tuple[Event, ...]:
    """Return no events: no front end shows a new game."""
    del events, player
    return ()


def look(player: Player, table: Table, told: Sequence[Event]) -> NewView:
    """Return the player's knowledge of a new game. A table remembers all its cards."""
    del told
    moves = new_game_of(table).moves(player.seat, table.piles)
    return NewView(player, table, tuple(moves))


def ended(table: Table, resigned: Seat | None) -> End | None:
    """Return how a new game has ended, or None while the game is undecided."""
    if resigned is not None:
        return NewEnd(tuple(seat for seat in table.seats if seat != resigned), RESIGNED)
    winners = table.game.result()
    return None if winners is None else NewEnd(tuple(map(Seat, winners)), DECIDED)


def new_game_of(table: Table) -> NewGame:
    """Return the game of a table at which a new game is played.

    Raises:
        TypeError: the table has another game.
    """
    if not isinstance(table.game, NewGame):
        raise TypeError(f"{table.game.name} is no new game")
    return table.game


def finder(game: NewGame) -> Find:
    """Return what finds ``game``, the game before its first step, and no other game.

    Raises:
        ValueError: a game of this package has the name, and its proofs would hold in both.
    """
    if game.name in names():
        raise ValueError(f"{game.name} is a game of this package")

    def find(name: str, variant: str, seats: int) -> TableGame | None:
        known = (name, variant, seats) == (game.name, game.variant, game.seats)
        return game if known else None

    return find
