"""Two who cannot dial each other dial at the same time, each through a hole of its own making.

A firewall that lets nobody in lets the answer to somebody in whom its own side has dialled. So
both dial, from a port that the other knows, again and again: two dials that cross are one
connection (simultaneous open, RFC 9293), and one that is later finds the way open. Where dials
are refused rather than ignored, one that arrives between two tries of the other is refused by
the other's machine, and that may shut the way for minutes (Linux' conntrack stays in
SYN_SENT2). So seat 0 mostly dials with so few hops that the dial opens its own side and dies
before the other's, and takes what seat 1 dials.

On this connection seat 1 speaks first, whoever dialled; seat 0 says not a byte to anybody who
does not hold the psk. Source: SPEC#punching.
"""

import errno
import random
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import cycle
from types import TracebackType
from typing import Final, Self, TypeAlias

import trio

from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.link import (
    ABORTIVE,
    Link,
    answer,
    confirm,
    deliver_last_words,
    hear_knock,
    knock,
)
from matcha_p2p.transport.listen import Knocks, KnocksOfARun
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.noise import Channel

PUNCH_LIMIT: Final = 600.0
"""Seconds for which two try; nobody is dialled for longer because of a code."""

MOST_TARGETS: Final = 3
DIAL_EVERY: Final = 0.6
"""How many endpoints seat 0 dials, and seconds between the beginnings of two of its tries.

A try is a packet; each fifth, which goes all the way for 3 s, is two. So on average there are
no more than two a second, whoever has made us dial.
"""

MOST_SLOWLY: Final = 8


@dataclass(frozen=True, slots=True)
class _Tempo:
    """How seat 0 dials: seconds between the beginnings of two tries, and for a try.

    short: for one with few hops; the system repeats the dial after a second, all the way.
    """

    every: float
    short: float
    full: float


_AWAITED: Final = _Tempo(DIAL_EVERY, 0.9, 3.0)
_SOME_TIME: Final = _Tempo(4.0, 30.0, 30.0)  # at most five packets in 4 s, to all together

_GUEST_TRY: Final = 4.0
_LISTEN_TIME: Final = (0.4, 0.8)
_GUEST_PAUSE: Final = (0.02, 0.2)
"""Seconds, at random: two that pause for the same time miss each other each time."""

_GROWTH: Final = 1.05
_SLOWEST: Final = 10.0
"""What the guest's pause grows by, and how often it grows at most: to a second on average."""

_PROOF_TIME: Final = 5.0
"""Seconds from a connection to the end of the handshake."""

_SHORT_HOPS: Final = (2, 3, 5, 8)
"""How far a dial goes that is to die on the way: beyond a home's router, or a provider's."""

_USUAL_HOPS: Final = 64
_SYN_RECV: Final = 3  # of tcp(7)
_BACKLOG: Final = 4

_Sleep: TypeAlias = Callable[[], Awaitable[None]]
Take: TypeAlias = Callable[[trio.SocketStream], Awaitable[None]]


class PunchPort:
    """A port that is kept for dialling from, on all families that there are.

    number: the one wished for, 0 for any.

    Raises:
        LinkError: the system does not let us have it.
    """

    def __init__(self, number: int = 0) -> None:
        self._sockets: Final[list[socket.socket]] = []
        self.number = number
        for family in (socket.AF_INET, socket.AF_INET6):
            try:
                held = _bound(family, self.number)
            except OSError as error:
                if error.errno in {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL}:
                    continue
                self.close()
                raise LinkError(
                    "Cannot use port {port}: {reason}.", port=number, reason=error.strerror
                ) from error
            self._sockets.append(held)
            self.number = held.getsockname()[1]

    def close(self) -> None:
        """Give the port back."""
        for held in self._sockets:
            held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


async def punch_as_guest(port: int, targets: Sequence[Endpoint], psk: Psk) -> Link:
    """Dial ``targets`` from ``port`` until one of them is the host; for seat 1.

    Goes on until it is cancelled.
    """
    answered: list[tuple[trio.SocketStream, Channel]] = []

    async def speak(stream: trio.SocketStream) -> None:
        try:
            with trio.fail_after(_PROOF_TIME):
                channel = await knock(stream, psk)
        except (OSError, LinkError, HandshakeError, trio.TooSlowError):
            await trio.aclose_forcefully(stream)
        else:
            answered.append((stream, channel))
            nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(punch_steadily, port, targets, speak)
    (stream, channel), *late = answered
    for other, _ in late:
        await trio.aclose_forcefully(other)
    deliver_last_words(stream)
    return await confirm(stream, channel)


async def punch_steadily(port: int, targets: Sequence[Endpoint], take: Take) -> None:
    """Dial ``targets`` from ``port`` as seat 1 does, until cancelled.

    take: is given each connection, and closes it unless it is the right one.
    """

    async def dial(target: Endpoint) -> None:
        slowness = 1.0
        while True:
            began = trio.current_time()
            line = await _connect(port, target, _GUEST_TRY)
            if line is not None:
                await take(_stream(line))
                slowness *= 2  # perhaps somebody else is there
            elif trio.current_time() - began >= _GUEST_TRY:
                continue  # a dial that arrives between two tries would be refused
            pause = random.uniform(*_GUEST_PAUSE)  # noqa: S311 -- no secret
            await trio.sleep(pause * slowness)
            slowness = min(slowness * _GROWTH, _SLOWEST)

    async with trio.open_nursery() as nursery:
        for target in targets:
            nursery.start_soon(dial, target)


