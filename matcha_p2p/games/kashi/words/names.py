"""Goods, guests, squares, orders and bonuses in words."""

from collections.abc import Iterable
from typing import Final

from matcha_p2p.games.kashi.board.board import Area, Board
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.rules import orders
from matcha_p2p.games.kashi.rules.orders import Bonus, Goods, OrderCard, OrderNumber, ShopBonus
from matcha_p2p.language import Counted, Sentence
from matcha_p2p.narration.sentences import listed

NAMES: Final = {
    "rice": Sentence("rice"),
    "chestnut": Sentence("chestnut"),
    "plum": Sentence("plum"),
    "honey": Sentence("honey"),
    "tea": Sentence("tea"),
    "temple": Sentence("temple"),
    "theatre": Sentence("theatre"),
    "harbour": Sentence("harbour"),
}
"""The names on the shipped board; other names are shown as their board file has them."""

_DIRECTIONS: Final = {"a": "n", "b": "e", "c": "s", "d": "w", "m": "m"}
"""North, east, south, west and middle of the shipped board, by the letters of its file."""

TILE: Final = Sentence("{name} ({square})")
AMOUNT: Final = Sentence("{good} x{number}")
ORDER: Final = Sentence("Order {number}: {goods} to {guest}. Points: {points}. Bonus: {bonus}.")
SETTLING: Final = Sentence("It brings a settlement when it is drawn.")
DELIVERED: Final = Sentence(
    "This delivers {goods} to {guest}. Points: {points}. Bonus: {bonus}."
)
LEADS_TO: Final = Counted(
    "{count} action point more delivers {goods} to {guest}. Points: {points}. Bonus: {bonus}.",
    "{count} action points more deliver {goods} to {guest}. Points: {points}. Bonus: {bonus}.",
)
BONUS_AP: Final = Sentence("2 action points")
BONUS_GOLD: Final = Sentence("{gold} gold")
BONUS_CHOSEN: Final = Counted("a good of your choice", "{count} goods of your choice")
BONUS_SHOPS: Final = {
    ShopBonus.HALF_EMPTY: Sentence("a shop at half price on an empty square"),
    ShopBonus.HALF_ANY: Sentence("a shop at half price on any square"),
    ShopBonus.FREE_ANY: Sentence("a shop for nothing on any square"),
}


def shown(name: str) -> str:
    """Return a name of a board file in the spoken language."""
    return NAMES[name]() if name in NAMES else name


def area_letter(board: Board, area: Area) -> str:
    """Return the letter of an area on screens; no good of the shipped board begins with it."""
    if board == shipped_board():
        return _DIRECTIONS[area.letter]
    return area.letter


def tile_name(board: Board, square: int) -> str:
    """Return the name of the good or guest on ``square``, or "" for a square of an area."""
    if square in board.wholesalers:
        return shown(board.goods[board.wholesalers.index(square)])
    if square in board.destinations:
        return shown(board.guests[board.destinations.index(square)])
    return ""


def place_words(board: Board, square: int) -> str:
    """Return a square, with the name of its good or guest."""
    name = tile_name(board, square)
    return TILE(name=name, square=board.name_of(square)) if name else board.name_of(square)


def goods_words(board: Board, goods: Goods) -> str:
    """Return goods with their numbers."""
    names = [shown(name) for name in board.goods]
    return listed(
        name if number == 1 else AMOUNT(good=name, number=number)
        for name, number in zip(names, goods, strict=True)
        if number
    )


def chosen_words(board: Board, goods: Iterable[int]) -> str:
    """Return goods that were chosen as a bonus."""
    counts = orders.NO_GOODS
    for good in goods:
        counts = orders.add(counts, good)
    return goods_words(board, counts)


def bonus_words(board: Board, bonus: Bonus) -> str:
    """Return the parts of a bonus."""
    return listed(
        [
            *([BONUS_GOLD(gold=bonus.gold)] if bonus.gold else []),
            *([BONUS_AP()] if bonus.ap else []),
            *([goods_words(board, bonus.named)] if any(bonus.named) else []),
            *([BONUS_CHOSEN(bonus.chosen)] if bonus.chosen else []),
            *([BONUS_SHOPS[bonus.shop]()] if bonus.shop else []),
        ]
    )


def purpose_words(board: Board, number: OrderNumber | None, ap: int) -> str:
    """Return what a turn is for: an order, ``ap`` action points later. "": for no order."""
    if number is None:
        return ""
    order = board.order(number)
    told = {
        "goods": goods_words(board, order.goods),
        "guest": shown(board.guests[order.guest]),
        "points": order.points,
        "bonus": bonus_words(board, order.bonus),
    }
    return LEADS_TO(ap, **told) if ap else DELIVERED(**told)


def order_words(board: Board, order: OrderCard) -> str:
    """Return an order with its cost, guest, points and bonus."""
    told = ORDER(
        number=order.number,
        goods=goods_words(board, order.goods),
        guest=shown(board.guests[order.guest]),
        points=order.points,
        bonus=bonus_words(board, order.bonus),
    )
    return f"{told} {SETTLING()}" if order.settle else told
