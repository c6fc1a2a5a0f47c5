"""Datagrams to and from all machines on the networks of this machine.

Three ways are tried at once, because each way is blocked on a few networks: the broadcast of
each IPv4 network, a multicast group of IPv4, and a group of IPv6. No datagram leaves the
network.
"""

import socket
import struct
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, ip_address
from typing import Final, Protocol, Self

import trio

from matcha_p2p.transport.local.interfaces import Interface

PORT: Final = 4717
GROUP_4: Final = IPv4Address("239.255.71.7")
"""Of the range for one's own use within a site (RFC 2365)."""

GROUP_6: Final = IPv6Address("ff12::4717")
"""Not assigned, of the scope of one link (RFC 4291)."""

_MOST: Final = 512
"""The most bytes read of a datagram; our datagrams are shorter."""

_BREATH: Final = 0.01

_SWEPT: Final = 23
"""The least bits of the prefix of a network that is swept address by address."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A received datagram. sender: the address, with a zone if it is link-local."""

    datagram: bytes
    sender: IPv4Address | IPv6Address
    port: int


class Datagrams(Protocol):
    """A carrier of datagrams between this machine and its neighbours."""

    def join(self, own: Iterable[Interface]) -> None:
        """Join the multicast groups on ``own``, except groups joined before."""

    async def hear(self) -> Heard:
        """Return the next datagram."""
        ...

    async def answer(self, heard: Heard, datagram: bytes) -> None:
        """Send ``datagram`` to the sender of ``heard``; it may get lost."""
        ...

    async def call(self, datagram: bytes, own: Sequence[Interface]) -> None:
        """Send ``datagram`` to everybody on the networks of ``own``; it may get lost."""
        ...

    async def sweep(self, datagram: bytes, own: Sequence[Interface]) -> None:
        """Send ``datagram`` to each address of small networks; it may get lost.

        A firewall may let an answer in only from an address that we have asked.
        """
        ...


class Sockets:
    """Datagrams over UDP, on IPv4 and IPv6 as far as available."""

    def __init__(self, port: int, peers: int = PORT, source: Interface | None = None) -> None:
        """Open the sockets.

        port: our port; 0 for any. peers: the port of the peers. source: the interface whose
        address sends the datagrams; None for any.

        Raises:
            OSError: the system refuses.
        """
        self._peers: Final = peers
        self._joined: Final = set[Interface]()
        with ExitStack() as stack:
            self._sockets: Final = {
                family: stack.enter_context(opened)
                for family in (socket.AF_INET, socket.AF_INET6)
                if (opened := _open(family, port, source)) is not None
            }
            if not self._sockets:
                raise OSError("there is neither IPv4 nor IPv6")
            self._stack: Final = stack.pop_all()
        self._arrived: Final = trio.open_memory_channel[Heard](0)

    def join(self, own: Iterable[Interface]) -> None:
        """Join the multicast groups on ``own``, except groups joined before."""
        for interface in own:
            if interface in self._joined:
                continue
            self._joined.add(interface)
            with suppress(OSError, KeyError):  # no multicast there: a broadcast may get through
                _join(self._sockets, interface)

    async def run(self) -> None:
        """Receive datagrams for ``hear``, until cancelled."""
        async with trio.open_nursery() as nursery:
            for opened in self._sockets.values():
                nursery.start_soon(self._receive, opened)

    async def hear(self) -> Heard:
        """Return the next datagram."""
        return await self._arrived[1].receive()

    async def answer(self, heard: Heard, datagram: bytes) -> None:
        """Send ``datagram`` to the sender of ``heard``; it may get lost."""
        await self._send(datagram, heard.sender, heard.port)

    async def call(self, datagram: bytes, own: Sequence[Interface]) -> None:
        """Send ``datagram`` to everybody on the networks of ``own``; it may get lost."""
        for interface in own:
            with suppress(OSError, KeyError):
                self._leave_by(interface)
                if isinstance(interface.network, IPv4Network):
                    await self._send(datagram, GROUP_4, self._peers)
                    broadcast = interface.network.broadcast_address
                    await self._send(datagram, broadcast, self._peers)
                else:
                    group = IPv6Address(f"{GROUP_6}%{interface.index}")
                    await self._send(datagram, group, self._peers)

    async def sweep(self, datagram: bytes, own: Sequence[Interface]) -> None:
        """Send ``datagram`` to each address of small networks; it may get lost."""
        for network in {interface.network for interface in own}:
            if isinstance(network, IPv4Network) and network.prefixlen >= _SWEPT:
                for address in network.hosts():
                    await self._send(datagram, address, self._peers)

    def close(self) -> None:
        """Close the sockets."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _receive(self, opened: trio.socket.SocketType) -> None:
        while True:
            try:
                datagram, name = await opened.recvfrom(_MOST)
            except OSError:  # Windows reports so that a neighbour takes nothing
                await trio.sleep(_BREATH)
                continue
            await self._arrived[0].send(Heard(datagram, _address(name), name[1]))

    def _leave_by(self, interface: Interface) -> None:
        """Let datagrams to a group leave by ``interface``."""
        if interface.address.version == 4:
            self._sockets[socket.AF_INET].setsockopt(
                socket.IPPROTO_IP, socket.IP_MULTICAST_IF, interface.address.packed
            )
        else:
            self._sockets[socket.AF_INET6].setsockopt(
                socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, interface.index
            )

    async def _send(
        self, datagram: bytes, address: IPv4Address | IPv6Address, port: int
    ) -> None:
        family = socket.AF_INET if address.version == 4 else socket.AF_INET6
        with suppress(
            OSError, KeyError
        ):  # nobody is there, or a firewall of our own forbids it
            await self._sockets[family].sendto(datagram, (str(address), port))


def _address(name: tuple[object, ...]) -> IPv4Address | IPv6Address:
    """Return the address in the name of a socket, with a zone if the address needs a zone."""
    address = ip_address(str(name[0]))
    if address.version == 6 and address.is_link_local:
        return IPv6Address(f"{name[0]}%{name[3]}")
    return address


def _open(
    family: socket.AddressFamily, port: int, source: Interface | None
) -> trio.socket.SocketType | None:
    """Return a socket at ``port``, or None if the system or ``source`` lacks the family.

    Several programs may share ``port``: each program gets the datagrams to a group.
    """
    if source is not None and (source.address.version == 4) != (family == socket.AF_INET):
        return None
    try:
        opened = socket.socket(family, socket.SOCK_DGRAM)
    except OSError:
        return None
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform == "darwin":
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
        else:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 1)
        opened.bind(("", port) if source is None else _name(source, port))
    except OSError:
        opened.close()
        return None
    return trio.socket.from_stdlib_socket(opened)


def _name(source: Interface, port: int) -> tuple[str, int] | tuple[str, int, int, int]:
    """Return the name of a socket at the address of ``source``."""
    if source.address.is_link_local and source.address.version == 6:
        return str(source.address), port, 0, source.index
    return str(source.address), port


def _join(
    sockets: dict[socket.AddressFamily, trio.socket.SocketType], interface: Interface
) -> None:
    if interface.address.version == 4:
        membership = GROUP_4.packed + interface.address.packed
        sockets[socket.AF_INET].setsockopt(
            socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership
        )
    else:
        membership = GROUP_6.packed + struct.pack("@I", interface.index)
        sockets[socket.AF_INET6].setsockopt(
            socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, membership
        )
