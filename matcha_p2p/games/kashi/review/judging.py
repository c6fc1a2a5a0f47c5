"""The analysis of a finished game, for front ends; loads the bots only when asked."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from matcha_p2p.console.review.study import judge_all
from matcha_p2p.games.front import Analyst
from matcha_p2p.games.kashi.review.mistakes import Analyse, AnalysisProgress, Mistake

if TYPE_CHECKING:
    from matcha_p2p.games.kashi.review.analysis import Analysis
    from matcha_p2p.seats import Seat


async def judge(
    analyst: Analyst, asked: Analyse, show: Callable[[AnalysisProgress], None]
) -> None:
    """Judge the asker's turns one by one in a thread, and show the progress after each."""

    def tell(analysis: "Analysis") -> None:
        show(_study(analysis, asked.seat))

    await judge_all(analyst, asked, tell)


def _study(analysis: "Analysis", seat: "Seat") -> AnalysisProgress:
    from matcha_p2p.games.kashi.words.analysis_sentences import lost, mistake, summary

    names, found = analysis.names, analysis.judged
    mistakes = tuple(
        Mistake(turn.better, mistake(turn, names, seat), lost(turn, names))
        for turn in found
        if turn.found.is_mistake
    )
    told = tuple(summary(found, names, seat)) if analysis.done else ()
    return AnalysisProgress(len(found), len(analysis.decisions), mistakes, told)
