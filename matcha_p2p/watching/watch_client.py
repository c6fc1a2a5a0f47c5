"""A watcher's side: a game, each item of it verified, and the links by which it comes."""

from collections.abc import AsyncIterable, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeAlias

import trio

from matcha_p2p.chain.archive import ITEM_LIMIT, MAGIC, SIZE_LIMIT, encode_archive
from matcha_p2p.chain.verify import Report, Verdict, Verification
from matcha_p2p.errors import Check, CheckError, EncodingError, HandshakeError, LinkError
from matcha_p2p.language import sentence_of
from matcha_p2p.session.connection.line import LOST_AFTER
from matcha_p2p.session.reconnect import GROWTH, LONGEST_PAUSE
from matcha_p2p.transport.framing import Frame, Kind, encode_frame
from matcha_p2p.transport.link import Link
from matcha_p2p.watching.watch_host import keep_alive
from matcha_p2p.wire.talk import Visibility
from matcha_p2p.wire.watching import (
    Come,
    Dismissal,
    decode_dismissal,
    decode_sight,
    encode_come,
)

FIRST_PAUSE: Final = 1.0
"""Seconds from a link that has ended to the first try to come again."""

_UNREADABLE: Final = "The other player's program sent an unreadable message."

READ_AHEAD: Final = 1000
"""Frames that are read while earlier ones are verified: at the end of a game the host waits for
none of that."""

AWAY_LIMIT: Final = 600.0
"""Seconds after which a watcher gives up. A link that ends within ``LONGEST_PAUSE`` and brings
nothing of the game is a try in vain."""


class WatchedGame:
    """What a watcher has of a game; every item was verified before it was added.

    report: on all items but one that is being taken, in a thread.
    """

    def __init__(self) -> None:
        self._verification: Final = Verification()
        self._frames: Final[dict[Kind, list[bytes]]] = {Kind.MSG: [], Kind.REC: []}
        self._size = len(MAGIC)
        self.report: Report = self._verification.report()

    @property
    def items(self) -> tuple[int, int]:
        """How many entries and records there are."""
        return self._verification.entries, self._verification.records

    def take(self, frame: Frame) -> None:
        """Verify and add an entry or a record. This takes up to 0.1 s.

        Raises:
            CheckError: it is not sound, or more than a game can have (E_LIMIT).
        """
        size = self._size + len(encode_frame(frame))
        if sum(self.items) >= ITEM_LIMIT or size > SIZE_LIMIT:
            raise EncodingError(Check.LIMIT, "a game has no end")
        self._verification.take(frame)
        self._frames[frame.kind].append(frame.payload)
        self._size = size
        self.report = self._verification.report()

    @property
    def over(self) -> bool:
        """Whether nothing more is owed in the game."""
        return self.report.verdict in (Verdict.COMPLETE, Verdict.RESIGNED)

    @property
    def transcript(self) -> bytes:
        """The file of the game, as far as it was seen."""
        return encode_archive(self._frames[Kind.MSG], self._frames[Kind.REC])


@dataclass(frozen=True, slots=True)
class HostReached:
    """There is a link to the host."""


@dataclass(frozen=True, slots=True)
class Away:
    """The link has ended, and another one is sought. why: a sentence."""

    why: str


@dataclass(frozen=True, slots=True)
class Grown:
    """There is more of the game."""


@dataclass(frozen=True, slots=True)
class SightTold:
    """The host says what watchers see."""

    sight: Visibility


WatchNews: TypeAlias = HostReached | Away | Grown | SightTold
TellWatch: TypeAlias = Callable[[WatchNews], None]
Dial: TypeAlias = Callable[[], Awaitable[Link]]
"""Makes a link to the host; raises LinkError or HandshakeError."""


