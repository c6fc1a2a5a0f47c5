"""The addresses of this machine, and the kind of each address."""

import sys
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from pathlib import Path
from typing import Final

import trio

from matcha_p2p.transport.endpoints import Address, Scope, is_shared, scope_of
from matcha_p2p.transport.local.interfaces import Interface, all_interfaces
from matcha_p2p.transport.local.programs import beginning_of, printed_by

_IF_INET6: Final = Path("/proc/net/if_inet6")
_CARDS: Final = Path("/sys/class/net")
_TEMPORARY: Final = 0x01  # IFA_F_TEMPORARY of Linux, RFC 8981
_DEPRECATED: Final = 0x20  # IFA_F_DEPRECATED
_TUNNEL: Final = "65534"  # ARPHRD_NONE of Linux: TUN and WireGuard

_OF_VPNS: Final = (
    "tun",
    "tap",
    "utun",
    "wg",
    "wireguard",
    "tailscale",
    "zt",
    "zerotier",
    "ygg",
    "nebula",
)
"""How the interfaces of VPNs are called, in lower case."""

_UNIQUE_LOCAL: Final = IPv6Network("fc00::/7")


class AddressKind(Enum):
    """The machines that can reach an address of this machine."""

    INTERNET = "internet"
    TEMPORARY = "temporary"
    """On the internet for about a day: the system changes it, against tracking (RFC 8981)."""

    SHARED = "shared"
    """Of a network shared among a provider's customers (RFC 6598)."""

    VPN = "vpn"
    NETWORK = "network"
    UNIQUE_LOCAL = "unique-local"
    """Of a private network, by IPv6 (RFC 4193)."""

    LINK_LOCAL = "link-local"
    CONTAINERS = "containers"
    """Of a network inside this machine."""

    MACHINE = "machine"


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """An address of this machine. interface: the name of the network card, if known.

    in_invites: whether the invites of a host hold the address.
    """

    address: Address
    kind: AddressKind
    interface: str
    in_invites: bool


@dataclass(frozen=True, slots=True)
class Marks:
    """The system's marks of addresses and interfaces.

    temporary, deprecated: addresses. tunnels: names of interfaces.
    """

    temporary: frozenset[Address] = frozenset()
    deprecated: frozenset[Address] = frozenset()
    tunnels: frozenset[str] = frozenset()


async def own_addresses(in_invites: Sequence[Address]) -> tuple[OwnAddress, ...]:
    """Return the addresses of this machine; the addresses in invites come first.

    No packet is sent.
    """
    try:
        own = await trio.to_thread.run_sync(all_interfaces)
    except OSError:
        own = ()
    return describe(in_invites, own, await _marks([each.name for each in own]))


def describe(
    in_invites: Sequence[Address], own: Iterable[Interface], marks: Marks
) -> tuple[OwnAddress, ...]:
    """Return the address and the kind of each address worth showing.

    Unless invites hold loopback, loopback is left out. Addresses that the system gives up are
    left out, and so are link-local addresses of tunnels and containers.
    """
    by_address: dict[Address, Interface] = {each.address: each for each in own}
    found = [_described(each, by_address.get(each), marks, held=True) for each in in_invites]
    for address, interface in by_address.items():
        if address in in_invites or address in marks.deprecated:
            continue
        other = _described(address, interface, marks, held=False)
        inside = other.kind in (AddressKind.VPN, AddressKind.CONTAINERS)
        if other.kind is not AddressKind.MACHINE and not (inside and address.is_link_local):
            found.append(other)
    return tuple(found)


def _described(
    address: Address, interface: Interface | None, marks: Marks, *, held: bool
) -> OwnAddress:
    name = "" if interface is None else interface.name
    inside = interface is not None and not interface.leads_outside
    tunnel = name in marks.tunnels or name.lower().startswith(_OF_VPNS)
    kind = _kind(address, marks.temporary, inside=inside, tunnel=tunnel)
    return OwnAddress(address, kind, name, held)


def _kind(
    address: Address, temporary: Collection[Address], *, inside: bool, tunnel: bool
) -> AddressKind:
    scope = scope_of(address)
    if scope is Scope.MACHINE:
        return AddressKind.MACHINE
    if inside:
        return AddressKind.CONTAINERS
    if scope is Scope.INTERNET:
        return AddressKind.TEMPORARY if address in temporary else AddressKind.INTERNET
    if tunnel:
        return AddressKind.VPN
    if is_shared(address):
        return AddressKind.SHARED
    if address.is_link_local:
        return AddressKind.LINK_LOCAL
    if address in _UNIQUE_LOCAL:
        return AddressKind.UNIQUE_LOCAL
    return AddressKind.NETWORK


async def _marks(names: Sequence[str]) -> Marks:
    """Return the system's marks of addresses, and of the interfaces ``names``."""
    match sys.platform:
        case "linux":
            return await trio.to_thread.run_sync(_marks_of_linux, names)
        case "darwin":
            return marks_of_macos(await printed_by("ifconfig", "-a"))
        case "win32":
            words = ("netsh", "interface", "ipv6", "show", "address")
            return marks_of_windows(await printed_by(*words))
        case _:
            return Marks()


def marks_of_macos(text: str) -> Marks:
    """Read the output of ``ifconfig``: words after an address are its marks."""
    marked: dict[Address, list[str]] = {}
    for line in text.splitlines():
        with suppress(ValueError):
            family, address, *words = line.split()
            if family == "inet6":
                marked[IPv6Address(address.partition("%")[0])] = words
    return Marks(
        frozenset(address for address, words in marked.items() if "temporary" in words),
        frozenset(address for address, words in marked.items() if "deprecated" in words),
    )


def marks_of_windows(text: str) -> Marks:
    """Read the output of ``netsh interface ipv6 show address``, in the system's language.

    A row has the type, the state, two lifetimes and the address. The type begins with "temp" in
    English and the languages near. The second lifetime of a deprecated address is over.
    """
    temporary, deprecated = set[Address](), set[Address]()
    for line in text.splitlines():
        with suppress(ValueError):
            kind, *_, _, preferred, last = line.split()
            address = IPv6Address(last.partition("%")[0])
            if kind.lower().startswith("temp"):
                temporary.add(address)
            if preferred == "0s":
                deprecated.add(address)
    return Marks(frozenset(temporary), frozenset(deprecated))


def _marks_of_linux(names: Iterable[str]) -> Marks:
    flagged = parse_if_inet6(beginning_of(_IF_INET6))
    return Marks(
        frozenset(address for address, flags in flagged.items() if flags & _TEMPORARY),
        frozenset(address for address, flags in flagged.items() if flags & _DEPRECATED),
        frozenset(filter(_is_tunnel, names)),
    )


def parse_if_inet6(text: str) -> dict[IPv4Address | IPv6Address, int]:
    """Return the addresses in /proc/net/if_inet6, and the flags of each."""
    found: dict[IPv4Address | IPv6Address, int] = {}
    for line in text.splitlines():
        with suppress(ValueError):
            address, _, _, _, flags, _ = line.split()
            found[IPv6Address(bytes.fromhex(address))] = int(flags, 16)
    return found


def _is_tunnel(name: str) -> bool:
    return beginning_of(_CARDS / name / "type").strip() == _TUNNEL
