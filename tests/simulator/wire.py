"""A network in memory: links that are late, stall, break or die, as TCP and a reconnect allow.

Within one link frames arrive whole and in order; after a break, chance decides how many frames
still arrive. Links have no order among each other: after one end has given a link up, the other
end may still get old frames.
"""

import math
import random
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import Protocol

import trio

from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.seats import MOST_SEATS, Seat
from matcha_p2p.transport.endpoints import Address, Endpoint
from matcha_p2p.transport.framing import Frame


class Owner(Protocol):
    """The program that holds an end of a link or a listener."""

    seat: Seat
    dead: bool
    address: IPv4Address
    ends: list["End"]
    listeners: list["Door"]

    def point(self, name: str) -> None: ...
    def words(self, frame: Frame, to: int) -> list[Frame]: ...
    def sending(self, frame: Frame) -> None: ...
    def hearing(self, frame: Frame) -> None: ...


@dataclass(frozen=True)
class Ended:
    """What arrives last."""

    why: str


class Stream:
    """One direction of a link. held_until: when what is on its way goes on."""

    def __init__(self, latency: Callable[[], float], room: int) -> None:
        self._latency = latency
        self._room = room
        self._items: deque[tuple[float, Frame | Ended]] = deque()
        self._changed = trio.Event()
        self._held_until = 0.0
        self._ended = False

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    def put(self, item: Frame | Ended) -> None:
        if self._ended:
            return
        last = self._items[-1][0] if self._items else 0.0
        self._items.append((max(last, trio.current_time() + self._latency()), item))
        self._ended = isinstance(item, Ended)
        self._wake()

    def reset(self, why: str, keep: int) -> None:
        """End now: of what is on its way only the first ``keep`` items still arrive."""
        while len(self._items) > keep:
            self._items.pop()
        self._ended = False
        self._held_until = min(self._held_until, trio.current_time())
        self.put(Ended(why))

    def hold(self, until: float) -> None:
        self._held_until = max(self._held_until, until)
        self._wake()

    @property
    def unread(self) -> int:
        return len(self._items)

    async def wait_for_room(self, closed: Callable[[], bool]) -> None:
        while len(self._items) >= self._room and not closed():
            await self._changed.wait()

    async def get(self, closed: Callable[[], bool]) -> Frame | Ended:
        """Return the next item when it has arrived; what ends the stream stays the next."""
        while True:
            if closed():
                return Ended("The connection is lost.")
            if not self._items:
                await self._changed.wait()
                continue
            at, item = self._items[0]
            due = max(at, self._held_until)
            if due > trio.current_time():
                with trio.move_on_at(due):
                    await self._changed.wait()
                continue
            if isinstance(item, Frame):
                self._items.popleft()
                self._wake()
            return item

    def arrived(self) -> Iterator[Frame]:
        """Take what else is there already."""
        while self._items:
            at, item = self._items[0]
            if not isinstance(item, Frame) or max(at, self._held_until) > trio.current_time():
                return
            self._items.popleft()
            yield item

    def close(self) -> None:
        self._wake()


class End:
    """One end of a link, with the interface of ``transport.link.Link``."""

    def __init__(self, owner: Owner, binding: bytes, rng: random.Random) -> None:
        self.owner = owner
        self.binding = binding
        self.peer: End
        self.incoming: Stream
        self.closed = False
        self.mute = False  # gone without a word: the machine is off
        self._rng = rng
        self._read: deque[Frame] = deque()
        owner.ends.append(self)

    @property
    def remote(self) -> Address:
        return self.peer.owner.address

    @property
    def round_trip(self) -> None:
        """Nothing is known, as where the system does not measure it."""

    async def send(self, frame: Frame) -> None:
        await trio.lowlevel.checkpoint()
        stream = self.peer.incoming
        try:
            await stream.wait_for_room(lambda: self.closed)
        except trio.Cancelled:
            self.close()  # nobody knows how much of it left
            raise
        for said in self.owner.words(frame, self.peer.owner.seat):
            if self.closed:
                raise LinkError("The connection is lost.")
            self.owner.sending(said)
            self.owner.point(f"send {said.kind.name}")
            if self.peer.closed and not self.peer.mute:
                self.incoming.put(Ended("The connection is lost."))
            stream.put(said)
            self.owner.point(f"sent {said.kind.name}")

    async def receive(self) -> Frame:
        """Return the next frame; what was read along with the one before outlives the link."""
        await trio.lowlevel.checkpoint()
        if not self._read:
            match await self.incoming.get(lambda: self.closed):
                case Ended(why):
                    raise LinkError(why)
                case frame:
                    self._read += (frame, *self.incoming.arrived())
        frame = self._read.popleft()
        self.owner.hearing(frame)
        return frame

    async def aclose(self) -> None:
        self.close()
        await trio.lowlevel.checkpoint()

    def close(self) -> None:
        """Hang up; closed with something unread, what was sent last may be lost."""
        if self.closed:
            return
        self.closed = True
        self.incoming.close()
        outgoing = self.peer.incoming
        outgoing.close()
        if self.incoming.unread:
            outgoing.reset("The connection is lost.", self._rng.randint(0, outgoing.unread))
        else:
            outgoing.put(Ended("The other program closed the connection."))

    def vanish(self) -> None:
        """Be gone without a word."""
        self.closed = self.mute = True


