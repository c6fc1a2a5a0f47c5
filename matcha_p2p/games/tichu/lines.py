"""Tichu as line mode plays it (``console/lines/conversation.py``)."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import trio

from matcha_p2p.games.front import Analyst
from matcha_p2p.games.tichu.answers import Advise
from matcha_p2p.games.tichu.conversation import Conversation
from matcha_p2p.games.tichu.review.asked import Analyse
from matcha_p2p.seats import Seat


class Lines:
    """analyst: for questions after the game. advise: in practice only."""

    def __init__(self, analyst: Analyst | None = None, advise: Advise | None = None) -> None:
        self._analyst: Final = analyst
        self._advise: Final = advise

    def converse(self, seat: Seat) -> Conversation:
        """Return the dialogue of ``seat`` before any news."""
        return Conversation(seat, self._advise)

    async def perform(self, task: Analyse, show: Callable[[Sequence[str]], None]) -> None:
        """Judge the decisions of the game one by one, then show the dearest."""
        if self._analyst is None:
            return
        from matcha_p2p.games.tichu.review.analysis import JUDGE
        from matcha_p2p.games.tichu.words.analysis_sentences import summary

        analysis = await trio.to_thread.run_sync(
            partial(self._analyst.begin, task), abandon_on_cancel=True
        )
        for decision in analysis.decisions:
            judging = partial(self._analyst.judge, decision)
            judged = await trio.to_thread.run_sync(judging, abandon_on_cancel=True)
            analysis = analysis.with_judged(judged)
        show(summary(analysis, analysis.names, JUDGE.cards))
