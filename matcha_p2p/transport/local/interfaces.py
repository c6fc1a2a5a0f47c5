"""The addresses of this machine, each with its network."""

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
"""The least bits in the prefix of a network of neighbours."""

_OF_CONTAINERS: Final = ("docker", "br-", "veth", "virbr", "lxc", "lxd")

_NARROWEST: Final = {4: 30, 6: 126}
"""The most bits in the prefix of a network with room for a neighbour."""


@dataclass(frozen=True, slots=True)
class Interface:
    """An address of this machine. index, name: the system's, for the network card.

    Windows uses descriptions as names: WireGuard Tunnel.
    """

    index: int
    address: IPv4Address | IPv6Address
    network: IPv4Network | IPv6Network
    name: str = ""

    @property
    def leads_outside(self) -> bool:
        """Whether the network has other machines, not only containers of this machine."""
        return not self.name.startswith(_OF_CONTAINERS)


def interfaces() -> tuple[Interface, ...]:
    """Return the addresses of this machine with neighbours, and loopback addresses.

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


def addresses_of_machine() -> tuple[IPv4Address | IPv6Address, ...]:
    """Return all addresses of this machine, or () if the system does not tell."""
    try:
        return tuple(each.address for each in all_interfaces())
    except OSError:
        return ()


def _interface(ip: ifaddr.IP) -> IPv4Interface | IPv6Interface:
    address = ip.ip
    if isinstance(address, str):
        return IPv4Interface((address, ip.network_prefix))
    return IPv6Interface((address[0].partition("%")[0], ip.network_prefix))


def has_neighbours(network: IPv4Network | IPv6Network) -> bool:
    """Tell whether machines next to each other make up ``network``."""
    return _WIDEST[network.version] <= network.prefixlen <= _NARROWEST[network.version]


def is_near(address: IPv4Address | IPv6Address, own: Iterable[Interface]) -> bool:
    """Tell whether ``address`` is on a network of this machine.

    own: the addresses of this machine. Link-local addresses are always near: no router passes
    them on.
    """
    return address.is_link_local or any(address in interface.network for interface in own)
