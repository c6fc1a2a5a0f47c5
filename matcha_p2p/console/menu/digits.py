"""Digits five lines high, for a code that a person reads aloud."""

from typing import Final

from matcha_p2p.console.terminal.cells import Line
from matcha_p2p.console.terminal.skins import Skin

_SHAPES: Final = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", "  #", "  #"),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    " ": (" ", " ", " ", " ", " "),
}


def large_digits(digits: str, skin: Skin) -> list[Line]:
    """Return digits and spaces in five lines; six digits and a space take 51 cells."""
    dots = {"#": "██" if skin.half_blocks else "##", " ": "  "}
    rows = zip(*map(_SHAPES.__getitem__, digits), strict=True)
    return [[("class:now", " " + "".join(dots[dot] for dot in " ".join(row)))] for row in rows]
