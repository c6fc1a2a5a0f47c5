"""One card at a time: a block of lines four cells wide, or a chip in one line."""

from functools import lru_cache
from typing import Final, TypeAlias

from matcha_p2p.console.terminal.cells import Line, fit, width
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.tichu.rules.cards import SUITS
from matcha_p2p.games.tichu.words.card_words import CARD, MARKS, spelt

Block: TypeAlias = list[Line]

WIDTH: Final = 4
_PIPS: Final = {
    0: ("▄  ▄", " ██ ", "▀  ▀"),
    1: (" ▄▄ ", "█  █", " ▀▀ "),
    2: (" ▄▄ ", "▀██▀", "▀▀▀▀"),
    3: (" ▄▄ ", "▄██▄", " ▀▀ "),
    52: (" ▄▄ ", " ██ ", " ▀▀ "),
    53: ("▄   ", "█▀▀█", "▀  ▀"),
    54: ("▄  ▄", "▀██▀", " ▀▀ "),
    55: ("▄▄  ", "▄██▀", "  ▀▀"),
}
"""The picture in a high card: of its suit (star, jade, pagoda, sword), or of a special card."""
_STYLES: Final = ("bowl", "leaf", "water", "zero")
_SPECIAL: Final = "whisk"


def style_of(face: int) -> str:
    """Return the style of the suit of a card; special cards have one of their own."""
    suit = SUITS[face]
    return f"class:{_SPECIAL if suit is None else _STYLES[suit]}"


@lru_cache(512)
def label(face: int, skin: Skin) -> str:
    """Return a card in at most four cells, in the marks of the skin."""
    if skin.icons == "ascii":
        return spelt(face, MARKS.english)
    language = "ja" if skin.icons == "kanji" else skin.language
    return spelt(face, MARKS.text_in(language), CARD.text_in(language))


@lru_cache(512)
def block(face: int, skin: Skin, height: int, ground: str = "paper") -> Block:
    """Return an open card of ``height`` lines. ground: of paper or better."""
    style = f"class:{ground} {style_of(face)}"
    text = label(face, skin)
    if not skin.framed:
        inside = [" " * WIDTH] * (height - 2)
        if skin.half_blocks and skin.icons != "plain" and len(inside) == len(_PIPS[0]):
            suit = SUITS[face]
            inside = list(_PIPS[face if suit is None else suit])
        rows = [fit(text, WIDTH), *inside, f"{text:>{WIDTH}}"]
        if width(text) > len(text):
            rows[-1] = " " * (WIDTH - width(text)) + text
        return [[(style, row)] for row in rows]
    first, second, third, fourth = tuple(skin.corners)
    across = skin.across * (WIDTH - 2)
    inside = [text, *["  "] * (height - 3)]
    inside[-1] = text
    if width(text) > WIDTH - 2:  # a wide letter and a rank have no room in a line
        inside[0], inside[-1] = text[0], f"{text[1:]:>2}"
    paper = f"class:{ground}"
    return [
        [(paper, first + across + second)],
        *(
            [(paper, skin.down), (style, fit(row, WIDTH - 2)), (paper, skin.down)]
            for row in inside
        ),
        [(paper, third + across + fourth)],
    ]


@lru_cache(16)
def back(skin: Skin, height: int) -> Block:
    """Return a card that lies face down."""
    return [[("class:back", skin.back * WIDTH)] for _ in range(height)]


@lru_cache(64)
def place(height: int, mark: str = "") -> Block:
    """Return the empty room of a card."""
    rows: Block = [[("", " " * WIDTH)] for _ in range(height)]
    rows[height // 2] = [("class:faint", fit(f" {mark}", WIDTH))]
    return rows


def side_by_side(blocks: list[Block]) -> list[Line]:
    """Return blocks of equal height beside each other, a cell between two."""
    lines: list[Line] = []
    for rows in zip(*blocks, strict=True):
        line: Line = []
        for row in rows:
            line += [*row, ("", " ")]
        lines.append(line[:-1])
    return lines


def faces_line(faces: tuple[int, ...], skin: Skin) -> Line:
    """Return cards in one line, each in the colour of its suit."""
    line: Line = []
    for face in faces:
        line += [(style_of(face), label(face, skin)), ("", " ")]
    return line[:-1]
