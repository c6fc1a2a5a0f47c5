"""Servers named by the person: the program asks no other server."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

_STUN_PORT: Final = 3478
"""The usual port of a STUN server (RFC 8489)."""

_WITH_PORT: Final = re.compile(
    r"(?:\[(?P<six>[^]]*)\]|(?P<other>[^:\[\]]+))(?::(?P<port>[0-9]{1,5}))?"
)
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_NAME: Final = re.compile(rf"(?=.{{1,253}}$)(?:{_LABEL}\.)*(?=[a-z]){_LABEL}")


@dataclass(frozen=True, slots=True)
class Server:
    """Where a server is. host: an address, or a name."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def stun_server(text: str) -> Server:
    """Read HOST or HOST:PORT; raises ValueError."""
    return _parse(text, _STUN_PORT)


def socks_proxy(text: str) -> Server:
    """Read HOST:PORT; raises ValueError."""
    return _parse(text, 0)


@dataclass(frozen=True, slots=True)
class Named:
    """The servers named by the person. proxy: dials in our place."""

    stun: Server | None = None
    proxy: Server | None = None

    @classmethod
    def of(cls, stun: str | None = None, socks: str | None = None) -> "Named":
        """Read the servers; raises ValueError."""
        return cls(
            None if stun is None else stun_server(stun),
            None if socks is None else socks_proxy(socks),
        )


NOBODY: Final = Named()


def _parse(text: str, usual: int) -> Server:
    """Read a server. usual: the port for a text without a port; 0 if a port is required."""
    try:
        host, port = str(ip_address(text)), usual
    except ValueError:
        found = _WITH_PORT.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} names no server") from None
        host, port = _host(found["six"], found["other"]), int(found["port"] or usual)
    if not host or not 1 <= port <= 65535:
        raise ValueError(f"{text!r} names no server")
    return Server(host, port)


def _host(six: str | None, other: str) -> str:
    """Return an address or a name, or "" if ``other`` is neither."""
    if six is None and _NAME.fullmatch(other.lower()):
        return other.lower()
    try:
        return str(IPv4Address(other) if six is None else IPv6Address(six))
    except ValueError:
        return ""
