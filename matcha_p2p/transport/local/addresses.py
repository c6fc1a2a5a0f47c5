"""Finds the addresses at which others can reach this machine, and reads those typed by hand."""

import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

import trio

from matcha_p2p.errors import InviteError
from matcha_p2p.transport.endpoints import (
    MOST_ENDPOINTS,
    Address,
    Scope,
    is_shared,
    leads_nowhere,
    plain,
    scope_of,
)
from matcha_p2p.transport.local.interfaces import interfaces

_LOOKUP_LIMIT: Final = 2.0
_NAME_LIMIT: Final = 5.0
"""Seconds for a name that was typed by hand."""

_WITH_PORT: Final = re.compile(
    r"(?:\[(?P<six>[^]]*)\]|(?P<other>[^:\[\]]+))(?::(?P<port>[0-9]{1,5}))?"
)
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_NAME: Final = re.compile(rf"(?=.{{4,253}}$)(?:{_LABEL}\.)+(?=[a-z]){_LABEL}")

_ELSEWHERE: Final = {socket.AF_INET: "203.0.113.1", socket.AF_INET6: "2001:db8::1"}
"""Places of the documentation (RFC 5737, RFC 3849) that lie beyond the default route."""


@dataclass(frozen=True, slots=True)
class GivenPlace:
    """Where guests find this machine, as a person typed it.

    host: an address, or the name of a machine with a dot in it. port: None for the one at which
    we listen.
    """

    host: Address | str
    port: int | None = None

    @classmethod
    def parse(cls, text: str) -> "GivenPlace":
        """Read an address or a name, either with or without a port.

        IPv6 addresses stand in brackets if a port follows.

        Raises:
            ValueError: ``text`` is nothing of that kind.
        """
        try:
            return cls(plain(_without_zone(text)))
        except ValueError:
            pass
        found = _WITH_PORT.fullmatch(text)
        if found is None:
            raise ValueError(text)
        port = None if found["port"] is None else int(found["port"])
        if port is not None and not 1 <= port <= 65535:
            raise ValueError(text)
        if found["six"] is not None:
            return cls(plain(_without_zone(str(IPv6Address(found["six"])))), port)
        name = found["other"].lower().removesuffix(".")
        if _NAME.fullmatch(name) and not name.endswith(".onion"):
            return cls(name, port)
        return cls(IPv4Address(name), port)

    @property
    def on_this_machine(self) -> bool:
        """Whether it leads guests to their own machine."""
        return not isinstance(self.host, str) and scope_of(self.host) is Scope.MACHINE

    async def resolve(self) -> tuple[Address, ...]:
        """Return the addresses that it stands for now, at least one.

        Raises:
            InviteError: the name leads to none that guests can use.
        """
        if not isinstance(self.host, str):
            return (self.host,)
        found: list[Address] = []
        with trio.move_on_after(_NAME_LIMIT):
            found = await _lookup(self.host)
        usable = tuple(
            address
            for address in dict.fromkeys(found)
            if scope_of(address) is not Scope.MACHINE and not leads_nowhere(address)
        )
        if not usable:
            raise InviteError(
                "The name {name} leads to no machine now. Check the name, or give an address.",
                code="address-name",
                name=self.host,
            )
        return usable


def _without_zone(text: str) -> Address:
    address = ip_address(text)
    if getattr(address, "scope_id", None) and not address.is_link_local:
        raise ValueError(text)
    return address


async def local_addresses() -> tuple[Address, ...]:
    """Return 1 to 7 addresses of this machine: public ones, then private ones.

    Loopback stands in only if there is nothing else. No packet is sent, except by a lookup of
    the machine's own name, which is given 2 s.
    """
    found = await _routed()
    with trio.move_on_after(_LOOKUP_LIMIT):
        found += await _lookup(socket.gethostname())
    return choose((*found, *_of_networks()))


def choose(found: Iterable[Address]) -> tuple[Address, ...]:
    """Return what a guest can use of ``found``, best first, each once, at most 7.

    Link-local addresses are of no use: they need the name of the guest's own interface.
    """
    usable = [
        address
        for address in dict.fromkeys(found)
        if scope_of(address) is not Scope.MACHINE and not leads_nowhere(address)
    ]
    usable.sort(key=lambda address: scope_of(address) is not Scope.INTERNET)
    return tuple(usable[:MOST_ENDPOINTS]) or (IPv4Address("127.0.0.1"),)


async def _routed() -> list[Address]:
    """Return the address that each family's default route starts from."""
    found: list[Address] = []
    for family, elsewhere in _ELSEWHERE.items():
        try:
            with trio.socket.socket(family, socket.SOCK_DGRAM) as line:
                await line.connect((elsewhere, 9))  # a datagram socket only picks a route
                found.append(_address(line.getsockname()))
        except OSError:
            continue  # no route, or no such family
    return found


def _of_networks() -> list[Address]:
    """Return private addresses, which others on a network of this machine can reach.

    A network without a way to the internet has no default route.
    """
    try:
        own = interfaces()
    except OSError:
        return []
    return [
        each.address
        for each in own
        if each.leads_outside
        and scope_of(each.address) is Scope.NETWORK
        and not is_shared(each.address)
    ]


async def _lookup(host: str) -> list[Address]:
    try:
        entries = await trio.socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):  # unknown, or no name that a lookup can be made of
        return []
    return [_address(name) for *_, name in entries]


def _address(name: tuple[object, ...]) -> Address:
    return ip_address(str(name[0]).partition("%")[0])
