"""Runs a session: passes items to ``step``, and carries out the effects, with all the I/O.

Computing and writing run in a thread, so pings and the screen go on.
"""

import math
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, Protocol, TypeAlias, TypeVar

import trio

from matcha_p2p.errors import JournalError
from matcha_p2p.language import sentence_of
from matcha_p2p.session import news
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.step import state as states
from matcha_p2p.session.step.links import turning
from matcha_p2p.session.step.step import step
from matcha_p2p.session.step.waits import waits
from matcha_p2p.transport.framing import Frame
from matcha_p2p.transport.names import Binding

T = TypeVar("T")


class FrameSender(Protocol):
    """A way to send frames to the peer."""

    async def send(self, binding: Binding, frame: Frame) -> None:
        """If the link named ``binding`` still stands, send ``frame`` over the link."""

    async def hang_up(self, binding: Binding, why: str) -> None:
        """End that link. why: a sentence."""


NextItem: TypeAlias = Callable[[float], Awaitable[news.Item | None]]
"""Returns the next item, or None if no item comes by a deadline of trio's clock."""


class Driver:
    """Runs one game. If the disk fails, the game ends with DiskFailed.

    A next game is written down once each neighbour has the roster, and before that at a breach.
    So a killed program, too, forgets a game that has not come about (PEER#next-table).
    """

    def __init__(
        self, ledger: Ledger, sender: FrameSender, take: NextItem, inform: news.Announce
    ) -> None:
        self._ledger: Final = ledger
        self._sender: Final = sender
        self._take: Final = take
        self._inform: Final = inform
        self._deadlines: dict[news.Timeout, float] = {}
        self._has_come_about = False

    async def begin(self, begun: states.Transition) -> states.SessionState:
        """Make the game that has ``begun`` durable, and carry out the first effects."""
        return await self._perform(*begun)

    async def play(self, state: states.SessionState) -> states.SessionOver:
        """Go on from ``state`` until the session is over."""
        while not isinstance(state, states.SessionOver):
            state = await self._go_on(state)
        return state

    async def _go_on(self, state: states.SessionState) -> states.SessionState:
        item = await self._next(state)
        return await self._perform(*await in_thread(partial(step, state, item)))

    async def _perform(
        self, state: states.SessionState, effects: tuple[states.Effect, ...]
    ) -> states.SessionState:
        """Make the new part of the chain durable, then carry out the effects."""
        match state:
            case states.Greeting(links=links):
                self._has_come_about |= not turning(links)
            case states.Playing() | states.Parting():
                self._has_come_about = True
            case _:
                self._has_come_about |= state.chain.offence is not None
        if self._has_come_about and not self._ledger.holds(state.chain):
            try:
                await in_thread(partial(self._ledger.become, state.chain))
            except JournalError as error:
                return states.SessionOver(
                    self._ledger.chain, news.DiskFailed(sentence_of(error), error.code)
                )
        for effect in effects:
            await self._bring_about(effect)
        return state

    async def _bring_about(self, effect: states.Effect) -> None:
        match effect:
            case states.Send(binding, frame):
                await self._sender.send(binding, frame)
            case states.Tell(piece):
                self._inform(piece)
            case states.HangUp(binding, why):
                await self._sender.hang_up(binding, why)
            case states.KeepTalk((seat, said)):
                await in_thread(partial(self._ledger.talk.keep, seat, said))

    async def _next(self, state: states.SessionState) -> news.Item:
        """Return the next item, or if no item comes in time, the TimeUp of the first wait."""
        now, before = trio.current_time(), self._deadlines
        self._deadlines = {wait: before.get(wait, now + wait.seconds) for wait in waits(state)}
        first = min(self._deadlines, key=self._deadlines.__getitem__, default=None)
        deadline = math.inf if first is None else self._deadlines[first]
        item = await self._take(deadline)
        if item is not None:
            return item
        if first is None:
            raise RuntimeError("what is awaited for ever has not come")
        del self._deadlines[first]
        return news.TimeUp(first)


async def in_thread(work: Callable[[], T]) -> T:
    """Run ``work``, a blocking or long function, in a thread."""
    return await trio.to_thread.run_sync(work)
