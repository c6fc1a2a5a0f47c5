"""Hole punching: two seats behind firewalls dial each other at the same time.

A firewall that refuses all strangers lets in answers to a dial of its own side. So both seats
dial again and again, each from a port known to the other. Two crossing dials become a
connection (simultaneous open, RFC 9293), and a later dial finds the way open. If a firewall
refuses dials rather than ignoring them, a dial that arrives between two tries is refused. So
seat 0 at first dials with few hops: the dial opens the own firewall, dies before the peer's
firewall, and seat 0 accepts the dial of seat 1.

After a dial of each side, a router (Linux' conntrack in SYN_SENT2) passes only an answer with
the number of the inner dial, for minutes. So the inner dial has to live until the peer's dial
comes. If the inner dial dies on the way, the hop sends an ICMP message, which must not end the
dial. If the dial ends nevertheless, another dial follows at once.

In either direction of dialling, seat 1 speaks first. Seat 0 sends no byte to a peer without the
psk. Source: PEER#punching.
"""

import errno
import os
import random
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import cycle
from types import TracebackType
from typing import Final, Self, TypeAlias

import trio

from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.race import Win, race
from matcha_p2p.transport import link as transport_link
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.listen import Knocks, KnocksOfARun
from matcha_p2p.transport.names import Psk

PUNCH_LIMIT: Final = 600.0
"""Seconds for which two seats try; no code makes us dial for longer."""

MOST_TARGETS: Final = 3
MOST_SLOWLY: Final = 8
"""The most endpoints that seat 0 dials, for all peers together."""


@dataclass(frozen=True, slots=True)
class _Tempo:
    """How seat 0 dials.

    seconds: the time of a try. every: seconds between two tries, on average. The system sends
    the first packet of a try again, after a second at the soonest.
    """

    seconds: float
    every: float


_AWAITED: Final = _Tempo(3.0, 0.5)  # at most four packets a second, to all together
_SOME_TIME: Final = _Tempo(32.0, 4.0)  # at most two a second

_GUEST_TRY: Final = 4.0
_LISTEN_TIME: Final = (0.4, 0.8)
_GUEST_PAUSE: Final = (0.02, 0.2)
"""Seconds, at random: with equal pauses two seats would miss each other every time."""

_GROWTH: Final = 1.05
_SLOWEST: Final = 10.0
"""The growth of the guest's pause with each try, and the most in all: a second on average."""

_PROOF_TIME: Final = 5.0
"""Seconds from a connection to the end of the handshake."""

_FEW_HOPS: Final = (2, 3, 5, 8)
"""How far the first packet of a dial goes: beyond a home's router, or a provider's."""

_USUAL_HOPS: Final = 64
_IPV4_HOPS: Final = (socket.IPPROTO_IP, socket.IP_TTL)
_IPV6_HOPS: Final = (socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS)

_IPV4_LEAST: Final = (socket.IPPROTO_IP, 21, 2)
_IPV6_LEAST: Final = (socket.IPPROTO_IPV6, 73, 255)
_NEWS_TIME: Final = 0.3
"""IP_MINTTL and IPV6_MINHOPCOUNT of Linux, and seconds (RFC 5082).

The hop where a packet dies reports the death by ICMP, and Linux would give the dial up.
IP_MINTTL 2 ignores reports about packets with one hop left. IPV6_MINHOPCOUNT counts the hops
left of the report. So a dial by IPv6 ignores all packets until the report is past. The peer's
dial may be lost among the packets, but comes again a second later.
"""

_SYN_RECV: Final = 3  # of tcp(7)
_BACKLOG: Final = 4

Take: TypeAlias = Callable[[trio.SocketStream], Awaitable[None]]


