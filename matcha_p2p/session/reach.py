"""Which of the addresses that a peer names we dial: none that could belong to others."""

from dataclasses import replace
from enum import Enum, auto
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, TypeAlias

from matcha_p2p.wire.talk import Reach

Address: TypeAlias = IPv4Address | IPv6Address

_LEAST_PORT: Final = 1024
"""The lowest port that is dialled: below it are well-known services."""


class Scope(Enum):
    """The scope of an address: from where it can be reached."""

    MACHINE = auto()
    NETWORK = auto()
    INTERNET = auto()


def scope_of(address: Address) -> Scope:
    """Return from where ``address`` can be reached."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    address = mapped or address
    if address.is_loopback:
        return Scope.MACHINE
    return Scope.INTERNET if address.is_global else Scope.NETWORK


def dialable(reach: Reach, remote: Address | None, known: Reach | None) -> Reach | None:
    """Return the part of ``reach`` that we dial; None if there is none.

    remote: the address from which the peer says so, None where links have none. known: where it
    has waited so far. An address of another scope than ``remote`` is somebody else's, or of no
    use; a port below 1024 is right only if the person was told it with the invite.
    """
    if reach.port < _LEAST_PORT and (known is None or reach.port != known.port):
        return None
    if remote is None:
        return reach
    scope = scope_of(remote)
    addresses = tuple(a for a in reach.addresses if scope_of(ip_address(a)) is scope)
    return replace(reach, addresses=addresses) if addresses else None
