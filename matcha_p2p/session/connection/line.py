"""The connection to the peer over many links: the newest counts (PEER#resume).

A link can die silently, so both ends send pings. If no frame comes, the front end is told, and
another link is sought while the old link stays open. Frames sent while the line is broken are
lost. The loss does no harm, because the next link begins by comparing chains.
"""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import trio

from matcha_p2p.errors import EncodingError, LinkError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection import changes
from matcha_p2p.session.connection.word_kinds import BY_FRAME
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.names import Binding
from matcha_p2p.transport.pace import Pace
from matcha_p2p.wire.said import author_of

PING_EVERY: Final = 2.0
QUIET_AFTER: Final = 6.0
"""Seconds without a frame, three pings, after which another link is wanted."""

LOST_AFTER: Final = 45.0
"""Seconds without a frame, or with a frame the peer does not take, until a link is lost."""

TAKEN_IN: Final = 0.5
"""Seconds the peer may take for a frame.

Time beyond this is added up; LOST_AFTER closes the link.

Otherwise a peer could ask for the whole game, and take each frame at the last moment.
"""

MOST_UNSENT: Final = 65_536
"""Frames that wait for a link; one more closes the link.

A whole game fits. The entries and records that wait are the bytes of the game's chain, so they
take no memory of their own. Words, which come at the RATES, have at most 1 kB or so each.
"""

RATES: Final = {
    Kind.MSG: (100, 1000),
    Kind.REC: (10, 100),
    Kind.WAYS: (1, 5),
    Kind.SYNC: (1, 5),
    Kind.PING: (20, 200),
    Kind.BYE: (1, 5),
    Kind.ROSTER: (1, 5),
    Kind.LOBBY: (1, 5),
    Kind.COME: (1, 5),
    Kind.SIGHT: (1, 5),
    **{kind: row.rate for kind, row in BY_FRAME.items()},
}
"""Frames accepted from the peer: a second, and at once. More are delayed.

Words count for each author apart. Each ASK is answered by a HERE of every other
seat. A thousand entries are a whole long game, repeated after a cut.
"""

RELAYED: Final = 2
"""How many times as many words of a seat may come at once by way of another seat.

The peer may have waited for the words itself, and pass them on faster.
"""

READ_AHEAD: Final = 1000
"""Frames, of at most 16 KiB, to read while the session is busy.

Otherwise the peer would count as late in taking frames while the session checks proofs.
"""

_NO_LINK: Final = Sentence("No connection could be made.")
UNREADABLE: Final = Sentence("The program at the other end sent an unreadable message.")
_SILENCE: Final = Sentence("No message has come for {seconds} s.")


Post: TypeAlias = Callable[[changes.LineItem], Awaitable[None]]


