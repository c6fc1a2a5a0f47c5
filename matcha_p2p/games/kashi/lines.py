"""Kashi-ichi as line mode plays the game (``console/lines/conversation.py``)."""

from collections.abc import Callable, Sequence
from typing import Final

from matcha_p2p.games.front import Analyst
from matcha_p2p.games.kashi.conversation import Advise, Conversation
from matcha_p2p.games.kashi.review.asked import Analyse, Study
from matcha_p2p.games.kashi.review.judging import judge
from matcha_p2p.seats import Seat


class Lines:
    """The part ``lines``. analyst: for questions after the game. advise: in practice only."""

    def __init__(
        self,
        analyst: Analyst | None = None,
        advise: Advise | None = None,
        *,
        holds: bool = True,
    ) -> None:
        del holds
        self._analyst: Final = analyst
        self._advise: Final = advise

    def converse(self, seat: Seat) -> Conversation:
        """Return the dialogue of ``seat`` before any news."""
        return Conversation(seat, self._advise)

    async def perform(self, task: Analyse, show: Callable[[Sequence[str]], None]) -> None:
        """Show each mistake of the asker as soon as it is found, and the summary at the end."""
        told = 0

        def tell(study: Study) -> None:
            nonlocal told
            show([*(it.listed for it in study.mistakes[told:]), *study.told])
            told = len(study.mistakes)

        if self._analyst is not None:
            await judge(self._analyst, task, tell)
