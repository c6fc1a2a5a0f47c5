"""UPnP Internet Gateway Devices, versions 1 and 2, as a control point.

Any machine of a network can answer a search. So only answers from the address of the default
router count, and only places on the router's address are asked.
"""

import re
import socket
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import Final, Self

import trio

from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.router import http
from matcha_p2p.transport.router.lease import LEASE_TIME, Lease, RouterError
from matcha_p2p.transport.router.xml import texts_in

SEARCHED: tuple[str, int] = ("239.255.255.250", 1900)
_DEVICES: Final = tuple(
    f"urn:schemas-upnp-org:device:InternetGatewayDevice:{version}" for version in (1, 2)
)
_SERVICES: Final = tuple(
    f"urn:schemas-upnp-org:service:{name}"
    for name in ("WANIPConnection:2", "WANIPConnection:1", "WANPPPConnection:1")
)
"""The services that open ports, the best first."""

_LOCATION: Final = re.compile(rb"(?im)^location:[ \t]*(\S+)[ \t]*\r?$")
_URL: Final = re.compile(r"http://([0-9.]{7,15})(?::([0-9]{1,5}))?(/[!-~]*)?")
_MOST: Final = 2048  # bytes of an answer to a search
_SEARCH_AGAIN: Final = 0.4

_CONFLICT: Final = 718
_ONLY_FOR_GOOD: Final = 725
_OTHER_PORTS: Final = 4
"""The number of ports to try in turn on a router that cannot choose a port."""


class IgdError(RouterError):
    """An action failed. number: UPnP's; 0 if the router told no number."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number: Final = number


@dataclass(frozen=True, slots=True)
class IgdClient:
    """Asks a router. service: the router's service. path: the control URL of the service."""

    router: Endpoint
    service: str
    path: str

    @property
    def name(self) -> str:
        """The name of the protocol."""
        return "UPnP"

    @classmethod
    async def find(cls, gateway: IPv4Address) -> Self:
        """Search the network for ``gateway``, until cancelled.

        Raises:
            RouterError: the answer names no service that opens ports.
        """
        device, path = await _search(gateway)
        status, document, _ = await http.request(device, "GET", path, {})
        if status != 200:
            raise RouterError(f"HTTP {status}")
        return cls.read(device, document)

    @classmethod
    def read(cls, device: Endpoint, document: bytes) -> Self:
        """Return the client for the description ``document``, fetched from ``device``.

        Raises:
            RouterError: the description has no service on ``device`` that opens ports.
        """
        controls = {
            texts.get("serviceType", ""): texts.get("controlURL", "")
            for texts in texts_in(document, "service")
        }
        for service in _SERVICES:
            if service in controls:
                where, path = _place(controls[service], device)
                return cls(where, service, path)
        raise RouterError("it opens no ports")

    async def open(self, port: int, before: Lease | None = None) -> Lease:
        """Let connections in to ``port``; see RouterClient."""
        texts, own = await self._act("GetExternalIPAddress")
        told = texts.get("NewExternalIPAddress", "")
        wished = port if before is None else before.outside.port
        try:
            address = IPv4Address(told)
        except ValueError:
            raise RouterError("no outside address") from None
        if address.is_unspecified:
            raise RouterError("no outside address")
        try:
            outer, seconds = await self._add(Endpoint(IPv4Address(own), port), wished)
        except RouterError as error:
            raise RouterError(error.reason, address) from None
        return Lease(Endpoint(address, outer), seconds)

    async def close(self, port: int, lease: Lease) -> None:  # noqa: ARG002 -- see RouterClient
        """Give ``lease`` back."""
        with suppress(RouterError):
            await self._act(
                "DeletePortMapping",
                NewRemoteHost="",
                NewExternalPort=str(lease.outside.port),
                NewProtocol="TCP",
            )

    async def _add(self, own: Endpoint, wished: int) -> tuple[int, int]:
        """Return the port outside and the seconds of a new mapping to ``own``."""
        seconds = LEASE_TIME
        for outer in (wished, *range(own.port + 1, own.port + _OTHER_PORTS)):
            try:
                await self._map("AddPortMapping", own, outer, seconds)
            except IgdError as error:
                if error.number == _ONLY_FOR_GOOD and seconds:
                    seconds = 0
                    await self._map("AddPortMapping", own, outer, seconds)
                elif error.number != _CONFLICT:
                    raise
                elif self.service.endswith("IPConnection:2"):
                    return await self._add_any(own, outer, seconds), seconds
                else:
                    continue  # somebody else's; the next one
            return outer, seconds
        raise RouterError("its ports are taken")

    async def _add_any(self, own: Endpoint, wished: int, seconds: int) -> int:
        answer = await self._map("AddAnyPortMapping", own, wished, seconds)
        with suppress(ValueError):
            outer = int(answer.get("NewReservedPort", "")[:6])
            if 1 <= outer <= 65535:
                return outer
        raise RouterError("no port")

    async def _map(
        self, action: str, own: Endpoint, outer: int, seconds: int
    ) -> dict[str, str]:
        texts, _ = await self._act(
            action,
            NewRemoteHost="",
            NewExternalPort=str(outer),
            NewProtocol="TCP",
            NewInternalPort=str(own.port),
            NewInternalClient=str(own.address),
            NewEnabled="1",
            NewPortMappingDescription="Matcha",
            NewLeaseDuration=str(seconds),
        )
        return texts

    async def _act(self, action: str, **arguments: str) -> tuple[dict[str, str], str]:
        """Return the answer to ``action``, and our own address on the line.

        Raises:
            IgdError: the action fails.
            RouterError: the answer is missing or unreadable.
        """
        headers = {
            "Content-Type": 'text/xml; charset="utf-8"',
            "SOAPAction": f'"{self.service}#{action}"',
        }
        body = encode_action(self.service, action, arguments)
        status, answer, own = await http.request(self.router, "POST", self.path, headers, body)
        if status not in (200, 500):
            raise RouterError(f"HTTP {status}")
        texts = (texts_in(answer, "Body") or [{}])[0]
        if status == 200:
            return texts, own
        number = texts.get("errorCode", "")[:6]
        reason = f"{action}: error {number}" if number.isascii() else action
        raise IgdError(int(number) if number.isdecimal() and number.isascii() else 0, reason)


