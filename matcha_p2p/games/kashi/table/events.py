"""The events for front ends, in order of happening; all are public."""

from dataclasses import dataclass
from typing import TypeAlias

from matcha_p2p.games.kashi.board.board import Square
from matcha_p2p.games.kashi.rules.moves import TurnAction
from matcha_p2p.games.kashi.rules.orders import OrderNumber
from matcha_p2p.games.kashi.rules.settlement import FinalScore
from matcha_p2p.seats import Seat
from matcha_p2p.wire.names import GameId


@dataclass(frozen=True, slots=True)
class Met:
    """All seats have greeted each other; ``names`` by seat."""

    game: GameId
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FirstDrawn:
    """A coin has drawn the seat that begins."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Started:
    """``seat`` has put the person on ``square``."""

    seat: Seat
    square: Square


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """``seat`` has made a turn of ``actions``."""

    seat: Seat
    actions: tuple[TurnAction, ...]


@dataclass(frozen=True, slots=True)
class OrdersDrawn:
    """A coin has drawn ``orders``, in the order of drawing."""

    orders: tuple[OrderNumber, ...]


@dataclass(frozen=True, slots=True)
class IdleAnswered:
    """``seat`` has answered whether to settle without an order of settlement."""

    seat: Seat
    settle: bool


@dataclass(frozen=True, slots=True)
class AreasSettled:
    """A settlement begins: its number, and the points of each seat for its shops."""

    number: int
    gains: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UpkeepPaid:
    """``seat`` has paid ``gold``, and has lost ``points`` for the rest."""

    seat: Seat
    gold: int
    points: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over. scores: by seat. resigned: the seat that has resigned, or None."""

    winners: tuple[Seat, ...]
    how: str
    scores: tuple[FinalScore, ...]
    resigned: Seat | None = None

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each seat."""
        return tuple(score.points for score in self.scores)


Event: TypeAlias = (
    Met
    | FirstDrawn
    | Started
    | TurnTaken
    | OrdersDrawn
    | IdleAnswered
    | AreasSettled
    | UpkeepPaid
    | GameEnded
)