class PunchPort:
    """A port reserved for dialling from, on all families of the machine.

    number: the wished port, 0 for any.

    Raises:
        LinkError: the system refuses the port.
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


async def punch_as_guest(
    port: int, targets: Sequence[Endpoint], psk: Psk
) -> transport_link.Link:
    """Dial ``targets`` from ``port`` until a link is made, or until cancelled; for seat 1."""
    choosing = trio.Lock()

    async def dial(win: Win[transport_link.Link]) -> None:
        async def speak(stream: trio.SocketStream) -> None:
            with suppress(OSError, LinkError, HandshakeError, trio.TooSlowError):
                async with transport_link.closed_on_failure(stream):
                    with trio.fail_after(_PROOF_TIME):
                        channel = await transport_link.knock(stream, psk)
                        transport_link.deliver_last_words(stream)
                        async with choosing:  # the host gets one link
                            await win(await transport_link.confirm(stream, channel))

        await punch_steadily(port, targets, speak)

    return await race(dial, close=transport_link.Link.aclose)


async def punch_steadily(port: int, targets: Sequence[Endpoint], take: Take) -> None:
    """Dial ``targets`` from ``port`` as seat 1 does, until cancelled.

    take: receives each connection, and closes wrong connections.
    """

    async def dial(target: Endpoint) -> None:
        slowness = 1.0
        while True:
            came = await _connect(port, target, _GUEST_TRY)
            if came == 0:
                continue  # a dial that arrives between two tries would be refused
            if isinstance(came, socket.socket):
                await take(_stream(came))
                slowness *= 2  # perhaps somebody else is there
            pause = random.uniform(*_GUEST_PAUSE)  # noqa: S311 -- no secret
            await trio.sleep(pause * slowness)
            slowness = min(slowness * _GROWTH, _SLOWEST)

    async with trio.open_nursery() as nursery:
        for target in targets:
            nursery.start_soon(dial, target)


async def punch_as_host(
    port: int, targets: Sequence[Endpoint], psk: Psk, knocks: Knocks | None = None
) -> transport_link.Link:
    """Dial ``targets`` from ``port`` until a guest proves to hold ``psk``; for seat 0.

    The dialling ends when cancelled. Only the first three ``targets`` are dialled. knocks: the
    knocks heard so far, as in a Listener. A peer without the psk gets no byte.
    """
    heard = KnocksOfARun() if knocks is None else knocks

    async def dial(win: Win[transport_link.Link]) -> None:
        async def hear(stream: trio.SocketStream) -> None:
            with suppress(OSError, LinkError, HandshakeError, trio.TooSlowError):
                async with transport_link.closed_on_failure(stream):
                    with trio.fail_after(_PROOF_TIME):
                        responder, first = await transport_link.hear_knock(stream, psk)
                        if not heard.remember(first):
                            raise HandshakeError("This knock repeats an earlier one.")
                        link = await transport_link.answer(stream, responder)
                        transport_link.deliver_last_words(stream)
                        await win(link)

        ways = [(port, target) for target in targets[:MOST_TARGETS]]
        await _poke_all(ways, _AWAITED, hear)

    return await race(dial, close=transport_link.Link.aclose)


async def punch_slowly(ways: Sequence[tuple[int, Endpoint]], take: Take) -> None:
    """Dial from the port of each of ``ways`` to its target as seat 0 does, until cancelled.

    The function serves a host whose peer may come at any time. ways: the first eight are
    dialled. take: receives each connection, and closes wrong connections.
    """
    await _poke_all(ways[:MOST_SLOWLY], _SOME_TIME, take)


async def _poke_all(ways: Sequence[tuple[int, Endpoint]], tempo: _Tempo, take: Take) -> None:
    """Dial all ``ways`` again and again, each by itself."""
    apart = tempo.every * len(ways)
    async with trio.open_nursery() as nursery:
        for port, target in ways:
            nursery.start_soon(_poke, port, target, tempo, apart, take)


async def _poke(port: int, target: Endpoint, tempo: _Tempo, apart: float, take: Take) -> None:
    """Dial ``target`` again and again, first with few hops; listen after a refusal.

    apart: the least seconds from the start of a try to the next.
    """
    due = trio.current_time()
    for hops in cycle(_FEW_HOPS):
        await trio.sleep_until(due)
        due = max(due, trio.current_time()) + apart
        came = await _connect(port, target, tempo.seconds, hops)
        if came == errno.EHOSTUNREACH:  # this dial died on the way, and the system gave it up
            due += apart
            came = await _connect(port, target, tempo.seconds)
        if isinstance(came, socket.socket):
            await take(_stream(came))
        elif came == errno.ECONNREFUSED:
            await _listen(port, target, take)


async def _listen(port: int, target: Endpoint, take: Take) -> None:
    """Take connections to ``port`` for a moment."""
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
) -> socket.socket | int:
    """Dial ``target`` from ``port`` once; return the connection, or the number of the error.

    The number is 0 if nobody answers. hops: the reach of the first packet; repeated and later
    packets go all the way.
    """
    until = trio.current_time() + seconds
    line = None
    number = 0
    try:
        line = _bound(_family(target), port)
        # A try that is given up must free its pair of ports for the next try.
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, transport_link.ABORTIVE)
        if hops is None:
            _dial(line, target)
        else:
            await _dial_near(line, target, hops)
        ended = await _ends(line, until)
        if not ended and _is_answered(line):
            ended = await _ends(line, until + seconds)
        number = line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) if ended else 0
        if ended and number == 0:
            connected, line = line, None
            return connected
    except OSError as error:
        await trio.lowlevel.checkpoint()
        number = error.errno or errno.EIO
    finally:
        if line is not None:
            line.close()
    return number


def _dial(line: socket.socket, target: Endpoint) -> None:
    """Begin to dial ``target``.

    Raises:
        OSError: the system cannot dial.
    """
    number = line.connect_ex((str(target.address), target.port))
    if number not in (0, errno.EINPROGRESS, errno.EWOULDBLOCK):
        raise OSError(number, os.strerror(number))


async def _dial_near(line: socket.socket, target: Endpoint, hops: int) -> None:
    """Begin a dial that dies after ``hops``. On Linux the dial goes on after the report.

    Raises:
        OSError: the system cannot dial.
    """
    four = target.address.version == 4
    limit = _IPV4_HOPS if four else _IPV6_HOPS
    line.setsockopt(*limit, hops)
    if sys.platform == "linux":
        with suppress(OSError):  # an emulation of Linux may not know the option
            line.setsockopt(*(_IPV4_LEAST if four else _IPV6_LEAST))
    _dial(line, target)
    line.setsockopt(*limit, _USUAL_HOPS)
    if sys.platform == "linux" and not four:
        await trio.sleep(_NEWS_TIME)
        with suppress(OSError):
            line.setsockopt(*_IPV6_LEAST[:2], 0)


async def _ends(line: socket.socket, until: float) -> bool:
    """Wait until ``line`` is connected or refused; return False if ``until`` passes first."""
    with trio.move_on_at(until):
        await trio.lowlevel.wait_writable(line)
        return True
    return False


def _is_answered(line: socket.socket) -> bool:
    """Tell whether the peer's dial has come, and only the last packet is missing.

    Only Linux tells. On systems without the answer a good connection is given up now and then.
    """
    option = getattr(socket, "TCP_INFO", None)
    return option is not None and line.getsockopt(socket.IPPROTO_TCP, option, 1)[0] == _SYN_RECV


def _bound(family: socket.AddressFamily, port: int) -> socket.socket:
    """Return a non-blocking socket at ``port`` of every address of ``family``."""
    line = socket.socket(family, socket.SOCK_STREAM)
    try:
        line.settimeout(0)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform == "darwin":  # there the option above lets no two sockets at one port
            line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
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
