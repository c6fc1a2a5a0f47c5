"""A network in memory: all near machines hear a call, and listeners hear each datagram."""

import math
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network

import trio

from matcha_p2p.transport.local.interfaces import Interface
from matcha_p2p.transport.multicast import Heard

NETWORK = IPv4Network("192.168.1.0/24")


def at(host: int | str) -> Interface:
    """Return the interface of an address on the network."""
    return Interface(2, address_of(host), NETWORK)


def address_of(host: int | str) -> IPv4Address:
    """Return the address that ends in ``host``, or is ``host``."""
    return NETWORK[host] if isinstance(host, int) else IPv4Address(host)


class Air:
    """The network. passes_groups: whether calls to all arrive, as datagrams to one do."""

    def __init__(self, *, passes_groups: bool = True) -> None:
        self.lines: list[Line] = []
        self.passes_groups = passes_groups
        self.sent: list[tuple[IPv4Address, str, bytes]] = []

    def line(self, host: int | str) -> "Line":
        line = Line(self, address_of(host))
        self.lines.append(line)
        return line


class Line:
    """The datagrams of one machine."""

    def __init__(self, air: Air, address: IPv4Address) -> None:
        self._air = air
        self.address = address
        self.joined: list[Interface] = []
        self.put, self._take = trio.open_memory_channel[Heard](math.inf)

    def join(self, own: Sequence[Interface]) -> None:
        self.joined = list(own)

    async def hear(self) -> Heard:
        return await self._take.receive()

    async def answer(self, heard: Heard, datagram: bytes) -> None:
        self._sends("answer", datagram)
        for line in self._air.lines:
            if line.address == heard.sender:
                line.put.send_nowait(Heard(datagram, self.address, 4717))

    async def call(self, datagram: bytes, _: Sequence[Interface]) -> None:
        self._sends("call", datagram)
        if self._air.passes_groups:
            self._reach_all(datagram)

    async def sweep(self, datagram: bytes, _: Sequence[Interface]) -> None:
        self._sends("sweep", datagram)
        self._reach_all(datagram)

    def _reach_all(self, datagram: bytes) -> None:
        for line in self._air.lines:
            if line is not self:
                line.put.send_nowait(Heard(datagram, self.address, 50000))

    def _sends(self, how: str, datagram: bytes) -> None:
        self._air.sent.append((self.address, how, datagram))
