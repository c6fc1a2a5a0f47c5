"""The addresses of this machine, each with the network that it is in."""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv4Network,
    IPv6Address,
    IPv6Interface,
    IPv6Network,
)
from typing import Final

import ifaddr

_WIDEST: Final = {4: 8, 6: 32}
"""Bits of a prefix, at least, that can be a network of neighbours."""

_OF_CONTAINERS: Final = ("docker", "br-", "veth", "virbr", "lxc", "lxd")

_NARROWEST: Final = {4: 30, 6: 126}
"""Bits of a prefix, at most, that has room for a neighbour."""


@dataclass(frozen=True, slots=True)
class Interface:
    """An address of this machine. index, name: of its network card, as the system has them.

    Windows has descriptions for names: WireGuard Tunnel.
    """

    index: int
    address: IPv4Address | IPv6Address
    network: IPv4Network | IPv6Network
    name: str = ""

    @property
    def leads_outside(self) -> bool:
        """Whether other machines are there, and not containers of this one alone."""
        return not self.name.startswith(_OF_CONTAINERS)


def interfaces() -> tuple[Interface, ...]:
    """Return the addresses of this machine that have neighbours; those of loopback too.

    Raises:
        OSError: the system does not tell.
    """
    return tuple(each for each in all_interfaces() if has_neighbours(each.network))


def all_interfaces() -> tuple[Interface, ...]:
    """Return all addresses of this machine.

    Raises:
        OSError: the system does not tell.
    """
    return tuple(
        Interface(adapter.index, interface.ip, interface.network, adapter.nice_name)
        for adapter in ifaddr.get_adapters()
        for interface in map(_interface, adapter.ips)
        if adapter.index is not None
    )


def _interface(ip: ifaddr.IP) -> IPv4Interface | IPv6Interface:
    address = ip.ip
    if isinstance(address, str):
        return IPv4Interface((address, ip.network_prefix))
    return IPv6Interface((address[0].partition("%")[0], ip.network_prefix))


def has_neighbours(network: IPv4Network | IPv6Network) -> bool:
    """Tell whether machines next to each other make up ``network``."""
    return _WIDEST[network.version] <= network.prefixlen <= _NARROWEST[network.version]


def is_near(address: IPv4Address | IPv6Address, own: Iterable[Interface]) -> bool:
    """Tell whether ``address`` is on one network with this machine.

    own: the addresses of this machine. A link-local address always is: no router passes it on.
    """
    return address.is_link_local or any(address in interface.network for interface in own)
