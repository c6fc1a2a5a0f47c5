"""The host's watchers, and what each may see (PEER#watching).

Watchers must not slow the players down. Each watcher has a task, takes entries of the chain at
their own speed, and shares one slow pace with all watchers. A watcher who takes no frame, sends
no sign of life, or sends any other frame is dropped.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

import trio

from matcha_p2p.errors import EncodingError, LinkError
from matcha_p2p.session.connection.line import LOST_AFTER
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.listen import Slots, block_of
from matcha_p2p.transport.pace import Pace
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
"""The most newcomers, in all and from one network, and the seconds for each newcomer."""

SEND_LIMIT: Final = 10.0
"""Seconds for the other end to take a frame of at most 16 KiB."""

PING_EVERY: Final = 5.0
PINGS: Final = (1.0, 20)
"""Pings that a watcher may send: a second, and beyond that at once."""

FRAMES: Final = (250.0, 2)
"""Frames for all watchers together: a second, and at once.

A frame takes some 60 µs of the host, so a message to the other player waits for two frames at
most.
"""

NOTICE_EVERY: Final = 5.0
"""Seconds, at least, between two notices to the players about the watchers.

Otherwise watchers who come and go would hold up the game: few frames of this kind are allowed a
second.
"""

FAREWELL_LIMIT: Final = 5.0
"""Seconds for watchers to take the last frames of a game, and to hang up.

If the host hung up first, a watcher's ping would meet a closed door, and destroy frames on
their way.
"""


@dataclass(frozen=True, slots=True, eq=False)
class _Seat:
    name: str
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)


class WatchHost:
    """The watchers of one game. most: how many may watch at once."""

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
        """The names of the watchers, in the order of arrival."""
        return tuple(seat.name for seat in self._seats.values())

    def show(self, shown: Published) -> None:
        """Let watchers have ``shown``; earlier frames stay with them."""
        if self._end is None:
            self._shown = shown
            self._stir()

    def close(self, why: Dismissal) -> None:
        """Send all watchers away, and admit no more.

        Watchers first get all frames shown now, unless a player has said no.
        """
        if self._end is None:
            self._end = why
            if why is Dismissal.CLOSED:
                self._shown = Published()
            self._stir()

    def _stir(self) -> None:
        """Wake up all tasks that wait for a change here."""
        self._changed.set()
        self._changed = trio.Event()

    async def closed(self) -> None:
        """Wait until the door is closed, and the watchers have gone or had FAREWELL_LIMIT."""
        while self._end is None:
            await self._changed.wait()
        with trio.move_on_after(FAREWELL_LIMIT):
            while self._seats:
                await self._changed.wait()

    async def see_off(self) -> None:
        """Close with LATER, for example because no guest came; wait for the watchers to go."""
        self.close(Dismissal.LATER)
        await self.closed()

    async def report(self, tell: Callable[[tuple[str, ...]], None]) -> None:
        """Tell the watchers' names after each change, at most every NOTICE_EVERY."""
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
        """Let the watcher at the other end of ``link`` watch, until either end stops."""
        try:
            with suppress(LinkError):
                come = await self._hear_come(link)
                if come is not None:
                    await self._entertain(link, come)
        finally:
            with trio.CancelScope(shield=True):
                await link.aclose()

    async def _hear_come(self, link: Link) -> Come | None:
        """Return the watcher's COME; if it is late or cannot be read, return None."""
        with self._newcomers.hold(block_of(link.remote)), suppress(EncodingError):
            frame = await link.receive()
            if frame.kind is Kind.COME:
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
        """Yield a seat, or None if the game is full; close a returning watcher's old link."""
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
        """Send all shown frames that the watcher lacks, as the game grows, to the end."""
        entries, records, sight, seated = come.entries, come.records, None, False
        while True:
            shown, end, changed = self._shown, self._end, self._changed
            if shown.sight is not sight:
                sight = shown.sight
                await _send(link, Frame(Kind.SIGHT, encode_sight(sight)))
            if shown.roster is not None and not seated:
                seated = True
                await _send(link, Frame(Kind.ROSTER, shown.roster.encoded))
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
        LinkError: the line has ended, or the other end does not take the frame in time.
    """
    with trio.move_on_after(SEND_LIMIT) as patience:
        await link.send(frame)
    if patience.cancelled_caught:
        raise LinkError("The other program accepts no data.")


async def keep_alive(link: Link) -> None:
    """Send a PING every few seconds until the line ends; the reading task notices the end.

    The times depend on nothing else: from a late PING a watcher could learn that a hidden card
    was laid.
    """
    with suppress(LinkError):
        while True:
            await trio.sleep(PING_EVERY)
            await _send(link, Frame(Kind.PING))


async def _overhear(link: Link, scope: trio.CancelScope) -> None:
    """Hear pings; if pings stop or are too many, or another frame comes, cancel ``scope``."""
    rate, burst = PINGS
    began, heard = trio.current_time(), 0
    while await _is_there(link):
        heard += 1
        if heard > burst + rate * (trio.current_time() - began):
            break
    scope.cancel()


async def _is_there(link: Link) -> bool:
    """Wait for a frame; return whether the frame is a PING."""
    with trio.move_on_after(LOST_AFTER), suppress(LinkError, EncodingError):
        return (await link.receive()).kind is Kind.PING
    return False
