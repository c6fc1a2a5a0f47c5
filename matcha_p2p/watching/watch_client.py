"""A watcher's side: a game with verified items, and the links to the host."""

from collections.abc import AsyncIterable, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeAlias

import trio

from matcha_p2p import errors
from matcha_p2p.chain.archive import ITEM_LIMIT, MAGIC, SIZE_LIMIT, encode_archive
from matcha_p2p.chain.verify import Report, Verdict, Verification
from matcha_p2p.games import find, game_of
from matcha_p2p.language import sentence_of
from matcha_p2p.session.connection.line import LOST_AFTER
from matcha_p2p.session.reconnect import GROWTH, LONGEST_PAUSE
from matcha_p2p.transport.framing import Frame, Kind, encode_frame
from matcha_p2p.transport.link import Link
from matcha_p2p.watching.watch_host import keep_alive
from matcha_p2p.wire import watching as wire_watching
from matcha_p2p.wire.roster import Roster, parse_roster

FIRST_PAUSE: Final = 1.0
"""Seconds from the end of a link to the first try to return."""

_UNREADABLE: Final = "The host's program sent an unreadable message."

READ_AHEAD: Final = 1000
"""Frames that are read while earlier frames are verified.

So at the end of a game the host does not wait for the verification.
"""

AWAY_LIMIT: Final = 600.0
"""Seconds after which a watcher gives up.

A link that ends within ``LONGEST_PAUSE``, without new items, is a try in vain.
"""


class WatchedGame:
    """A watcher's copy of a game; every item was verified before the copy took it in.

    report: on all items, except an item that a thread is still verifying. roster: who
    sits where, once the host has shown it.
    """

    def __init__(self) -> None:
        self._verification: Final = Verification()
        self._frames: Final[dict[Kind, list[bytes]]] = {Kind.MSG: [], Kind.REC: []}
        self._size = len(MAGIC)
        self.report: Report = self._verification.report()
        self.roster: Roster | None = None

    @property
    def items(self) -> tuple[int, int]:
        """The number of entries, and of records."""
        return self._verification.entries, self._verification.records

    def take(self, frame: Frame) -> None:
        """Verify and add an entry, a record or the roster. This takes up to 0.1 s.

        Raises:
            CheckError: the item is not sound, or more than a game can have (E_LIMIT).
        """
        size = self._size + len(encode_frame(frame))
        if sum(self.items) >= ITEM_LIMIT or size > SIZE_LIMIT:
            raise errors.EncodingError(errors.Check.LIMIT, "a game has no end")
        if frame.kind is Kind.ROSTER:
            self._take_roster(frame)
            return
        self._verification.take(frame)
        self._frames[frame.kind].append(frame.payload)
        self._size = size
        self.report = self._verification.report()

    def _take_roster(self, frame: Frame) -> None:
        """Take the roster, which comes before all entries, and again on each link.

        Raises:
            CheckError: the roster is faulty, or another than before.
            UnknownGameError: the game is not installed.
        """
        if self.roster is not None and self.roster.encoded == frame.payload:
            return
        if self.roster is not None:
            raise errors.ProofError(
                errors.Check.ROSTER, "the game has begun under another roster"
            )
        roster = parse_roster(frame.payload)
        game = roster.game
        game_of(game.name)
        if find(game.name, game.variant, len(roster.seats)) is None:
            raise errors.ProofError(errors.Check.GAME, "this program does not know the game")
        self._verification.take(frame)
        self.roster = roster
        self._size += len(encode_frame(frame))

    @property
    def over(self) -> bool:
        """Whether the game owes no further entry."""
        return self.report.verdict in (Verdict.COMPLETE, Verdict.RESIGNED)

    @property
    def transcript(self) -> bytes:
        """The file of the game, as far as the watcher has seen."""
        if self.roster is None:
            raise RuntimeError("the host has shown nothing of the game")
        return encode_archive(self._frames[Kind.MSG], self._frames[Kind.REC], self.roster)


@dataclass(frozen=True, slots=True)
class HostReached:
    """A link leads to the host."""


@dataclass(frozen=True, slots=True)
class Away:
    """The link has ended, and the watcher seeks another link. why: a sentence."""

    why: str


@dataclass(frozen=True, slots=True)
class Grown:
    """There is more of the game."""


@dataclass(frozen=True, slots=True)
class SightTold:
    """The host says what watchers see."""

    sight: wire_watching.Visibility


WatchNews: TypeAlias = HostReached | Away | Grown | SightTold
TellWatch: TypeAlias = Callable[[WatchNews], None]
Dial: TypeAlias = Callable[[], Awaitable[Link]]
"""Makes a link to the host; raises LinkError or HandshakeError."""


