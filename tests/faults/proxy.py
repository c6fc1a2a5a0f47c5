"""A wire between two places that can be cut, stalled and corrupted.

python -m tests.faults.proxy --seconds 8       The wait after a stall, and after a cut,
                                               until a game between two real ends goes on.
"""

import argparse
import math
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from ipaddress import IPv4Address
from pathlib import Path

import trio

from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.table.steps import begin as begin_matcha
from matcha_p2p.narration.news import News
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import LineUp
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.news import (
    Ending,
    Finished,
    Inbox,
    LineChanged,
    MakeMove,
    MoveDue,
    Terms,
)
from matcha_p2p.session.reconnect import Place
from matcha_p2p.session.series import Series
from matcha_p2p.session.step.step import begin
from matcha_p2p.transport.link import Link
from matcha_p2p.wire.talk import PeerAddresses
from tests.duel import chooser
from tests.harness import PSK, initiate, linked_roster, own_seat, respond

SEED = "proxy"
NAMES = ("seat0", "seat1")
ENDS = ("127.0.0.1", "127.0.0.1")
TOLD = ("127.0.0.2", "127.0.0.3")
"""The addresses told by the seats: there the proxies wait, on the same ports."""


class Proxy:
    """Passes bytes from one place to another, until a fault is set."""

    def __init__(self) -> None:
        self._flowing = trio.Event()
        self._flowing.set()
        self._refusing = False
        self._spoil = 0
        self._scopes: set[trio.CancelScope] = set()
        self.passed = 0
        self._passing = trio.Event()

    def stall(self) -> None:
        """Hold everything back, new connections too."""
        self._flowing = trio.Event()

    def cut(self) -> None:
        """Break every connection, and refuse new ones."""
        self._refusing = True
        for scope in self._scopes:
            scope.cancel()

    def mend(self) -> None:
        self._refusing = False
        self._flowing.set()

    def spoil(self) -> None:
        """Flip a bit of the next piece."""
        self._spoil = 1

    async def until_passed(self, count: int) -> None:
        """Wait until ``count`` bytes have gone through, either way."""
        while self.passed < count:
            self._passing = trio.Event()
            await self._passing.wait()

    async def serve(
        self,
        seat: int,
        port: int,
        task_status: trio.TaskStatus[object] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Lead each connection at the told address of ``seat`` on to the real address."""

        async def pass_on(near: trio.SocketStream) -> None:
            with trio.CancelScope() as scope:
                self._scopes.add(scope)
                async with near:
                    if not self._refusing:
                        await self._flowing.wait()
                        await self._connect(near, seat, port)
            self._scopes.discard(scope)

        await trio.serve_tcp(pass_on, port, host=TOLD[seat], task_status=task_status)

    async def join(self, near: trio.SocketStream, far: trio.SocketStream) -> None:
        """Pass bytes on in both directions, until an end closes or a cut comes."""
        async with near, far, trio.open_nursery() as nursery:

            async def pump(source: trio.SocketStream, sink: trio.SocketStream) -> None:
                with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                    while piece := await source.receive_some():
                        await self._flowing.wait()
                        await sink.send_all(self._spoiled(piece))
                        self.passed += len(piece)
                        self._passing.set()
                nursery.cancel_scope.cancel()

            nursery.start_soon(pump, near, far)
            nursery.start_soon(pump, far, near)

    async def _connect(self, near: trio.SocketStream, seat: int, port: int) -> None:
        try:
            far = await trio.open_tcp_stream(ENDS[seat], port)
        except OSError:
            return
        await self.join(near, far)

    def _spoiled(self, piece: bytes) -> bytes:
        if not self._spoil:
            return piece
        self._spoil = 0
        return piece[:-1] + bytes([piece[-1] ^ 1])


class Seat:
    """An end of a game over real sockets. places: the seats' addresses as told to the seat.

    As in a real game, the guest knows the way to the host from the beginning.
    """

    def __init__(self, number: int, folder: Path, places: Sequence[Place], think: float):
        self.number = number
        self.path = folder / str(number) / "journal"
        self.places = places
        self.think = think
        self.news: list[tuple[float, News]] = []
        self.ending: Ending | None = None

    async def play(self, link: Link) -> None:
        name = NAMES[self.number]
        secrets = own_seat(SEED, self.number, name).secrets
        roster = linked_roster(SEED, begin_matcha(EDITION_2015), NAMES)
        chain = Chain.begin(SEATS[self.number], secrets, PSK, roster)
        (peer,) = chain.others
        if self.number == 1:
            chain = chain.with_addresses(peer, way_of(self.places[0]))
        terms = Terms(name, "matcha", "2015", open_book=False)
        ledger = Ledger(self.path, chain)
        begun = begin(chain, terms, LineUp(link.binding, link.remote, peer))
        series = Series(ledger, terms, self.places[self.number], store=_store_nothing)
        told, heard = trio.open_memory_channel[News](math.inf)
        inbox = Inbox()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._decide, heard, inbox)
            async with told:
                self.ending = await series.play(begun, {peer: link}, told.send_nowait, inbox)
        self.transcript = ledger.chain.transcript
        ledger.close()

    async def _decide(self, heard: trio.MemoryReceiveChannel[News], inbox: Inbox) -> None:
        choose = chooser("uniform", f"proxy {self.number}")
        async for piece in heard:
            self.news.append((trio.current_time(), piece))
            if isinstance(piece, MoveDue):
                await trio.sleep(self.think)
                inbox.put(MakeMove(choose(piece.view)))

    def after(self, moment: float) -> float:
        """Return the seconds from ``moment`` to the next news of the game itself."""
        return min(
            time - moment
            for time, piece in self.news
            if time > moment and not isinstance(piece, LineChanged)
        )


async def _store_nothing(ledger: Ledger, ending: Finished) -> Path:
    raise AssertionError("nobody has offered another game")


def way_of(place: Place) -> PeerAddresses:
    assert place.port is not None
    return place.way(place.port)


async def play_through(
    folder: Path, trouble: Callable[[Proxy], Awaitable[None]], think: float = 0.05
) -> tuple[Seat, Seat]:
    """Play a game through a proxy; run ``trouble`` until the game ends. Return both ends."""
    proxy = Proxy()
    async with trio.open_nursery() as nursery:
        ports = [await _free_port() for _ in TOLD]
        for number, port in enumerate(ports):
            await nursery.start(proxy.serve, number, port)
        links = await _meet(ports[0])
        places = [
            Place((IPv4Address(told),), port, [end])
            for told, port, end in zip(TOLD, ports, ENDS, strict=True)
        ]
        host, guest = (Seat(number, folder, places, think) for number in (0, 1))
        nursery.start_soon(trouble, proxy)
        async with trio.open_nursery() as game:
            game.start_soon(host.play, links[0])
            game.start_soon(guest.play, links[1])
        nursery.cancel_scope.cancel()
    return host, guest


async def _free_port() -> int:
    (listener,) = await trio.open_tcp_listeners(0, host=ENDS[0])
    async with listener:
        return listener.socket.getsockname()[1]


async def _meet(port: int) -> tuple[Link, Link]:
    """Return both ends of the first link; all links lead through the proxy."""
    (listener,) = await trio.open_tcp_listeners(port, host=ENDS[0])
    ends: list[Link] = []

    async def answer() -> None:
        ends.append(await respond(await listener.accept(), PSK))

    async with listener, trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        dialled = await initiate(await trio.open_tcp_stream(TOLD[0], port), PSK)
    return ends[0], dialled


async def measure(folder: Path, seconds: float, kind: str) -> float:
    """Make trouble of ``kind``, stall or cut, for ``seconds``; return the wait afterwards."""
    mended = [0.0]

    async def trouble(proxy: Proxy) -> None:
        await proxy.until_passed(4_000)  # both have met: before that no game is to be resumed
        getattr(proxy, kind)()
        await trio.sleep(seconds)
        proxy.mend()
        mended[0] = trio.current_time()

    host, guest = await play_through(folder, trouble, think=0.03)
    assert isinstance(host.ending, Finished)
    assert isinstance(guest.ending, Finished)
    assert host.ending.ended == guest.ending.ended
    assert host.transcript == guest.transcript
    return max(host.after(mended[0]), guest.after(mended[0]))


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.proxy")
    parser.add_argument("--seconds", type=float, default=8.0)
    seconds = parser.parse_args(words).seconds
    waits = {}
    for kind in ("stall", "cut"):
        with tempfile.TemporaryDirectory() as folder:
            waits[kind] = trio.run(measure, Path(folder), seconds, kind)
        print(f"{kind} of {seconds:g} s: the game went on after {waits[kind]:.2f} s")
    return int(max(waits.values()) > 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