async def punch_as_host(
    port: int, targets: Sequence[Endpoint], psk: Psk, knocks: Knocks | None = None
) -> Link:
    """Dial ``targets`` from ``port`` until one of them proves to hold ``psk``; for seat 0.

    targets: the first three are dialled. knocks: as of a Listener. Goes on until it is
    cancelled. Nothing is said to anybody who does not hold the psk.
    """
    heard = KnocksOfARun() if knocks is None else knocks
    links: list[tuple[trio.SocketStream, Link]] = []

    async def hear(stream: trio.SocketStream) -> None:
        try:
            with trio.fail_after(_PROOF_TIME):
                responder, first = await hear_knock(stream, psk)
                if heard.remember(first):
                    links.append((stream, await answer(stream, responder)))
                    nursery.cancel_scope.cancel()
                    return
        except (OSError, LinkError, HandshakeError, trio.TooSlowError):
            pass
        finally:
            if not any(stream is kept for kept, _ in links):
                await trio.aclose_forcefully(stream)

    async with trio.open_nursery() as nursery:
        ways = [(port, target) for target in targets[:MOST_TARGETS]]
        nursery.start_soon(_poke_all, ways, _AWAITED, hear)
    (stream, link), *late = links
    for other, _ in late:
        await trio.aclose_forcefully(other)
    deliver_last_words(stream)
    return link


async def punch_slowly(ways: Sequence[tuple[int, Endpoint]], take: Take) -> None:
    """Dial from the port of each of ``ways`` to its target as seat 0 does, until cancelled.

    For who waits for somebody that may come at any time. ways: the first eight are dialled.
    take: is given each connection, and closes it unless it is the right one.
    """
    await _poke_all(ways[:MOST_SLOWLY], _SOME_TIME, take)


async def _poke_all(ways: Sequence[tuple[int, Endpoint]], tempo: _Tempo, take: Take) -> None:
    """Dial all ``ways`` again and again, one after the other."""
    turn = trio.current_time()

    async def take_turn() -> None:
        nonlocal turn
        mine = max(turn, trio.current_time())
        turn = mine + tempo.every
        await trio.sleep_until(mine)

    async with trio.open_nursery() as nursery:
        for port, target in ways:
            nursery.start_soon(_poke, port, target, tempo, take_turn, take)


async def _poke(
    port: int, target: Endpoint, tempo: _Tempo, take_turn: _Sleep, take: Take
) -> None:
    """Dial ``target`` again and again, mostly with few hops; listen after a refusal."""
    for hops in cycle((*_SHORT_HOPS, None)):
        await take_turn()
        began = trio.current_time()
        seconds = tempo.full if hops is None else tempo.short
        line = await _connect(port, target, seconds, hops)
        if line is not None:
            await take(_stream(line))
        elif trio.current_time() - began < seconds:
            await _listen(port, target, take)


async def _listen(port: int, target: Endpoint, take: Take) -> None:
    """Take whoever dials ``port`` for a moment."""
    with ExitStack() as stack:
        try:
            bound = stack.enter_context(_bound(_family(target), port))
            bound.listen(_BACKLOG)
        except OSError:
            return  # another try is under way from this port
        listener = trio.socket.from_stdlib_socket(bound)
        came = None
        with trio.move_on_after(random.uniform(*_LISTEN_TIME)):  # noqa: S311 -- no secret
            came, _ = await listener.accept()
    if came is not None:
        await take(trio.SocketStream(came))


async def _connect(
    port: int, target: Endpoint, seconds: float, hops: int | None = None
) -> socket.socket | None:
    """Dial ``target`` from ``port`` once; return the connection, if it comes about.

    hops: how far the dial goes, by itself; what is repeated or follows goes all the way.
    """
    try:
        line = _bound(_family(target), port)
    except OSError:
        await trio.sleep(_GUEST_PAUSE[1])
        return None
    connected = False
    try:
        # A try that is given up leaves nothing, or its pair of ports could not be used again.
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORTIVE)
        limit = _hop_limit(target)
        if hops is not None:
            line.setsockopt(*limit, hops)
        number = line.connect_ex((str(target.address), target.port))
        if hops is not None:
            line.setsockopt(*limit, _USUAL_HOPS)
        if number not in (0, errno.EINPROGRESS, errno.EWOULDBLOCK):
            await trio.lowlevel.checkpoint()
            return None
        ended = await _ends(line, seconds)
        if not ended and _is_answered(line):
            ended = await _ends(line, seconds)
        connected = ended and not line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    finally:
        if not connected:
            line.close()
    return line if connected else None


async def _ends(line: socket.socket, seconds: float) -> bool:
    """Wait until ``line`` is connected or refused; tell whether it is, in so many seconds."""
    with trio.move_on_after(seconds):
        await trio.lowlevel.wait_writable(line)
        return True
    return False


def _is_answered(line: socket.socket) -> bool:
    """Tell whether a dial of the other has come, and only its last word is missing.

    Only Linux says so; elsewhere such a connection is given up now and then.
    """
    option = getattr(socket, "TCP_INFO", None)
    return option is not None and line.getsockopt(socket.IPPROTO_TCP, option, 1)[0] == _SYN_RECV


def _bound(family: socket.AddressFamily, port: int) -> socket.socket:
    """Return a socket that does not block, at ``port`` of every address of ``family``."""
    line = socket.socket(family, socket.SOCK_STREAM)
    try:
        line.settimeout(0)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            line.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        line.bind(("", port))
    except OSError:
        line.close()
        raise
    return line


def _stream(line: socket.socket) -> trio.SocketStream:
    return trio.SocketStream(trio.socket.from_stdlib_socket(line))


def _family(target: Endpoint) -> socket.AddressFamily:
    return socket.AF_INET if target.address.version == 4 else socket.AF_INET6


def _hop_limit(target: Endpoint) -> tuple[int, int]:
    """Return the option that says how far packets to ``target`` go."""
    if target.address.version == 4:
        return socket.IPPROTO_IP, socket.IP_TTL
    return socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS
