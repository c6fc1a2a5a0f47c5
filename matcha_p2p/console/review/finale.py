"""The end of a game, in all games: a picture, the winner, and the score of the evening."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.console.table import captions
from matcha_p2p.console.table.scene import TableScene
from matcha_p2p.console.terminal.cells import Line, fit_line, line_width
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.narration.evening import OwnResult, evening_words

ROWS: Final = 4
"""The rows of the picture."""

_CELLS: Final = 13
_BESIDE: Final = 3
_STEAM: Final = "  (   )  (   "
_FULL: Final = (
    (_STEAM, "class:faint"),
    (r"\===========/", "class:leaf"),
    (r" \         / ", "class:bowl"),
    (r"  `._____.'  ", "class:bowl"),
)
_SPILT: Final = (
    (" " * _CELLS, ""),
    ("   .-----.   ", "class:bowl"),
    ("  /       \\  ", "class:bowl"),
    ("=/_________\\=", "class:leaf"),
)
_CLAY: Final = ((13, 11), (11, 0), (7, 0))
"""The width of the full bowl, row by row, and the width of the tea in the bowl."""

_TURNED_OVER: Final = ((7, 7), (11, 11), (13, 9))
"""Of the bowl upside down, the width of each row, and the clay in the row; the rest is tea."""


def bowl(outcome: OwnResult | None, skin: Skin) -> list[Line]:
    """Return the picture: a bowl of tea, or a bowl upside down for the loser.

    outcome: None for an onlooker. The bowl has the colour of clay, or strokes where cards have
    frames.
    """
    lost = outcome is OwnResult.LOST
    if skin.framed:
        return [[(style, text)] for text, style in (_SPILT if lost else _FULL)]
    clay, tea = "class:chip class:bowl", "class:chip class:leaf"
    if lost:
        return [[("", " " * _CELLS)], *(_row(*each, tea, clay) for each in _TURNED_OVER)]
    return [[("class:faint", _STEAM)], *(_row(*each, clay, tea) for each in _CLAY)]


def _row(whole: int, inner: int, outside: str, inside: str) -> Line:
    """Return a row of the bowl: the inner cells in the middle of the whole."""
    left = (whole - inner) // 2
    cells = ((outside, left), (inside, inner), (outside, whole - inner - left))
    margin = ("", " " * ((_CELLS - whole) // 2))
    return [margin, *((style, " " * width) for style, width in cells if width), margin]


def headline(outcome: OwnResult | None, winners: str, count: int) -> Line:
    """Return who has won. winners: ``count`` names. outcome: None for an onlooker."""
    if outcome is OwnResult.WON:
        text = captions.END_YOURS()
    elif not count:
        text = captions.END_DRAW()
    elif count == 1:
        text = captions.END_THEIRS(name=winners)
    else:
        text = captions.END_TEAM(names=winners)
    return [("class:now", text)]


def evening(scene: TableScene) -> list[Line]:
    """Return the score of the evening and the streak, a sentence a line."""
    return [[("", text)] for text in evening_words(scene.games)]


def beside_bowl(scene: TableScene, skin: Skin, words: Sequence[Line], cells: int) -> list[Line]:
    """Return ``words`` beside the picture, together in the middle of ``cells`` cells.

    If the picture has no room beside the words, return the words alone.
    """
    widest = max(map(line_width, words))
    if _CELLS + _BESIDE + widest > cells:
        return list(words)
    rows = max(ROWS, len(words))
    above = min(1, rows - len(words))
    right = [*([[]] * above), *words, *([[]] * (rows - above - len(words)))]
    left = [*([[]] * (rows - ROWS)), *bowl(scene.outcome, skin)]
    margin = ("", " " * ((cells - _CELLS - _BESIDE - widest) // 2))
    return [
        [margin, *fit_line(drawn, _CELLS + _BESIDE), *line]
        for drawn, line in zip(left, right, strict=True)
    ]