class _Seeking:
    """Seeks a host whose link has ended: the longer in vain, the slower, and not for ever."""

    def __init__(self, dial: Dial) -> None:
        self._dial: Final = dial
        self._pause = FIRST_PAUSE
        self._until = trio.current_time() + AWAY_LIMIT

    async def find(self, failure: LinkError | HandshakeError) -> Link:
        """Return a new link. failure: why the last one has ended.

        Raises:
            LinkError, HandshakeError: the time is over; the last failure.
        """
        with trio.move_on_at(self._until):
            while True:
                pause, self._pause = self._pause, min(self._pause * GROWTH, LONGEST_PAUSE)
                await trio.sleep(pause)
                try:
                    return await self._dial()
                except (LinkError, HandshakeError) as error:
                    failure = error
        raise failure


class WatchClient:
    """Watches one game, by one link after the other.

    token: 16 random bytes, by which the host knows who comes again. Of ``game`` only what is
    lacking is sent then.
    """

    def __init__(
        self, dial: Dial, token: bytes, name: str, game: WatchedGame, tell: TellWatch
    ) -> None:
        self._dial: Final = dial
        self._token: Final = token
        self._name: Final = name
        self._game: Final = game
        self._tell: Final = tell

    async def run(self) -> Dismissal:
        """Watch until the host ends it, or the game is over; return why.

        Raises:
            LinkError, HandshakeError: the host was never reached, or not again.
            CheckError: the host has shown what is no game.
        """
        link = await self._dial()
        seeking: _Seeking | None = None
        while True:
            began, had = trio.current_time(), self._game.items
            self._tell(HostReached())
            try:
                return await self._attend(link)
            except LinkError as error:
                if self._game.over:
                    return Dismissal.DONE
                failure = error
            finally:
                with trio.CancelScope(shield=True):
                    await link.aclose()
            self._tell(Away(sentence_of(failure)))
            useful = self._game.items != had or trio.current_time() - began >= LONGEST_PAUSE
            if seeking is None or useful:
                seeking = _Seeking(self._dial)
            link = await seeking.find(failure)

    async def _attend(self, link: Link) -> Dismissal:
        """Say who comes, and take what is shown; return why the host ends it."""
        entries, records = self._game.items
        come = Come(self._token, self._name, entries, records)
        await link.send(Frame(Kind.CHAT, encode_come(come)))
        outcome: Dismissal | LinkError | CheckError
        ahead, frames = trio.open_memory_channel[Frame | LinkError](READ_AHEAD)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_alive, link)
            nursery.start_soon(_read, link, ahead)
            try:
                outcome = await self._watch(frames)
            except (LinkError, CheckError) as error:
                outcome = error
            nursery.cancel_scope.cancel()
        if isinstance(outcome, Dismissal):
            return outcome
        raise outcome

    async def _watch(self, frames: AsyncIterable[Frame | LinkError]) -> Dismissal:
        """Take frame after frame.

        Raises:
            LinkError: the line has ended, or what came cannot be read.
            CheckError: what is shown is no game.
        """
        async for frame in frames:
            match frame:
                case LinkError():
                    raise frame
                case Frame(Kind.MSG | Kind.REC):
                    await trio.to_thread.run_sync(self._game.take, frame)
                    self._tell(Grown())
                case Frame(Kind.CHAT, payload):
                    with suppress(EncodingError):
                        self._tell(SightTold(decode_sight(payload)))
                case Frame(Kind.BYE, payload):
                    with suppress(EncodingError):
                        return decode_dismissal(payload)
                case _:
                    pass
        raise LinkError(_UNREADABLE)


async def _read(link: Link, ahead: trio.MemorySendChannel[Frame | LinkError]) -> None:
    """Put every frame of ``link`` into ``ahead``, then why there are no more; hang up."""
    async with ahead:
        try:
            while True:
                frame = await _next_frame(link)
                await ahead.send(frame)
                if frame.kind is Kind.BYE:
                    break
        except LinkError as error:
            await ahead.send(error)
        await link.aclose()


async def _next_frame(link: Link) -> Frame:
    with trio.move_on_after(LOST_AFTER):
        try:
            return await link.receive()
        except EncodingError:
            raise LinkError(_UNREADABLE) from None
    raise LinkError(
        "No message from the other player for {seconds} s.", seconds=round(LOST_AFTER)
    )
