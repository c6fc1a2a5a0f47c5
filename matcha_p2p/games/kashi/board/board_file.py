"""Reads a board file (K9), and lists its faults line by line."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final, cast

from matcha_p2p.edited_text import FaultyLineError, FaultyTextError, text_in, toml_in
from matcha_p2p.games.kashi.board import board as boards
from matcha_p2p.games.kashi.board.toml_lines import Path, line_of, lines_of
from matcha_p2p.games.kashi.rules import orders as order_rules
from matcha_p2p.games.kashi.rules.travel import joined
from matcha_p2p.language import Sentence

FORMAT: Final = "kashi board 1"
MOST_BYTES: Final = 16_384
_MOST_SIDE: Final = 20
MOST_NAME: Final = 24
"""The most letters of a name: a variant can carry no more (SPEC#names)."""
_USUAL_AP: Final = [3, 4, 5, 5]

_TOO_LONG: Final = Sentence("The file is longer than {most} bytes.")
_FORMAT: Final = Sentence('The file has to say format = "{format}".')
_UNKNOWN: Final = Sentence("Nothing is called {key} in a board file.")
_ABSENT: Final = Sentence("{key} is missing.")
_NUMBER: Final = Sentence("{key} has to be a whole number from {low} to {high}.")
_NUMBERS: Final = Sentence("{key} has to be a list of {count} numbers from {low} to {high}.")
_TEXTS: Final = Sentence("{key} has to be a list of texts.")
_TABLE: Final = Sentence("{key} has to be a table.")
_NAMES: Final = Sentence("{key} has to be {count} different names of 1 to {most} letters.")
_UNFIT: Final = Sentence(
    "{name} cannot be a name: use visible characters in Unicode's composed form (NFC), and "
    "single spaces between words."
)
_SIDES: Final = Sentence("A grid has 1 to {most} rows of 1 to {most} letters.")
_UNEVEN: Final = Sentence("This row has another length than the others.")
_LETTER: Final = Sentence("{letter} stands for nothing: use 1 to 5, A B C, a to z and #.")
_TILE_ONCE: Final = Sentence("{letter} has to stand in the grid once, not {count} times.")
_APART: Final = Sentence("The square {square} cannot be reached.")
_STARTS: Final = Sentence("starts has to be four different squares.")
_START: Final = Sentence('A start is a square, as "3 5" for row 3 and column 5.')
_START_TILE: Final = Sentence("A start has to be a square of an area.")
_NO_VALUES: Final = Sentence("The area {area} has no values.")
_NO_AREA: Final = Sentence("The grid has no area {area}.")
_RISING: Final = Sentence("A later rank of an area cannot be worth more than an earlier one.")
_ORDERS: Final = Sentence("A board has {wanted} orders; here are {count}.")
_SETTLES: Final = Sentence("{wanted} orders bring a settlement; here are {count}.")
_ORDER: Final = Sentence('An order is written as "12 A 6 2g": goods, guest, points, bonus.')
_COST: Final = Sentence("An order costs two to four goods, each a number from 1 to 5.")
_GUEST: Final = Sentence("The guest of an order is A, B or C.")
_POINTS: Final = Sentence("The points of an order are a whole number from 0 to 99.")
_BONUS: Final = Sentence("The bonus {bonus} is unknown.")
_MORE: Final = Sentence("An order cannot bring more goods than it costs.")
_BOTH: Final = Sentence("A bonus cannot ask for a good and for a square.")
_FOUR: Final = Sentence("An order that brings a settlement costs four goods.")

_KEYS: Final = {
    "format", "name", "idle", "goods", "guests", "grid", "starts", "areas", "start", "shops",
    "orders",
}  # fmt: skip


def read_board(data: bytes, admits: Callable[[str], bool] = str.isascii) -> boards.Board:
    """Return the board of a file.

    admits: tells whether the characters of a name are admitted, by default those of ASCII.

    Raises:
        FaultyTextError: with each fault found.
    """
    reader = _Reader(*_parsed(data), admits)
    board = reader.board()
    if reader.faults:
        raise FaultyTextError(reader.faults)
    return board


def _parsed(data: bytes) -> tuple[dict[str, object], dict[Path, int]]:
    if len(data) > MOST_BYTES:
        raise FaultyTextError([FaultyLineError(1, _TOO_LONG, most=MOST_BYTES)])
    try:
        text = text_in(data)
        return toml_in(text), lines_of(text)
    except FaultyLineError as fault:
        raise FaultyTextError([fault]) from None


class _Reader:
    """Reads value by value. A wrong value becomes a fault, and a harmless value stands in."""

    def __init__(
        self,
        data: dict[str, object],
        lines: dict[Path, int],
        admits: Callable[[str], bool],
    ) -> None:
        self.faults: list[FaultyLineError] = []
        self._data = data
        self._lines = lines
        self._admits = admits

    def board(self) -> boards.Board:
        for key in self._data.keys() - _KEYS:
            self._fault((key,), _UNKNOWN, key=_shown(key))
        if self._data.get("format") != FORMAT:
            self._fault(("format",), _FORMAT, format=FORMAT)
        grid = self._grid()
        start = self._table(("start",), {"gold", "points", "ap"})
        board = boards.Board(
            name=self._name(),
            goods=self._names("goods", order_rules.GOODS),
            guests=self._names("guests", order_rules.GUESTS),
            grid=grid,
            starts=(),
            areas=self._areas(grid),
            ap=self._numbers(("start", "ap"), start.get("ap", _USUAL_AP), 4, (0, 9)),
            begins=self._begins(start),
            orders=self._orders(),
            idle=self._number(("idle",), self._data.get("idle", 0), (0, 999)),
        )
        if not grid:
            return board
        starts = self._starts(board)
        if starts:
            reached = joined(board, 1 << starts[0], board.squares)
            for place, _ in boards.places(grid):
                if not reached >> board.square(*place) & 1:
                    self._fault(
                        ("grid", place[0]), _APART, square=board.name_of(board.square(*place))
                    )
        return replace(board, starts=starts)

    def _fault(self, path: Path, why: Sentence, **fields: object) -> None:
        self.faults.append(FaultyLineError(line_of(self._lines, path), why, **fields))

    def _table(self, path: Path, keys: set[str] | None = None) -> dict[str, object]:
        value: object = self._data
        for key in path:
            value = cast("dict[str | int, object]", value).get(key)
        if not isinstance(value, dict):
            self._fault(path, _ABSENT if value is None else _TABLE, key=_key(path))
            return {}
        table = cast("dict[str, object]", value)
        for key in () if keys is None else table.keys() - keys:
            self._fault((*path, key), _UNKNOWN, key=_shown(key))
        return table

    def _number(self, path: Path, value: object, limits: tuple[int, int]) -> int:
        low, high = limits
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self._fault(path, _NUMBER, key=_key(path), low=low, high=high)
        return low

    def _numbers(
        self, path: Path, value: object, count: int, limits: tuple[int, int]
    ) -> tuple[int, ...]:
        low, high = limits
        if isinstance(value, list) and len(cast("list[object]", value)) == count:
            found = cast("list[object]", value)
            return tuple(
                self._number((*path, place), each, limits) for place, each in enumerate(found)
            )
        self._fault(path, _NUMBERS, key=_key(path), count=count, low=low, high=high)
        return (low,) * count

    def _texts(self, key: str) -> list[str] | None:
        """Return a list of texts, or None after a fault."""
        value = self._data.get(key)
        if not isinstance(value, list):
            self._fault((key,), _ABSENT if value is None else _TEXTS, key=key)
            return None
        found = cast("list[object]", value)
        wrong = [place for place, each in enumerate(found) if not isinstance(each, str)]
        for place in wrong:
            self._fault((key, place), _TEXTS, key=key)
        return None if wrong else cast("list[str]", found)

    def _name(self) -> str:
        name = self._data.get("name", "")
        if isinstance(name, str) and (not name or _is_name(name)):
            self._check_characters(("name",), name)
            return name
        self._fault(("name",), _NAMES, key="name", count=1, most=MOST_NAME)
        return ""

    def _names(self, key: str, count: int) -> tuple[str, ...]:
        names = self._texts(key)
        if names is None:
            return ()
        if not (len(names) == len(set(names)) == count and all(map(_is_name, names))):
            self._fault((key,), _NAMES, key=key, count=count, most=MOST_NAME)
        for place, name in enumerate(names):
            self._check_characters((key, place), name)
        return tuple(names)

    def _check_characters(self, path: Path, name: str) -> None:
        if _is_name(name) and not (_is_tidy(name) and self._admits(name)):
            self._fault(path, _UNFIT, name=_shown(name))

    def _grid(self) -> tuple[str, ...]:
        rows = self._texts("grid")
        if rows is None:
            return ()
        known = len(self.faults)
        if not 0 < len(rows) <= _MOST_SIDE or not 0 < len(rows[0]) <= _MOST_SIDE:
            self._fault(("grid",), _SIDES, most=_MOST_SIDE)
            return ()
        ((usual, _),) = Counter(map(len, rows)).most_common(1)
        for place, row in enumerate(rows):
            if len(row) != usual:
                self._fault(("grid", place), _UNEVEN)
            for letter in sorted(
                set(row) - set(boards.WHOLESALERS + boards.DESTINATIONS + boards.NO_SQUARE)
            ):
                if not "a" <= letter <= "z":
                    self._fault(("grid", place), _LETTER, letter=_shown(letter))
        count = Counter("".join(rows))
        for letter in boards.WHOLESALERS + boards.DESTINATIONS:
            if count[letter] != 1:
                self._fault(("grid",), _TILE_ONCE, letter=letter, count=count[letter])
        return tuple(rows) if len(self.faults) == known else ()

    def _starts(self, board: boards.Board) -> tuple[int, ...]:
        texts = self._texts("starts")
        if texts is None:
            return ()
        if not len(texts) == len(set(texts)) == 4:
            self._fault(("starts",), _STARTS)
        starts: list[int] = []
        for place, text in enumerate(texts):
            found = re.fullmatch(r"([1-9][0-9]?) ([1-9][0-9]?)", text)
            square = board.named(int(found[1]), int(found[2])) if found else None
            if square is None:
                self._fault(("starts", place), _START)
            elif board.tiles >> square & 1:
                self._fault(("starts", place), _START_TILE)
            else:
                starts.append(square)
        return tuple(starts)

    def _areas(self, grid: tuple[str, ...]) -> tuple[boards.Area, ...]:
        table = self._table(("areas",))
        letters = {letter for _, letter in boards.places(grid) if letter.islower()}
        for letter in sorted(letters - table.keys()):
            self._fault(("areas",), _NO_VALUES, area=letter)
        areas: list[boards.Area] = []
        for letter in sorted(table):
            path = "areas", letter
            if grid and letter not in letters:
                self._fault(path, _NO_AREA, area=_shown(letter))
            values = self._numbers(path, table[letter], 3, (0, 99))
            if list(values) != sorted(values, reverse=True):
                self._fault(path, _RISING)
            areas.append(boards.Area(letter, values))
        return tuple(areas)

    def _begins(self, start: dict[str, object]) -> tuple[boards.Begins, boards.Begins]:
        shops = self._table(("shops",), {"3", "4"})
        three, four = (
            boards.Begins(
                self._by_seat("gold", start, seats),
                self._by_seat("points", start, seats),
                *self._numbers(("shops", str(seats)), shops.get(str(seats)), 2, (1, 20)),
            )
            for seats in (3, 4)
        )
        return three, four

    def _by_seat(self, key: str, start: dict[str, object], seats: int) -> tuple[int, ...]:
        value = start.get(key)
        if not isinstance(value, dict):
            return (self._number(("start", key), value, (0, 99)),) * seats
        by_seats = cast("dict[str, object]", value)
        for other in by_seats.keys() - {"3", "4"}:
            self._fault(("start", key, other), _UNKNOWN, key=_shown(other))
        path = "start", key, str(seats)
        return self._numbers(path, by_seats.get(str(seats)), seats, (0, 99))

    def _orders(self) -> tuple[order_rules.OrderCard, ...]:
        texts = self._texts("orders")
        if texts is None:
            return ()
        orders = tuple(self._order(place, text) for place, text in enumerate(texts))
        settles = sum(order.settle for order in orders)
        if len(orders) != order_rules.ORDERS:
            self._fault(("orders",), _ORDERS, wanted=order_rules.ORDERS, count=len(orders))
        if settles != order_rules.SETTLEMENTS:
            self._fault(("orders",), _SETTLES, wanted=order_rules.SETTLEMENTS, count=settles)
        return orders

    def _order(self, place: int, text: str) -> order_rules.OrderCard:
        path: Path = "orders", place
        settle = text.endswith(" settle")
        words = text.removesuffix(" settle").split(" ", 3)
        if len(words) != 4:
            self._fault(path, _ORDER)
            return order_rules.OrderCard(
                place + 1, order_rules.NO_GOODS, 0, 0, order_rules.Bonus(), settle
            )
        cost, guest, points, said = words
        goods = order_rules.NO_GOODS
        if not re.fullmatch("[1-5]{2,4}", cost):
            self._fault(path, _COST)
        else:
            goods = _counted(cost)
            if settle and len(cost) != 4:
                self._fault(path, _FOUR)
        if guest not in tuple(boards.DESTINATIONS):
            self._fault(path, _GUEST)
        if not re.fullmatch("0|[1-9][0-9]?", points):
            self._fault(path, _POINTS)
            points = "0"
        bonus = self._bonus(path, said, sum(goods))
        return order_rules.OrderCard(
            place + 1, goods, boards.DESTINATIONS.find(guest), int(points), bonus, settle
        )

    def _bonus(self, path: Path, said: str, cost: int) -> order_rules.Bonus:
        bonus = order_rules.parse_bonus(said)
        if bonus is None:
            self._fault(path, _BONUS, bonus=_shown(said))
            return order_rules.Bonus()
        if cost and sum(bonus.named) + bonus.chosen > cost:
            self._fault(path, _MORE)
        if bonus.chosen and bonus.shop:
            self._fault(path, _BOTH)
        return bonus


def _counted(cost: str) -> order_rules.Goods:
    goods = order_rules.NO_GOODS
    for digit in cost:
        goods = order_rules.add(goods, int(digit) - 1)
    return goods


def _is_name(text: str) -> bool:
    return 0 < len(text) <= MOST_NAME


def _is_tidy(text: str) -> bool:
    return text.isprintable() and text == " ".join(text.split())


def _key(path: Path) -> str:
    return _shown(".".join(map(str, path)))


def _shown(text: str) -> str:
    """Return a stranger's text as one short line that can be printed."""
    return ascii(text[:MOST_NAME])[1:-1]
