"""One card at a time: its face, its back, and the turn between the two.

A card is a block of lines, all equally wide. A card is a rectangle of paper; without a colour
for paper, the card has a frame. Blocks are kept and shared, so a caller must not change a
block.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from matcha_p2p.console.terminal.cells import Line, centred, fit, width
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.screen.signs import signs_of, style_of

Block: TypeAlias = list[Line]

_BETWEEN: Final = {1: "   ", 2: "   ", 3: " "}
"""The cells between two pips in a row, by the width of a pip."""

_PIPS: Final = {
    5: {1: " 1 ", 2: "1 1", 3: "111", 4: "2 2"},
    7: {1: "  1  ", 2: " 1 1 ", 3: "1 1 1", 4: " 2 2 "},
}
"""Pips in each row between the two labels, by the height and the number of a card."""

_CIRCLE: Final = {
    3: ("( )",),
    5: ("▗▛▀▀▘ ", "▐▌   ▖", "▝▙▄▄▞ "),
    7: (" ▄▟▀▀▀▘  ", "▟▛       ", "█▌      ▖", "▜▙     ▟▘", " ▀▜▄▄▟▀  "),
}
"""The picture of a zero: a circle of ink, open where the brush leaves the paper."""

_ROUND: Final = {
    3: ("( )",),
    5: (" .--  ", "(    ,", " `--' "),
    7: ("  .---   ", " /       ", "(       ,", " \\     / ", "  `---'  "),
}
"""The same circle without blocks."""


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a card, in cells. A card one cell high shows its label alone."""

    width: int
    height: int

    @property
    def table(self) -> int:
        """Return the width of six cards in three fields."""
        return 6 * self.width + 9


@lru_cache(1024)
def face(
    card: Face, skin: Skin, size: Size, ground: str = "paper", *, apart: bool = False
) -> Block:
    """Return an open card. ground: "paper", "shade", "better" or "caught".

    apart: whether a gap keeps the card from a word at the right, if the card is one row high.
    """
    style = f"class:{ground} {style_of(card.suit)}"
    if size.height == 1:
        return [[(style, centred(_chip(card, skin, size.width - apart), size.width))]]
    if skin.framed:
        return _framed(_inside(card, skin, Size(size.width - 2, size.height - 2)), style, skin)
    return [[(style, text)] for text in _inside(card, skin, size)]


@lru_cache(256)
def back(skin: Skin, size: Size, card: Face | None = None) -> Block:
    """Return a card face down.

    If the reader knows ``card``, its label is written on the back.
    """
    rows: Block = [[("class:back", skin.back * size.width)] for _ in range(size.height)]
    if card is not None:
        label = f" {signs_of(skin).card(card)} "
        if size.height == 1:
            label = _label(card, skin, size.width - 1)
        left = (size.width - width(label)) // 2
        rows[size.height // 2] = [
            ("class:back", skin.back * left),
            (f"class:seal {style_of(card.suit)}", label),
            ("class:back", skin.back * (size.width - width(label) - left)),
        ]
    return rows


@lru_cache(64)
def place(size: Size, mark: str = "") -> Block:
    """Return the empty room of a card."""
    rows: Block = [[("", " " * size.width)] for _ in range(size.height)]
    rows[size.height // 2] = [("class:faint", centred(mark, size.width))]
    return rows


@lru_cache(64)
def edge(skin: Skin, size: Size, *, narrow: bool) -> Block:
    """Return a card halfway through turning: its back is narrow, then the card is an edge."""
    cells = 1 if narrow else size.width - 2 * (size.width // 4)
    style = "class:paper" if narrow else "class:back"
    text = (skin.down if skin.framed else " ") if narrow else skin.back * cells
    left = (size.width - cells) // 2
    line: Line = [("", " " * left), (style, text), ("", " " * (size.width - cells - left))]
    return [line] * size.height


def _chip(card: Face, skin: Skin, cells: int) -> str:
    """Return a card in one row; if the room suffices, with a frame and with its icon."""
    framed = f"{skin.down}{signs_of(skin).card(card)}{skin.down}"
    return framed if skin.framed and width(framed) <= cells else _label(card, skin, cells)


def _label(card: Face, skin: Skin, cells: int) -> str:
    signs = signs_of(skin)
    label = signs.card(card)
    return label if width(label) <= cells else signs.letters(card)


def _framed(inside: list[str], style: str, skin: Skin) -> Block:
    ground = style.split(maxsplit=1)[0]
    first, second, third, fourth = tuple(skin.corners)
    across = skin.across * width(inside[0])
    return [
        [(ground, first + across + second)],
        *([(ground, skin.down), (style, text), (ground, skin.down)] for text in inside),
        [(ground, third + across + fourth)],
    ]


def _inside(card: Face, skin: Skin, size: Size) -> list[str]:
    """Return the label in two corners, and the pips between; or the label alone."""
    label = signs_of(skin).card(card)
    if size.height == 1:
        return [centred(label, size.width)]
    above = fit(f" {label}", size.width)
    below = " " * (size.width - width(label) - 1) + f"{label} "
    return [above, *(centred(row, size.width) for row in _middle(card, skin, size)), below]


def _middle(card: Face, skin: Skin, size: Size) -> tuple[str, ...]:
    if card.suit is None:
        return (_CIRCLE if skin.half_blocks else _ROUND)[size.height]
    signs = signs_of(skin)
    if size.height not in _PIPS:
        return (signs.mark(skin) * card.number,)
    pip = signs.pip(card.suit, large=skin.half_blocks)
    rows = {" ": "", "1": pip, "2": f"{pip}{_BETWEEN[width(pip)]}{pip}"}
    return tuple(rows[count] for count in _PIPS[size.height][card.number])
