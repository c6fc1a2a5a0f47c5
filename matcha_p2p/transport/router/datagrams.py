"""Questions to a router in single datagrams, at the port of PCP and NAT-PMP."""

import socket
from collections.abc import Callable
from contextlib import ExitStack
from ipaddress import IPv4Address, IPv6Address, ip_address
from types import TracebackType
from typing import Final, Self, TypeVar

import trio

from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.router.lease import NoAnswerError, RouterError

T = TypeVar("T")

PORT: Final = 5351
PAUSES: Final = (0.25, 0.5, 1.0, 2.0)
"""Seconds to wait for an answer to each try.

RFC 6887 begins with 3 s, for thousands of machines that ask at once when a router starts. We
ask one router in the same room, once, and a person waits.
"""

_MOST: Final = 1100  # bytes of a message of PCP, and one to see what is longer


class RouterSocket:
    """A socket connected to a router: the system drops datagrams of strangers.

    own: the sending address.
    """

    def __init__(self, line: trio.socket.SocketType) -> None:
        self._line: Final = line
        self.own: Final[Address] = ip_address(str(line.getsockname()[0]).partition("%")[0])

    @classmethod
    async def open(cls, router: Address, own: IPv6Address | None = None) -> Self:
        """Open a socket to ``router``.

        own: the sending address: for IPv6 the address that guests dial.

        Raises:
            RouterError: the system does not let us send to ``router``.
        """
        family = socket.AF_INET if isinstance(router, IPv4Address) else socket.AF_INET6
        line = trio.socket.socket(family, socket.SOCK_DGRAM)
        with ExitStack() as on_failure:
            on_failure.callback(line.close)
            try:
                if own is not None:
                    await line.bind((str(own), 0))
                await line.connect((str(router), PORT))
            except OSError as error:
                raise RouterError(error.strerror or "unreachable") from None
            on_failure.pop_all()
        return cls(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._line.close()

    async def ask(self, request: bytes, read: Callable[[bytes], T | None]) -> T:
        """Send ``request``; return the result of ``read`` for the first accepted answer.

        Raises:
            NoAnswerError: no answer comes.
            RouterError: ``read`` raises the error.
        """
        for pause in PAUSES:
            with trio.move_on_after(pause):
                try:
                    await self._line.send(request)
                    while True:
                        answer = read(await self._line.recv(_MOST))
                        if answer is not None:
                            return answer
                except OSError:  # nobody listens there, as the router says by ICMP
                    raise NoAnswerError("no answer") from None
        raise NoAnswerError("no answer")

    async def tell(self, request: bytes) -> None:
        """Send ``request`` and wait for an answer, for at most one pause."""
        with trio.move_on_after(PAUSES[0]):
            try:
                await self._line.send(request)
                await self._line.recv(_MOST)
            except OSError:
                pass  # it has gone; the lease ends by itself