class Connection:
    """The links to the peer, used like a single connection.

    seat: the peer's, told with each change of the line. beside: whether the links are direct
    links of two guests.
    """

    def __init__(
        self,
        links: trio.MemoryReceiveChannel[Link],
        seat: Seat,
        *,
        beside: bool = False,
    ) -> None:
        self._links: Final = links
        self.seat: Final = seat
        self.beside: Final = beside
        self._link: Link | None = None
        self._linked: Final = trio.Event()
        self._trouble = trio.Event()
        self._trouble.set()
        self._why = _NO_LINK()
        self._given_up = ""  # why we ended the newest link, or ""
        self._unsent: trio.MemorySendChannel[Frame] | None = None  # for the newest link
        self._written = trio.Event()  # whether the newest link takes no more of our frames
        self._paces: Final = dict[tuple[Kind, int | None], Pace]()

    async def linked(self) -> None:
        """Wait for the first link; frames sent before are lost."""
        await self._linked.wait()

    async def trouble(self) -> None:
        """Wait until another link is wanted: the line has no link, or the link is quiet."""
        await self._trouble.wait()

    @property
    def troubled(self) -> bool:
        """Whether another link is wanted."""
        return self._trouble.is_set()

    @property
    def round_trip(self) -> float | None:
        """The time to the peer and back, in seconds; None if unknown."""
        return None if self._link is None else self._link.round_trip

    async def send(self, binding: Binding, frame: Frame) -> None:
        """If ``binding`` names the newest link, let ``frame`` follow the other frames there.

        Otherwise do nothing. The caller never waits, so a slow peer delays no other neighbour.
        ``run`` reports a broken link, a link whose peer is 45 s late in taking frames, and a
        link with MOST_UNSENT frames unsent.
        """
        link, unsent = self._link, self._unsent
        if link is None or unsent is None or link.binding != binding:
            return
        try:
            unsent.send_nowait(frame)
        except trio.WouldBlock:
            await link.aclose()
        except (trio.ClosedResourceError, trio.BrokenResourceError):
            pass  # the link has ended, or ends after an earlier frame

    async def hang_up(self, binding: Binding, why: str) -> None:
        """If ``binding`` names the newest link, close the link after its last frame.

        why: a sentence.
        """
        link, unsent = self._link, self._unsent
        if link is not None and unsent is not None and link.binding == binding:
            self._given_up = why
            unsent.close()

    async def finish(self) -> None:
        """Send all unsent frames on the newest link, and close the link."""
        if self._unsent is not None:
            self._unsent.close()
            await self._written.wait()

    async def abandon(self, port: int) -> None:
        """If the link uses our ``port``, close the link at once, without a word.

        The next link can then use the same pair of ports.
        """
        link = self._link
        if link is not None and link.port == port:
            await link.abort()

    async def run(self, post: Post) -> None:
        """Give every frame and every change of the line to ``post``."""
        async with trio.open_nursery() as nursery:
            async for link in self._links:
                nursery.start_soon(self._serve, link, post)
        await post(changes.LineEnded(self._why, self.seat))

    async def _serve(self, link: Link, post: Post) -> None:
        """Make ``link`` the newest, until it ends or another link replaces it."""
        before, self._link = self._link, link
        self._unsent, frames = trio.open_memory_channel[Frame](MOST_UNSENT)
        self._written = written = trio.Event()
        self._linked.set()
        self._given_up = ""
        self._calm()
        ahead, items = trio.open_memory_channel[changes.LineItem](READ_AHEAD)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_write, link, frames, written)
                if before is not None:
                    await before.aclose()
                up = changes.LineUp(link.binding, link.remote, self.seat, self.beside)
                await post(up)
                nursery.start_soon(self._read, link, ahead)
                async for item in items:
                    await post(item)
                nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                await link.aclose()
        if self._link is link:
            self._link = None
            await post(changes.LineDown(self._why, self.seat))

    async def _read(self, link: Link, ahead: trio.MemorySendChannel[changes.LineItem]) -> None:
        """Put every frame of ``link`` into ``ahead``, until the link ends."""
        async with ahead, trio.open_nursery() as nursery:
            nursery.start_soon(_ping, link)
            why = await self._receive(link, ahead.send)
            if self._link is link:
                self._why = self._given_up or why
                self._trouble.set()
            nursery.cancel_scope.cancel()

    async def _let_in(self, frame: Frame) -> bool:
        """Wait until ``frame`` is allowed; return False for too many words of another seat.

        If those words waited, so would all later frames of the peer, which only relays them.
        """
        rate, burst = RATES[frame.kind]
        author = author_of(frame.payload) if frame.kind in BY_FRAME else None
        relayed = author not in (None, self.seat)
        most = RELAYED * burst if relayed else burst
        pace = self._paces.setdefault((frame.kind, author), Pace(rate, most))
        if relayed:
            return pace.take()
        await pace.wait()
        return True

    def _calm(self) -> None:
        """Note that the link is sound: no other link is wanted."""
        if self._trouble.is_set():
            self._trouble = trio.Event()

    async def _receive(self, link: Link, post: Post) -> str:
        """Put every frame of ``link`` into ``post``; return why the frames end."""
        silent_since = trio.current_time()
        while True:
            frame = None
            with trio.move_on_after(QUIET_AFTER):
                try:
                    frame = await link.receive()
                except LinkError as error:
                    return sentence_of(error)
                except EncodingError:
                    return UNREADABLE()
            if frame is not None:
                silent_since = trio.current_time()
                if self._link is link and self.troubled:
                    self._calm()
                    await post(changes.LineHeard(self.seat))
                let_in = await self._let_in(frame)
                if let_in and (frame.kind is not Kind.PING or frame.payload):
                    await post(changes.Arrived(link.binding, frame))
                continue
            silence = trio.current_time() - silent_since
            if silence >= LOST_AFTER:
                return _SILENCE(seconds=round(LOST_AFTER))
            if self._link is link:
                self._trouble.set()
                await post(changes.LineQuiet(silence, self.seat))


async def _write(
    link: Link, frames: trio.MemoryReceiveChannel[Frame], written: trio.Event
) -> None:
    """Send ``frames`` on ``link``, then close the link. A peer that is too late ends both."""
    behind = 0.0  # seconds by which the peer is late in taking our frames
    try:
        async with frames:
            async for frame in frames:
                began = trio.current_time()
                patience = max(0.0, LOST_AFTER - behind)  # the clock may have jumped
                with trio.move_on_after(patience) as limit:
                    await link.send(frame)
                if limit.cancelled_caught:
                    break
                behind = max(0.0, behind + trio.current_time() - began - TAKEN_IN)
        await link.aclose()
    except LinkError:
        pass  # the receiving task reports the error
    finally:
        written.set()


async def _ping(link: Link) -> None:
    """Send a ping every PING_EVERY seconds."""
    while True:
        try:
            await link.send(Frame(Kind.PING))
        except LinkError:
            return  # the receiving task reports the error
        await trio.sleep(PING_EVERY)
