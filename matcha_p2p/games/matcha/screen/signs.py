"""The signs of Matcha's cards and tokens in each skin.

Letters and numbers are enough; icons and colours repeat the letters. Letters belong to the
spoken language, except in ASCII.
"""

import functools
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.rules.cards import Face, Token
from matcha_p2p.language import Sentence

LETTERS: Final = Sentence("T B W S K Z")
"""Of leaf, bowl, water, scoop, whisk and zero, all different and equally wide."""

Six: TypeAlias = tuple[str, str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of cards and tokens in a skin.

    signs: the signs of the tokens, the whisk last, then of the zero; all equally wide. pips:
    the signs repeated on a large card, in the same order, all equally wide. large: the same as
    pictures of three cells, if the terminal draws half blocks in one cell. held, free, won: a
    token in hand, a place still empty in a row of equal tokens, and a winning token.
    """

    signs: Six
    pips: Six = ("▪", "▪", "▪", "▪", "▪", "▪")
    large: Six | None = None
    held: str = "▪"
    free: str = "▫"
    won: str = "✦"

    def card(self, face: Face) -> str:
        """Return a card, as wide as each card of this skin."""
        return f"{self.signs[_place(face.suit)]}{face.number}"

    def letters(self, face: Face) -> str:
        """Return a card without its icon."""
        return f"{self.signs[_place(face.suit)][-1]}{face.number}"

    def token(self, token: Token) -> str:
        """Return the sign of a token."""
        return self.signs[token]

    def letter(self, token: Token) -> str:
        """Return the sign of a token without its icon."""
        return self.signs[token][-1]

    def zero(self) -> str:
        """Return the sign of a zero."""
        return self.signs[-1]

    def pip(self, suit: Token | None, *, large: bool) -> str:
        """Return the sign repeated on a large card. large: as a picture, if there is one."""
        return (self.large if large and self.large else self.pips)[_place(suit)]

    def mark(self, skin: Skin) -> str:
        """Return the sign that counts the number of a small card."""
        return "▮" if self.large and skin.half_blocks else self.held


def _place(suit: Token | None) -> int:
    return -1 if suit is None else suit


_LARGE: Final = ("▗█▘", "▜▄▛", "▞▚▞", "▄▄▀", "▟█▙", "▄▀▄")
_LATIN: Final = Signs(("T", "B", "W", "S", "K", "Z"), large=_LARGE)
SIGNS: Final = {
    "plain": _LATIN,
    "symbol": Signs(
        ("⚘T", "◡B", "≋W", "⚲S", "⚶K", "⚬Z"), pips=("⚘", "◡", "≋", "⚲", "⚶", "⚬"), large=_LARGE
    ),
    "kanji": Signs(
        ("茶", "碗", "湯", "杓", "筅", "零"), pips=("茶", "碗", "湯", "杓", "筅", "零")
    ),
    "ascii": replace(_LATIN, large=None, pips=("(*)",) * 6, held="*", free=".", won="#"),
}
"""The signs by icons, in English."""


def signs_of(skin: Skin) -> Signs:
    """Return the signs of ``skin``, with the letters of its language."""
    if skin.icons not in ("plain", "symbol"):
        return SIGNS[skin.icons]
    return _spelt(skin.icons, LETTERS.text_in(skin.language))


@functools.cache
def _spelt(icons: str, letters: str) -> Signs:
    """Return the signs of ``icons`` with other letters, separated by spaces."""
    signs = SIGNS[icons]
    leaf, bowl, water, scoop, whisk, zero = (
        sign[:-1] + letter for sign, letter in zip(signs.signs, letters.split(), strict=True)
    )
    return replace(signs, signs=(leaf, bowl, water, scoop, whisk, zero))


def style_of(token: Token | None) -> str:
    """Return the style of a suit or a token; None for a zero."""
    return "class:zero" if token is None else f"class:{token.name.lower()}"
