"""Cards: a block of lines with a picture where half blocks hold, or a chip in one line."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from matcha_p2p.console.terminal.cells import Line, cut, fit, width
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.tichu.rules.cards import NUMBERS, SUITS
from matcha_p2p.games.tichu.screen.drawing.pixels import quadrants
from matcha_p2p.games.tichu.words.card_words import CARD, MARKS, rank_text, spelt

Block: TypeAlias = list[Line]


class Size(NamedTuple):
    """The cells across a card, its lines, and the cells between two cards."""

    width: int
    height: int
    gap: int = 1

    def row(self, count: int) -> int:
        """Return the cells of so many cards side by side."""
        return count * (self.width + self.gap) - self.gap


SMALL: Final = Size(4, 3, 0)
USUAL: Final = Size(4, 4)
TALL: Final = Size(4, 6)
WIDE: Final = Size(5, 6)
BROAD: Final = Size(6, 6)
_NARROW: Final = 3
"""The cells of a card of which there are very many."""

_PIXELS: Final = {
    0: "...##... ..####.. ######## ######## ..####.. ...##...",
    1: ".######. ###..### ##....## ##....## ###..### .######.",
    2: "...##... .######. ..#..#.. ######## ..#..#.. .######.",
    3: "...##... ...##... ...##... ...##... .######. ...##...",
    52: "..###... ##.##... .####... .####### .######. ..#.#...",
    53: "##....## ######## #.####.# ######## .##..##. ..####..",
    54: "...##... #..##..# ##.##.## ######## ..####.. .#.##.#.",
    55: "#..##..# ######## #.####.# ######## .######. ..#..#..",
}
"""The pictures of the suits and of the special cards."""
_LOW_ROWS: Final = {2: (0, 3, 4, 5), 3: (0, 2, 4, 5)}
"""The rows of a picture that is two lines high."""
_PICTURE: Final = 4
"""The cells across a picture."""
_STYLES: Final = ("bowl", "leaf", "water", "zero")
_SPECIAL: Final = "whisk"


def _picture(face: int, height: int) -> list[str]:
    """Return the picture of a card in two or three lines."""
    suit = SUITS[face]
    drawn = face if suit is None else suit
    rows = _PIXELS[drawn].split()
    if height < 3:
        rows = [rows[at] for at in _LOW_ROWS.get(drawn, (0, 2, 3, 5))]
    return quadrants(rows)


def style_of(face: int) -> str:
    """Return the style of the suit of a card; special cards have one of their own."""
    suit = SUITS[face]
    return f"class:{_SPECIAL if suit is None else _STYLES[suit]}"


def _marks(skin: Skin) -> tuple[str, str]:
    """Return the marks of a skin, and how a rank and a mark follow each other."""
    if skin.icons == "ascii":
        return MARKS.english, CARD.english
    language = "ja" if skin.icons == "kanji" else skin.language
    return MARKS.text_in(language), CARD.text_in(language)


@lru_cache(512)
def label(face: int, skin: Skin) -> str:
    """Return a card in at most four cells, in the marks of the skin."""
    return spelt(face, *_marks(skin))


@lru_cache(64)
def suit_marks(skin: Skin) -> list[str]:
    """Return the marks of the four suits, all equally wide."""
    return _marks(skin)[0].split()[:4]


@lru_cache(1024)
def block(face: int, skin: Skin, size: Size, ground: str = "paper") -> Block:
    """Return an open card. ground: of paper, paper2 or better."""
    style = f"class:{ground} {style_of(face)}"
    if skin.framed:
        return _framed(face, skin, size, ground)
    text = label(face, skin)
    inside = [""] * (size.height - 1)
    if skin.half_blocks and size.width >= _PICTURE:
        drawn = _picture(face, size.height - 1)
        first = (size.height - 1 - len(drawn)) // 2
        inside[first : first + len(drawn)] = drawn
    pad = " " * ((size.width - _PICTURE + 1) // 2)
    rows = [cut(text, size.width), *(pad + row if row else "" for row in inside)]
    if size.height > USUAL.height:
        rows[-1] = " " * (size.width - width(text)) + text
    return [[(style, fit(row, size.width))] for row in rows]


def _framed(face: int, skin: Skin, size: Size, ground: str) -> Block:
    """Return a card with lines around it: the rank above, the suit below."""
    first, second, third, fourth = tuple(skin.corners)
    room, suit = size.width - 2, SUITS[face]
    inside = [""] * (size.height - 2)
    if suit is None:
        inside[0] = label(face, skin)[:room]
    else:
        mark = suit_marks(skin)[suit]
        inside[0] = rank_text(NUMBERS[face])
        inside[-1] = " " * (room - width(mark)) + mark
    paper, across = f"class:{ground}", skin.across * room
    side, style = (paper, skin.down), f"class:{ground} {style_of(face)}"
    return [
        [(paper, first + across + second)],
        *([side, (style, fit(row, room)), side] for row in inside),
        [(paper, third + across + fourth)],
    ]


@lru_cache(64)
def back(skin: Skin, size: Size) -> Block:
    """Return a card that lies face down."""
    return [[("class:back", skin.back * size.width)] for _ in range(size.height)]


@lru_cache(64)
def place(size: Size, mark: str = "") -> Block:
    """Return the empty room of a card."""
    rows: Block = [[("", " " * size.width)] for _ in range(size.height)]
    rows[size.height // 2] = [("class:faint", fit(f" {mark}", size.width))]
    return rows


def side_by_side(blocks: list[Block], gap: int = 1) -> list[Line]:
    """Return blocks of equal height beside each other, ``gap`` cells between two."""
    lines: list[Line] = []
    for rows in zip(*blocks, strict=True):
        line: Line = []
        for row in rows:
            line += [*row, ("", " " * gap)] if gap else row
        lines.append(line[:-1] if gap else line)
    return lines


def ground_of(at: int, gap: int) -> str:
    """Return the ground of the card at a place of a row; cards that touch differ."""
    return "paper" if gap or at % 2 == 0 else "paper2"


def in_a_row(
    faces: Sequence[int], skin: Skin, size: Size, cells: int, *, closed: bool = False
) -> list[Line]:
    """Return cards side by side in at most ``cells`` cells, or as chips in two lines.

    Many cards touch, and very many are narrow too. closed: whether they lie face down.
    """
    sizes = [size, size._replace(gap=0)]
    if not skin.framed:
        sizes.append(Size(_NARROW, size.height, 0))
    fitting = next((each for each in sizes if each.row(len(faces)) <= cells), None)
    if fitting is None:
        half = (len(faces) + 1) // 2
        rows = [faces_line(faces[:half], skin), faces_line(faces[half:], skin)]
        return [*rows, *[[]] * (size.height - 2)]
    blocks = [
        back(skin, fitting)
        if closed
        else block(face, skin, fitting, ground_of(at, fitting.gap))
        for at, face in enumerate(faces)
    ]
    return side_by_side(blocks, fitting.gap)


def faces_line(faces: Sequence[int], skin: Skin) -> Line:
    """Return cards in one line, each in the colour of its suit."""
    line: Line = []
    for face in faces:
        line += [(f"class:paper {style_of(face)}", label(face, skin)), ("", " ")]
    return line[:-1]
