"""The mistakes of a judged game: on a page, and on the board, one after another."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

import trio

from matcha_p2p.console.table import focus
from matcha_p2p.games.front import Analyst
from matcha_p2p.language import Sentence
from matcha_p2p.review.analysis import GameAnalysis

TITLE: Final = Sentence("Analysis")
PROGRESS: Final = Sentence("Decisions judged so far: {done} of {all}.")
LEADS_ON: Final = Sentence("a: the mistakes on the board, one by one.")
KEYS_LIST: Final = Sentence("a mistakes  Up, Down, PgUp, PgDn scroll   Esc closes")
_KEYS: Final = Sentence("a next  A before  Esc list")
_KEYS_ONLY: Final = Sentence("No other mistake  Esc list")

ANALYSES: Final = "a"
"""Opens the analysis, shows its mistakes on the board, and goes on to the next mistake."""

A = TypeVar("A", bound=GameAnalysis[Any, Any])

_NEXT: Final = (ANALYSES, "right", "down", "enter", " ")
_BEFORE: Final = ("A", "left", "up")
_LIST: Final = ("escape", "q")


def keys_words(count: int) -> str:
    """Return the words about the keys while one of ``count`` mistakes is on the board."""
    return (_KEYS_ONLY if count == 1 else _KEYS)()


async def judge_all(
    analyst: Analyst, asked: object, show: Callable[[A], None] = lambda _: None
) -> A:
    """Judge the decisions one by one in a thread, and show the analysis before and after each.

    asked: the question that the analyst of a game takes.
    """
    in_thread = partial(trio.to_thread.run_sync, abandon_on_cancel=True)
    analysis: A = await in_thread(partial(analyst.begin, asked))
    show(analysis)
    for decision in analysis.decisions:
        analysis = analysis.with_judged(await in_thread(partial(analyst.judge, decision)))
        show(analysis)
    return analysis


def studying_after(reading: focus.Reading, key: str, count: int) -> focus.Reading | None:
    """Return the focus after a key that steps from mistake to mistake, else None.

    count: of the mistakes found so far.
    """
    page, at = reading
    if page is not focus.Page.ANALYSIS or not count:
        return None
    if at is None:
        return focus.Reading(page, 0) if key == ANALYSES else None
    if key in _LIST:
        return focus.Reading(page)
    by = 1 if key in _NEXT else -1 if key in _BEFORE else 0
    return focus.Reading(page, (at + by) % count)
