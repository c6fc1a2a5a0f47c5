"""Finds the addresses at which others can reach this machine."""

import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, ip_address
from typing import Final

import trio

from matcha_p2p.transport.endpoints import (
    MOST_ENDPOINTS,
    Address,
    Scope,
    leads_nowhere,
    scope_of,
)

_LOOKUP_LIMIT: Final = 2.0

_ELSEWHERE: Final = {socket.AF_INET: "203.0.113.1", socket.AF_INET6: "2001:db8::1"}
"""Places of the documentation (RFC 5737, RFC 3849) that lie beyond the default route."""


async def local_addresses() -> tuple[Address, ...]:
    """Return 1 to 7 addresses of this machine: public ones, then private ones.

    Loopback stands in only if there is nothing else. No packet is sent, except by a lookup of
    the machine's own name, which is given 2 s.
    """
    found = await _routed()
    with trio.move_on_after(_LOOKUP_LIMIT):
        found += await _named()
    return choose(found)


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


async def _named() -> list[Address]:
    try:
        entries = await trio.socket.getaddrinfo(
            socket.gethostname(), None, type=socket.SOCK_STREAM
        )
    except (OSError, UnicodeError):  # unknown, or no name that a lookup can be made of
        return []
    return [_address(name) for *_, name in entries]


def _address(name: tuple[object, ...]) -> Address:
    return ip_address(str(name[0]).partition("%")[0])
