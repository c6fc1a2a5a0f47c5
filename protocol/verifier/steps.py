"""The steps between a game and the table (SPEC#steps)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, TypeAlias

from cards import Card, Cards
from codec import Packable, Value
from messages import Forms

Move: TypeAlias = "list[Value]"  # its name, then its fields
Read: TypeAlias = tuple[Card, int | None]  # a card and its reader, a seat; all if None


@dataclass
class Step:
    """A step of a game. owing: seats and owed verbs. then: returns the step after an outcome.

    chosen: the verbs of decisions.
    """

    owing: list[tuple[int, str]]
    then: "Callable[..., Step] | None" = None
    label: str = ""
    pile: list[Card] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    seals: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)
    moves: dict[int, Move] = field(default_factory=dict)
    chosen: tuple[str, ...] = ("MOVE", "SEAL")

    def owed(self, seat: int) -> list[Card]:
        """Return the cards without a needed share of ``seat``."""
        return [card for card, reader in self.reads if card.lacks(seat, reader)]

    def opened(self) -> list[int]:
        """Return the faces of the cards for all seats."""
        faces = [card.face for card, reader in self.reads if reader is None]
        return [face for face in faces if face is not None]


def coin(order: Sequence[int], then: Callable[[bytes], Step]) -> Step:
    """Return the step Coin."""
    return Step([(seat, "COIN") for seat in order], then)


def shuffle(
    pile: list[Card], order: Sequence[int], label: str, then: Callable[[list[int]], Step]
) -> Step:
    """Return the step Shuffle; ``then`` is given no faces."""
    owing = [(seat, "SHUF") for seat in order if len(pile) >= 2]
    return Step(owing, then, label, pile=pile)


def share(
    reads: list[Read], order: Sequence[int], label: str, then: Callable[[list[int]], Step]
) -> Step:
    """Return the step Share; ``then`` takes the faces of the cards for all seats."""
    step = Step([], then, label, reads=reads)
    step.owing = [(seat, "SHARE") for seat in order if step.owed(seat)]
    return step


def decide(seat: int, then: Callable[[dict[int, Move]], Step]) -> Step:
    """Return the step Decide; ``then`` is given the move by seat."""
    return sealed([seat], then)


def answer(seat: int, then: Callable[[dict[int, Move]], Step]) -> Step:
    """Return the step Decide with auto; ``then`` is given the move by seat."""
    return Step([(seat, "MOVE")], then, chosen=())


def sealed(order: Sequence[int], then: Callable[[dict[int, Move]], Step]) -> Step:
    """Return the step Sealed; ``then`` is given the moves by seat."""
    *first, last = order
    seals = [(seat, "SEAL") for seat in first]
    return Step([*seals, (last, "MOVE"), *((seat, "UNSEAL") for seat in first)], then)


def over(order: Sequence[int]) -> Step:
    """Return the last step, Over."""
    return Step([(seat, "RESULT") for seat in order])


class Game(Protocol):
    """A game at a table."""

    name: ClassVar[str]
    faces: ClassVar[range]
    forms: ClassVar[Forms]
    teams: ClassVar[bool]
    variant: str

    @property
    def seats(self) -> int:
        """The number of seats."""
        ...

    @property
    def values(self) -> Packable:
        """What its variants differ in."""
        ...

    def begin(self, cards: Cards) -> Step:
        """Return the first step; the game keeps ``cards`` and arranges the piles."""
        ...

    def judge(self, seat: int, move: Move) -> None:
        """Refuse an illegal move with E_BACK or E_RULE."""
        ...

    def state(self) -> Packable:
        """Return the public state as an array."""
        ...

    def result(self) -> list[int] | None:
        """Return the outcome, None while the game is undecided."""
        ...

    def winners(self, resigned: int | None) -> list[int]:
        """Return the winners: of a decided game, or if the seat ``resigned`` resigned now."""
        ...
