"""Matcha as line mode plays the game (``console/lines/conversation.py``)."""

from collections.abc import Callable, Sequence
from typing import Final

from matcha_p2p.games.matcha.conversation import Conversation
from matcha_p2p.games.matcha.review.analysis import Analysis
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.screen.analysis import (
    Analyse,
    Analyst,
    analyse,
    decision_lines,
    summary,
)
from matcha_p2p.games.matcha.screen.coach import Advise, Coach


class Lines:
    """The part ``lines``. analyst: for questions after the game. advise: in practice only."""

    def __init__(
        self, analyst: Analyst, advise: Advise | None = None, *, holds: bool = True
    ) -> None:
        del holds
        self._analyst: Final = analyst
        self._advise: Final = advise

    def converse(self, seat: Seat) -> Conversation:
        """Return the dialogue of ``seat`` before any news."""
        return Conversation(seat, None if self._advise is None else Coach(self._advise))

    async def perform(self, task: Analyse, show: Callable[[Sequence[str]], None]) -> None:
        """Show each decision as soon as it is judged, and the summary at the end."""

        def show_judged(analysis: Analysis) -> None:
            latest = analysis.judged[-1:]
            lines = [line for it in latest for line in decision_lines(it, analysis.names)]
            show(lines + (summary(analysis) if analysis.done else []))

        await analyse(self._analyst, task, show_judged)
