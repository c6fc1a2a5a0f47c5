"""The board of Kashi-ichi, read from its text (SPEC#kashi-board)."""

import hashlib
import json
from dataclasses import dataclass
from typing import cast

from codec import CheckError, require
from messages import check_name

TILES = "12345ABC"
BONUS_SHOPS = ("", "shop/2", "shop/2 any", "shop free any")
SHIPPED = (
    '[["rice","chestnut","plum","honey","tea"],["temple","theatre","harbour"],'
    '["5aa1abA","aaaaabb","ddmmmbb","Cdmmmb2","ddmmmbb","ddccccc","4dcBcc3"],'
    '["3,3","3,5","5,3","5,5"],'
    '[["a",[3,2,1]],["b",[3,2,1]],["c",[3,2,1]],["d",[3,2,1]],["m",[6,3,1]]],'
    "[3,4,5,5],[[[4,6,6],[10,10,11],8,3],[[5,5,5,5],[10,10,11,13],7,2]],["
    '[1,[1,1,0,0,0],0,6,[2,0,[0,0,0,0,0],0,""],0],[2,[1,0,1,0,0],1,7,[0,2,[0,0,0,0,0],0,""],0],'
    '[3,[1,0,0,1,0],2,6,[0,0,[0,0,0,0,0],0,"shop/2"],0],'
    '[4,[1,0,0,0,1],0,6,[2,0,[0,0,0,0,0],0,""],0],[5,[0,1,1,0,0],1,7,[0,0,[0,0,0,0,0],1,""],0],'
    '[6,[0,1,0,1,0],2,7,[0,2,[0,0,0,0,0],0,""],0],'
    '[7,[0,1,0,0,1],0,6,[0,0,[0,0,0,0,0],0,"shop/2"],0],'
    '[8,[0,0,1,1,0],1,7,[0,0,[0,0,0,0,0],1,""],0],[9,[0,0,1,0,1],2,7,[0,2,[0,0,0,0,0],0,""],0],'
    '[10,[0,0,0,1,1],0,6,[0,0,[0,0,0,0,0],0,"shop/2"],0],'
    '[11,[1,1,1,0,0],1,10,[0,0,[0,0,0,0,0],0,"shop/2 any"],0],'
    '[12,[1,1,0,1,0],2,11,[0,3,[0,0,0,0,0],0,""],0],'
    '[13,[1,0,1,0,1],0,10,[0,0,[0,0,0,0,0],0,"shop/2 any"],0],'
    '[14,[1,0,0,1,1],1,11,[0,1,[0,0,0,0,0],1,""],0],'
    '[15,[0,1,1,1,0],2,11,[0,3,[0,0,0,0,0],0,""],0],'
    '[16,[0,1,1,0,1],0,10,[0,0,[0,0,0,0,0],0,"shop/2 any"],0],'
    '[17,[0,1,0,1,1],1,11,[0,1,[0,0,0,0,0],1,""],0],'
    '[18,[2,0,0,1,0],2,11,[0,3,[0,0,0,0,0],0,""],0],'
    '[19,[0,2,0,0,1],0,10,[0,0,[0,0,0,0,0],0,"shop/2 any"],0],'
    '[20,[1,0,2,0,0],1,11,[0,1,[0,0,0,0,0],1,""],0],'
    '[21,[0,0,1,2,0],2,11,[0,3,[0,0,0,0,0],0,""],0],'
    '[22,[1,1,1,0,1],0,15,[0,0,[0,0,0,0,0],0,"shop free any"],0],'
    '[23,[1,0,1,1,1],1,16,[0,2,[0,0,0,0,0],1,""],0],'
    '[24,[0,1,1,1,1],2,16,[0,4,[0,0,0,0,0],0,""],0],'
    '[25,[1,1,0,1,1],0,15,[0,0,[0,0,0,0,0],0,"shop free any"],0],'
    '[26,[1,1,1,1,0],1,15,[0,0,[0,0,0,0,0],0,"shop free any"],0],'
    '[27,[0,1,1,0,2],2,16,[0,2,[0,0,0,0,0],1,""],0],'
    '[28,[1,0,0,1,2],0,16,[0,4,[0,0,0,0,0],0,""],1],'
    '[29,[2,1,0,0,1],1,15,[0,0,[0,0,0,0,0],0,"shop free any"],1],'
    '[30,[0,0,2,1,1],2,15,[0,0,[0,0,0,0,0],0,"shop free any"],1]],20]'
)


@dataclass(frozen=True)
class Order:
    """An order. shop: the word of its bonus. settle: whether it brings a settlement."""

    goods: list[int]
    guest: int
    points: int
    ap: int
    gold: int
    named: list[int]
    chosen: int
    shop: str
    settle: int


@dataclass(frozen=True)
class Begin:
    """The start of a table. later: shops that come after each of two settlements."""

    gold: list[int]
    points: list[int]
    hand: int
    later: int


