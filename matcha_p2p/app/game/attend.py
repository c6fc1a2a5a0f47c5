"""A seat with whoever plays it: news go out, choices come in, and signals are heeded.

This module needs no game to be there, so that a screen is up before the protocol is loaded.
"""

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol, TypeAlias

import trio

from matcha_p2p.app.game.final_check import look_over
from matcha_p2p.app.output import Output
from matcha_p2p.app.signals import heeding_signals
from matcha_p2p.language import Sentence
from matcha_p2p.narration.facts import FactTeller
from matcha_p2p.rules.moves import Seat
from matcha_p2p.session.news import Ending, Interrupted, Leave, News, Terms, Wish
from matcha_p2p.store.home import Home

_STOPPED: Final = Sentence("The game was stopped.")


class Chooser(Protocol):
    """Who makes the choices of a seat: a person or a bot."""

    async def play(
        self,
        seat: Seat,
        news: trio.MemoryReceiveChannel[News],
        choices: trio.MemorySendChannel[Wish],
    ) -> None:
        """Follow ``news`` until they end, and send choices."""


Game: TypeAlias = Callable[
    [trio.MemorySendChannel[News], trio.MemoryReceiveChannel[Wish]], Awaitable[Ending]
]
"""A game that is told to a front end and heeds what comes from there, until it ends."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a player brings to the table.

    lasting: whether a game that is left can be gone on with; practice cannot.
    """

    terms: Terms
    chooser: Chooser
    home: Home
    out: Output
    lasting: bool = True


async def attend(seat: Seat, sitting: Sitting, game: Game) -> tuple[Ending, list[int]]:
    """Run ``game`` before the front end of ``sitting``, heeding signals.

    Return how it ended, and the signals that were caught.
    """
    caught: list[int] = []
    ending: Ending = Interrupted(_STOPPED())
    async with heeding_signals(caught) as leave:
        ending = await _show(seat, sitting, game, leave)
    return ending, caught


async def _show(seat: Seat, sitting: Sitting, game: Game, leave: trio.Event) -> Ending:
    """Run ``game`` and its front end until both have ended."""
    told, news = trio.open_memory_channel[News](math.inf)
    forward, seen = trio.open_memory_channel[News](math.inf)
    wished, wishes = trio.open_memory_channel[Wish](math.inf)

    async def leave_when_told() -> None:
        await leave.wait()
        await wished.send(Leave())

    async with trio.open_nursery() as nursery:
        async with trio.open_nursery() as front:
            tell = partial(look_over, attended=sitting.terms.stays)
            front.start_soon(tell, FactTeller(seat), sitting.out, news, forward)
            front.start_soon(sitting.chooser.play, seat, seen, wished)
            async with told, trio.open_nursery() as leaving:
                leaving.start_soon(leave_when_told)
                ending = await game(told, wishes)
                leaving.cancel_scope.cancel()
            # A screen may show the end until it is closed; a signal closes it too.
            nursery.start_soon(_cancel_when, leave, front.cancel_scope)
        nursery.cancel_scope.cancel()
    return ending


async def _cancel_when(event: trio.Event, scope: trio.CancelScope) -> None:
    await event.wait()
    scope.cancel()
