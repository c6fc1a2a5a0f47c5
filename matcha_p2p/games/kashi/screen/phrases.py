"""Goods, guests, bonuses and players in few cells."""

from collections.abc import Iterable, Mapping
from typing import Final

from matcha_p2p.console.terminal.cells import Fragment, Line, width
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.rules.orders import Bonus, Goods
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.games.kashi.words.names import BONUS_GOLD, goods_words, shown
from matcha_p2p.seats import Seat

_SIGN: Final = 3
"""Cells of the sign of a wholesaler or a guest."""

_ICONS: Final = {
    "rice": ("class:scoop", "◬"),
    "chestnut": ("class:bowl", "◓"),
    "plum": ("class:whisk", "✿"),
    "honey": ("class:zero", "⬢"),
    "tea": ("class:leaf", "⚘"),
}
"""The goods of the shipped board. No sign has an ambiguous width."""


def sign(name: str) -> str:
    """Return the beginning of a name, in capitals."""
    text = shown(name).upper()
    while width(text) > _SIGN:
        text = text[:-1]
    return text


def letters(board: Board) -> tuple[str, ...]:
    """Return a letter for each good, all different; digits if names begin alike."""
    found = tuple(shown(name)[0] for name in board.goods)
    return found if len(set(found)) == len(found) else ("1", "2", "3", "4", "5")


def signs(board: Board, skin: Skin) -> tuple[Fragment, ...]:
    """Return a sign of one cell for each good: a picture, or without colours a letter."""
    found = [("", letter) for letter in letters(board)]
    if skin.framed:
        return tuple(found)
    return tuple(_ICONS.get(name, sign) for name, sign in zip(board.goods, found, strict=True))


def spelt(board: Board, goods: Goods, skin: Skin) -> Line:
    """Return the sign of each good in ``goods``."""
    return [sign for sign, n in zip(signs(board, skin), goods, strict=True) for _ in range(n)]


def short_bonus(board: Board, bonus: Bonus) -> str:
    """Return a bonus in few words."""
    parts: list[str] = []
    if bonus.gold:
        parts.append(BONUS_GOLD(gold=bonus.gold))
    if bonus.ap:
        parts.append(captions.BONUS_AP(count=bonus.ap))
    if any(bonus.named):
        parts.append(goods_words(board, bonus.named))
    if bonus.chosen:
        parts.append(captions.BONUS_GOODS(bonus.chosen))
    if bonus.shop:
        parts.append(captions.BONUS_SHOP[bonus.shop]())
    return " ".join(parts)


def tight_bonus(board: Board, bonus: Bonus, cells: int) -> str:
    """Return a bonus in fewer words, if the usual words have no room in ``cells``."""
    usual = short_bonus(board, bonus)
    if width(usual) <= cells:
        return usual
    if bonus.shop:
        return captions.TIGHT_SHOP[bonus.shop]()
    if bonus.gold and bonus.chosen:
        return captions.TIGHT_BOTH(gold=bonus.gold, count=bonus.chosen)
    return usual


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
