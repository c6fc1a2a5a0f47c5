"""Lawless actions of Kashi-ichi, by the forbidding rule (SPEC#kashi-turn)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from matcha_p2p.games.kashi.board.board import each
from matcha_p2p.games.kashi.rules.actions import bonus_price, price
from matcha_p2p.games.kashi.rules.orders import ORDERS, OrderCard, ShopBonus, missing
from matcha_p2p.games.kashi.rules.state import GameState, Keeper, Turn
from matcha_p2p.games.kashi.rules.travel import uses
from matcha_p2p.games.kashi.table.signed import number_of

BUY, SHOP, GO, FULFIL = 1, 10_000, 100_000, 1_000_000
DECLINED, PLACED = 10_000, 20_000


@dataclass(frozen=True)
class Place:
    """A point of a running turn. Squares are numbers as actions name them."""

    game: GameState
    turn: Turn

    @property
    def own(self) -> Keeper:
        """The player of the turn."""
        return self.game.players[self.turn.seat]

    @property
    def person(self) -> int:
        """The square of the person, as the rules count."""
        return self.own.person or 0

    @cached_property
    def at(self) -> int:
        """The square of the person."""
        return number_of(self.game.board, self.person)

    @cached_property
    def squares(self) -> frozenset[int]:
        """All squares."""
        return self._numbers(self.game.board.squares)

    @cached_property
    def around(self) -> frozenset[int]:
        """The squares next to the person."""
        return self._numbers(self.game.board.around(1 << self.person))

    @cached_property
    def used(self) -> tuple[frozenset[int], ...]:
        """The squares where the chains of each seat end, by seat."""
        players = self.game.players
        return tuple(
            self._numbers(uses(self.game.board, player.shops, self.person))
            for player in players
        )

    @cached_property
    def shops(self) -> tuple[frozenset[int], ...]:
        """By seat the squares of its shops."""
        board = self.game.board
        return tuple(
            frozenset(number_of(board, shop) for shop in player.shops)
            for player in self.game.players
        )

    @property
    def others(self) -> frozenset[int]:
        """The squares of the shops of other seats."""
        seats = [seat for seat in self.game.seats if seat != self.turn.seat]
        return frozenset[int]().union(*(self.shops[seat] for seat in seats))

    @cached_property
    def tiles(self) -> frozenset[int]:
        """The squares of wholesalers and guests."""
        return self._numbers(self.game.board.tiles)

    @property
    def letter(self) -> str:
        """The letter of the person's square."""
        return self.game.board.grid[self.at // 100 - 1][self.at % 100 - 1]

    @property
    def lays(self) -> bool:
        """Whether a shop could be laid here."""
        return self.at not in self.tiles | self.others | self.shops[self.turn.seat]

    @property
    def buys(self) -> bool:
        """Whether the good here may be bought, but for the number of goods held."""
        good = "12345".find(self.letter)
        return good >= 0 and self.turn.bought[good] < 2 and self.own.gold >= 2

    @property
    def held(self) -> int:
        """How many goods the player holds."""
        return sum(self.own.goods)

    def _numbers(self, squares: int) -> frozenset[int]:
        return frozenset(number_of(self.game.board, square) for square in each(squares))

    def orders(
        self, *, opened: bool = True, here: bool = True, held: bool = True
    ) -> list[OrderCard]:
        """Return the open orders for the guest here, with goods held or without."""
        return [
            order
            for order in map(self.game.board.order, range(1, ORDERS + 1))
            if (order.number in self.game.row) is opened
            and ("ABC"[order.guest] == self.letter) is here
            and (not any(missing(order.goods, self.own.goods))) is held
        ]

    def placed(self, *kinds: ShopBonus) -> list[OrderCard]:
        """Return the orders with a shop bonus of ``kinds``."""
        return [order for order in self.orders() if order.bonus.shop in kinds]

    def costs(self, order: OrderCard, number: int) -> int:
        """Return the gold lacking for the shop of a bonus on a square; 0 or less for none."""
        board, bonus = self.game.board, order.bonus
        square = board.named(number // 100, number % 100)
        if square is None or bonus.shop is None:
            return 0
        return bonus_price(board, self.own, bonus.shop, square) - self.own.gold - bonus.gold


def _fulfils(orders: Iterable[OrderCard], *wishes: int) -> list[int]:
    return [FULFIL * order.number + wish for order in orders for wish in wishes]


def _goes(squares: Iterable[int], over: int | None = None) -> list[int]:
    return [GO + 10 * square + (0 if over is None else 1 + over) for square in sorted(squares)]


def _goes_over(squares: Callable[[int], Iterable[int]], place: Place) -> list[int]:
    return [number for seat in place.game.seats for number in _goes(squares(seat), seat)]


def _if(holds: object, *actions: int) -> tuple[int, ...]:
    return actions if holds else ()


def _dear(place: Place) -> bool:
    """Tell whether a shop here costs more than the player has."""
    return (
        place.lays and price(place.game.board, place.own.shops, place.person) > place.own.gold
    )


HALF, ANY, FREE = ShopBonus.HALF_EMPTY, ShopBonus.HALF_ANY, ShopBonus.FREE_ANY

LAWLESS: Final[Mapping[str, Callable[[Place], Iterable[int]]]] = {
    "K15: gold without an action point": lambda p: _if(not p.turn.ap and p.turn.taken < 2, 0),
    "K15: a step without an action point": lambda p: _goes(p.around) if not p.turn.ap else (),
    "K2: a step over the edge": lambda p: _goes(
        {p.at + step for step in (1, -1, 100, -100)} - p.squares
    ),
    "K2: a step to row 1000": lambda _: _goes([89_999]),
    "K2: over a chain to a square beside the board": lambda p: _goes_over(
        lambda seat: (
            {
                shop + step
                for shop in p.used[seat] & p.shops[seat]
                for step in (1, -1, 100, -100)
            }
            - p.squares
        ),
        p,
    ),
    "K16: over a chain to the same square": lambda p: _goes_over(
        lambda seat: {p.at} & {*p.used[seat], *p.shops[seat]}, p
    ),
    "K16: a step to the same square": lambda p: _goes([p.at]),
    "K16: two steps for one": lambda p: _goes(
        {p.at + step for step in (2, -2, 101, -101, 99, -99)} & p.squares
    ),
    "K17: over a chain that does not lead there": lambda p: _goes_over(
        lambda seat: p.squares - p.used[seat] - p.around - {p.at} if p.used[seat] else (), p
    ),
    "K17: over a chain of two seats": lambda p: _goes_over(
        lambda seat: (
            {
                q
                for q in frozenset[int]().union(*p.used) - p.used[seat]
                if p.shops[seat] & {p.at}
            }
        ),
        p,
    ),
    "K17: over a chain of a seat that the table has not": lambda p: _goes(
        frozenset[int]().union(*p.used), len(p.game.seats)
    ),
    "K19: over a chain to a neighbour": lambda p: _goes_over(
        lambda seat: p.around if p.at in p.shops[seat] else (), p
    ),
    "K21: bought where no wholesaler is": lambda p: _if(
        p.letter not in "12345" and p.own.gold > 1 and p.held < 8, BUY
    ),
    "K21: bought without gold": lambda p: _if(p.letter in "12345" and p.own.gold < 2, BUY),
    "K22: a third good of a kind": lambda p: _if(
        p.letter in "12345" and 2 in p.turn.bought and p.own.gold > 1 and p.held < 8, BUY
    ),
    "K23: a ninth good": lambda p: _if(p.buys and p.held == 8, BUY),
    "K23: a good given back without need": lambda p: (
        BUY + good for good in range(1, 6) if p.buys and p.own.goods[good - 1] and p.held < 8
    ),
    "K23: a good given back that is not held": lambda p: (
        BUY + good
        for good in range(1, 6)
        if p.buys and not p.own.goods[good - 1] and p.held == 8
    ),
    "K23: a sixth good given back": lambda p: _if(p.buys and p.held == 8, BUY + 6),
    "K24: gold a third time": lambda p: _if(p.turn.taken == 2, 0),
    "K25: an order that does not lie open": lambda p: _fulfils(
        p.orders(opened=False), DECLINED
    ),
    "K25: order 31": lambda _: [31 * FULFIL],
    "K25: an order at another guest": lambda p: _fulfils(p.orders(here=False), DECLINED),
    "K25: an order without its goods": lambda p: _fulfils(p.orders(held=False), DECLINED),
    "K27: nothing chosen of a bonus": lambda p: _fulfils(
        (order for order in p.orders() if order.bonus.asks), 0
    ),
    "K27: a good of a bonus that has none": lambda p: _fulfils(
        (order for order in p.orders() if not order.bonus.asks), 1
    ),
    "K27: two goods for one": lambda p: _fulfils(
        (order for order in p.orders() if order.bonus.chosen == 1), 12
    ),
    "K27: one good for two": lambda p: _fulfils(
        (order for order in p.orders() if order.bonus.chosen == 2), 1
    ),
    "K27: a sixth good": lambda p: _fulfils(
        (order for order in p.orders() if order.bonus.chosen == 1), 6
    ),
    "K27: good 0": lambda p: _fulfils(
        (order for order in p.orders() if order.bonus.chosen == 2), 10
    ),
    "K27: a square for a good": lambda p: _fulfils(
        (order for order in p.orders() if order.bonus.chosen), PLACED + p.at
    ),
    "K27: a good for a square": lambda p: _fulfils(p.placed(HALF, ANY, FREE), 1),
    "K2: a shop of a bonus beside the board": lambda p: _fulfils(
        p.placed(HALF, ANY, FREE) if p.own.hand else (), PLACED + 909
    ),
    "K30: a shop of a bonus on a tile": lambda p: _fulfils(
        p.placed(ANY, FREE) if p.own.hand else (), PLACED + p.at
    ),
    "K30: a shop of a bonus beside another": lambda p: _fulfils(
        p.placed(HALF) if p.own.hand else (),
        *(PLACED + square for square in sorted(p.others | p.shops[p.turn.seat])),
    ),
    "K30: a shop of a bonus without gold": lambda p: (
        FULFIL * order.number + PLACED + square
        for order in p.placed(ANY, HALF)
        for square in sorted(p.squares - p.tiles - p.others - p.shops[p.turn.seat])
        if p.own.hand and p.costs(order, square) > 0
    ),
    "K35: a shop of a bonus without a shop in hand": lambda p: _fulfils(
        p.placed(ANY, FREE) if not p.own.hand else (),
        *(PLACED + square for square in sorted(p.squares - p.tiles)),
    ),
    "K31: a shop on a tile": lambda p: _if(
        p.own.hand and p.at in p.tiles and p.own.gold > 9, SHOP
    ),
    "K31: a shop on one's own": lambda p: _if(
        p.own.hand and p.at in p.shops[p.turn.seat] and p.own.gold > 9, SHOP
    ),
    "K31: a shop on another's": lambda p: _if(
        p.own.hand and p.at in p.others and p.own.gold > 9, SHOP
    ),
    "K31: a shop taken back from its square": lambda p: _if(
        not p.own.hand and p.at in p.shops[p.turn.seat] and p.own.gold > 9, SHOP + p.at
    ),
    "K32: a shop without gold": lambda p: _if(p.own.hand and _dear(p), SHOP),
    "K33: a shop without one in hand": lambda p: _if(
        not p.own.hand and p.lays and not _dear(p), SHOP
    ),
    "K33: a shop taken back with one in hand": lambda p: (
        SHOP + square for square in sorted(p.shops[p.turn.seat]) if p.own.hand and p.lays
    ),
    "K33: a shop of another taken back": lambda p: (
        SHOP + square
        for square in sorted(p.others - p.shops[p.turn.seat])
        if not p.own.hand and p.lays and not _dear(p)
    ),
}
"""Actions that a rule forbids, by the rule: given a place, numbers of actions."""