class Door:
    """A listening socket, with the interface of ``transport.listen.Listener``."""

    def __init__(self, owner: Owner, port: int) -> None:
        self.owner = owner
        self.port = port
        self.welcomes: Mapping[bytes, Callable[[End], Awaitable[None]]] = {}
        self.open = True
        owner.listeners.append(self)
        self._put, self._come = trio.open_memory_channel[tuple[float, bytes, End]](math.inf)

    def let_in(self, psk: bytes, end: End, at: float) -> None:
        self._put.send_nowait((at, psk, end))

    async def serve_each(
        self, welcomes: Mapping[bytes, Callable[[End], Awaitable[None]]]
    ) -> None:
        self.welcomes = welcomes
        try:
            while True:
                at, psk, end = await self._come.receive()
                await trio.sleep_until(at)
                await welcomes[psk](end)
        finally:
            self.close()

    def close(self) -> None:
        self.open = False
        while True:
            try:
                *_, late = self._come.receive_nowait()
            except trio.WouldBlock:
                return
            late.close()


class Network:
    """Who listens where, every link there is, and the weather."""

    def __init__(self, rng: random.Random, slowest: float, room: int) -> None:
        self._rng = rng
        self._slowest = slowest
        self._room = room
        self._doors: list[Door] = []
        self.ends: list[End] = []
        self.out_until = 0.0
        self.lossy = self.piped = 0.0
        self.linked_to_themselves = False
        self._rifts: dict[frozenset[int], float] = {}

    def latency(self) -> float:
        return self._slowest * self._rng.random() ** 2

    def link(self, dialling: Owner, answering: Owner) -> tuple[End, End]:
        binding = self._rng.randbytes(32)
        self.linked_to_themselves |= dialling is answering
        ends = End(dialling, binding, self._rng), End(answering, binding, self._rng)
        for end, other in (ends, ends[::-1]):
            end.peer = other
            end.incoming = Stream(self.latency, self._room)
        self.ends += ends
        return ends

    def listen(self, owner: Owner, port: int) -> Door:
        for door in self._doors:
            if door.open and (door.owner.address, door.port) == (owner.address, port):
                raise LinkError(f"Port {port} is in use.")
        door = Door(owner, port)
        self._doors = [d for d in self._doors if d.open] + [door]
        return door

    async def dial(self, owner: Owner, endpoints: Sequence[Endpoint], psk: bytes) -> End:
        for again in (1, 2, 4):  # as often as TCP tries to connect
            await trio.sleep(3 * self.latency() + 0.001)
            if trio.current_time() >= self.out_until:
                break
            await trio.sleep(again)
        door = self._door(endpoints)
        if self.piped and owner.listeners and self._rng.random() < self.piped:
            door = owner.listeners[-1]
        if trio.current_time() < self._rifts.get(frozenset({owner.seat, door.owner.seat}), 0.0):
            await trio.sleep_forever()  # until the caller gives up
        if psk not in door.welcomes:
            raise HandshakeError("Somebody answered who does not hold the secret.")
        ours, theirs = self.link(owner, door.owner)
        chance = self._rng.random()
        if chance < self.lossy:  # the last flight of the handshake is lost
            theirs.close()
            await trio.sleep_forever()
        door.let_in(psk, theirs, trio.current_time() + self.latency())
        if chance < 2 * self.lossy:  # time was up just then
            ours.close()
            await trio.sleep_forever()
        return ours

    def _door(self, endpoints: Sequence[Endpoint]) -> Door:
        for door in self._doors:
            here = Endpoint(door.owner.address, door.port) in endpoints
            if here and door.open and door.welcomes:
                return door
        raise LinkError("Nobody is there.")

    def _living(self) -> list[End]:
        self.ends = [e for e in self.ends if not (e.closed and e.peer.closed)]
        return self.ends

    def cut(self, notices: Sequence[bool], between: tuple[int, ...]) -> None:
        """Break every link between two of these seats.

        notices: by seat, whether it hears of it.
        """
        for end in self._living():
            if not {end.owner.seat, end.peer.owner.seat} <= {*between}:
                continue
            if notices[end.owner.seat]:
                end.incoming.reset(
                    "The connection is lost.", self._rng.randint(0, end.incoming.unread)
                )
            else:
                end.incoming.hold(math.inf)

    def stall(self, seconds: float, seats: Sequence[int]) -> None:
        """Let nothing arrive at ``seats`` for a while; what is repeated comes later still."""
        for end in self._living():
            if end.owner.seat in seats:
                backoff = self._rng.uniform(1.0, 1.5)
                end.incoming.hold(trio.current_time() + seconds * backoff)

    def rift(self, seconds: float, between: tuple[int, int]) -> None:
        """Let nothing pass between two seats for a while, nor a new link come about."""
        until = trio.current_time() + seconds
        self._rifts[frozenset(between)] = until
        for end in self._living():
            if {end.owner.seat, end.peer.owner.seat} == {*between}:
                end.incoming.hold(until)

    def black_out(self, seconds: float) -> None:
        """Let nothing arrive anywhere, and no new link come about."""
        self.out_until = max(self.out_until, trio.current_time() + seconds)
        self.stall(seconds, range(MOST_SEATS))
