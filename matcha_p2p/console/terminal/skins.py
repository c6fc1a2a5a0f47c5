"""The characters of cards and frames.

A game adds the signs of its own cards, by the icons that a skin names. Only the characters of
frames have an ambiguous width; ``ambiguous_width`` asks the terminal for the width.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from matcha_p2p.language import spoken

LEAST_COLUMNS: Final = 60
LEAST_ROWS: Final = 16
"""The smallest terminal with room for a table."""


def have_room(columns: int, rows: int) -> bool:
    """Tell whether a table has room in a terminal of this size."""
    return columns >= LEAST_COLUMNS and rows >= LEAST_ROWS


ASCII_CORNERS: Final = "++++"


@dataclass(frozen=True, slots=True)
class Skin:
    """A choice of characters.

    icons: "plain", "symbol", "kanji" or "ascii", the name of a set of signs in a game.
    language: the letters' language. back: a cell of a card that lies face down. corners: the
    corners of a frame, from the upper left by rows. across, down: a cell of a frame's
    horizontal and vertical lines. framed: whether cards have frames, because paper has no
    colour.
    """

    icons: str
    language: str = "en"
    back: str = "▚"
    corners: str = "┌┐└┘"
    across: str = "─"
    down: str = "│"
    framed: bool = False

    @property
    def half_blocks(self) -> bool:
        """Whether the terminal draws half blocks in exactly one cell."""
        return self.corners != ASCII_CORNERS


PLAIN: Final = Skin("plain")
SYMBOLS: Final = Skin("symbol")
KANJI: Final = Skin("kanji")
SKINS: Final[Mapping[str, Skin]] = MappingProxyType(
    {skin.icons: skin for skin in (PLAIN, SYMBOLS, KANJI)}
)


def skin_called(name: str) -> Skin:
    """Return the skin ``name``, a key of SKINS, with the letters of the spoken language."""
    return replace(SKINS[name], language=spoken())


def with_ascii_frames(skin: Skin) -> Skin:
    """Return ``skin`` for a terminal that draws frames two cells wide or not at all."""
    return replace(skin, corners=ASCII_CORNERS, across="-", down="|")


def with_framed_cards(skin: Skin) -> Skin:
    """Return ``skin`` for a terminal without a colour for paper."""
    return replace(skin, framed=True, back="░" if skin.back == PLAIN.back else skin.back)


ASCII: Final = with_framed_cards(replace(with_ascii_frames(PLAIN), icons="ascii", back="#"))
