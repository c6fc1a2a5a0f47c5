"""A turn of Kashi-ichi, a transcription of the boxes (SPEC#kashi-turn).

Each method does a box, whose name stands in the docstring. Numbered comments are the lines of
a box.
"""

from dataclasses import dataclass, field

from codec import Packable, require
from kashi_board import TILES, Board, Order

DECLINED, PLACED = 10_000, 20_000


def no_goods() -> list[int]:
    """Return the counts of five goods, all 0."""
    return [0] * 5


@dataclass
class Player:
    """What a seat has. shops: the square of each shop on the board. done: its orders."""

    gold: int
    points: int
    hand: int
    aside: int
    person: int = 0
    goods: list[int] = field(default_factory=no_goods)
    shops: list[int] = field(default_factory=list[int])
    done: list[int] = field(default_factory=list[int])

    def state(self) -> Packable:
        """Return the player in the state array."""
        return (
            *(self.person, self.gold, self.goods, self.points),
            *(sorted(self.shops), self.hand, self.aside, self.done),
        )

    def pay(self, price: int) -> None:
        """Pay gold; E_RULE."""
        require(self.gold >= price, "E_RULE")
        self.gold -= price


@dataclass
class Turn:
    """The lists of TURN. seat: s. bought: of each good. taken: how often gold was taken."""

    board: Board
    players: list[Player]
    row: list[int]
    seat: int
    ap: int
    bought: list[int] = field(default_factory=no_goods)
    taken: int = 0
    count: int = 0

    @property
    def p(self) -> Player:
        """Return the player of the turn."""
        return self.players[self.seat]

    def act(self, a: int) -> None:
        """Make an action, TURN 1."""
        require(self.ap > 0, "E_RULE")
        self.ap -= 1
        if a == 0:
            require(self.taken < 2, "E_RULE")
            self.taken += 1
            self.p.gold += 3
        elif a < 10_000:
            self.buy(a - 1)
        elif a < 100_000:
            self.lay(a - 10_000)
        elif a < 1_000_000:
            self.go(*divmod(a - 100_000, 10))
        else:
            self.fulfil(*divmod(a, 1_000_000))

    def price(self, q: int) -> int:
        """Return the number PRICE."""
        chain = self.board.joined(q, {*self.p.shops})
        return 1 + sum(shop in chain for shop in self.p.shops)

    def _is_ground(self, q: int) -> bool:
        return q in self.board.grid and self.board.grid[q] not in TILES

    def _is_empty(self, q: int) -> bool:
        return not any(q in player.shops for player in self.players)

    def go(self, q: int, w: int) -> None:
        """Go by a step or over a chain, GO."""
        start = self.p.person
        require(q in self.board.grid and q != start, "E_RULE")  # 1
        require((q in self.board.around(start)) == (w == 0), "E_RULE")  # 2
        if w > 0:
            t = w - 1
            require(t < len(self.players), "E_RULE")
            shops = {*self.players[t].shops}
            entries = {start, *self.board.around(start)} & shops
            exits = {q, *self.board.around(q)} & shops
            chains = (self.board.joined(shop, shops) for shop in entries)
            require(any(chain & exits for chain in chains), "E_RULE")
            self.players[t].gold += t != self.seat
        self.p.person = q  # 3

    def buy(self, b: int) -> None:
        """Buy a good, giving back the good b unless b is 0, BUY."""
        p, letter = self.p, self.board.grid[self.p.person]
        require(letter in TILES[:5], "E_RULE")  # 1
        g = TILES.index(letter)
        require(self.bought[g] < 2, "E_RULE")
        p.pay(2)  # 2
        require((sum(p.goods) == 8) == (b > 0), "E_RULE")  # 3
        if b > 0:
            require(b <= 5 and p.goods[b - 1] > 0, "E_RULE")
            p.goods[b - 1] -= 1
        p.goods[g] += 1  # 4
        self.bought[g] += 1

    def lay(self, q: int) -> None:
        """Lay a shop from the hand, or from the square q unless q is 0, LAY."""
        p = self.p
        require(self._is_ground(p.person) and self._is_empty(p.person), "E_RULE")  # 1
        require((q == 0) == (p.hand > 0), "E_RULE")  # 2
        if q:
            require(q in p.shops, "E_RULE")
            p.shops.remove(q)
            p.hand = 1
        self.put(p.person, self.price(p.person))  # 3

    def put(self, q: int, price: int) -> None:
        """Pay for a shop and put it on the board, PUT."""
        self.p.pay(price)
        self.p.hand -= 1
        self.p.shops.append(q)

    def fulfil(self, i: int, w: int) -> None:
        """Fulfil an order, FULFIL."""
        p = self.p
        require(i in self.row, "E_RULE")  # 1
        order = self.board.orders[i]
        require(self.board.grid[p.person] == TILES[5:][order.guest], "E_RULE")
        p.goods = [held - cost for held, cost in zip(p.goods, order.goods, strict=True)]  # 2
        require(min(p.goods) >= 0, "E_RULE")
        self.row.remove(i)
        p.done.append(i)
        self.count += 1
        if w != DECLINED:  # 3
            self.ap += order.ap  # 4
            p.gold += order.gold
            self._take_bonus(order, w)

    def _take_bonus(self, order: Order, w: int) -> None:
        """Take goods and shop of a bonus, FULFIL 5 and 6."""
        digits = [int(digit) for digit in str(w) if w]
        if order.shop:  # 5
            digits = []
            self._place(order.shop, w - PLACED)
        require(len(digits) == order.chosen, "E_RULE")
        require(all(1 <= good <= 5 for good in digits), "E_RULE")
        for good in range(5):  # 6
            self.p.goods[good] += order.named[good] + digits.count(good + 1)

    def _place(self, kind: str, q: int) -> None:
        require(self.p.hand > 0 and self._is_ground(q), "E_RULE")
        require(kind != "shop/2" or self._is_empty(q), "E_RULE")
        self.put(q, 0 if kind == "shop free any" else self.price(q) // 2)
