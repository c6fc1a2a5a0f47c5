"""The cheapest way to fulfil an order, over the present shops: for hints and bots."""

from itertools import pairwise, permutations
from typing import NamedTuple

from matcha_p2p.games.kashi.board.board import each
from matcha_p2p.games.kashi.rules.actions import PRICE, TAKEN, act, here
from matcha_p2p.games.kashi.rules.moves import Go
from matcha_p2p.games.kashi.rules.orders import GOODS, missing
from matcha_p2p.games.kashi.rules.state import GameState, Turn
from matcha_p2p.games.kashi.rules.travel import chains, spread, uses


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


class Map:
    """The distances of wholesalers and guests for one seat, over the present shops."""

    def __init__(self, game: GameState, seat: int) -> None:
        self._board = game.board
        self._player = game.players[seat]
        self._row = game.row
        self._touched = [
            chain | game.board.around(chain)
            for player in game.players
            for chain in chains(game.board, player.shops)
        ]
        self._from: dict[int, dict[int, int]] = {}

    def far(self, start: int, square: int) -> int:
        """Return the action points from one square to another."""
        return self.distances(start)[square]

    def distances(self, start: int) -> dict[int, int]:
        """Return the action points from a square to each square, equal in both directions."""
        if start not in self._from:
            self._from[start] = spread(self._board, self._touched, start)
        return self._from[start]

    def way(self, number: int) -> OrderPath:
        """Return the way to an order with the fewest action points.

        Ends of turns do not count: in one turn at most two goods of a kind are bought, and
        gold is taken at most twice (K22, K24).
        """
        board, player = self._board, self._player
        order = board.order(number)
        lacks = missing(order.goods, player.goods)
        sellers = [board.wholesalers[good] for good in range(GOODS) if lacks[good]]
        goal = board.destinations[order.guest]
        walked: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []
        for stops in permutations(sellers):
            squares = (here(player), *stops, goal)
            walk = tuple(self.far(*leg) for leg in pairwise(squares))
            walked.append((sum(walk), squares[1:], walk))
        going, stops, walk = min(walked)
        buys = sum(lacks)
        takes = max(0, -(-(PRICE * buys - player.gold) // TAKEN))
        return OrderPath(number, going + buys + takes + 1, stops, walk, buys, takes)

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
