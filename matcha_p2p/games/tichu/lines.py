"""Tichu as line mode plays it (``console/lines/conversation.py``)."""

from collections.abc import Callable, Sequence
from typing import Final

from matcha_p2p.games.front import Analyst
from matcha_p2p.games.tichu.answers import Advise
from matcha_p2p.games.tichu.conversation import Conversation
from matcha_p2p.games.tichu.judging import judge
from matcha_p2p.games.tichu.review.asked import Analyse, AnalyseRound
from matcha_p2p.seats import Seat


class Lines:
    """analyst: for questions after the game. advise, holds: as in ``Conversation``."""

    def __init__(
        self,
        analyst: Analyst | None = None,
        advise: Advise | None = None,
        *,
        holds: bool = True,
    ) -> None:
        self._analyst: Final = analyst
        self._advise: Final = advise
        self._holds: Final = holds

    def converse(self, seat: Seat) -> Conversation:
        """Return the dialogue of ``seat`` before any news."""
        return Conversation(seat, self._advise, holds=self._holds)

    async def perform(
        self, task: Analyse | AnalyseRound, show: Callable[[Sequence[str]], None]
    ) -> None:
        """Judge the decisions of the game one by one, then show the dearest."""
        if self._analyst is not None:
            await judge(self._analyst, task, lambda told, _: show(told))
