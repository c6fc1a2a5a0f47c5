"""Kashi-ichi as line mode plays the game (``console/lines/conversation.py``)."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import trio

from matcha_p2p.games.front import Analyst
from matcha_p2p.games.kashi.conversation import Advise, Analyse, Conversation
from matcha_p2p.seats import Seat

if TYPE_CHECKING:  # the bots, not needed before
    from matcha_p2p.games.kashi.review.analysis import Judged


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
        from matcha_p2p.games.kashi.words.analysis_sentences import mistake, summary

        if self._analyst is None:
            return
        beginning = partial(self._analyst.begin, task)
        names, decisions = await trio.to_thread.run_sync(beginning, abandon_on_cancel=True)
        found: list[Judged] = []
        for decision in decisions:
            judging = partial(self._analyst.judge, decision)
            turn = await trio.to_thread.run_sync(judging, abandon_on_cancel=True)
            found.append(turn)
            if turn.found.is_mistake:
                show([mistake(turn, names, task.seat)])
        show(summary(found, names, task.seat))
