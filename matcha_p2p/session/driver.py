"""Runs a session: passes items to ``step``, and carries out the effects, with all the I/O.

Computing and writing run in a thread, so pings and the screen go on.
"""

import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final, Protocol, TypeAlias, TypeVar

import trio

from matcha_p2p.errors import EncodingError, JournalError, LinkError
from matcha_p2p.language import sentence_of
from matcha_p2p.session import news
from matcha_p2p.session import state as states
from matcha_p2p.session.connection.changes import Arrived, LineDown
from matcha_p2p.session.connection.line import LOST_AFTER, UNREADABLE
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.session import step, waits
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
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
    """Runs one game. If the disk fails, the game ends with DiskFailed."""

    def __init__(
        self, ledger: Ledger, sender: FrameSender, take: NextItem, inform: news.Announce
    ) -> None:
        self._ledger: Final = ledger
        self._sender: Final = sender
        self._take: Final = take
        self._inform: Final = inform
        self._deadlines: dict[news.Timeout, float] = {}

    async def begin(self, begun: states.Transition) -> states.SessionState:
        """Make the game that has ``begun`` durable, and carry out the first effects."""
        state, effects = begun
        return await self._perform(state, effects, begins=True)

    async def greet(self, state: states.SessionState) -> states.SessionState:
        """Go on from ``state`` until both seats have greeted each other, or until the end."""
        while isinstance(state, states.Greeting | states.HangingUp):
            state = await self._go_on(state)
        return state

    async def play(self, state: states.SessionState) -> states.SessionOver:
        """Go on from ``state`` until the session is over."""
        while not isinstance(state, states.SessionOver):
            state = await self._go_on(state)
        return state

    async def _go_on(self, state: states.SessionState) -> states.SessionState:
        item = await self._next(state)
        return await self._perform(*await in_thread(partial(step, state, item)))

    async def _perform(
        self,
        state: states.SessionState,
        effects: tuple[states.Effect, ...],
        *,
        begins: bool = False,
    ) -> states.SessionState:
        """Make the new part of the chain durable, then carry out the effects."""
        if begins or state.chain is not self._ledger.chain:
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


async def meet(
    begun: states.Transition, ledger: Ledger, link: Link
) -> tuple[states.SessionState, list[news.SessionNews]]:
    """Let two strangers greet each other on ``link``.

    Return the state after the greetings, and the news for the front end. If no game began, the
    state is SessionOver.
    """
    told: list[news.SessionNews] = []
    sender = _GreetingLink(link)
    driver = Driver(ledger, sender, sender.take, told.append)
    return await driver.greet(await driver.begin(begun)), told


class _GreetingLink:
    """A single link for the greetings: if the link breaks, no game is lost."""

    def __init__(self, link: Link) -> None:
        self._link: Final = link

    async def send(self, binding: Binding, frame: Frame) -> None:
        del binding
        with trio.move_on_after(LOST_AFTER) as patience, suppress(LinkError):
            await self._link.send(frame)  # the receiving side reports the error
        if patience.cancelled_caught:
            await self._link.aclose()

    async def hang_up(self, binding: Binding, why: str) -> None:
        del binding, why
        await self._link.aclose()

    async def take(self, deadline: float) -> news.Item | None:
        with trio.move_on_at(deadline):
            try:
                return Arrived(self._link.binding, await self._receive())
            except LinkError as error:
                return LineDown(sentence_of(error))
            except EncodingError:
                return LineDown(UNREADABLE())
        return None

    async def _receive(self) -> Frame:
        """Return the next frame of the game or goodbye; drop all other frames of the guest."""
        while True:
            frame = await self._link.receive()
            if frame.kind in (Kind.MSG, Kind.BYE):
                return frame


async def in_thread(work: Callable[[], T]) -> T:
    """Run ``work``, a blocking or long function, in a thread."""
    return await trio.to_thread.run_sync(work)