class _Seeking:
    """Seeks a lost host, with growing pauses, until a time limit."""

    def __init__(self, dial: Dial) -> None:
        self._dial: Final = dial
        self._pause = FIRST_PAUSE
        self._until = trio.current_time() + AWAY_LIMIT

    async def find(self, failure: errors.LinkError | errors.HandshakeError) -> Link:
        """Return a new link. failure: why the last link has ended.

        Raises:
            LinkError, HandshakeError: the time is over; the last failure.
        """
        with trio.move_on_at(self._until):
            while True:
                pause, self._pause = self._pause, min(self._pause * GROWTH, LONGEST_PAUSE)
                await trio.sleep(pause)
                try:
                    return await self._dial()
                except (errors.LinkError, errors.HandshakeError) as error:
                    failure = error
        raise failure


class WatchClient:
    """Watches one game, over one link after the other.

    token: 16 random bytes, by which the host recognises a returning watcher. The host then
    sends only the missing items of ``game``.
    """

    def __init__(
        self, dial: Dial, token: bytes, name: str, game: WatchedGame, tell: TellWatch
    ) -> None:
        self._dial: Final = dial
        self._token: Final = token
        self._name: Final = name
        self._game: Final = game
        self._tell: Final = tell

    async def run(self) -> wire_watching.Dismissal:
        """Watch until the host ends the watching, or the game is over; return why.

        Raises:
            LinkError, HandshakeError: the host was never reached, or not again.
            CheckError: the host has shown a faulty game.
            UnknownGameError: the game is not installed.
        """
        link = await self._dial()
        seeking: _Seeking | None = None
        while True:
            began, had = trio.current_time(), self._game.items
            self._tell(HostReached())
            try:
                return await self._attend(link)
            except errors.LinkError as error:
                if self._game.over:
                    return wire_watching.Dismissal.DONE
                failure = error
            finally:
                with trio.CancelScope(shield=True):
                    await link.aclose()
            self._tell(Away(sentence_of(failure)))
            useful = self._game.items != had or trio.current_time() - began >= LONGEST_PAUSE
            if seeking is None or useful:
                seeking = _Seeking(self._dial)
            link = await seeking.find(failure)

    async def _attend(self, link: Link) -> wire_watching.Dismissal:
        """Introduce this watcher, and take all frames; return why the host ends watching."""
        entries, records = self._game.items
        come = wire_watching.Come(self._token, self._name, entries, records)
        await link.send(Frame(Kind.COME, wire_watching.encode_come(come)))
        outcome: wire_watching.Dismissal | errors.MatchaError
        ahead, frames = trio.open_memory_channel[Frame | errors.LinkError](READ_AHEAD)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_alive, link)
            nursery.start_soon(_read, link, ahead)
            try:
                outcome = await self._watch(frames)
            except (errors.LinkError, errors.CheckError, errors.UnknownGameError) as error:
                outcome = error
            nursery.cancel_scope.cancel()
        if isinstance(outcome, wire_watching.Dismissal):
            return outcome
        raise outcome

    async def _watch(
        self, frames: AsyncIterable[Frame | errors.LinkError]
    ) -> wire_watching.Dismissal:
        """Take frame after frame.

        Raises:
            LinkError: the line has ended, or a frame cannot be read.
            CheckError: the host has shown a faulty game.
            UnknownGameError: the game is not installed.
        """
        async for frame in frames:
            match frame:
                case errors.LinkError():
                    raise frame
                case Frame(Kind.MSG | Kind.REC | Kind.ROSTER):
                    await trio.to_thread.run_sync(self._game.take, frame)
                    self._tell(Grown())
                case Frame(Kind.SIGHT, payload):
                    with suppress(errors.EncodingError):
                        self._tell(SightTold(wire_watching.decode_sight(payload)))
                case Frame(Kind.BYE, payload):
                    with suppress(errors.EncodingError):
                        return wire_watching.decode_dismissal(payload)
                case _:
                    pass
        raise errors.LinkError(_UNREADABLE)


async def _read(link: Link, ahead: trio.MemorySendChannel[Frame | errors.LinkError]) -> None:
    """Put every frame of ``link`` into ``ahead``, then the error at the end, and hang up."""
    async with ahead:
        try:
            while True:
                frame = await _next_frame(link)
                await ahead.send(frame)
                if frame.kind is Kind.BYE:
                    break
        except errors.LinkError as error:
            await ahead.send(error)
        await link.aclose()


async def _next_frame(link: Link) -> Frame:
    with trio.move_on_after(LOST_AFTER):
        try:
            return await link.receive()
        except errors.EncodingError:
            raise errors.LinkError(_UNREADABLE) from None
    raise errors.LinkError(
        "The host has been silent for {seconds} s.", seconds=round(LOST_AFTER)
    )
