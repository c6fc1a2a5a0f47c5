"""The cheapest way to an order."""

from collections import deque
from itertools import pairwise, permutations

import pytest

from matcha_p2p.games.kashi.board.board import each
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.moves import Fulfil
from matcha_p2p.games.kashi.rules.state import Turn
from matcha_p2p.games.kashi.rules.travel import uses
from matcha_p2p.games.kashi.rules.ways import Map, towards
from tests.games.kashi.players import GREEDY, play
from tests.games.kashi.rules.positions import BOARD, at, position


def searched(game, start):
    """Return how far each square is, move by move as the rules allow them."""
    far, queue = {start: 0}, deque([start])
    while queue:
        square = queue.popleft()
        reached = BOARD.around(1 << square)
        for own in game.players:
            reached |= uses(BOARD, own.shops, square)
        for other in each(reached):
            if other not in far:
                far[other] = far[square] + 1
                queue.append(other)
    return far


@pytest.mark.parametrize("seed", range(2))
def test_distances_are_those_of_moves(seed):
    *_, (_, game) = play(BOARD, [GREEDY] * 3, seed)
    far = Map(game, 0)
    for start in (*BOARD.destinations, BOARD.starts[0]):
        assert far.distances(start) == searched(game, start)


def test_way_is_the_shortest_of_all_orders_of_its_stops():
    *_, (_, game) = play(BOARD, [GREEDY] * 3, 0)
    bare = game.with_player(0, game.players[0]._replace(goods=(0, 0, 0, 0, 0)))
    ways = Map(bare, 0)
    for number in range(1, len(BOARD.orders) + 1):
        way = ways.way(number)
        *sellers, goal = way.stops
        tours = [
            (
                sum(ways.far(*leg) for leg in pairwise((bare.players[0].person, *stops, goal))),
                stops,
            )
            for stops in permutations(sellers)
        ]
        assert (sum(way.walk), tuple(sellers)) == min(tours)


def test_way_buys_what_is_missing_and_ends_at_the_guest():
    way = Map(position("1,5", goods=(0, 1, 0, 0, 0), gold=2), 0).way(1)
    assert way.stops == (at("1,4"), at("1,7"))
    assert way.walk == (1, 3)
    assert (way.buys, way.takes, way.ap) == (1, 0, 6)


def test_way_takes_gold_that_is_missing():
    way = Map(position("1,5", gold=0), 0).way(1)
    assert (way.buys, way.takes) == (2, 2)


def test_way_with_all_goods_goes_straight():
    way = Map(position("1,7", goods=(1, 1, 0, 0, 0)), 0).way(1)
    assert (way.stops, way.ap) == ((at("1,7"),), 1)


def test_ways_are_told_shortest_first():
    ways = Map(position("1,7", goods=(1, 1, 0, 0, 0)), 0).ways()
    assert ways[0].order == 1
    assert [way.ap for way in ways] == sorted(way.ap for way in ways)


def test_way_can_be_gone_with_its_action_points():
    game = position("3,2", goods=(1, 1, 0, 0, 0), shops=("3,3", "3,4", "3,5"), others=("2,6",))
    way = Map(game, 0).way(1)
    game = game._replace(phase=Turn(0, way.ap))
    while game.players[0].person != way.stops[-1]:
        game = rules.act(game, towards(game, 0, way.stops[-1]))
    assert rules.act(game, Fulfil(1)).phase.ap == 2


def test_step_comes_before_a_use():
    game = position("3,2", others=("3,3",))
    assert towards(game, 0, at("3,3")).over is None
    mine = position("3,2", shops=("3,3",), others=("3,3",))
    assert towards(mine, 0, at("3,4")).over == 0
