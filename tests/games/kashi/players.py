"""Players for tests and for the balance: at random, and greedy in several styles."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.actions import MOST_GOODS, MOST_TAKEN, PRICE, here, price
from matcha_p2p.games.kashi.rules.board import Board
from matcha_p2p.games.kashi.rules.choices import legal_actions, shop_squares
from matcha_p2p.games.kashi.rules.deck import draw
from matcha_p2p.games.kashi.rules.moves import (
    DECLINE,
    TAKE_GOLD,
    Buy,
    ChooseGoods,
    Fulfil,
    LayShop,
    PlaceShop,
    TurnAction,
)
from matcha_p2p.games.kashi.rules.notation import action_text
from matcha_p2p.games.kashi.rules.orders import GOODS, missing
from matcha_p2p.games.kashi.rules.settlement import area_points
from matcha_p2p.games.kashi.rules.state import (
    ROW,
    Drawing,
    Ended,
    GameState,
    Opening,
    Paying,
    Questioning,
    Starting,
    Turn,
)
from matcha_p2p.games.kashi.rules.travel import set_of
from matcha_p2p.games.kashi.rules.ways import Map, OrderPath, towards

Choice = Callable[[GameState, random.Random], "TurnAction | None"]
"""Chooses the next action of the current turn; None ends the turn."""


def careless(game: GameState, rng: random.Random) -> TurnAction | None:
    """Choose an action at random; if an order can be fulfilled, fulfil an order."""
    actions = legal_actions(game)
    if not actions or rng.random() < 0.05:
        return None
    orders = [action for action in actions if isinstance(action, Fulfil)]
    return rng.choice(orders or actions)


@dataclass(frozen=True)
class Greedy:
    """Takes the order with the most points for an action point, and lays shops that gain.

    shops: the most shops laid with action points. worth: of a point of an area
    for a settlement, against the upkeep.
    """

    shops: int = 99
    worth: float = 1.0

    def __call__(self, game: GameState, _rng: random.Random) -> TurnAction | None:
        phase = game.phase
        if not isinstance(phase, Turn) or not phase.ap:
            return None
        player = game.players[phase.seat]
        way = self.best(game)
        if way is None:
            return TAKE_GOLD if phase.taken < MOST_TAKEN else None
        at, order = here(player), game.board.order(way.order)
        if way.ap == 1:
            return self.fulfilled(game, way.order)
        if self.lays(game, way):
            return LayShop()
        if at in game.board.wholesalers:
            good = game.board.wholesalers.index(at)
            if missing(order.goods, player.goods)[good]:
                if player.gold < PRICE:
                    return TAKE_GOLD if phase.taken < MOST_TAKEN else None
                if phase.bought[good] == 2:
                    return None
                spare = None
                if sum(player.goods) == MOST_GOODS:
                    spare = next(
                        it for it in range(GOODS) if player.goods[it] > order.goods[it]
                    )
                return Buy(spare)
        goal = next(stop for stop in way.stops if stop != at)
        return towards(game, phase.seat, goal)

    def best(self, game: GameState) -> OrderPath | None:
        """Return the way to the order with the most points for an action point."""
        ways = Map(game, game.next_seat).ways()

        def value(way: OrderPath) -> float:
            order = game.board.order(way.order)
            bonus = order.bonus
            extra = bonus.ap + 0.4 * bonus.gold + 0.8 * bonus.chosen + 2 * bool(bonus.shop)
            return (order.points + 2 + extra) / way.ap

        return max(ways, key=value, default=None)

    def lays(self, game: GameState, way: OrderPath) -> bool:
        """Return True if a shop on the person's square gains more than its price."""
        seat = game.next_seat
        player = game.players[seat]
        at = here(player)
        if not player.hand or len(player.shops) >= self.shops:
            return False
        taken = game.board.tiles
        for other in game.players:
            taken |= set_of(other.shops)
        cost = price(game.board, player.shops, at)
        if taken >> at & 1 or cost > player.gold:
            return False
        left = 3 - game.settlements
        later = max(0, PRICE * way.buys - player.gold + cost) / 3
        gain = gained(game, seat, at)
        return self.worth * left * (gain + 0.6) - left - 0.3 * cost - later > 0.5

    def fulfilled(self, game: GameState, number: int) -> TurnAction:
        """Return the fulfilment, with the bonus that seems best."""
        seat = game.next_seat
        bonus = game.board.order(number).bonus
        if bonus.chosen:
            scarce = sorted(range(GOODS), key=lambda good: game.players[seat].goods[good])
            return Fulfil(number, ChooseGoods(tuple(sorted(scarce[: bonus.chosen]))))
        if not bonus.shop:
            return Fulfil(number)
        places = list(shop_squares(game, game.players[seat], bonus.shop))
        if not places or not self.worth:
            return Fulfil(number, DECLINE)
        return Fulfil(
            number, PlaceShop(max(places, key=lambda square: gained(game, seat, square)))
        )


def gained(game: GameState, seat: int, square: int) -> float:
    """Return the gain of a shop on ``square``, against the others, in the next settlement."""
    shops = [player.shops for player in game.players]
    before = area_points(game.board, shops)
    shops[seat] = (*shops[seat], square)
    gains = [
        now - then for now, then in zip(area_points(game.board, shops), before, strict=True)
    ]
    return gains[seat] - (sum(gains) - gains[seat]) / (len(gains) - 1)


def play(
    board: Board, choices: list[Choice], seed: int, *, most: int = 5000
) -> Iterator[tuple[str, GameState]]:
    """Play a game, and yield each line of its log with the state afterwards."""
    rng = random.Random(seed)
    seats = len(choices)
    game = rules.new_game(board, seats)
    yield f"KASHI 1 {seats}", game
    while not isinstance(game.phase, Ended) and game.turns < most:
        line, game = step(game, choices, rng)
        yield line, game


def step(game: GameState, choices: list[Choice], rng: random.Random) -> tuple[str, GameState]:
    """Return the next line of the log, and the state afterwards."""
    board = game.board
    match game.phase:
        case Starting(seat):
            square = rng.choice(board.starts)
            return f"START {seat} {board.name_of(square)}", rules.start(game, seat, square)
        case Opening():
            orders = draw(board, game.drawn, ROW, rng.randrange)
            return f"ROW {' '.join(map(str, orders))}", rules.open_row(game, orders)
        case Drawing(count):
            orders = draw(board, game.drawn, count, rng.randrange)
            return f"DRAW {' '.join(map(str, orders))}", rules.draw(game, orders)
        case Paying(waiting):
            seat = waiting[0]
            player = game.players[seat]
            gold = min(player.gold, len(player.shops))
            return f"UPKEEP {seat} {gold}", rules.pay(game, seat, gold)
        case Questioning(waiting):
            seat = waiting[0]
            return f"IDLE {seat} settle", rules.answer(game, seat, settle=True)
        case Turn(seat):
            made: list[str] = []
            while (action := choices[seat](game, rng)) is not None:
                made.append(action_text(board, action))
                game = rules.act(game, action)
            return " ".join(["TURN", str(seat), *made]), rules.end_turn(game)
        case Ended():
            raise ValueError("the game is over")
