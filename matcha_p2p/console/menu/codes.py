"""Codes that leave the screen: large digits to read aloud, and QR codes for a camera."""

from typing import Final

from matcha_p2p.console.terminal.cells import Line
from matcha_p2p.console.terminal.skins import Skin

_MARGIN: Final = 2  # modules; readers ask for four, and do with two
_STYLE: Final = "class:qr"
_HALVES: Final = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
_WHOLES: Final = {0: "  ", 1: "##"}
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


def qr_lines(text: str, skin: Skin) -> list[Line]:
    """Return the QR code of ``text`` in capitals, which make the smallest code."""
    import segno  # no other screen needs it

    code = segno.make_qr(text.upper(), error="l", boost_error=False)
    rows = [[int(bool(module)) for module in row] for row in code.matrix_iter(border=_MARGIN)]
    if not skin.half_blocks:
        return [[(_STYLE, "".join(_WHOLES[module] for module in row))] for row in rows]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    return [
        [(_STYLE, "".join(map(_HALVES.__getitem__, zip(upper, lower, strict=True))))]
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]
