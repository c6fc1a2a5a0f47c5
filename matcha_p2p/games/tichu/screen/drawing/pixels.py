"""Pixels, two by two in a cell, and large letters made of them."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.console.terminal.skins import Skin

_QUADRANTS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""By the sum of the pixels: 1 and 2 above, 4 and 8 below."""

_LETTERS: Final = {
    "A": ".##. #..# #..# #### #..# #..#",
    "B": "###. #..# ###. #..# #..# ###.",
    "C": ".### #... #... #... #... .###",
    "D": "###. #..# #..# #..# #..# ###.",
    "E": "#### #... ###. #... #... ####",
    "G": ".### #... #.## #..# #..# .###",
    "H": "#..# #..# #### #..# #..# #..#",
    "I": "#### .##. .##. .##. .##. ####",
    "L": "#... #... #... #... #... ####",
    "M": "#..# #### #### #..# #..# #..#",
    "N": "#..# ##.# #.## #..# #..# #..#",
    "O": ".##. #..# #..# #..# #..# .##.",
    "R": "###. #..# ###. #.#. #..# #..#",
    "T": "#### .##. .##. .##. .##. .##.",
    "U": "#..# #..# #..# #..# #..# .##.",
    "0": ".##. #..# #..# #..# #..# .##.",
    "1": ".#.. ##.. .#.. .#.. .#.. ###.",
    "2": "###. ...# .##. #... #... ####",
    "3": "###. ...# .##. ...# ...# ###.",
    "4": "#..# #..# #### ...# ...# ...#",
    "5": "#### #... ###. ...# ...# ###.",
    "6": ".##. #... ###. #..# #..# .##.",
    "7": "#### ...# ..#. .#.. .#.. .#..",
    "8": ".##. #..# .##. #..# #..# .##.",
    "9": ".##. #..# .### ...# ...# .##.",
    "+": ".... .... .#.. ###. .#.. ....",
    "-": ".... .... .... ###. .... ....",
    " ": ".... .... .... .... .... ....",
}
_WIDTH: Final = 3
"""The cells of a letter and of the gap after it."""


def quadrants(rows: Sequence[str]) -> list[str]:
    """Return rows of pixels, "#" or another character, in half as many lines."""
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [
        "".join(
            _QUADRANTS[sum(1 << at for at, pixel in enumerate(pixels) if pixel == "#")]
            for pixels in zip(above[::2], above[1::2], below[::2], below[1::2], strict=True)
        )
        for above, below in pairs
    ]


def large(text: str, skin: Skin, cells: int) -> list[str]:
    """Return ``text`` in letters three lines high if ``cells`` suffice, or in one line.

    Letters are drawn where half blocks hold; only those of some words have a drawing.
    """
    room = _WIDTH * len(text) - 1
    if not skin.half_blocks or not {*text} <= _LETTERS.keys() or room > cells:
        return [" ".join(text)]
    letters = [_LETTERS[letter].split() for letter in text]
    return quadrants(["..".join(row) for row in zip(*letters, strict=True)])
