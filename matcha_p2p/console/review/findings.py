"""The analysis of any game: a verdict, a chart, the mistakes in order, each on the board."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import Any, Final

import trio

from matcha_p2p.console.table import focus
from matcha_p2p.console.table.captions import STARTING
from matcha_p2p.console.terminal.cells import Line, fit, width, wrapped
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.front import Analyst
from matcha_p2p.language import Sentence
from matcha_p2p.review.analysis import Mistake
from matcha_p2p.seats import Seat

TITLE: Final = Sentence("Analysis of the game")
PROGRESS: Final = Sentence(
    "Decisions judged so far: {done} of {all}. Mistakes so far: {mistakes}."
)
VERDICT: Final = Sentence(
    "Decisions judged: {count}. Mistakes: {mistakes}. The dearest is number {number}: {cost}."
)
FLAWLESS: Final = Sentence(
    "Decisions judged: {count}. No mistake, so there is none to step to on the board."
)
CHART: Final = Sentence("What each decision lost, by the numbers of the list.")
HEADS: Final = Sentence("where"), Sentence("played"), Sentence("better"), Sentence("lost")
POSITION: Final = Sentence("Mistake {number} of {count}: {where}. Lost: {cost}.")
PLAYED: Final = Sentence("! played: {move}")
BETTER: Final = Sentence("? better: {move}")
KEYS_LIST: Final = Sentence("a mistakes  Up, Down, PgUp, PgDn scroll   Esc closes")
_KEYS: Final = Sentence("a next  A before  Esc list")
_KEYS_ONLY: Final = Sentence("No other mistake  Esc list")

MADE_SIGN: Final = "!"
"""The mark of a mistake."""
BETTER_SIGN: Final = "?"
"""The mark of the better decision."""
ANALYSES: Final = "a"
"""Opens the analysis, shows its mistakes on the board, and goes on to the next mistake."""
BACK: Final = "A"
"""Goes to the mistake before."""
TURNS: Final = "p"
"""Turns the pages beside a mistake on the board, where room lacks."""

_NEXT: Final = (ANALYSES, "right", "down", "enter", " ")
_BEFORE: Final = (BACK, "left", "up")
_LIST: Final = ("escape", "q")
_ROWS: Final = 4  # of the chart
_EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
"""A row of a bar, from empty to full."""
_THIRDS: Final = " .:#"
"""The same, without blocks."""
_BAR: Final = 3  # cells of a decision in the chart, with a gap
_GAP: Final = 2  # cells between the columns of the list
_WIDEST: Final = 110  # cells of the list, at most


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of an analysis, as far as done.

    asked: the question of the person. count: the decisions; None while the game is read.
    judged: of each decision judged by now, the loss, and the mistake or None. notes: the
    sentences at the end.
    """

    asked: object = None
    count: int | None = None
    judged: tuple[tuple[float, Mistake | None], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes found so far, in the order of the game."""
        return tuple(mistake for _, mistake in self.judged if mistake is not None)

    def verdict(self) -> str:
        """Return the number of decisions and of mistakes, and the dearest mistake."""
        done, mistakes = len(self.judged), self.mistakes
        if self.count is None:
            return STARTING()
        if done < self.count:
            return PROGRESS(done=done, all=self.count, mistakes=len(mistakes))
        if not mistakes:
            return FLAWLESS(count=done)
        number = max(range(len(mistakes)), key=lambda at: mistakes[at].loss)
        fields = {"mistakes": len(mistakes), "number": number + 1}
        return VERDICT(count=done, cost=mistakes[number].cost, **fields)

    def listed(self) -> list[str]:
        """Return the mistakes, a line each."""
        found = enumerate(self.mistakes, 1)
        return [f"{number}. {' '.join(each.said())}" for number, each in found]

    def conclusion(self) -> list[str]:
        """Return the verdict and the notes, once all decisions are judged."""
        over = len(self.judged) == self.count
        return [self.verdict(), *self.notes] if over else []

    def with_judged(self, loss: float, mistake: Mistake | None) -> "Findings":
        """Return the findings with the next decision judged."""
        return replace(self, judged=(*self.judged, (loss, mistake)))


async def judge_all(
    analyst: Analyst,
    asked: object,
    seat: Seat | None = None,
    show: Callable[[Findings], None] = lambda _: None,
) -> Findings:
    """Judge the decisions one by one in a thread, and show the findings before and after each.

    asked: the question that the analyst of a game takes. seat: of the reader.
    """
    in_thread = partial(trio.to_thread.run_sync, abandon_on_cancel=True)
    analysis: Any = await in_thread(partial(analyst.begin, asked))
    findings = Findings(asked, len(analysis.decisions))
    show(findings)
    for decision in analysis.decisions:
        found: Any = await in_thread(partial(analyst.judge, decision))
        analysis = analysis.with_judged(found)
        mistake = analyst.mistake(found, analysis.names, seat)
        findings = findings.with_judged(found.loss, mistake)
        if analysis.done:
            findings = replace(findings, notes=tuple(analyst.notes(analysis, seat)))
        show(findings)
    return findings


async def tell_all(
    analyst: Analyst, asked: object, seat: Seat, show: Callable[[Sequence[str]], None]
) -> None:
    """Show each mistake in a line as soon as it is found, and the verdict at the end."""
    told = 0

    def tell(findings: Findings) -> None:
        nonlocal told
        show([*findings.listed()[told:], *findings.conclusion()])
        told = len(findings.mistakes)

    await judge_all(analyst, asked, seat, tell)


# The page.


def page(findings: Findings, columns: int, skin: Skin) -> list[Line]:
    """Return the analysis in lines of at most ``columns`` cells, with a margin of one."""
    room = columns - 2
    lines: list[Line] = [[("class:now", f" {it}")] for it in wrapped(findings.verdict(), room)]
    if findings.mistakes:
        lines += [[], *([("class:head", f" {line}")] for line in wrapped(CHART(), room))]
        lines += _chart(findings.judged, room, skin)
        lines += _list(findings.mistakes, min(room, _WIDEST))
    notes = [[("", f" {line}")] for it in findings.notes for line in wrapped(it, room)]
    return [*lines, *([[]] if notes else []), *notes]


def _chart(
    judged: Sequence[tuple[float, Mistake | None]], room: int, skin: Skin
) -> Iterator[Line]:
    """Yield a bar for each decision, in as many rows of bars as needed."""
    most = max(loss for loss, _ in judged)
    numbers, found = list[str](), 0
    for _, mistake in judged:
        found += mistake is not None
        numbers.append("." if mistake is None else str(found))
    narrow = len(judged) * _BAR > room and found < 10
    cells = _BAR - narrow
    fills = _EIGHTHS if skin.half_blocks else _THIRDS
    beside = room // cells
    for first in range(0, len(judged), beside):
        part = judged[first : first + beside]
        for row in range(_ROWS, 0, -1):
            line: Line = [("", " ")]
            for loss, mistake in part:
                style = f"class:{'leaf' if mistake is None else 'bowl'}"
                share = loss / most * _ROWS - (row - 1)
                filled = round(min(1.0, max(0.0, share)) * (len(fills) - 1))
                if row == 1 and loss and not filled:
                    filled = 1
                line += [(style, fills[filled] * (cells - 1)), ("", " ")]
            yield line
        labels = "".join(f"{each:<{cells}}" for each in numbers[first : first + beside])
        yield [("class:now", f" {labels}")]


def _list(mistakes: Sequence[Mistake], room: int) -> Iterator[Line]:
    """Yield the mistakes in columns: the number, the place, both moves, and the loss."""
    rows = [
        (str(number), each.where, each.made, each.better, each.cost)
        for number, each in enumerate(mistakes, 1)
    ]
    table = [("", *(head() for head in HEADS)), *rows]
    number, where, _, _, cost = (max(map(width, column)) for column in zip(*table, strict=True))
    where, cost = min(where, room * 22 // 100), min(cost, room * 18 // 100)
    move = (room - number - where - cost - 4 * _GAP) // 2
    widths = number, where, move, move, cost
    tall = any(width(text) > move for row in rows for text in row[2:4])
    for at, row in enumerate(table):
        cells = [wrapped(text, cells) for text, cells in zip(row, widths, strict=True)]
        if at == 0 or tall:
            yield []
        for parts in zip_longest(*cells, fillvalue=""):
            first, *rest = (
                fit(part, cells) + " " * _GAP for part, cells in zip(parts, widths, strict=True)
            )
            style = "" if at else "class:head"
            yield [(style or "class:now", f" {first}"), (style, "".join(rest).rstrip())]


# A mistake on the board.


def position(mistake: Mistake, at: int, count: int) -> str:
    """Return the line of mistake ``at`` of ``count`` on the board."""
    return POSITION(number=at + 1, count=count, where=mistake.where, cost=mistake.cost)


def beside(mistake: Mistake) -> str:
    """Return the lines beside the board: both moves with their marks."""
    return "\n".join((PLAYED(move=mistake.made), BETTER(move=mistake.better)))


def signs(here: Iterable[bool]) -> str:
    """Return the marks of a place: of the decision made, and of the better decision."""
    marks = zip((MADE_SIGN, BETTER_SIGN), here, strict=False)
    return "".join(sign for sign, marked in marks if marked)


def keys_words(count: int) -> str:
    """Return the words about the keys while one of ``count`` mistakes is on the board."""
    return (_KEYS_ONLY if count == 1 else _KEYS)()


def reading_after(reading: focus.Reading, key: str, count: int) -> focus.Reading | None:
    """Return the focus after a key of an analysis with mistakes, or None.

    count: of the mistakes found so far. Without mistakes there is none to step to.
    """
    page_, at = reading
    if page_ is not focus.Page.ANALYSIS:
        return None
    if at is None:
        first = {ANALYSES: 0, BACK: count - 1}
        if key not in first:
            return None
        return focus.Reading(page_, first[key]) if count else reading
    if not count or key in _LIST:
        return focus.Reading(page_)
    by = 1 if key in _NEXT else -1 if key in _BEFORE else 0
    return focus.Reading(page_, (at + by) % count)
