"""Goods, squares and actions in words."""

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from matcha_p2p.console.terminal.cells import width
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.rules.actions import TAKEN
from matcha_p2p.games.kashi.rules.moves import (
    Buy,
    ChooseGoods,
    Decline,
    Fulfil,
    Go,
    LayShop,
    PlaceShop,
    TakeGold,
    TurnAction,
)
from matcha_p2p.games.kashi.rules.orders import Bonus, Goods
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.seats import Seat

_SIGN: Final = 3
"""Cells of the sign of a wholesaler or a guest."""


def word(name: str) -> str:
    """Return the name of a good or a guest in the spoken language."""
    return captions.WORDS[name]() if name in captions.WORDS else name


def sign(name: str) -> str:
    """Return the beginning of a name, in capitals."""
    text = word(name).upper()
    while width(text) > _SIGN:
        text = text[:-1]
    return text


def letters(board: Board) -> tuple[str, ...]:
    """Return a letter for each good, all different; digits if names begin alike."""
    found = tuple(word(name)[0] for name in board.goods)
    return found if len(set(found)) == len(found) else ("1", "2", "3", "4", "5")


def spelt(board: Board, goods: Goods) -> list[str]:
    """Return the letter of each good in ``goods``."""
    return [letter for letter, n in zip(letters(board), goods, strict=True) for _ in range(n)]


def goods_words(board: Board, goods: Iterable[int]) -> str:
    """Return goods by name. goods: 0 to 4 each."""
    return captions.AND().join(word(board.goods[good]) for good in goods)


def each_good(goods: Goods) -> list[int]:
    """Return each of ``goods``, 0 to 4."""
    return [good for good, count in enumerate(goods) for _ in range(count)]


def place(board: Board, square: int) -> str:
    """Return the name of a square: of its tile, or its row and column."""
    if square in board.wholesalers:
        return word(board.goods[board.wholesalers.index(square)])
    if square in board.destinations:
        return word(board.guests[board.destinations.index(square)])
    return board.name_of(square)


def order_words(board: Board, number: int) -> str:
    """Return an order by its goods and guest."""
    order = board.order(number)
    goods = goods_words(board, each_good(order.goods))
    return captions.ORDER(goods=goods, guest=word(board.guests[order.guest]))


def bonus_words(board: Board, bonus: Bonus) -> str:
    """Return a bonus in words."""
    parts: list[str] = []
    if bonus.gold:
        parts.append(captions.BONUS_GOLD(count=bonus.gold))
    if bonus.ap:
        parts.append(captions.BONUS_AP(count=bonus.ap))
    if any(bonus.named):
        parts.append(goods_words(board, each_good(bonus.named)))
    if bonus.chosen:
        parts.append(captions.BONUS_GOODS(bonus.chosen))
    if bonus.shop:
        parts.append(captions.BONUS_SHOP[bonus.shop]())
    return " ".join(parts)


class Speaker:
    """Puts actions into words for ``reader``. names: by seat."""

    def __init__(self, board: Board, reader: Seat, names: tuple[str, ...]) -> None:
        self._board: Final = board
        self._reader: Final = reader
        self._names: Final = names

    def actions(self, seat: Seat, start: int | None, made: tuple[TurnAction, ...]) -> str:
        """Return the actions of a turn of ``seat``. start: the square before the turn."""
        told: list[str] = []
        for action in made:
            told.append(self.action(seat, start, action))
            if isinstance(action, Go):
                start = action.square
        return captions.THEN.join(told) or captions.NOTHING()

    def action(self, seat: Seat, at: int | None, action: TurnAction) -> str:
        """Return an action of ``seat``, whose person stands at ``at``."""
        board = self._board
        match action:
            case Go(square, over):
                return self._going(seat, place(board, square), over)
            case Buy(back):
                good = "" if at is None else place(board, at)
                if back is None:
                    return captions.BUYS(good=good)
                return captions.GIVES(back=word(board.goods[back]), good=good)
            case TakeGold():
                return captions.TAKES(gold=TAKEN)
            case LayShop(taken):
                if taken is None:
                    return captions.LAYS()
                return captions.RELAYS(square=place(board, taken))
            case Fulfil():
                return self._fulfilled(action)
            case _:
                assert_never(action)

    def _going(self, seat: Seat, square: str, over: Seat | None) -> str:
        if over is None:
            return captions.GOES(square=square)
        if over == self._reader:
            return captions.GOES_OVER_YOURS(square=square)
        if over == seat:
            return captions.GOES_OVER_OWN(square=square)
        return captions.GOES_OVER(square=square, owner=self._names[over])

    def _fulfilled(self, action: Fulfil) -> str:
        board = self._board
        order = order_words(board, action.order)
        match action.wish:
            case None:
                return captions.FULFILS(order=order)
            case Decline():
                return captions.DECLINES(order=order)
            case ChooseGoods(goods):
                return captions.WITH_GOODS(order=order, goods=goods_words(board, goods))
            case PlaceShop(square):
                return captions.WITH_SHOP(order=order, square=place(board, square))
            case _:
                assert_never(action.wish)


def marks(seats: Iterable[Seat], names: tuple[str, ...]) -> Mapping[Seat, str]:
    """Return a capital letter for the shops of each seat, all different."""
    found = {seat: names[seat][:1].upper() if names else "" for seat in seats}
    plain = all(
        len(letter) == 1 and width(letter) == 1 and letter.lower() != letter
        for letter in found.values()
    )
    if plain and len(set(found.values())) == len(found):
        return found
    return {seat: "ABCD"[seat] for seat in found}
