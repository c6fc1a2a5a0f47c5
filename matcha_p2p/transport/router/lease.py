"""A router's answer: a lease, or the reason for no lease."""

from dataclasses import dataclass
from typing import Final, Protocol

from matcha_p2p.transport.endpoints import Address, Endpoint

LEASE_TIME: Final = 3600
"""Seconds of a requested lease; leases are renewed long before."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A port of a router leads to this machine.

    outside: the router's endpoint. seconds: the time of the lease, 0 for no end.
    """

    outside: Endpoint
    seconds: int


class RouterError(Exception):
    """A router does not open a port. reason: the router's words or ours, a line of English.

    outside: the router's outside address, if the router told it nevertheless.
    """

    def __init__(self, reason: str, outside: Address | None = None) -> None:
        super().__init__(reason)
        self.reason: Final = reason
        self.outside: Final = outside


class NoAnswerError(RouterError):
    """Nobody answers."""


class RouterClient(Protocol):
    """Speaks a protocol to a router."""

    @property
    def name(self) -> str:
        """The name of the protocol."""
        ...

    async def open(self, port: int, before: Lease | None = None) -> Lease:
        """Let connections in to ``port`` of this machine, or renew the lease ``before``.

        Raises:
            RouterError: the router refuses, or the answer is unreadable.
        """
        ...

    async def close(self, port: int, lease: Lease) -> None:
        """Give ``lease`` back; no answer is waited for longer than the caller likes."""
        ...
