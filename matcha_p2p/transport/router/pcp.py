"""The Port Control Protocol, version 2, as a client (RFC 6887), for MAP of TCP alone."""

import struct
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address
from secrets import token_bytes
from typing import Final

from matcha_p2p.transport.endpoints import Address, Endpoint, plain
from matcha_p2p.transport.router.datagrams import RouterSocket
from matcha_p2p.transport.router.lease import LEASE_TIME, Lease, RouterError

VERSION: Final = 2
_MAP: Final = 1
_ANSWER: Final = 0x80
_TCP: Final = 6
_SUCCESS: Final = 0
_UNSUPPORTED_VERSION: Final = 1

RESULTS: Final = (
    "SUCCESS",
    "UNSUPP_VERSION",
    "NOT_AUTHORIZED",
    "MALFORMED_REQUEST",
    "UNSUPP_OPCODE",
    "UNSUPP_OPTION",
    "MALFORMED_OPTION",
    "NETWORK_FAILURE",
    "NO_RESOURCES",
    "UNSUPP_PROTOCOL",
    "USER_EX_QUOTA",
    "CANNOT_PROVIDE_EXTERNAL",
    "ADDRESS_MISMATCH",
    "EXCESSIVE_REMOTE_PEERS",
)
"""The result codes, by number."""

_REQUEST: Final = struct.Struct("!BBHI16s12sB3xHH16s")
_RESPONSE: Final = struct.Struct("!BxBI4x12x12sB3xHH16s")  # all but the version


class OtherVersionError(RouterError):
    """The router speaks another version of the protocol: NAT-PMP, most likely."""


class PcpClient:
    """Asks a router by PCP. A nonce tells our mapping of a port from foreign mappings.

    own: our IPv6 address for guests. The router opens the port for the asking address.
    """

    name = "PCP"

    def __init__(self, router: Address, own: IPv6Address | None = None) -> None:
        self._router: Final = router
        self._own: Final = own
        self._nonce: Final = token_bytes(12)

    async def open(self, port: int, before: Lease | None = None) -> Lease:
        """Let connections in to ``port``; see RouterClient."""
        outside = None if before is None else before.outside
        with await RouterSocket.open(self._router, self._own) as line:
            request = encode_map(line.own, self._nonce, port, LEASE_TIME, outside)
            return await line.ask(request, lambda got: read_map(got, self._nonce, port))

    async def close(self, port: int, lease: Lease) -> None:
        """Give ``lease`` back."""
        with suppress(RouterError), await RouterSocket.open(self._router, self._own) as line:
            await line.tell(encode_map(line.own, self._nonce, port, 0, lease.outside))


def encode_map(
    own: Address, nonce: bytes, port: int, seconds: int, outside: Endpoint | None
) -> bytes:
    """Return a MAP request of 60 bytes. outside: the wish, or None. seconds: 0 to delete."""
    anywhere = IPv6Address(0) if own.version == 6 else IPv4Address(0)
    address, outer_port = (
        (anywhere, port) if outside is None else (outside.address, outside.port)
    )
    return _REQUEST.pack(
        VERSION,
        _MAP,
        0,
        seconds,
        _sixteen(own),
        nonce,
        _TCP,
        port,
        outer_port,
        _sixteen(address),
    )


def read_map(message: bytes, nonce: bytes, port: int) -> Lease | None:
    """Return the lease in an answer to our MAP request, or None for an unrelated message.

    Raises:
        OtherVersionError: the router does not speak this version.
        RouterError: the router refuses.
    """
    if len(message) < 4 or not message[1] & _ANSWER:
        return None
    if message[0] != VERSION or message[3] == _UNSUPPORTED_VERSION:
        raise OtherVersionError("UNSUPP_VERSION")
    if len(message) <= _RESPONSE.size:
        return None
    fields: tuple[int, int, int, bytes, int, int, int, bytes]
    fields = _RESPONSE.unpack_from(message, 1)
    opcode, result, seconds, echoed, protocol, inner, outer, packed = fields
    if (opcode, echoed, protocol, inner) != (_ANSWER | _MAP, nonce, _TCP, port):
        return None
    address = plain(IPv6Address(packed))
    if result != _SUCCESS:
        told = None if address.is_unspecified else address
        reason = RESULTS[result] if result < len(RESULTS) else f"code {result}"
        raise RouterError(reason, told)
    if not outer or address.is_unspecified or not seconds:
        raise RouterError("SUCCESS without an address, a port or a time")
    return Lease(Endpoint(address, outer), seconds)


def _sixteen(address: Address) -> bytes:
    """Return the 16 bytes of an address; IPv4 is mapped into IPv6."""
    if isinstance(address, IPv4Address):
        return bytes(10) + b"\xff\xff" + address.packed
    return address.packed
