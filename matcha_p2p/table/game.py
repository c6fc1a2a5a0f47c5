"""What a game is to the table: public state, its next step, and how a move is judged."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, Self, TypeAlias, runtime_checkable

from matcha_p2p.seats import Seat
from matcha_p2p.table.moves import MoveForms
from matcha_p2p.table.piles import NewPiles, Piles
from matcha_p2p.table.steps import Giving, Outcome, Step, Wire
from matcha_p2p.wire.encoding import Value

FacesOf: TypeAlias = Callable[[str], tuple[int | None, ...]]
"""Returns the faces of the cards of a pile, None for each that a seat cannot read."""


class Game(Protocol):
    """An immutable value, all of it public; no I/O, no cryptography, no chance.

    Only IllegalMoveError blames the author of a move. Any other exception that a game raises is
    its bug: it stops the program, and blames nobody.
    """

    @property
    def name(self) -> str:
        """The game: 1 to 16 letters a-z."""
        ...

    @property
    def variant(self) -> str:
        """Which rules of the game are played."""
        ...

    @property
    def seats(self) -> int:
        """How many seats it is for, 2 to 4."""
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
        """Return the values that tell these rules from others; greetings agree on them."""
        ...

    def next(self, piles: Piles) -> Step:
        """Return the step that follows; never depends on whose program asks."""
        ...

    def done(self, outcome: Outcome, piles: Piles) -> tuple[Self, NewPiles]:
        """Return the game after the step that ``next`` has asked for, and its piles.

        The piles hold the cards of ``piles``, renamed, split and joined, and numbers: faces
        that lie under no card and are to be laid as public cards.
        """
        ...

    def judge(self, seat: Seat, move: Wire, piles: Piles) -> Any:  # noqa: ANN401 -- as ``write``
        """Return what ``done`` is to know of ``move``, which ``seat`` may make in this step.

        Raises:
            IllegalMoveError: with the number of the rule. A back that names no card of a pile
                is E_BACK.
        """
        ...

    def sealable(self, seat: Seat, piles: Piles) -> Iterator[Wire]:
        """Yield every move that ``seat`` may seal now."""
        ...

    def snapshot(self) -> Value:
        """Return the public state, as plain values, for the digest that entries carry."""
        ...

    def result(self) -> tuple[int, ...] | None:
        """Return the result that all sign, or None while the game is undecided."""
        ...

    def write(self, seat: Seat, move: Any, piles: Piles) -> Wire | Giving:  # noqa: ANN401 -- each game has its own type
        """Return a move of ``seat``, a value of the game's own, as it is signed.

        A Giving before a Shuffle that gives cards, and only there.

        Raises:
            IllegalMoveError: it names a card that is not there.
        """
        ...


@runtime_checkable
class Answering(Protocol):
    """A game that asks for moves that a program makes by itself: Decide(auto=True)."""

    def answer(self, seat: Seat, faces: FacesOf, piles: Piles) -> Wire:
        """Return the move of ``seat``; the same knowledge always gives the same move."""
        ...


class Find(Protocol):
    """Finds a game by its name: the registry of all games, or that of a test."""

    def __call__(self, name: str, variant: str, seats: int) -> Game | None:
        """Return the game before its first step, or None if it is not known here."""
        ...
