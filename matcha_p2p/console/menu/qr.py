"""A QR code in cells. If the terminal draws half blocks, a line holds two rows of the code."""

from typing import Final

from matcha_p2p.console.terminal.cells import Line
from matcha_p2p.console.terminal.skins import Skin

_MARGIN: Final = 2  # modules; readers ask for four, and do with two
_STYLE: Final = "class:qr"
_HALVES: Final = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
_WHOLES: Final = {0: "  ", 1: "##"}


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