def encode_action(service: str, action: str, arguments: dict[str, str]) -> bytes:
    """Return the SOAP envelope of ``action``. arguments: our own texts, without markup."""
    inside = "".join(f"<{name}>{value}</{name}>" for name, value in arguments.items())
    return (
        '<?xml version="1.0"?>\n'
        '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
        's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>'
        f'<u:{action} xmlns:u="{service}">{inside}</u:{action}>'
        "</s:Body></s:Envelope>"
    ).encode()


def read_search_answer(message: bytes, gateway: IPv4Address) -> tuple[Endpoint, str] | None:
    """Return the place of the description, or None for a place outside ``gateway``."""
    found = _LOCATION.search(message)
    if found is None or not message.startswith(b"HTTP/1.1 200"):
        return None
    try:
        return _parsed(found[1].decode("ascii"), gateway)
    except (ValueError, RouterError):
        return None


async def _search(gateway: IPv4Address) -> tuple[Endpoint, str]:
    """Search until ``gateway`` answers; return the place of its description."""
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 2)
        while True:
            for device in _DEVICES:
                try:
                    await line.sendto(_searching(device), SEARCHED)
                except OSError as error:
                    raise RouterError(error.strerror or "unreachable") from None
            with trio.move_on_after(_SEARCH_AGAIN):
                while True:
                    message, (host, *_) = await line.recvfrom(_MOST)
                    place = read_search_answer(message, gateway)
                    if host == str(gateway) and place is not None:
                        return place


def _searching(device: str) -> bytes:
    return (
        "M-SEARCH * HTTP/1.1\r\n"
        "HOST: 239.255.255.250:1900\r\n"
        'MAN: "ssdp:discover"\r\n'
        "MX: 1\r\n"
        f"ST: {device}\r\n\r\n"
    ).encode()


def _place(url: str, device: Endpoint) -> tuple[Endpoint, str]:
    """Return endpoint and path of a URL from ``device``; the URL may be a path only."""
    if url.startswith("/") and _URL.fullmatch(f"http://{device.address}{url}"):
        return device, url
    return _parsed(url, IPv4Address(str(device.address)))


def _parsed(url: str, gateway: IPv4Address) -> tuple[Endpoint, str]:
    """Return endpoint and path of ``url``.

    Raises:
        RouterError: ``url`` is no HTTP URL on the address of ``gateway``.
    """
    found = _URL.fullmatch(url)
    if found is None or found[1] != str(gateway) or int(found[2] or 80) not in range(1, 65536):
        raise RouterError("a place that is not its own")
    return Endpoint(gateway, int(found[2] or 80)), found[3] or "/"
