"""The events for front ends, in order. An event for a seat alone says so."""

from dataclasses import dataclass
from typing import TypeAlias

from matcha_p2p.games.tichu.rules.cards import Face
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.rules.scoring import Points
from matcha_p2p.seats import Seat
from matcha_p2p.wire.names import GameId


@dataclass(frozen=True, slots=True)
class Met:
    """All have greeted each other; ``names`` by seat."""

    game: GameId
    variant: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """``seat`` has shuffled all cards ("mix"), its gifts ("give"), or its new hand ("own")."""

    seat: Seat
    label: str


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """All cards are shuffled for round ``number``; ``first`` is asked first."""

    number: int
    first: Seat


@dataclass(frozen=True, slots=True)
class HandSeen:
    """The cards of a hand by place, first eight and then 14; its seat alone is told."""

    cards: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class GiftsGiven:
    """What a seat has given to the next, the partner, the one before; it alone is told."""

    cards: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class GiftsPlaced:
    """The places of the gifts in a seat's new hand. The event is for this seat alone.

    places: of the gifts from the next seat, the partner, the seat before. ``HandSeen`` follows.
    """

    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Called:
    """``seat`` has called Grand Tichu, for 200 ``points``, or Tichu, for 100."""

    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class MahJongShown:
    """``seat`` has shown the Mah Jong, and has the first lead."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """``seat`` has passed."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """``seat`` gets the ``cards`` of a trick from ``giver``, which may be ``seat`` itself."""

    seat: Seat
    cards: tuple[Face, ...]
    giver: Seat


@dataclass(frozen=True, slots=True)
class WentOut:
    """``seat`` has no card left. rank: 0 for the first."""

    seat: Seat
    rank: int


@dataclass(frozen=True, slots=True)
class RoundCounted:
    """A round is over: what it has brought to each team, and the totals after it."""

    number: int
    points: Points
    totals: Points


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is decided. how: "points", "foul" or "resigned". foul: the seat that fouled."""

    winners: tuple[Seat, ...]
    how: str
    totals: Points
    foul: Seat | None = None

    @property
    def points(self) -> Points:
        """The totals."""
        return self.totals


TichuEvent: TypeAlias = (
    Met
    | Shuffled
    | RoundBegun
    | HandSeen
    | GiftsGiven
    | GiftsPlaced
    | Called
    | MahJongShown
    | Laid
    | TurnPassed
    | TrickTaken
    | WentOut
    | RoundCounted
    | GameEnded
)