@dataclass(frozen=True)
class Board:
    """A board. grid: the letter of each square. begins: by the number of seats."""

    text: str
    grid: dict[int, str]
    starts: list[int]
    areas: dict[str, list[int]]
    ap: list[int]
    begins: dict[int, Begin]
    orders: dict[int, Order]
    idle: int

    @property
    def digest(self) -> bytes:
        """Return the SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).digest()

    def joined(self, square: int, ground: set[int]) -> set[int]:
        """Return ``square`` and the squares of ``ground`` joined to it side to side."""
        found, edge = {square}, [square]
        while edge:
            around = self.around(edge.pop())
            edge += around & ground - found
            found |= around & ground
        return found

    def around(self, square: int) -> set[int]:
        """Return the squares next to a square."""
        return {square + step for step in (1, -1, 100, -100)} & self.grid.keys()


def read_board(text: str) -> Board:
    """Return the board of a text; E_GAME."""
    try:
        data: object = json.loads(text)
        return _checked(text, data)
    except (ValueError, RecursionError, CheckError):
        raise CheckError("E_GAME") from None


def _checked(text: str, data: object) -> Board:
    goods, guests, grid, starts, areas, ap, begins, orders, idle = _array(data, 9)
    require(json.dumps(data, separators=(",", ":")) == text, "E_GAME")
    _check_names(goods, 5)
    _check_names(guests, 3)
    squares = _grid(grid)
    names = {f"{square // 100},{square % 100}": square for square in squares}
    texts = [_text(start) for start in _array(starts, 4)]
    require(len({*texts}) == 4 and {*texts} <= names.keys(), "E_GAME")
    three, four = _array(begins, 2)
    board = Board(
        text,
        squares,
        [names[start] for start in texts],
        _areas(areas),
        _integers(ap, 4, 9),
        {3: _begin(three, 3), 4: _begin(four, 4)},
        _orders(orders),
        _integer(idle, 999),
    )
    letters = [letter for letter in squares.values() if letter in TILES]
    require(sorted(letters) == sorted(TILES), "E_GAME")
    require({*squares.values()} == {*TILES, *board.areas}, "E_GAME")
    require(all(squares[start] in board.areas for start in board.starts), "E_GAME")
    require(board.joined(board.starts[0], {*squares}) == {*squares}, "E_GAME")
    return board


def _array(data: object, size: int | None = None) -> list[object]:
    require(isinstance(data, list), "E_GAME")
    items = cast("list[object]", data)
    require(size is None or len(items) == size, "E_GAME")
    return items


def _text(data: object) -> str:
    require(isinstance(data, str), "E_GAME")
    return cast("str", data)


def _integer(data: object, most: int, least: int = 0) -> int:
    require(type(data) is int and least <= data <= most, "E_GAME")
    return cast("int", data)


def _integers(data: object, size: int, most: int) -> list[int]:
    return [_integer(item, most) for item in _array(data, size)]


def _check_names(data: object, size: int) -> None:
    names = [_text(name) for name in _array(data, size)]
    require(len({*names}) == size, "E_GAME")
    for name in names:
        check_name(name)


def _grid(data: object) -> dict[int, str]:
    rows = [_text(row) for row in _array(data)]
    widths = {*map(len, rows)}
    require(len(rows) <= 20 and len(widths) == 1 and max(widths) <= 20, "E_GAME")
    return {
        100 * row + column: letter
        for row, letters in enumerate(rows, 1)
        for column, letter in enumerate(letters, 1)
        if letter != "#"
    }


def _areas(data: object) -> dict[str, list[int]]:
    areas: dict[str, list[int]] = {}
    for area in _array(data):
        letter, values = _array(area, 2)
        areas[_text(letter)] = _integers(values, 3, 99)
    require(list(areas) == sorted(areas) and len(areas) == len(_array(data)), "E_GAME")
    for letter, values in areas.items():
        require("a" <= letter <= "z", "E_GAME")
        require(values == sorted(values, reverse=True), "E_GAME")
    return areas


def _begin(data: object, seats: int) -> Begin:
    gold, points, hand, later = _array(data, 4)
    return Begin(
        _integers(gold, seats, 99),
        _integers(points, seats, 99),
        _integer(hand, 20, least=1),
        _integer(later, 20, least=1),
    )


def _orders(data: object) -> dict[int, Order]:
    orders = {number: _order(item, number) for number, item in enumerate(_array(data, 30), 1)}
    require(sum(order.settle for order in orders.values()) == 3, "E_GAME")
    return orders


def _order(data: object, number: int) -> Order:
    named, goods, guest, points, bonus, settle = _array(data, 6)
    _integer(named, number, least=number)
    ap, gold, more, chosen, shop = _array(bonus, 5)
    order = Order(
        _integers(goods, 5, 4),
        _integer(guest, 2),
        _integer(points, 99),
        _integer(ap, 2),
        _integer(gold, 99),
        _integers(more, 5, 4),
        _integer(chosen, 4),
        _text(shop),
        _integer(settle, 1),
    )
    cost, gain = sum(order.goods), sum(order.named) + order.chosen
    require(2 <= cost <= 4 and (cost == 4 or not order.settle), "E_GAME")
    require(gain <= cost and order.ap != 1 and order.shop in BONUS_SHOPS, "E_GAME")
    require(not (order.chosen and order.shop), "E_GAME")
    require(order.ap + order.gold + gain > 0 or order.shop != "", "E_GAME")
    return order
