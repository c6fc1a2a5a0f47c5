"""What cards, tokens and frames look like. Letters and numbers say all; the rest repeats it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from matcha_p2p.rules.cards import Face, Token
from matcha_p2p.rules.scoring import Tokens

LEAST_COLUMNS: Final = 60
LEAST_ROWS: Final = 16
"""The smallest terminal that the table fits on."""


@dataclass(frozen=True, slots=True)
class Skin:
    """One way to draw.

    signs: what stands for each token, the whisk last, then for the zero; all equally wide.
    back: one cell of a card that lies face down. corner, across, down: one cell of a frame.
    """

    signs: tuple[str, str, str, str, str, str]
    back: str
    corner: str
    across: str
    down: str

    def card(self, face: Face) -> str:
        """Return a card, as wide as any other of this skin."""
        sign = self.signs[-1 if face.suit is None else face.suit]
        return f"{sign}{face.number}"

    def token(self, token: Token) -> str:
        """Return the sign of a token."""
        return self.signs[token]

    def tokens(self, tokens: Tokens) -> list[tuple[str, str]]:
        """Return each sign with how many there are of it, and the style of its kind."""
        return [(style_of(token), f"{self.signs[token]}{tokens[token]}") for token in Token]


def style_of(token: Token | None) -> str:
    """Return the style of a suit or a token; None for a zero."""
    return "class:zero" if token is None else f"class:{token.name.lower()}"


PLAIN: Final = Skin(("T", "B", "W", "S", "K", "Z"), "░", "┼", "─", "│")
SYMBOLS: Final = replace(PLAIN, signs=("⚘T", "⌣B", "≋W", "⚲S", "⚶K", " Z"))
KANJI: Final = replace(PLAIN, signs=("茶", "碗", "水", "杓", "筅", "零"))
SKINS: Final[Mapping[str, Skin]] = MappingProxyType(
    {"plain": PLAIN, "symbol": SYMBOLS, "kanji": KANJI}
)


def with_ascii_frames(skin: Skin) -> Skin:
    """Return ``skin`` for a terminal that draws frames two cells wide, or not at all."""
    return replace(skin, corner="+", across="-", down="|")


ASCII: Final = replace(with_ascii_frames(PLAIN), back="#")

STYLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        # The colours are those of Okabe and Ito: they stay apart for colour-blind people.
        "leaf": "#009e73",
        "bowl": "#d55e00",
        "water": "#56b4e9",
        "scoop": "#e69f00",
        "whisk": "#cc79a7",
        "zero": "",
        "talk": "",
        "title": "reverse",
        "keys": "reverse",
        "now": "bold",
        "at": "reverse bold",
        "due": "bold",
        "head": "bold",
        "alarm": "bold reverse",
        "lesson": "bold",
    }
)
"""What each style means, in the words of prompt_toolkit."""


@dataclass(frozen=True, slots=True)
class Look:
    """A skin, and whether to use colours: None to go by the terminal and NO_COLOR."""

    skin: Skin
    colours: bool | None = None
