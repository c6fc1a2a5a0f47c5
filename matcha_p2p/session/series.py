"""Several games of the same players over the same lines."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import trio

from matcha_p2p.errors import HomeError
from matcha_p2p.seats import Seat
from matcha_p2p.session import news
from matcha_p2p.session.connection.line import LOST_AFTER, PING_EVERY, Connection
from matcha_p2p.session.driver import Driver
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.reconnect import Neighbour, Place, Reconnect
from matcha_p2p.session.step.rematch import next_wins
from matcha_p2p.session.step.state import Transition
from matcha_p2p.session.step.step import begin_next
from matcha_p2p.session.storage.heard_knocks import StoredKnocks
from matcha_p2p.transport.framing import Frame
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.names import Binding

StoreGame: TypeAlias = Callable[[Ledger, news.Finished], Awaitable[Path]]
"""Stores a game that is over, and returns the path of the next game's journal.

Raises HomeError if the system refuses: then no next game begins.
"""

_LEAST_CHANGE: Final = 0.005
_MUCH: Final = 0.25
"""The change, in seconds and as a share, at which the time is told again."""


class Timed(Protocol):
    """A line that measures the time to the peer and back."""

    @property
    def round_trip(self) -> float | None:
        """Seconds; None if unknown."""
        ...


async def tell_time(line: Timed, inform: news.Announce) -> None:
    """Tell the time to the peer and back, and again after much change."""
    told = -1.0
    while True:
        await trio.sleep(PING_EVERY)
        now = line.round_trip
        if now is not None and abs(now - told) > max(_LEAST_CHANGE, told * _MUCH):
            told = now
            inform(news.LineTimed(now))


class Connections:
    """All connections of a seat, used like a single connection."""

    def __init__(self, lines: Sequence[Connection]) -> None:
        self._lines: Final = lines

    @property
    def round_trip(self) -> float | None:
        """The time to the slowest neighbour and back, in seconds; None if unknown."""
        known = [line.round_trip for line in self._lines if line.round_trip is not None]
        return max(known, default=None)

    async def send(self, binding: Binding, frame: Frame) -> None:
        """If ``binding`` names the newest link of a line, let ``frame`` go out there."""
        for line in self._lines:
            await line.send(binding, frame)

    async def hang_up(self, binding: Binding, why: str) -> None:
        """If ``binding`` names the newest link of a line, close it after its last frame."""
        for line in self._lines:
            await line.hang_up(binding, why)

    async def finish(self) -> None:
        """Send all unsent frames, the goodbyes too, for LOST_AFTER at most; close all links."""
        with trio.move_on_after(LOST_AFTER):
            async with trio.open_nursery() as nursery:
                for line in self._lines:
                    nursery.start_soon(line.finish)


class Series:
    """One player's side of the games.

    ledger: the ledger of the newest game. earlier: the number of games before. place: where the
    player can be reached.
    """

    def __init__(
        self, ledger: Ledger, terms: news.Terms, place: Place, store: StoreGame
    ) -> None:
        self.ledger = ledger
        self.earlier = 0
        self._place: Final = place
        self._store: Final = store
        self._terms = terms
        self._wins = (0,) * len(ledger.chain.seats)  # games won, by seat

    async def play(
        self,
        begun: Transition,
        neighbours: Mapping[Seat, Link | None],
        inform: news.Announce,
        inbox: news.Inbox,
    ) -> news.Ending:
        """Play from ``begun`` on.

        neighbours: the first link to each neighbour, if any; later links follow. inbox: brings
        items from the lines, and the player's choices. Return the last game's ending.
        """
        async with trio.open_nursery() as nursery:
            found = dict[Seat, Neighbour]()
            beside = dict.fromkeys(self.ledger.chain.beside - neighbours.keys())
            for seat, link in (*neighbours.items(), *beside.items()):
                links, came = trio.open_memory_channel[Link](1)
                connection = Connection(came, seat, beside=seat in beside)
                found[seat] = Neighbour(connection, links)
                if link is not None:
                    await links.send(link)
                nursery.start_soon(connection.run, inbox.post)
                if link is not None:
                    await connection.linked()
            lines = Connections([line.connection for line in found.values()])
            nursery.start_soon(tell_time, lines, inform)
            ending = await self._play_one(begun, lines, found, inbox, inform)
            while isinstance(ending, news.Finished) and ending.again is not None:
                try:
                    begun = await self._begin_next(ending, ending.again)
                except HomeError:  # the person is asked once the table closes
                    ending = ending._replace(again=None)
                    break
                seat = self.ledger.chain.seat
                others = (*self._wins[:seat], *self._wins[seat + 1 :])
                inform(news.NextGame((self._wins[seat], *others)))
                ending = await self._play_one(begun, lines, found, inbox, inform)
            if not isinstance(ending, news.DiskFailed):
                await lines.finish()
            nursery.cancel_scope.cancel()
        return ending

    async def _play_one(
        self,
        begun: Transition,
        lines: Connections,
        found: Mapping[Seat, Neighbour],
        inbox: news.Inbox,
        inform: news.Announce,
    ) -> news.Ending:
        """Play one game; return the ending."""
        driver = Driver(self.ledger, lines, inbox.take, inform)
        state = await driver.begin(begun)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._reconnect, found, inbox)
            over = await driver.play(state)
            nursery.cancel_scope.cancel()
        return over.ending

    async def _reconnect(self, found: Mapping[Seat, Neighbour], inbox: news.Inbox) -> None:
        """Look for a neighbour whenever the line needs another link.

        Links within this program are never made again: both ends stop together.
        """
        ledger = self.ledger
        apart = ledger.chain.apart
        for seat in found.keys() - apart:
            await found[seat].links.aclose()
        reconnect = Reconnect(
            lambda: ledger.chain,
            {seat: line for seat, line in found.items() if seat in apart},
            inbox,
            self._place,
            knocks=StoredKnocks(ledger.path.with_name("knocks")),
            patience=self._terms.patience,
        )
        await reconnect.run()

    async def _begin_next(self, ending: news.Finished, again: news.Again) -> Transition:
        """Store the finished game, and begin the next game."""
        before = self.ledger.chain
        self._terms = replace(self._terms, watchers=0)
        self._wins = next_wins(self._wins, before, ending)
        path = await self._store(self.ledger, ending)
        begun = await trio.to_thread.run_sync(partial(begin_next, before, self._terms, again))
        self.ledger = Ledger(path, begun[0].chain.empty, self.ledger.marks)
        self.earlier += 1
        return begun
