"""Where those are who watch a game, at its host (SPEC#watching).

A watcher costs the players nothing that they notice. It has a task of its own, is sent what
the chain holds as fast as it takes that, shares one slow pace with the others, and is dropped
when it takes nothing, says nothing, or says anything but that it is there.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

import trio

from matcha_p2p.errors import EncodingError, LinkError
from matcha_p2p.session.connection.line import LOST_AFTER, Pace
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.listen import Slots, block_of
from matcha_p2p.watching.publish import Published
from matcha_p2p.wire.watching import (
    Come,
    Dismissal,
    decode_come,
    encode_dismissal,
    encode_sight,
)

NEWCOMERS: Final = 8
NEWCOMERS_OF_A_BLOCK: Final = 4
COME_LIMIT: Final = 10.0
"""How many may be on their way in: in all, from one network; and the seconds that each has."""

SEND_LIMIT: Final = 10.0
"""Seconds that the other end has to take a frame of at most 16 KiB."""

PING_EVERY: Final = 5.0
PINGS: Final = (1.0, 20)
"""Signs of life that a watcher may give: a second, and beyond that at once."""

FRAMES: Final = (250.0, 2)
"""Frames for all watchers together: a second, and at once. Each takes some 60 µs of the host,
so that what it says to the other player never waits for more than two of them."""

NOTICE_EVERY: Final = 5.0
"""Seconds, at least, between two notices to the players of who watches. Watchers who come and
go would else hold up the game: frames of that kind are few in a second."""

FAREWELL_LIMIT: Final = 5.0
"""Seconds that watchers have to take the last of a game, and to hang up. If the host did, a
sign of life of theirs would meet a closed door, and destroy what is on its way to them."""


@dataclass(frozen=True, slots=True, eq=False)
class _Seat:
    name: str
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)


class WatchHost:
    """The watchers of one game. most: how many there may be at once."""

    def __init__(self, most: int) -> None:
        self.most: Final = most
        self._seats: Final[dict[bytes, _Seat]] = {}
        self._shown = Published()
        self._end: Dismissal | None = None
        self._changed = trio.Event()
        self._newcomers: Final = Slots(NEWCOMERS, NEWCOMERS_OF_A_BLOCK, COME_LIMIT)
        self._pace: Final = Pace(*FRAMES)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of those who watch, in the order in which they came."""
        return tuple(seat.name for seat in self._seats.values())

    def show(self, shown: Published) -> None:
        """Let watchers have so much; what they have had already stays with them."""
        if self._end is None:
            self._shown = shown
            self._stir()

    def close(self, why: Dismissal) -> None:
        """Send watchers away, and let nobody in any more.

        They get what is shown now before, unless a player has said no.
        """
        if self._end is None:
            self._end = why
            if why is Dismissal.CLOSED:
                self._shown = Published()
            self._stir()

    def _stir(self) -> None:
        """Wake up whoever waits for something to change here."""
        self._changed.set()
        self._changed = trio.Event()

    async def closed(self) -> None:
        """Wait until it is closed, and all have gone or had their time for that."""
        while self._end is None:
            await self._changed.wait()
        with trio.move_on_after(FAREWELL_LIMIT):
            while self._seats:
                await self._changed.wait()

    async def see_off(self) -> None:
        """Send away who is still there, as when nobody has come to play; wait until they go."""
        self.close(Dismissal.LATER)
        await self.closed()

    async def report(self, tell: Callable[[tuple[str, ...]], None]) -> None:
        """Tell who watches whenever that has changed, not too often."""
        told: tuple[str, ...] = ()
        while True:
            changed = self._changed
            if self.names != told:
                told = self.names
                tell(told)
                await trio.sleep(NOTICE_EVERY)
            else:
                await changed.wait()

    async def welcome(self, link: Link) -> None:
        """Let whoever is at the other end of ``link`` watch, until one of the two ends it."""
        try:
            with suppress(LinkError):
                come = await self._hear_come(link)
                if come is not None:
                    await self._entertain(link, come)
        finally:
            with trio.CancelScope(shield=True):
                await link.aclose()

    async def _hear_come(self, link: Link) -> Come | None:
        """Return who comes; None if that is not said in time, or cannot be read."""
        with self._newcomers.hold(block_of(link.remote)), suppress(EncodingError):
            frame = await link.receive()
            if frame.kind is Kind.CHAT:
                return decode_come(frame.payload)
        return None

    async def _entertain(self, link: Link, come: Come) -> None:
        async with self._seated(come) as seat:
            if seat is None:
                await _send(link, Frame(Kind.BYE, encode_dismissal(Dismissal.FULL)))
                return
            with seat.scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(_overhear, link, nursery.cancel_scope)
                    nursery.start_soon(keep_alive, link)
                    with suppress(LinkError):
                        await self._show_all(link, come)
                    nursery.cancel_scope.cancel()

    @asynccontextmanager
    async def _seated(self, come: Come) -> AsyncGenerator[_Seat | None]:
        """Yield a seat, None if there is none; who comes again leaves the old one."""
        before = self._seats.get(come.token)
        if before is None and len(self._seats) >= self.most:
            yield None
            return
        if before is not None:
            before.scope.cancel()
        seat = self._seats[come.token] = _Seat(come.name)
        self._stir()
        try:
            yield seat
        finally:
            if self._seats.get(come.token) is seat:
                del self._seats[come.token]
                self._stir()

    async def _show_all(self, link: Link, come: Come) -> None:
        """Send what may be had and the watcher lacks, now and as it grows, to the end."""
        entries, records, sight = come.entries, come.records, None
        while True:
            shown, end, changed = self._shown, self._end, self._changed
            if shown.sight is not sight:
                sight = shown.sight
                await _send(link, Frame(Kind.CHAT, encode_sight(sight)))
            for frame in shown.since(entries, records):
                await self._pace.wait()
                await _send(link, frame)
            entries = max(entries, shown.count)
            records = max(records, len(shown.records))
            if end is not None:
                await _send(link, Frame(Kind.BYE, encode_dismissal(end)))
                await trio.sleep(FAREWELL_LIMIT)
                return
            await changed.wait()


async def _send(link: Link, frame: Frame) -> None:
    """Send ``frame``.

    Raises:
        LinkError: the line has ended, or the other end does not take it in time.
    """
    with trio.move_on_after(SEND_LIMIT) as patience:
        await link.send(frame)
    if patience.cancelled_caught:
        raise LinkError("The other program accepts no data.")


async def keep_alive(link: Link) -> None:
    """Send a PING every few seconds until the line ends; whoever receives notices that.

    Nothing else moves these times: a watcher would see from a late PING that a hidden card was
    laid.
    """
    with suppress(LinkError):
        while True:
            await trio.sleep(PING_EVERY)
            await _send(link, Frame(Kind.PING))


async def _overhear(link: Link, scope: trio.CancelScope) -> None:
    """Hear signs of life; cancel ``scope`` when they end, are too many, or are none."""
    rate, burst = PINGS
    began, heard = trio.current_time(), 0
    while await _is_there(link):
        heard += 1
        if heard > burst + rate * (trio.current_time() - began):
            break
    scope.cancel()


async def _is_there(link: Link) -> bool:
    """Wait for a sign of life; return whether it is one."""
    with trio.move_on_after(LOST_AFTER), suppress(LinkError, EncodingError):
        return (await link.receive()).kind is Kind.PING
    return False
