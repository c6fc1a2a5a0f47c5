"""What comes of asking a router: a lease, or why there is none."""

from dataclasses import dataclass
from typing import Final, Protocol

from matcha_p2p.transport.endpoints import Address, Endpoint

LEASE_TIME: Final = 3600
"""Seconds for which a router is asked to let connections in, renewed long before."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A port of a router leads to this machine.

    outside: where. seconds: for how long, 0 for good.
    """

    outside: Endpoint
    seconds: int


class RouterError(Exception):
    """A router does not open a port. reason: in its own words or ours, one line of English.

    outside: its address on the other side, if it told that all the same.
    """

    def __init__(self, reason: str, outside: Address | None = None) -> None:
        super().__init__(reason)
        self.reason: Final = reason
        self.outside: Final = outside


class NoAnswerError(RouterError):
    """Nobody answers."""


class RouterClient(Protocol):
    """Speaks one protocol to one router."""

    @property
    def name(self) -> str:
        """The name of the protocol."""
        ...

    async def open(self, port: int, before: Lease | None = None) -> Lease:
        """Let connections in to ``port`` of this machine, or go on doing so.

        before: the lease that is renewed.

        Raises:
            RouterError: the router refuses, or says nothing that can be understood.
        """
        ...

    async def close(self, port: int, lease: Lease) -> None:
        """Give ``lease`` back; no answer is waited for longer than the caller likes."""
        ...
