"""A turn of Kashi-ichi, action by action (SPEC#kashi-turn)."""

from dataclasses import dataclass, field

from codec import Packable, require
from kashi_board import TILES, Board, Order

GO, SHOP, ORDER = 100_000, 10_000, 1_000_000
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
    """A running turn. bought: of each good. taken: how often gold was taken."""

    board: Board
    players: list[Player]
    row: list[int]
    seat: int
    ap: int
    bought: list[int] = field(default_factory=no_goods)
    taken: int = 0
    done: int = 0

    @property
    def player(self) -> Player:
        """Return the player of the turn."""
        return self.players[self.seat]

    def act(self, number: int) -> None:
        """Make an action of the turn (SPEC#kashi-moves); E_RULE."""
        require(self.ap > 0, "E_RULE")
        self.ap -= 1
        order, wish = divmod(number, ORDER)
        if order:
            self._fulfil(order, wish)
        elif number >= GO:
            square, way = divmod(number - GO, 10)
            self._go(square, way - 1)
        elif number >= SHOP:
            self._lay(number - SHOP)
        elif number:
            self._buy(number - 2)
        else:
            require(self.taken < 2, "E_RULE")
            self.taken += 1
            self.player.gold += 3

    def _go(self, square: int, owner: int) -> None:
        """Go by a step if owner is -1, or else over a chain of the seat."""
        start = self.player.person
        require(square in self.board.grid and square != start, "E_RULE")
        near = square in self.board.around(start)
        require(near == (owner < 0), "E_RULE")
        if owner >= 0:
            require(owner < len(self.players), "E_RULE")
            shops = {*self.players[owner].shops}
            entries = {start, *self.board.around(start)} & shops
            exits = {square, *self.board.around(square)} & shops
            chains = (self.board.joined(shop, shops) for shop in entries)
            require(any(chain & exits for chain in chains), "E_RULE")
            self.players[owner].gold += owner != self.seat
        self.player.person = square

    def _buy(self, back: int) -> None:
        """Buy a good, giving back the good ``back``, or none if -1."""
        player = self.player
        letter = self.board.grid[player.person]
        require(letter in TILES[:5], "E_RULE")
        good = TILES.index(letter)
        require(self.bought[good] < 2, "E_RULE")
        player.pay(2)
        require((sum(player.goods) == 8) == (back >= 0), "E_RULE")
        if back >= 0:
            require(back < 5 and player.goods[back] > 0, "E_RULE")
            player.goods[back] -= 1
        player.goods[good] += 1
        self.bought[good] += 1

    def _lay(self, taken: int) -> None:
        """Lay a shop from the hand if taken is 0, or else from the square."""
        player = self.player
        require(self._is_ground(player.person) and self._is_empty(player.person), "E_RULE")
        require((taken == 0) == (player.hand > 0), "E_RULE")
        if taken:
            require(taken in player.shops, "E_RULE")
            player.shops.remove(taken)
            player.hand += 1
        self._put(player.person, self._price(player.person))

    def _is_ground(self, square: int) -> bool:
        return square in self.board.grid and self.board.grid[square] not in TILES

    def _is_empty(self, square: int) -> bool:
        return not any(square in player.shops for player in self.players)

    def _price(self, square: int) -> int:
        chain = self.board.joined(square, {*self.player.shops})
        return 1 + sum(shop in chain for shop in self.player.shops)

    def _put(self, square: int, price: int) -> None:
        self.player.pay(price)
        self.player.hand -= 1
        self.player.shops.append(square)

    def _fulfil(self, number: int, wish: int) -> None:
        player = self.player
        require(number in self.row, "E_RULE")
        order = self.board.orders[number]
        require(self.board.grid[player.person] == TILES[5:][order.guest], "E_RULE")
        player.goods = [
            held - cost for held, cost in zip(player.goods, order.goods, strict=True)
        ]
        require(min(player.goods) >= 0, "E_RULE")
        self.row.remove(number)
        player.done.append(number)
        self.done += 1
        if wish != DECLINED:
            self.ap += order.ap
            player.gold += order.gold
            self._take_bonus(order, wish)

    def _take_bonus(self, order: Order, wish: int) -> None:
        """Take goods and shop of a bonus (K27 to K30)."""
        chosen = [int(digit) for digit in str(wish) if wish]
        if order.shop:
            chosen = []
            self._place(order.shop, wish - PLACED)
        require(len(chosen) == order.chosen, "E_RULE")
        require(all(1 <= good <= 5 for good in chosen), "E_RULE")
        for good in range(5):
            self.player.goods[good] += order.named[good] + chosen.count(good + 1)

    def _place(self, kind: str, square: int) -> None:
        require(self.player.hand > 0 and self._is_ground(square), "E_RULE")
        require(kind != "shop/2" or self._is_empty(square), "E_RULE")
        self._put(square, 0 if kind == "shop free any" else self._price(square) // 2)
