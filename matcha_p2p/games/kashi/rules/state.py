"""The state of a game, and its phases."""

from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple, TypeAlias

from matcha_p2p.games.kashi.board.board import Board, Square
from matcha_p2p.games.kashi.rules.orders import NO_GOODS, SETTLEMENTS, Goods, OrderNumber
from matcha_p2p.games.plain import Natural, number
from matcha_p2p.seats import Seat

ROW: Final = 5
"""How many orders lie open (K13)."""


class Keeper(NamedTuple):
    """The belongings of a seat.

    person: the square of the person, None before the start. points: the points on the track,
    without orders. shops: the squares of the shops, ascending, one entry for each shop of a
    stack. hand, aside: shops in hand and set aside. orders: the fulfilled orders, in the order
    of time.
    """

    person: Square | None
    gold: Natural
    goods: Goods
    points: Natural
    shops: tuple[Square, ...]
    hand: Natural
    aside: Natural
    orders: tuple[OrderNumber, ...]


@dataclass(frozen=True, slots=True)
class Starting:
    """``seat`` puts the person on a start square (K11)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Opening:
    """The first orders are to be drawn (K13)."""


@dataclass(frozen=True, slots=True)
class Turn:
    """``seat`` has its turn.

    ap: the action points left. bought, taken, done count this turn's purchases, takings of gold
    and fulfilled orders.
    """

    seat: Seat
    ap: Natural
    bought: Goods = NO_GOODS
    taken: Natural = 0
    done: Natural = 0


@dataclass(frozen=True, slots=True)
class Drawing:
    """``count`` orders are to be drawn (K36)."""

    count: Natural


@dataclass(frozen=True, slots=True)
class Paying:
    """The first of ``seats`` pays upkeep, then the next seats (K42)."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Questioning:
    """The first of ``seats`` says whether to settle, then the next seats (K39)."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over. winners: ascending."""

    winners: tuple[Seat, ...]


Phase: TypeAlias = Starting | Opening | Turn | Drawing | Paying | Questioning | Ended


class GameState(NamedTuple):
    """The public state.

    players: the belongings of each seat. row: the open orders, ascending. drawn: all orders
    drawn so far, in the order of drawing. settlements: the number of settlements over or being
    paid for. turns: the number of turns over. quiet: the number of turns in a row, up to now,
    without a fulfilled order. idle: rounds before the question of K39, 0 for never. first: the
    seat of the first turn.
    """

    board: Board
    players: tuple[Keeper, ...]
    row: tuple[OrderNumber, ...]
    drawn: tuple[OrderNumber, ...]
    settlements: Annotated[int, number(0, SETTLEMENTS)]
    turns: Natural
    quiet: Natural
    idle: Natural
    phase: Phase
    first: Seat = Seat(0)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats."""
        return tuple(map(Seat, range(len(self.players))))

    @property
    def next_seat(self) -> Seat:
        """The seat of the running or next turn (K14)."""
        return Seat((self.first + self.turns) % len(self.players))

    def around(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all seats in the order of turns, ``seat`` first."""
        return (*self.seats[seat:], *self.seats[:seat])

    @property
    def due(self) -> Seat | None:
        """The seat that decides now."""
        match self.phase:
            case Starting(seat) | Turn(seat):
                return seat
            case Paying(seats) | Questioning(seats):
                return seats[0]
            case _:
                return None

    def with_player(self, seat: int, player: Keeper) -> "GameState":
        """Return the game with ``player`` in place of the player at ``seat``."""
        players = self.players
        return self._replace(players=(*players[:seat], player, *players[seat + 1 :]))
