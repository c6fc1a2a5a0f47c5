"""The steps that a game asks of the table, and the outcome of each step (SPEC#steps)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from matcha_p2p.seats import Seat

COINS: Final = 4096
"""Links in a seat's coin chain, the most coins in a game."""

Order: TypeAlias = tuple[Seat, ...]
"""Seats in the order in which they act."""

Wire: TypeAlias = tuple[str | int | bytes, ...]
"""The signed form of a move: its name, then its fields."""


class Giving(NamedTuple):
    """A move by which a seat gives cards: ``wire`` is signed, ``last`` stays secret.

    last: the places of the cards in the next shuffled pile, in the order of ``give``.
    """

    wire: Wire
    last: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Coin:
    """Toss a coin: all seats open their next link, in ``order``, a permutation of all.

    The first step of a game is a coin, the last seat first (SECURITY, guards).
    """

    order: Order


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Shuffle ``pile``: each seat of ``order`` masks and permutes it in turn.

    A card is mixed once all seats have shuffled the card in one step. label: names the step in
    proofs, 1 to 16 letters a-z. give: the seats that receive the last cards of the pile, in the
    order of the cards. If ``give`` names seats, ``order`` holds only the giver, the pile's
    owner, who has chosen the cards in the Decide just before.
    """

    pile: str
    order: Order
    label: str
    give: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """The card at ``place`` of ``pile``, for the seat ``reader`` alone, or for all if None."""

    pile: str
    place: int
    reader: Seat | None


@dataclass(frozen=True, slots=True)
class Share:
    """Let cards be read: each seat gives its missing shares in one action.

    order: a permutation of all seats; seats without a share to give are skipped.
    label: as in Shuffle.
    """

    reads: tuple[Read, ...]
    order: Order
    label: str


@dataclass(frozen=True, slots=True)
class Decide:
    """Let ``seat`` make a move.

    auto: the seat's program moves without a person, also after another action of the message.
    """

    seat: Seat
    auto: bool = False


@dataclass(frozen=True, slots=True)
class Sealed:
    """Let the seats of ``order`` choose at the same time.

    All seats but the last seal their moves. The last seat moves openly, then the seals open.
    """

    order: Order


@dataclass(frozen=True, slots=True)
class Over:
    """The game is decided: all seats sign its result, in ``order``, a permutation of all."""

    order: Order


Step: TypeAlias = Coin | Shuffle | Share | Decide | Sealed | Over


@dataclass(frozen=True, slots=True)
class Tossed:
    """A Coin is tossed. value: 32 bytes that no seat could choose."""

    value: bytes


@dataclass(frozen=True, slots=True)
class Mixed:
    """A Shuffle is done."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A Share is done. faces: the faces of the cards for all, in the order of the step."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """The seat of a Decide has moved. move: the value from ``Game.judge``."""

    move: Any


@dataclass(frozen=True, slots=True)
class Unsealed:
    """All moves of a Sealed are known. moves: by seat, the values from ``Game.judge``."""

    moves: Mapping[Seat, Any]


Outcome: TypeAlias = Tossed | Mixed | Shared | Moved | Unsealed


def reads(pile: str, places: Sequence[int] | range, reader: Seat | None) -> tuple[Read, ...]:
    """Return the cards at ``places`` of ``pile``, all for the same reader."""
    return tuple([Read(pile, place, reader) for place in places])
