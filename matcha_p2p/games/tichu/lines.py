"""Tichu as line mode plays it (``console/lines/conversation.py``)."""

from collections.abc import Callable, Sequence
from typing import Final

from matcha_p2p.console.lines.conversation import Task
from matcha_p2p.games.front import Analyst
from matcha_p2p.games.tichu.answers import Advise
from matcha_p2p.games.tichu.conversation import Conversation
from matcha_p2p.seats import Seat


class Lines:
    """advise: in practice only. There is no analysis of Tichu, so no analyst is asked."""

    def __init__(self, analyst: Analyst | None = None, advise: Advise | None = None) -> None:
        del analyst
        self._advise: Final = advise

    def converse(self, seat: Seat) -> Conversation:
        """Return the dialogue of ``seat`` before any news."""
        return Conversation(seat, self._advise)

    async def perform(self, task: Task, show: Callable[[Sequence[str]], None]) -> None:
        """Do nothing: no answer names a task."""
        del task, show
