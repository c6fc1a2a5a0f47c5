"""Of which characters cards, tokens and frames are made.

Letters and numbers say all; icons and colours repeat it. Letters are those of the language that
is spoken. No character is of open width but those of frames, which ``ambiguous_width`` asks the
terminal about.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from matcha_p2p.games.matcha.rules.cards import Face, Token
from matcha_p2p.language import Sentence

LEAST_COLUMNS: Final = 60
LEAST_ROWS: Final = 16
"""The smallest terminal that the table fits on."""

LETTERS: Final = Sentence("T B W S K Z")
"""Of leaf, bowl, water, scoop, whisk and zero, all different and equally wide."""

Six = tuple[str, str, str, str, str, str]


ASCII_CORNERS: Final = "++++"


@dataclass(frozen=True, slots=True)
class Skin:
    """One way to draw.

    signs: what stands for each token, the whisk last, then for the zero; all equally wide.
    pips: what a large card repeats, in the same order and equally wide too. held, free, won: a
    token that a player has, one that a row of equal ones still lacks, and one that has won.
    back: a cell of a card that lies face down. corners: of a frame, from the upper left by
    rows. across, down: one cell of a frame. framed: whether cards have frames, where there are
    no colours for paper.
    """

    signs: Six
    pips: Six
    held: str
    free: str
    won: str
    back: str
    corners: str
    across: str
    down: str
    framed: bool = False

    @property
    def half_blocks(self) -> bool:
        """Whether half a cell can be drawn, in exactly one."""
        return self.corners != ASCII_CORNERS

    def card(self, face: Face) -> str:
        """Return a card, as wide as any other of this skin."""
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

    def pip(self, suit: Token | None) -> str:
        """Return what a large card repeats."""
        return self.pips[_place(suit)]


def _place(suit: Token | None) -> int:
    return -1 if suit is None else suit


def style_of(token: Token | None) -> str:
    """Return the style of a suit or a token; None for a zero."""
    return "class:zero" if token is None else f"class:{token.name.lower()}"


PLAIN: Final = Skin(
    ("T", "B", "W", "S", "K", "Z"),
    ("▪", "▪", "▪", "▪", "▪", "▪"),
    "▪",
    "▫",
    "✦",
    "▚",
    "┌┐└┘",
    "─",
    "│",
)
SYMBOLS: Final = replace(
    PLAIN,
    signs=("⚘T", "◡B", "≋W", "⚲S", "⚶K", "⚬Z"),
    pips=("⚘", "◡", "≋", "⚲", "⚶", "⚬"),
)
KANJI: Final = replace(
    PLAIN,
    signs=("茶", "碗", "湯", "杓", "筅", "零"),
    pips=("茶", "碗", "湯", "杓", "筅", "零"),
)
SKINS: Final[Mapping[str, Skin]] = MappingProxyType(
    {"plain": PLAIN, "symbol": SYMBOLS, "kanji": KANJI}
)


def skin_called(name: str) -> Skin:
    """Return the skin of this name, a key of SKINS, with the letters that are spoken."""
    return SKINS[name] if name == "kanji" else with_letters(SKINS[name], LETTERS())


def with_letters(skin: Skin, letters: str) -> Skin:
    """Return ``skin`` with other letters, separated by spaces, beside the icons that it has."""
    leaf, bowl, water, scoop, whisk, zero = (
        sign[:-1] + letter for sign, letter in zip(skin.signs, letters.split(), strict=True)
    )
    return replace(skin, signs=(leaf, bowl, water, scoop, whisk, zero))


def with_ascii_frames(skin: Skin) -> Skin:
    """Return ``skin`` for a terminal that draws frames two cells wide, or not at all."""
    return replace(skin, corners=ASCII_CORNERS, across="-", down="|")


def with_framed_cards(skin: Skin) -> Skin:
    """Return ``skin`` for a terminal that has no colour of paper."""
    return replace(skin, framed=True, back="░" if skin.back == PLAIN.back else skin.back)


ASCII: Final = with_framed_cards(
    replace(with_ascii_frames(PLAIN), pips=("*",) * 6, held="*", free=".", won="#", back="#")
)
