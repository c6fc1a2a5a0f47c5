"""Listens for guests with the psk, and stays silent to strangers (PEER#listening).

Strangers get no byte and cost no public-key operation. A stranger holds a slot for at most 5 s.
If all slots are full, the oldest connection gives way to a newcomer. Otherwise a flood of idle
connections would lock the guest out.
"""

import errno
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final, Protocol, Self, TypeAlias

import trio

from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.race import race
from matcha_p2p.transport.link import (
    Link,
    answer,
    hear_knock_of,
    notice_silence,
    remote_of,
)
from matcha_p2p.transport.names import Psk

DEFAULT_PORT: Final = 4717
PORTS_TRIED: Final = 16

KNOCK_DEADLINE: Final = 5.0
"""Seconds from the connection to the end of the handshake, however busy the line is."""

SLOTS: Final = 64
SLOTS_PER_BLOCK: Final = 8
HANDSHAKES_PER_SECOND: Final = 20

AddressBlock: TypeAlias = IPv4Network | IPv6Network
"""The source network of a connection: an IPv4 address or an IPv6 /64."""

MOST_KNOCKS: Final = 32_768
"""The most remembered first messages; a new message then empties the memory. Only a holder of
the psk can make new messages."""

_EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - guests come from anywhere
_NOT_ON_THIS_MACHINE: Final = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL}
_TOO_MANY_FILES: Final = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


class Slots:
    """A limited number of connections for a few seconds each; the oldest gives way."""

    def __init__(self, most: int, most_of_a_block: int, seconds: float) -> None:
        self._most: Final = most
        self._most_of_a_block: Final = most_of_a_block
        self._seconds: Final = seconds
        self._held: Final[dict[trio.CancelScope, AddressBlock]] = {}  # in order of arrival

    @contextmanager
    def hold(self, block: AddressBlock) -> Generator[Callable[[], None]]:
        """Hold a slot for the body.

        If time is up or a newcomer needs the slot, the body is cancelled. Yields a function
        for giving the slot back early: then only time ends the body.
        """
        neighbours = [scope for scope, other in self._held.items() if other == block]
        if len(neighbours) >= self._most_of_a_block:
            self._evict(neighbours[0])
        elif len(self._held) >= self._most:
            self._evict(next(iter(self._held)))
        with trio.move_on_after(self._seconds) as scope:
            self._held[scope] = block
            try:
                yield lambda: self._give_back(scope)
            finally:
                self._give_back(scope)

    def _evict(self, scope: trio.CancelScope) -> None:
        self._give_back(scope)
        scope.cancel()

    def _give_back(self, scope: trio.CancelScope) -> None:
        self._held.pop(scope, None)


class Knocks(Protocol):
    """The memory of first messages, so that no message is answered twice."""

    def remember(self, knock: bytes) -> bool:
        """Take a first message; return whether it is new."""
        ...


class KnocksOfARun:
    """Remembers first messages as long as the program runs."""

    def __init__(self) -> None:
        self._heard: Final = set[bytes]()

    def remember(self, knock: bytes) -> bool:
        """Take a first message; return whether it is new."""
        new = knock not in self._heard
        if len(self._heard) >= MOST_KNOCKS:
            self._heard.clear()
        self._heard.add(knock)
        return new


Welcome: TypeAlias = Callable[[Link], Awaitable[None]]


