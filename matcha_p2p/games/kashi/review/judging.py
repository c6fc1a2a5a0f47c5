"""The analysis of a finished game, for front ends; loads the bots only when asked."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import trio

from matcha_p2p.games.front import Analyst
from matcha_p2p.games.kashi.review.asked import Analyse, Better, Mistake, Study

if TYPE_CHECKING:
    from matcha_p2p.games.kashi.review.analysis import Judged


async def judge(analyst: Analyst, asked: Analyse, show: Callable[[Study], None]) -> None:
    """Judge the asker's turns one by one in a thread, and show the progress after each."""
    from matcha_p2p.games.kashi.words.analysis_sentences import lost, mistake, summary

    beginning = partial(analyst.begin, asked)
    names, decisions = await trio.to_thread.run_sync(beginning, abandon_on_cancel=True)
    found: list[Judged] = []
    study = Study(all=len(decisions))
    for done, decision in enumerate(decisions, start=1):
        show(study)
        judged = partial(analyst.judge, decision)
        turn = await trio.to_thread.run_sync(judged, abandon_on_cancel=True)
        found.append(turn)
        mistakes = study.mistakes
        if turn.found.is_mistake:
            better = Better(decision.game, decision.seat, turn.found.better.actions)
            listed, beside = mistake(turn, names, asked.seat), lost(turn, names)
            mistakes = (*mistakes, Mistake(better, listed, beside))
        study = study._replace(done=done, mistakes=mistakes)
    show(study._replace(told=tuple(summary(found, names, asked.seat))))
