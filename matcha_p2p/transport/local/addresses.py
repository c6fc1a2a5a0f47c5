"""Finds this machine's addresses for guests, and reads addresses typed by hand."""

import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

import trio

from matcha_p2p.errors import InviteError
from matcha_p2p.transport import endpoints as transport_endpoints
from matcha_p2p.transport.local.interfaces import interfaces

_LOOKUP_LIMIT: Final = 2.0
_NAME_LIMIT: Final = 5.0
"""Seconds for the lookup of a typed name."""

_WITH_PORT: Final = re.compile(
    r"(?:\[(?P<six>[^]]*)\]|(?P<other>[^:\[\]]+))(?::(?P<port>[0-9]{1,5}))?"
)
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_NAME: Final = re.compile(rf"(?=.{{4,253}}$)(?:{_LABEL}\.)+(?=[a-z]){_LABEL}")

_ELSEWHERE: Final = {socket.AF_INET: "203.0.113.1", socket.AF_INET6: "2001:db8::1"}
"""Documentation addresses (RFC 5737, RFC 3849), beyond the default route."""


@dataclass(frozen=True, slots=True)
class GivenPlace:
    """A typed place at which guests find this machine.

    host: an address, or a machine's name with a dot. port: None for our listening port.
    """

    host: transport_endpoints.Address | str
    port: int | None = None

    @classmethod
    def parse(cls, text: str) -> "GivenPlace":
        """Read an address or a name, either with or without a port.

        IPv6 addresses stand in brackets if a port follows.

        Raises:
            ValueError: ``text`` is neither an address nor a name.
        """
        try:
            return cls(transport_endpoints.plain(_without_zone(text)))
        except ValueError:
            pass
        found = _WITH_PORT.fullmatch(text)
        if found is None:
            raise ValueError(text)
        port = None if found["port"] is None else int(found["port"])
        if port is not None and not 1 <= port <= 65535:
            raise ValueError(text)
        if found["six"] is not None:
            return cls(
                transport_endpoints.plain(_without_zone(str(IPv6Address(found["six"])))), port
            )
        name = found["other"].lower().removesuffix(".")
        if _NAME.fullmatch(name) and not name.endswith(".onion"):
            return cls(name, port)
        return cls(IPv4Address(name), port)

    @property
    def on_this_machine(self) -> bool:
        """Whether the place leads guests to their own machine."""
        return (
            not isinstance(self.host, str)
            and transport_endpoints.scope_of(self.host) is transport_endpoints.Scope.MACHINE
        )

    async def resolve(self) -> tuple[transport_endpoints.Address, ...]:
        """Return the present addresses of the place, at least one.

        Raises:
            InviteError: the name leads to no usable address.
        """
        if not isinstance(self.host, str):
            return (self.host,)
        found: list[transport_endpoints.Address] = []
        with trio.move_on_after(_NAME_LIMIT):
            found = await _lookup(self.host)
        usable = tuple(
            address
            for address in dict.fromkeys(found)
            if transport_endpoints.scope_of(address) is not transport_endpoints.Scope.MACHINE
            and not transport_endpoints.leads_nowhere(address)
        )
        if not usable:
            raise InviteError(
                "The name {name} leads to no machine now. Check the name, or give an address.",
                code="address-name",
                name=self.host,
            )
        return usable


def _without_zone(text: str) -> transport_endpoints.Address:
    address = ip_address(text)
    if getattr(address, "scope_id", None) and not address.is_link_local:
        raise ValueError(text)
    return address


async def local_addresses() -> tuple[transport_endpoints.Address, ...]:
    """Return 1 to 7 addresses of this machine: public ones, then private ones.

    Without any other address, loopback is returned. No packet is sent, except by a lookup of
    the machine's own name, for at most 2 s.
    """
    found = await _routed()
    with trio.move_on_after(_LOOKUP_LIMIT):
        found += await _lookup(socket.gethostname())
    return choose((*found, *_of_networks()))


def choose(
    found: Iterable[transport_endpoints.Address],
) -> tuple[transport_endpoints.Address, ...]:
    """Return the usable addresses of ``found``, best first, each once, at most 7.

    A guest cannot use link-local addresses without the name of the guest's own interface.
    """
    usable = [
        address
        for address in dict.fromkeys(found)
        if transport_endpoints.scope_of(address) is not transport_endpoints.Scope.MACHINE
        and not transport_endpoints.leads_nowhere(address)
    ]
    usable.sort(
        key=lambda address: (
            transport_endpoints.scope_of(address) is not transport_endpoints.Scope.INTERNET
        )
    )
    return tuple(usable[: transport_endpoints.MOST_ENDPOINTS]) or (IPv4Address("127.0.0.1"),)


async def _routed() -> list[transport_endpoints.Address]:
    """Return the source address of each family's default route."""
    found: list[transport_endpoints.Address] = []
    for family, elsewhere in _ELSEWHERE.items():
        try:
            with trio.socket.socket(family, socket.SOCK_DGRAM) as line:
                await line.connect((elsewhere, 9))  # a datagram socket only picks a route
                found.append(_address(line.getsockname()))
        except OSError:
            continue  # no route, or no such family
    return found


def _of_networks() -> list[transport_endpoints.Address]:
    """Return the private addresses of this machine's networks.

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
        and transport_endpoints.scope_of(each.address) is transport_endpoints.Scope.NETWORK
        and not transport_endpoints.is_shared(each.address)
    ]


async def _lookup(host: str) -> list[transport_endpoints.Address]:
    try:
        entries = await trio.socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):  # unknown, or no name that a lookup can be made of
        return []
    return [_address(name) for *_, name in entries]


def _address(name: tuple[object, ...]) -> transport_endpoints.Address:
    return ip_address(str(name[0]).partition("%")[0])