class Listener:
    """Listening sockets, all on ``port``, that let in holders of a psk.

    knocks: the memory of answered first messages. Give ``knocks`` to the next listener for the
    same psks. A listener without the memory would answer a recorded first message.
    """

    def __init__(
        self, listeners: Sequence[trio.SocketListener], knocks: Knocks | None = None
    ) -> None:
        self._listeners: Final = tuple(listeners)
        self.port: Final[int] = listeners[0].socket.getsockname()[1]
        self._knocks: Final = KnocksOfARun() if knocks is None else knocks
        self._slots: Final = Slots(SLOTS, SLOTS_PER_BLOCK, KNOCK_DEADLINE)
        self._next_turn = -math.inf
        self._waiting = Counter[AddressBlock]()

    async def serve(self, psk: Psk, welcome: Welcome) -> None:
        """Let in the guests who prove to hold ``psk``, as ``serve_each``."""
        await self.serve_each({psk: welcome})

    async def serve_each(self, welcomes: Mapping[Psk, Welcome]) -> None:
        """Give a link to each guest who proves to hold a psk (32 bytes) of ``welcomes``.

        The psk finds the function that takes the link. Guests are welcomed side by side: a slow
        guest does not hold up the next. The function runs until cancelled, and then closes the
        listening sockets.
        """

        async def receive(stream: trio.SocketStream) -> None:
            found = await self._examine(stream, welcomes)
            if found is not None:
                link, welcome = found
                await welcome(link)

        await receive_all(self._listeners, receive)

    async def accept(self, psk: Psk) -> Link:
        """Return the link to the first guest who holds ``psk``, and close the sockets."""
        return await race(partial(self.serve, psk), close=Link.aclose)

    async def again(self, hosts: Sequence[str] | None) -> "Listener":
        """Listen at this port again, and answer no first message twice. hosts: as ``listen``.

        Raises:
            LinkError: the port is in use.
        """
        return await listen(self.port, hosts, self._knocks)

    def close(self) -> None:
        """Close the listening sockets."""
        for listener in self._listeners:
            listener.socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _examine(
        self, stream: trio.SocketStream, welcomes: Mapping[Psk, Welcome]
    ) -> tuple[Link, Welcome] | None:
        """Return a guest's link and welcome; for anybody else, close ``stream``."""
        found = None
        block = block_of(remote_of(stream))
        try:
            with self._slots.hold(block) as give_back:
                responder, knock, psk = await hear_knock_of(stream, welcomes)
                self._remember(knock)
                give_back()  # no stranger: however many come, they do not push this one out
                if await self._take_turn(block):
                    found = await answer(stream, responder), welcomes[psk]
                    notice_silence(stream)
        except (OSError, LinkError, HandshakeError):
            pass  # a stranger, or somebody who left: there is nobody to tell
        finally:
            if found is None:
                await trio.aclose_forcefully(stream)
        return found

    def _remember(self, knock: bytes) -> None:
        """Refuse a known knock: an eavesdropper can repeat a recorded knock."""
        if not self._knocks.remember(knock):
            raise HandshakeError("This knock repeats an earlier one.")

    async def _take_turn(self, block: AddressBlock) -> bool:
        """Wait until a twentieth of a second after the handshake before.

        If too many connections of ``block`` wait, or the wait would be too long, return False
        at once. So a holder of the secret who knocks without end cannot take all turns.
        """
        now = trio.current_time()
        turn = max(now, self._next_turn)
        if self._waiting[block] >= SLOTS_PER_BLOCK or turn - now >= KNOCK_DEADLINE:
            return False
        self._next_turn = turn + 1 / HANDSHAKES_PER_SECOND
        self._waiting[block] += 1
        try:
            await trio.sleep_until(turn)
        finally:
            self._waiting[block] -= 1
            self._waiting += Counter()  # forget those of whom none waits
        return True


async def listen(
    port: int | None = None,
    hosts: Sequence[str] | None = None,
    knocks: Knocks | None = None,
) -> Listener:
    """Listen on IPv4 and IPv6, or on ``hosts`` only.

    port: 1 .. 65535; 0 for any free port; None for 4717 or, if 4717 is taken, the next free
    port. hosts: addresses of this machine. knocks: the memory of an earlier listener for the
    same psk; None for an empty memory.

    Raises:
        LinkError: the port is in use, or the system does not let us have it.
    """
    ports = range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED) if port is None else (port,)
    return Listener(await open_sockets(ports, hosts), knocks)


async def open_sockets(
    ports: Sequence[int], hosts: Sequence[str] | None = None
) -> list[trio.SocketListener]:
    """Listen at the first free port of ``ports``, on ``hosts`` or all addresses.

    Raises:
        LinkError: all ports are in use, or the system refuses.
    """
    for candidate in ports:
        try:
            return await _bind(candidate, hosts)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise LinkError(
                    "Cannot listen on port {port}: {reason}.",
                    port=candidate,
                    reason=error.strerror,
                ) from error
    taken, free = ports[0], ports[-1] + 1
    raise LinkError(
        "Port {taken} is in use, perhaps by another matcha that is waiting. Use that matcha, "
        "or choose port {free}.",
        code="port-used",
        taken=taken,
        free=free,
    )


async def _bind(port: int, hosts: Sequence[str] | None) -> list[trio.SocketListener]:
    """Open a socket on each of ``hosts``, by default on each family of this machine."""
    opened: list[trio.SocketListener] = []
    try:
        for host in hosts or _EVERYWHERE:
            try:
                opened += await trio.open_tcp_listeners(port, host=host)
            except OSError as error:
                if hosts or error.errno not in _NOT_ON_THIS_MACHINE:
                    raise
            else:
                port = opened[0].socket.getsockname()[1]
    except OSError:
        for listener in opened:
            listener.socket.close()
        raise
    return opened


async def receive_all(
    listeners: Sequence[trio.SocketListener],
    receive: Callable[[trio.SocketStream], Awaitable[None]],
) -> None:
    """Give each connection to ``receive``, side by side, until cancelled; then close all."""

    async def listen_at(listener: trio.SocketListener) -> None:
        with closing(listener.socket):
            while True:
                nursery.start_soon(receive, await _next_connection(listener))

    async with trio.open_nursery() as nursery:
        for listener in listeners:
            nursery.start_soon(listen_at, listener)


async def _next_connection(listener: trio.SocketListener) -> trio.SocketStream:
    """Return the next connection; while too many are open, wait."""
    while True:
        try:
            return await listener.accept()
        except OSError as error:
            if error.errno not in _TOO_MANY_FILES:
                raise
            await trio.sleep(0.1)  # until some stranger's time is up


def block_of(address: IPv4Address | IPv6Address | None) -> AddressBlock:
    """Return the network of ``address``, or None without an address."""
    match address:
        case IPv6Address():
            return IPv6Network((address, 64), strict=False)
        case IPv4Address():
            return IPv4Network(address)
        case None:
            return IPv4Network(0)
