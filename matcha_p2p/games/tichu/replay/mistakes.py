"""The mistakes of a finished game, for its page and for its replay."""

from collections.abc import Iterator, Sequence
from functools import partial

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.tichu.events import TichuEvent
from matcha_p2p.games.tichu.replay.analyse import analysis_of
from matcha_p2p.games.tichu.replay.steps import replay_of
from matcha_p2p.games.tichu.review.analysis import MISTAKE, Analysis, Judged, judged
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.games.tichu.steps import Tichu
from matcha_p2p.games.tichu.words.analysis_sentences import lost
from matcha_p2p.review.steps import ReplayStep
from matcha_p2p.review.told import Count, PageMistake, counted
from matcha_p2p.seats import Seat


def page_mistakes(
    report: Report, own: tuple[Seat, int] | None = None, *, count: Count | None = None
) -> Iterator[PageMistake] | None:
    """Return the mistakes of all seats in the rounds that are over, in order.

    Judging takes a moment for each decision. None: no decision can be judged. own: our seat and
    our game key. count: told how many decisions are judged.
    """
    analysis = analysis_of(report, SEATS, {}, own)
    return _mistakes(report, analysis, count) if analysis.decisions else None


def _mistakes(report: Report, analysis: Analysis, count: Count | None) -> Iterator[PageMistake]:
    steps = replay_of(report).steps
    for decision in counted(analysis.decisions, count):
        found = judged(decision)
        if found.loss >= MISTAKE:
            step = _step_of(steps, decision.entries)
            said = partial(_said, found, analysis.names)
            better = found.better
            cards = [better.seen.held[place] for place in sorted(better.places)]
            yield PageMistake(step, said, better, {"cards": cards} if cards else {})


def _step_of(steps: Sequence[ReplayStep[TichuEvent, Tichu]], entries: int) -> int:
    """Return the first step of an entry; the step before, if the entry has no step."""
    exact = [at for at, step in enumerate(steps) if step.entries == entries]
    return exact[0] if exact else sum(step.entries < entries for step in steps) - 1


def _said(found: Judged, names: tuple[str, ...]) -> tuple[str, ...]:
    return (lost(found, names[found.decision.seen.seat]),)
