"""The analysis of a game or a round, for front ends; loads the bots only when asked."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from matcha_p2p.console.review.study import judge_all
from matcha_p2p.games.front import Analyst
from matcha_p2p.games.tichu.review.mistakes import Analyse, AnalyseRound, Mistake

if TYPE_CHECKING:
    from matcha_p2p.games.tichu.review.analysis import Analysis


async def judge(
    analyst: Analyst,
    asked: Analyse | AnalyseRound,
    show: Callable[[Sequence[str], Sequence[Mistake]], None],
) -> None:
    """Judge the decisions one by one; show the dearest in sentences, and the mistakes."""
    from matcha_p2p.games.tichu.review.analysis import MISTAKE
    from matcha_p2p.games.tichu.words.analysis_sentences import NONE_JUDGED, lost, summary

    analysis: Analysis = await judge_all(analyst, asked)
    if isinstance(asked, AnalyseRound) and not analysis.judged:
        show([NONE_JUDGED()], ())
    else:
        own = next((it.seen.seat for it in analysis.decisions), None)
        mistakes = [
            Mistake(it.better, lost(it, "")) for it in analysis.judged if it.loss >= MISTAKE
        ]
        show(summary(analysis, own), mistakes)
