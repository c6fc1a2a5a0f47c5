"""The text of a board (SPEC#kashi-board), which a variant may carry."""

import hashlib
import json
from dataclasses import replace
from typing import Any, Final

from matcha_p2p.edited_text import FaultyTextError
from matcha_p2p.errors import EncodingError
from matcha_p2p.games.kashi.board.board import DESTINATIONS, Board
from matcha_p2p.games.kashi.board.board_file import FORMAT, read_board
from matcha_p2p.games.kashi.rules.orders import GOODS, GUESTS, OrderCard
from matcha_p2p.wire.text import check_name

_COUNTS: Final = range(5)
_NAMES: Final = (GOODS, GUESTS, GOODS + GUESTS)


def is_name(text: str) -> bool:
    """Tell whether a good or a guest can have the name, as a player can (SPEC#names)."""
    try:
        check_name(text)
    except (EncodingError, UnicodeError):
        return False
    return True


def text_of(board: Board) -> str:
    """Return the text of a board, of which the digest is made; the board's name is left out."""
    return _json(
        [
            *(board.goods, board.guests, board.grid),
            [board.name_of(square) for square in board.starts],
            *(board.areas, board.ap, board.begins),
            [_order(order) for order in board.orders],
            board.idle,
        ]
    )


def digest(board: Board) -> bytes:
    """Return the SHA-256 of the text."""
    return hashlib.sha256(text_of(board).encode()).digest()


def board_of(text: str) -> Board | None:
    """Return the nameless board of a text; None if ``text`` is not the text of a board."""
    try:
        data: Any = json.loads(text)
        goods, guests, *rest = data
        for name in (*goods, *guests):
            check_name(name)
        unnamed = read_board(_file(rest).encode())
        board = replace(unnamed, goods=tuple(goods), guests=tuple(guests))
    except (ValueError, TypeError, RecursionError, FaultyTextError, EncodingError):
        return None
    names = len({*goods}), len({*guests}), len(goods) + len(guests)
    return board if names == _NAMES and text_of(board) == text else None


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _order(order: OrderCard) -> list[object]:
    ap, gold, named, chosen, shop = order.bonus
    bonus = [ap, gold, named, chosen, shop.value if shop else ""]
    return [*order[:4], bonus, int(order.settle)]


def _file(data: list[Any]) -> str:
    """Return a board file with the data of a text behind the names, lawful or not."""
    grid, starts, areas, ap, (three, four), orders, idle = data
    gold, points, *shops = zip(three, four, strict=True)
    lines = [
        f'format = "{FORMAT}"',
        f"idle = {_json(idle)}",
        f"goods = {_json(list('abcde'))}",
        f"guests = {_json(list('abc'))}",
        f"grid = {_json(grid)}",
        f"starts = {_json([str(start).replace(',', ' ') for start in starts])}",
        "[areas]",
        *(f"{_json(letter)} = {_json(values)}" for letter, values in areas),
        "[start]",
        f"ap = {_json(ap)}",
        *(f"gold.{n} = {_json(each)}" for n, each in zip((3, 4), gold, strict=True)),
        *(f"points.{n} = {_json(each)}" for n, each in zip((3, 4), points, strict=True)),
        "[shops]",
        *(
            f"{n} = {_json(each)}"
            for n, each in zip((3, 4), zip(*shops, strict=True), strict=True)
        ),
    ]
    written = _json([_words(order) for order in orders])
    return "\n".join([f"orders = {written}", *lines])


def _words(order: list[Any]) -> str:
    """Return an order as a board file writes it."""
    _, goods, guest, points, (ap, gold, named, chosen, shop), settle = order
    cost = "".join(f"{good}" * _count(count) for good, count in enumerate(goods, 1))
    parts = [
        *([f"{ap}ap"] if ap else []),
        *([f"{gold}g"] if gold else []),
        *(f"{count} good:{good}" for good, count in enumerate(named, 1) if count),
        *([f"{chosen} good"] if chosen else []),
        *([shop] if shop else []),
        *(["settle"] if settle else []),
    ]
    return " ".join([cost, DESTINATIONS[guest : guest + 1], f"{points}", *parts])


def _count(count: int) -> int:
    if count not in _COUNTS:
        raise ValueError(count)
    return count
