"""The interface between a game and the table: public state, next step, judging a move."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, Self, TypeAlias, runtime_checkable

from matcha_p2p.seats import Seat
from matcha_p2p.table.moves import MoveForms
from matcha_p2p.table.piles import NewPiles, Piles
from matcha_p2p.table.steps import Giving, Outcome, Step, Wire
from matcha_p2p.wire.encoding import Value

GameMove: TypeAlias = Any
"""A decision of a seat, a value of the game's own."""

FacesOf: TypeAlias = Callable[[str], tuple[int | None, ...]]
"""Returns the faces of the cards of a pile, None for each card that a seat cannot read."""


class TableGame(Protocol):
    """An immutable, public value; no I/O, no cryptography, no chance.

    Only IllegalMoveError blames the author of a move. Any other exception of a game is a bug
    of the game: the exception stops the program, and no seat is blamed.
    """

    @property
    def name(self) -> str:
        """The game: 1 to 16 letters a-z."""
        ...

    @property
    def variant(self) -> str:
        """The rules of the game, by name."""
        ...

    @property
    def seats(self) -> int:
        """The number of seats, 2 to 4."""
        ...

    @property
    def faces(self) -> Mapping[int, int]:
        """How many cards show each face, 0 to 255; empty in a game without cards."""
        ...

    @property
    def forms(self) -> MoveForms:
        """The form of each move."""
        ...

    def rules(self) -> Value:
        """Return the values in which rules differ; greetings agree on these values."""
        ...

    def next(self, piles: Piles) -> Step:
        """Return the next step, the same in every seat's program."""
        ...

    def done(self, outcome: Outcome, piles: Piles) -> tuple[Self, NewPiles]:
        """Return the game after the step from ``next``, and the new piles.

        The new piles hold the cards of ``piles``, renamed, split and joined. A number in a pile
        is a face under no card, to be laid as a public card.

        Raises:
            IllegalMoveError: after a Share in which a seat has opened only its own cards, the
                faces make the move illegal that chose these cards.
        """
        ...

    def judge(self, seat: Seat, move: Wire, piles: Piles) -> GameMove:
        """Judge ``move`` of ``seat`` in this step; return the game's own value for ``done``.

        Raises:
            IllegalMoveError: the move breaks a rule, whose number the error has. A back that
                names no card of a pile is E_BACK.
        """
        ...

    def sealable(self, seat: Seat, piles: Piles) -> Iterator[Wire]:
        """Yield every move that ``seat`` may seal now."""
        ...

    def snapshot(self) -> Value:
        """Return the public state, as plain values, for the digest in entries."""
        ...

    def result(self) -> tuple[Seat, ...] | None:
        """Return the seats that have won, for all seats to sign, or None while undecided.

        The seats are ascending. Nobody wins a draw. In a game of teams, a seat without its
        partner has lost by a foul.
        """
        ...

    def write(self, seat: Seat, move: GameMove, piles: Piles) -> Wire | Giving:
        """Return the signed form of ``move``, a value of the game's own, by ``seat``.

        Return a Giving only before a Shuffle that gives cards.

        Raises:
            IllegalMoveError: the move names a missing card.
        """
        ...


@runtime_checkable
class Answering(Protocol):
    """A game with moves that the seat's program makes without a person: Decide(auto=True)."""

    def answer(self, seat: Seat, faces: FacesOf, piles: Piles) -> Wire:
        """Return the move of ``seat``; the same knowledge always gives the same move."""
        ...


@runtime_checkable
class OfTeams(Protocol):
    """A game of teams of two, who resign together (SPEC#records)."""

    def partner(self, seat: Seat) -> Seat:
        """Return the partner of ``seat``."""
        ...


class Find(Protocol):
    """Finds a game by name: the registry of all games, or a test's registry."""

    def __call__(self, name: str, variant: str, seats: int) -> TableGame | None:
        """Return the game before the first step, or None if the game is unknown here."""
        ...
