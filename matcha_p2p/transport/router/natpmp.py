"""NAT-PMP, the older sister of PCP on the same port, as a client (RFC 6886)."""

import struct
from contextlib import suppress
from ipaddress import IPv4Address
from typing import Final

from matcha_p2p.transport.endpoints import Address, Endpoint
from matcha_p2p.transport.router.datagrams import RouterSocket
from matcha_p2p.transport.router.lease import LEASE_TIME, Lease, RouterError

_ADDRESS: Final = 0
_MAP_TCP: Final = 2
_ANSWER: Final = 0x80
_ADDRESS_REQUEST: Final = bytes(2)

_RESULTS: Final = (
    "success",
    "unsupported version",
    "not authorized",
    "network failure",
    "out of resources",
    "unsupported opcode",
)
_MAPPING: Final = struct.Struct("!BBHHHI")


class NatPmpClient:
    """Asks a router by NAT-PMP."""

    name = "NAT-PMP"

    def __init__(self, router: Address) -> None:
        self._router: Final = router

    async def open(self, port: int, before: Lease | None = None) -> Lease:
        """Let connections in to ``port``; see RouterClient."""
        wished = port if before is None else before.outside.port
        request = encode_mapping(port, wished, LEASE_TIME)
        with await RouterSocket.open(self._router) as line:
            address = await line.ask(_ADDRESS_REQUEST, read_address)
            outer, seconds = await line.ask(request, lambda got: read_mapping(got, port))
        return Lease(Endpoint(address, outer), seconds)

    async def close(self, port: int, lease: Lease) -> None:  # noqa: ARG002 -- see RouterClient
        """Give the lease of ``port`` back."""
        with suppress(RouterError), await RouterSocket.open(self._router) as line:
            await line.tell(encode_mapping(port, 0, 0))


def encode_mapping(port: int, wished: int, seconds: int) -> bytes:
    """Return a request of 12 bytes. wished: the port outside; 0, and 0 s, to delete."""
    return _MAPPING.pack(0, _MAP_TCP, 0, port, wished, seconds)


def read_address(message: bytes) -> IPv4Address | None:
    """Return the router's outside address in ``message``, or None for an unrelated message.

    Raises:
        RouterError: the router refuses.
    """
    if not _answers(message, _ADDRESS, 12):
        return None
    return IPv4Address(message[8:12])


def read_mapping(message: bytes, port: int) -> tuple[int, int] | None:
    """Return the granted outside port and seconds, or None for an unrelated message.

    Raises:
        RouterError: the router refuses.
    """
    if not _answers(message, _MAP_TCP, 16):
        return None
    inner, outer, seconds = struct.unpack_from("!HHI", message, 8)
    if inner != port:
        return None
    if not outer or not seconds:
        raise RouterError("success without a port or a time")
    return outer, seconds


def _answers(message: bytes, opcode: int, size: int) -> bool:
    """Tell whether ``message`` is a good answer to ``opcode``, of ``size`` bytes at least.

    Raises:
        RouterError: the answer is a refusal.
    """
    if len(message) < 4 or message[:2] != bytes([0, _ANSWER | opcode]):
        return False
    result = int.from_bytes(message[2:4], "big")
    if result:
        raise RouterError(_RESULTS[result] if result < len(_RESULTS) else str(result))
    return len(message) >= size
