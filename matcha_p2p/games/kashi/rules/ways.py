"""The cheapest way to fulfil an order, over the present shops: for hints and bots."""

from functools import lru_cache
from typing import NamedTuple

from matcha_p2p.games.kashi.board.board import Board, each
from matcha_p2p.games.kashi.rules.actions import PRICE, TAKEN, act, here
from matcha_p2p.games.kashi.rules.moves import Go
from matcha_p2p.games.kashi.rules.orders import GOODS, missing
from matcha_p2p.games.kashi.rules.state import GameState, Turn
from matcha_p2p.games.kashi.rules.travel import spread, uses


class OrderPath(NamedTuple):
    """A way to an order.

    ap: action points in total: going, buying, taking gold, and fulfilling. stops: the squares
    of wholesalers on the way, then the destination. walk: AP to each stop from the stop
    before. buys: how many goods are missing. takes: how often gold has to be taken.
    """

    order: int
    ap: int
    stops: tuple[int, ...]
    walk: tuple[int, ...]
    buys: int
    takes: int


class Tour(NamedTuple):
    """A way over several squares. ap: in total. stops, walk: as of an OrderPath."""

    ap: int
    stops: tuple[int, ...]
    walk: tuple[int, ...]


class Roads:
    """The distances over the shops of all players; each is found once."""

    def __init__(self, board: Board, shops: tuple[tuple[int, ...], ...]) -> None:
        self._board = board
        self._shops = shops
        self._from: dict[int, dict[int, int]] = {}
        self._tours: dict[tuple[int, tuple[int, ...], int], Tour] = {}

    def distances(self, start: int) -> dict[int, int]:
        """Return the action points from a square to each square, equal in both directions."""
        if start not in self._from:
            self._from[start] = spread(self._board, self._shops, start)
        return self._from[start]

    def tour(self, start: int, between: tuple[int, ...], goal: int) -> Tour:
        """Return the shortest way to ``goal`` over the squares ``between``, in any order."""
        asked = start, between, goal
        found = self._tours.get(asked)
        if found is None:
            found = self._tours[asked] = self._tour(start, between, goal)
        return found

    def _tour(self, start: int, between: tuple[int, ...], goal: int) -> Tour:
        far = self.distances(start)
        if not between:
            return Tour(far[goal], (goal,), (far[goal],))
        tours: list[Tour] = []
        for at, stop in enumerate(between):
            rest = self.tour(stop, (*between[:at], *between[at + 1 :]), goal)
            ap = far[stop]
            tours.append(Tour(ap + rest.ap, (stop, *rest.stops), (ap, *rest.walk)))
        return min(tours)


@lru_cache(maxsize=128)
def _roads(board: Board, shops: tuple[tuple[int, ...], ...]) -> Roads:
    return Roads(board, shops)


class Map:
    """The distances of wholesalers and guests for one seat, over the present shops."""

    def __init__(self, game: GameState, seat: int) -> None:
        self._board = game.board
        self._player = game.players[seat]
        self._row = game.row
        self._roads = _roads(game.board, tuple(player.shops for player in game.players))

    def far(self, start: int, square: int) -> int:
        """Return the action points from one square to another."""
        return self.distances(start)[square]

    def distances(self, start: int) -> dict[int, int]:
        """Return the action points from a square to each square, equal in both directions."""
        return self._roads.distances(start)

    def way(self, number: int) -> OrderPath:
        """Return the way to an order with the fewest action points.

        Ends of turns do not count: in one turn at most two goods of a kind are bought, and
        gold is taken at most twice (K22, K24).
        """
        board, player = self._board, self._player
        order = board.order(number)
        lacks = missing(order.goods, player.goods)
        sellers = tuple(board.wholesalers[good] for good in range(GOODS) if lacks[good])
        tour = self._roads.tour(here(player), sellers, board.destinations[order.guest])
        buys = sum(lacks)
        takes = max(0, -(-(PRICE * buys - player.gold) // TAKEN))
        ap = tour.ap + buys + takes + 1
        return OrderPath(number, ap, tour.stops, tour.walk, buys, takes)

    def ways(self) -> tuple[OrderPath, ...]:
        """Return the way to each order of the row, the shortest first."""
        return tuple(sorted((self.way(number) for number in self._row), key=lambda way: way.ap))


def towards(game: GameState, seat: int, goal: int) -> Go:
    """Return the first move of a shortest way from the person to ``goal``.

    A step comes before a use, and one's own chain before another's.
    """
    board, at = game.board, here(game.players[seat])
    far = Map(game, seat).distances(goal)
    steps = [Go(square) for square in each(board.around(1 << at))]
    owners = sorted(game.seats, key=lambda owner: (owner != seat, owner))
    over = [
        Go(square, owner)
        for owner in owners
        for square in each(uses(board, game.players[owner].shops, at))
    ]
    return min((*steps, *over), key=lambda move: far[move.square])


def walk(game: GameState, goal: int) -> tuple[Go, ...]:
    """Return the moves of a shortest way to ``goal``, as far as the action points last.

    If the running turn has no point left, or the person stands on ``goal``, return a move that
    the rules refuse.
    """
    moves: list[Go] = []
    while (
        isinstance(turn := game.phase, Turn)
        and turn.ap
        and here(game.players[turn.seat]) != goal
    ):
        moves.append(towards(game, turn.seat, goal))
        game = act(game, turn, moves[-1])
    return tuple(moves) or (Go(goal),)
