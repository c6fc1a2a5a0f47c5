"""Asks the terminal how wide it draws characters of ambiguous width.

Most terminals draw the lines of frames one cell wide. Some East Asian terminals draw two
cells, which would break every frame. So the program prints such a character and asks the
terminal for the column of the cursor.
"""

import os
import re
import select
import sys
import time
from typing import Final

PATIENCE: Final = 0.5
"""Seconds to wait for the answer; a local terminal needs a thousandth of this time."""

_ASK: Final = b"\r\xe2\x94\x80\x1b[6n"
_ERASE: Final = b"\r\x1b[K"
_ANSWER: Final = re.compile(rb"\x1b\[\d+;(\d+)R")
_WIDE: Final = 3  # the column after two cells


def draws_wide(keyboard: int, screen: int) -> bool:
    """Tell whether the terminal draws a line of a frame in two cells.

    keyboard, screen: its descriptors. Keys typed meanwhile are lost. If the terminal does not
    answer, the language of the locale decides.

    Raises:
        OSError: the terminal is gone.
    """
    if sys.platform == "win32":
        return _is_east_asian()
    import termios

    try:
        column = _ask(keyboard, screen)
    except termios.error as error:  # not an OSError
        raise OSError(*error.args) from None
    return _is_east_asian() if column is None else column >= _WIDE


def _ask(keyboard: int, screen: int) -> int | None:
    """Draw a line of a frame, ask for the column of the cursor, and erase the line."""
    import termios
    import tty

    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard, termios.TCSANOW)
        os.write(screen, _ASK)
        column = _column(keyboard)
        os.write(screen, _ERASE)
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)
    return column


def _column(keyboard: int) -> int | None:
    """Return the column that the terminal reports, from 1. Without a report, return None."""
    heard = b""
    deadline = time.monotonic() + PATIENCE
    while (left := deadline - time.monotonic()) > 0:
        ready, _, _ = select.select([keyboard], [], [], left)
        if not ready:
            break
        piece = os.read(keyboard, 1024)
        if not piece:
            break
        heard += piece
        if answer := _ANSWER.search(heard):
            return int(answer[1])
    return None


def _is_east_asian() -> bool:
    """Tell whether terminals in the locale's language may draw ambiguous characters wide."""
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    return next((name for name in names if name), "").startswith(("ja", "ko", "zh"))
