"""The points of areas, the order of upkeep, and the winners (K40 to K48)."""

from typing import NamedTuple

from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.rules.orders import GUESTS
from matcha_p2p.games.kashi.rules.state import GameState, Keeper
from matcha_p2p.seats import Seat

SET = 6
GOLD_OF_A_POINT = 5


class FinalScore(NamedTuple):
    """A seat's points and gold at the end.

    track: points before the end. orders: points of orders. sets: points of sets of three
    guests. gold: points of gold and goods. left: the gold that made no point.
    """

    track: int
    orders: int
    sets: int
    gold: int
    left: int

    @property
    def points(self) -> int:
        """All points."""
        return self.track + self.orders + self.sets + self.gold


def ranked(values: tuple[int, ...], counts: list[int]) -> list[int]:
    """Return the points of each seat for its shops in an area (K40, K41).

    values: the points of each rank. counts: shops, by seat.
    """
    gains: list[int] = []
    for count in counts:
        ahead = sum(other > count for other in counts)
        tied = counts.count(count)
        gains.append(sum(values[ahead : ahead + tied]) // tied if count else 0)
    return gains


def shops_on(ground: int, shops: list[tuple[int, ...]]) -> list[int]:
    """Return how many shops of each seat stand on the squares ``ground``. shops: by seat."""
    return [sum(ground >> square & 1 for square in own) for own in shops]


def area_points(board: Board, shops: list[tuple[int, ...]]) -> list[int]:
    """Return the points of each seat in a settlement. shops: by seat."""
    points = [0] * len(shops)
    for area, ground in zip(board.areas, board.grounds, strict=True):
        for seat, gain in enumerate(ranked(area.values, shops_on(ground, shops))):
            points[seat] += gain
    return points


def paying_order(game: GameState) -> tuple[Seat, ...]:
    """Return the seats in the order of upkeep: most points first, then the later seat (K42)."""
    latest = reversed(game.around(game.first))
    return tuple(sorted(latest, key=lambda seat: -game.players[seat].points))


def score(board: Board, player: Keeper) -> FinalScore:
    """Return the score of a seat if the game ended now (K47)."""
    orders = [board.order(number) for number in player.orders]
    guests = [order.guest for order in orders]
    points, left = divmod(player.gold + sum(player.goods), GOLD_OF_A_POINT)
    return FinalScore(
        track=player.points,
        orders=sum(order.points for order in orders),
        sets=SET * min(guests.count(guest) for guest in range(GUESTS)),
        gold=points,
        left=left,
    )


def winners(game: GameState, resigned: Seat | None = None) -> tuple[Seat, ...]:
    """Return the winners if the game ended now (K48), and ``resigned`` cannot win (K51)."""
    marks = {
        seat: (own.points, len(game.players[seat].orders), own.left)
        for seat in game.seats
        for own in (score(game.board, game.players[seat]),)
        if seat != resigned
    }
    best = max(marks.values())
    return tuple(seat for seat, mark in marks.items() if mark == best)
