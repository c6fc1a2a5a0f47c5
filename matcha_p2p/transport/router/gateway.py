"""Finds the routers for packets to the internet."""

import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Final

from matcha_p2p.transport.local.programs import beginning_of, printed_by

_ROUTES: Final = Path("/proc/net/route")
_ROUTES_6: Final = Path("/proc/net/ipv6_route")

_BY_GATEWAY: Final = 0x2  # RTF_GATEWAY of Linux


@dataclass(frozen=True, slots=True)
class Gateways:
    """The default router of each family, or None if missing or unknown.

    A link-local address of the router for IPv6 has a zone.
    """

    four: IPv4Address | None = None
    six: IPv6Address | None = None


async def find_gateways() -> Gateways:
    """Return the default routers of this machine. No packet is sent."""
    match sys.platform:
        case "linux":
            return Gateways(
                parse_routes(beginning_of(_ROUTES)), parse_routes_6(beginning_of(_ROUTES_6))
            )
        case "darwin":
            four = await printed_by("route", "-n", "get", "default")
            six = await printed_by("route", "-n", "get", "-inet6", "default")
            return Gateways(parse_route_of_macos(four), parse_route_6_of_macos(six))
        case "win32":
            four = await printed_by("route", "print", "-4")
            six = await printed_by("route", "print", "-6")
            return Gateways(parse_routes_of_windows(four), parse_routes_6_of_windows(six))
        case _:
            return Gateways()


def parse_routes(text: str) -> IPv4Address | None:
    """Return the gateway of the default route with the least metric in /proc/net/route."""
    found: list[tuple[int, IPv4Address]] = []
    for line in text.splitlines()[1:]:
        with suppress(ValueError):
            _, destination, gateway, flags, _, _, metric, mask, *_ = line.split()
            if not int(destination, 16) and not int(mask, 16) and int(flags, 16) & _BY_GATEWAY:
                # In the kernel's byte order, little-endian on our platforms.
                packed = bytes.fromhex(gateway)
                found.append((int(metric), IPv4Address(packed[:: _order()])))
    return min(found)[1] if found else None


def parse_routes_6(text: str) -> IPv6Address | None:
    """Return the gateway of the default route with the least metric in ipv6_route."""
    found: list[tuple[int, IPv6Address]] = []
    for line in text.splitlines():
        with suppress(ValueError):
            destination, size, _, _, gateway, metric, _, _, flags, interface = line.split()
            if not int(destination + size, 16) and int(flags, 16) & _BY_GATEWAY:
                found.append((int(metric, 16), _zoned(bytes.fromhex(gateway), f"%{interface}")))
    return min(found)[1] if found else None


def parse_route_of_macos(text: str) -> IPv4Address | None:
    """Return the gateway in the output of ``route -n get default``."""
    found = re.search(r"(?m)^\s*gateway: ([0-9.]+)\s*$", text)
    return None if found is None else _address(found[1])


def parse_routes_of_windows(text: str) -> IPv4Address | None:
    """Return the gateway of the default route with the least metric of ``route print``.

    The headings are in the language of the system; the rows are digits.
    """
    rows = re.findall(r"(?m)^\s*0\.0\.0\.0\s+0\.0\.0\.0\s+([0-9.]+)\s+[0-9.]+\s+(\d+)", text)
    found = [
        (int(metric), address)
        for gateway, metric in rows
        if (address := _address(gateway)) is not None
    ]
    return min(found)[1] if found else None


def parse_route_6_of_macos(text: str) -> IPv6Address | None:
    """Return the gateway in the output of ``route -n get -inet6 default``."""
    found = re.search(r"(?m)^\s*gateway: ([0-9a-f:]+)(%\w+)?\s*$", text)
    return None if found is None else _address_6(found[1], found[2] or "")


def parse_routes_6_of_windows(text: str) -> IPv6Address | None:
    """Return the gateway of the default route with the least metric of ``route print -6``.

    A row has the number of the interface, the metric, ``::/0`` and the gateway.
    """
    rows = re.findall(r"(?mi)^\s*(\d+)\s+(\d+)\s+::/0\s+([0-9a-f:]+)\s*$", text)
    found = [
        (int(metric), address)
        for interface, metric, gateway in rows
        if (address := _address_6(gateway, f"%{interface}")) is not None
    ]
    return min(found)[1] if found else None


def _order() -> int:
    return -1 if sys.byteorder == "little" else 1


def _address(text: str) -> IPv4Address | None:
    try:
        return IPv4Address(text)
    except ValueError:
        return None


def _address_6(text: str, zone: str) -> IPv6Address | None:
    try:
        return _zoned(text, zone)
    except ValueError:
        return None


def _zoned(address: str | bytes, zone: str) -> IPv6Address:
    """Return the address; a link-local address has the zone, which begins with %."""
    plain = IPv6Address(address)
    return IPv6Address(f"{plain}{zone}") if plain.is_link_local else plain
