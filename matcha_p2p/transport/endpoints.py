"""Endpoints, each an address with a port: their scope, and their encoding in codes."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from io import BytesIO
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, Self, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address

MOST_ENDPOINTS: Final = 7
"""The most endpoints in a code: one byte holds a leading 1 and a bit for each family."""

_UNICAST: Final = IPv6Network("2000::/3")
_NOT_INTERNET: Final = tuple(
    ip_network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared by the customers of a provider: RFC 6598
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
        "2001::/23",  # Teredo among others
        "2001:db8::/32",
        "2002::/16",  # 6to4: the packet goes to an IPv4 address inside
        "3fff::/20",
    )
)
_NOBODY: Final = tuple(map(IPv4Network, ("0.0.0.0/8", "240.0.0.0/4")))


class Scope(Enum):
    """The scope of an address: the machines that can reach it."""

    MACHINE = auto()
    NETWORK = auto()
    INTERNET = auto()


def plain(address: Address) -> Address:
    """Return the IPv4 address inside an IPv4-mapped ``address``, or ``address`` itself."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def scope_of(address: Address) -> Scope:
    """Return the scope of ``address``.

    An address outside IANA's registries of special addresses is on the internet. The module
    ``ipaddress`` counts a few special addresses in, and differs from release to release.
    """
    address = plain(address)
    if address.is_loopback:
        return Scope.MACHINE
    usual = isinstance(address, IPv4Address) or address in _UNICAST
    special = not usual or any(address in network for network in _NOT_INTERNET)
    return Scope.NETWORK if special else Scope.INTERNET


def is_shared(address: Address) -> bool:
    """Tell whether a provider gives ``address`` to many customers at once (RFC 6598)."""
    return isinstance(address, IPv4Address) and address in IPv4Network("100.64.0.0/10")


def leads_nowhere(address: Address) -> bool:
    """Tell whether another machine cannot find a machine by ``address`` alone.

    For example, a link-local address needs the name of the dialling machine's own interface.
    """
    address = plain(address)
    return (
        address.is_unspecified
        or address.is_multicast
        or address.is_link_local
        or any(address in network for network in _NOBODY)
    )


def global_six(addresses: Iterable[Address]) -> IPv6Address | None:
    """Return the first IPv6 address of the internet among ``addresses``."""
    for address in addresses:
        if isinstance(address, IPv6Address) and scope_of(address) is Scope.INTERNET:
            return address
    return None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address and a port to dial. address: without a zone. port: 1 .. 65535."""

    address: Address
    port: int

    def __post_init__(self) -> None:
        """Refuse fields that do not fit in a code.

        Raises:
            ValueError: a field is out of its range.
        """
        if getattr(self.address, "scope_id", None):
            raise ValueError("an endpoint names no network interface")
        if not 1 <= self.port <= 65535:
            raise ValueError(f"there is no port {self.port}")

    def __str__(self) -> str:
        return (
            f"{self.address}:{self.port}"
            if self.address.version == 4
            else f"[{self.address}]:{self.port}"
        )

    @property
    def scope(self) -> Scope:
        """The scope of the address."""
        return scope_of(self.address)


def at_port(addresses: Iterable[Address], port: int) -> tuple[Endpoint, ...]:
    """Return an endpoint at ``port`` of each of ``addresses``."""
    return tuple(Endpoint(address, port) for address in addresses)


@dataclass(frozen=True, slots=True)
class EndpointList:
    """1 to 7 endpoints, for a code (PEER#invite)."""

    endpoints: tuple[Endpoint, ...]

    @property
    def port(self) -> int:
        """The most frequent port; of equally frequent ports the first."""
        ports = [endpoint.port for endpoint in self.endpoints]
        return max(ports, key=ports.count)

    def encode(self) -> bytes:
        """Return families, own ports, addresses, ports, without the common port."""
        families = "".join("01"[each.address.version == 6] for each in self.endpoints)
        own = [
            (1 << place, each.port.to_bytes(2, "big"))
            for place, each in enumerate(self.endpoints)
            if each.port != self.port
        ]
        return b"".join(
            (
                bytes([int("1" + families, 2), sum(bit for bit, _ in own)]),
                *(each.address.packed for each in self.endpoints),
                *(port for _, port in own),
            )
        )

    @classmethod
    def decode(cls, port: int, content: BytesIO) -> Self:
        """Read the list from ``content``, and leave the bytes after the list unread.

        port: the common port.

        Raises:
            ValueError: the list is missing, or is not the canonical encoding of its endpoints.
        """
        start = content.tell()
        head = content.read(2)
        if len(head) < 2 or head[0] < 2:
            raise ValueError("a list has one address at least")
        sizes = [16 if family == "1" else 4 for family in f"{head[0]:b}"[1:]]
        addresses = [ip_address(_exactly(content, size)) for size in sizes]
        ports = [
            int.from_bytes(_exactly(content, 2), "big") if head[1] >> place & 1 else port
            for place in range(len(addresses))
        ]
        found = cls(tuple(map(Endpoint, addresses, ports)))
        end = content.tell()
        content.seek(start)
        if content.read(end - start) != found.encode() or port != found.port:
            raise ValueError("this is not how these endpoints are written")
        return found


def _exactly(content: BytesIO, size: int) -> bytes:
    piece = content.read(size)
    if len(piece) != size:
        raise ValueError("the list is cut short")
    return piece
