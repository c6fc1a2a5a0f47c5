"""A style that takes the nearest points."""

import random
from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.kashi.rules import actions, moves
from matcha_p2p.games.kashi.rules.choices import shop_squares
from matcha_p2p.games.kashi.rules.orders import GOODS, SETTLEMENTS, Goods, OrderNumber, missing
from matcha_p2p.games.kashi.rules.settlement import ranked, shops_on
from matcha_p2p.games.kashi.rules.state import GameState, Keeper, Turn
from matcha_p2p.games.kashi.rules.travel import set_of
from matcha_p2p.games.kashi.rules.ways import Map, OrderPath, towards
from matcha_p2p.seats import Seat

_GAIN: Final = 0.5
"""How much more than its cost a shop has to gain."""


@dataclass(frozen=True)
class Greedy:
    """Takes the order with the most points for an action point, and lays shops that gain.

    shops: the most shops to lay with action points. worth: the worth of a point of an area at a
    settlement, against the upkeep. order: goes before all others as long as it lies open.
    """

    shops: int = 99
    worth: float = 1.0
    order: OrderNumber | None = None

    def __call__(self, game: GameState, _rng: random.Random) -> moves.TurnAction | None:
        """Return the next action, or None to end the turn."""
        turn = game.phase
        if not isinstance(turn, Turn) or not turn.ap:
            return None
        way = self.way(game, turn.seat)
        if way is None:
            return _gold(turn)
        if way.ap == 1:
            return self._fulfilled(game, turn.seat, way.order)
        if self._lays(game, turn.seat, way):
            return moves.LayShop()
        player = game.players[turn.seat]
        at, wanted = actions.here(player), game.board.order(way.order).goods
        if at in game.board.wholesalers:
            good = game.board.wholesalers.index(at)
            if missing(wanted, player.goods)[good]:
                return _bought(turn, player, good, wanted)
        goal = next(stop for stop in way.stops if stop != at)
        return towards(game, turn.seat, goal)

    def way(self, game: GameState, seat: Seat) -> OrderPath | None:
        """Return the way to the order that ``seat`` wants; None if no order lies open."""
        ways = Map(game, seat).ways()
        return max(
            ways,
            key=lambda way: (way.order == self.order, _value(game, way)),
            default=None,
        )

    def _lays(self, game: GameState, seat: int, way: OrderPath) -> bool:
        """Tell whether a shop where the person stands gains more than it costs."""
        player = game.players[seat]
        at = actions.here(player)
        if not player.hand or len(player.shops) >= self.shops:
            return False
        taken = game.board.tiles
        for other in game.players:
            taken |= set_of(other.shops)
        cost = actions.price(game.board, player.shops, at)
        if taken >> at & 1 or cost > player.gold:
            return False
        left = SETTLEMENTS - game.settlements
        later = max(0, actions.PRICE * way.buys - player.gold + cost) / actions.TAKEN
        gain = _gained(game, seat, at)
        return self.worth * left * (gain + 0.6) - left - 0.3 * cost - later > _GAIN

    def _fulfilled(self, game: GameState, seat: int, number: int) -> moves.Fulfil:
        """Return the fulfilment, with the bonus that seems best."""
        player, bonus = game.players[seat], game.board.order(number).bonus
        if bonus.chosen:
            scarce = sorted(range(GOODS), key=lambda good: player.goods[good])
            return moves.Fulfil(
                number, moves.ChooseGoods(tuple(sorted(scarce[: bonus.chosen])))
            )
        if not bonus.shop:
            return moves.Fulfil(number)
        squares = list(shop_squares(game, player, bonus.shop))
        if not squares or not self.worth:
            return moves.Fulfil(number, moves.DECLINE)
        best = max(squares, key=lambda square: _gained(game, seat, square))
        return moves.Fulfil(number, moves.PlaceShop(best))


def _value(game: GameState, way: OrderPath) -> float:
    """Return the gain from an order for each action point."""
    order = game.board.order(way.order)
    bonus = order.bonus
    extra = bonus.ap + 0.4 * bonus.gold + 0.8 * bonus.chosen + 2 * bool(bonus.shop)
    return (order.points + 2 + extra) / way.ap


def _gold(turn: Turn) -> moves.TurnAction | None:
    return moves.TAKE_GOLD if turn.taken < actions.MOST_TAKEN else None


def _bought(turn: Turn, player: Keeper, good: int, wanted: Goods) -> moves.TurnAction | None:
    """Return the purchase of ``good``, or what comes before the purchase."""
    if player.gold < actions.PRICE:
        return _gold(turn)
    if turn.bought[good] == actions.MOST_OF_A_KIND:
        return None
    if sum(player.goods) < actions.MOST_GOODS:
        return moves.Buy()
    return moves.Buy(next(back for back in range(GOODS) if player.goods[back] > wanted[back]))


def _gained(game: GameState, seat: int, square: int) -> float:
    """Return the lead in the next settlement that a shop on ``square`` would bring."""
    for area, ground in zip(game.board.areas, game.board.grounds, strict=True):
        if ground >> square & 1:  # the shop changes no other area
            shops = shops_on(ground, [player.shops for player in game.players])
            before = ranked(area.values, shops)
            shops[seat] += 1
            after = ranked(area.values, shops)
            gains = [now - then for now, then in zip(after, before, strict=True)]
            return gains[seat] - (sum(gains) - gains[seat]) / (len(gains) - 1)
    return 0.0
