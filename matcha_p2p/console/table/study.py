"""The mistakes of a judged game: on a page, and on the board, one after another."""

from typing import Final

from matcha_p2p.console.table import focus
from matcha_p2p.language import Sentence

TITLE: Final = Sentence("Analysis")
PROGRESS: Final = Sentence("Decisions judged so far: {done} of {all}.")
LEADS_ON: Final = Sentence("n shows the mistakes on the board, one after another.")
KEYS_LIST: Final = Sentence("n mistakes  Up, Down, PgUp, PgDn scroll   Esc closes")
KEYS: Final = Sentence("n next  N before  a list  Esc back")

ON_BOARD: Final = "n"
"""Shows the mistakes on the board, and goes on to the next mistake."""

_NEXT: Final = (ON_BOARD, "right", "down", "enter", " ")
_BEFORE: Final = ("N", "left", "up")
_LIST: Final = ("a", "escape", "q")


def studying_after(reading: focus.Reading, key: str, count: int) -> focus.Reading | None:
    """Return the focus after a key that steps from mistake to mistake, else None.

    count: of the mistakes found so far.
    """
    page, at = reading
    if page is not focus.Page.ANALYSIS or not count:
        return None
    if at is None:
        return focus.Reading(page, 0) if key == ON_BOARD else None
    if key in _LIST:
        return focus.Reading(page)
    by = 1 if key in _NEXT else -1 if key in _BEFORE else 0
    return focus.Reading(page, (at + by) % count)
