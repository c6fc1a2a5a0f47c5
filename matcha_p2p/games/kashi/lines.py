"""Kashi-ichi as line mode plays the game (``console/lines/conversation.py``)."""

from collections.abc import Callable, Sequence
from typing import Final

from matcha_p2p.console.lines.conversation import Task
from matcha_p2p.games.front import Analyst
from matcha_p2p.games.kashi.conversation import Advise, Conversation
from matcha_p2p.seats import Seat


class Lines:
    """The part ``lines``. analyst: without effect. advise: in practice only."""

    def __init__(
        self,
        analyst: Analyst | None = None,
        advise: Advise | None = None,
        *,
        holds: bool = True,
    ) -> None:
        del analyst, holds
        self._advise: Final = advise

    def converse(self, seat: Seat) -> Conversation:
        """Return the dialogue of ``seat`` before any news."""
        return Conversation(seat, self._advise)

    async def perform(self, task: Task, show: Callable[[Sequence[str]], None]) -> None:
        """Do nothing: no answer names a task."""
        del task, show
