"""Asks a STUN server for our address on the internet (RFC 8489): a binding request.

The question goes by IPv4 only: with IPv6 the machine knows its own address.
"""

import socket
import struct
import zlib
from collections.abc import Iterator
from ipaddress import IPv4Address, ip_address
from secrets import token_bytes
from typing import Final

import trio

from matcha_p2p.errors import LinkError
from matcha_p2p.transport.endpoints import Address, Endpoint, Scope
from matcha_p2p.transport.servers import Server

PAUSES: Final = (0.5, 1.0, 2.0)
"""Seconds to wait for an answer, before the request is sent again and at last."""

_LOOKUP_LIMIT: Final = 5.0
_MOST: Final = 1500  # bytes of an answer

_HEAD: Final = struct.Struct("!HHI12s")
_ATTRIBUTE: Final = struct.Struct("!HH")
_MAGIC: Final = 0x2112A442
_REQUEST, _SUCCESS, _REFUSAL = 0x0001, 0x0101, 0x0111
_MAPPED, _XOR_MAPPED, _FINGERPRINT = 0x0001, 0x0020, 0x8028
_FINGERPRINT_MASK: Final = 0x5354554E
_INTEGRITY: Final = (0x0008, 0x001C)
"""MESSAGE-INTEGRITY: only a client with a shared password can judge the answer."""

_OPTIONAL: Final = 0x8000
"""From this type on, unknown attributes may be skipped."""

_NO_NAME: Final = "The STUN server {server} has no IPv4 address now. Check its name."
_SILENT: Final = (
    "The STUN server {server} does not answer. Check its name and port, or name no server."
)
_REFUSES: Final = "The STUN server {server} tells no address. Try another server."
_USELESS: Final = (
    "The STUN server {server} sees you at {address}, which is not on the internet. Name a "
    "server outside your network."
)


class _RefusedError(Exception):
    """The server answers, and tells no address."""


async def ask_outside(server: Server) -> IPv4Address:
    """Return our address in the eyes of ``server``.

    Raises:
        LinkError: the server tells no address of the internet.
    """
    places = []
    with trio.move_on_after(_LOOKUP_LIMIT):
        places = await _look_up(server)
    if not places:
        raise LinkError(_NO_NAME, code="stun", server=server)
    try:
        seen = await _ask(places[0])
    except _RefusedError:
        raise LinkError(_REFUSES, code="stun", server=server) from None
    if seen is None:
        raise LinkError(_SILENT, code="stun", server=server)
    if not isinstance(seen.address, IPv4Address) or seen.scope is not Scope.INTERNET:
        raise LinkError(_USELESS, code="stun", server=server, address=seen.address)
    return seen.address


async def _look_up(server: Server) -> list[tuple[str, int]]:
    try:
        found = await trio.socket.getaddrinfo(
            server.host, server.port, socket.AF_INET, socket.SOCK_DGRAM
        )
    except (OSError, UnicodeError):
        return []
    return [(str(name[0]), server.port) for *_, name in found]


async def _ask(place: tuple[str, int]) -> Endpoint | None:
    """Return our endpoint in the eyes of the server at ``place``, or None without an answer."""
    transaction = token_bytes(12)
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        try:
            await line.connect(place)  # the system drops datagrams from elsewhere
            for pause in PAUSES:
                with trio.move_on_after(pause):
                    await line.send(encode_request(transaction))
                    while True:
                        seen = read_answer(await line.recv(_MOST), transaction)
                        if seen is not None:
                            return seen
        except OSError:
            pass  # nobody listens there
    return None


def encode_request(transaction: bytes) -> bytes:
    """Return a binding request. transaction: 12 random bytes."""
    return _HEAD.pack(_REQUEST, 0, _MAGIC, transaction)


def read_answer(message: bytes, transaction: bytes) -> Endpoint | None:
    """Return the address in an answer to ``transaction``, else None.

    A malformed message, or an answer to another request, gives None.

    Raises:
        _RefusedError: the answer has no readable address.
    """
    if len(message) < _HEAD.size:
        return None
    kind, size, magic, number = _HEAD.unpack_from(message)
    if kind not in (_SUCCESS, _REFUSAL) or (magic, number) != (_MAGIC, transaction):
        return None
    if size % 4 or _HEAD.size + size != len(message):
        return None
    try:
        attributes = list(_attributes(message))
    except ValueError:
        return None
    known = {_MAPPED, _XOR_MAPPED, *_INTEGRITY}
    if kind == _REFUSAL or any(
        each < _OPTIONAL and each not in known for each, _ in attributes
    ):
        raise _RefusedError
    for wanted in (_XOR_MAPPED, _MAPPED):
        for each, value in attributes:
            if each == wanted:
                return _address(value, message[4:20] if wanted == _XOR_MAPPED else bytes(16))
    raise _RefusedError


def _attributes(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield type and value of each attribute.

    Raises:
        ValueError: the message is cut short, or its fingerprint is wrong.
    """
    at = _HEAD.size
    while at < len(message):
        kind, size = _ATTRIBUTE.unpack_from(message, at)
        start, end = at + _ATTRIBUTE.size, at + _ATTRIBUTE.size + size
        if end > len(message):
            raise ValueError("an attribute is cut short")
        if kind == _FINGERPRINT:
            right = (zlib.crc32(message[:at]) ^ _FINGERPRINT_MASK).to_bytes(4, "big")
            if message[start:] != right:
                raise ValueError("the fingerprint is wrong")
        yield kind, message[start:end]
        at = end + -size % 4


def _address(value: bytes, mask: bytes) -> Endpoint:
    """Return the endpoint in the value of an attribute. mask: magic number and transaction."""
    sizes = {1: 4, 2: 16}
    if len(value) < 4 or sizes.get(value[1]) != len(value) - 4:
        raise _RefusedError
    plain = bytes(a ^ b for a, b in zip(value[4:], mask, strict=False))
    port = int.from_bytes(value[2:4], "big") ^ int.from_bytes(mask[:2], "big")
    address: Address = ip_address(plain)
    try:
        return Endpoint(address, port)
    except ValueError:
        raise _RefusedError from None
