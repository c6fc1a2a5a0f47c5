"""Lets the router lead guests to one port of this machine, as long as that is wanted.

PCP and NAT-PMP are tried at once, UPnP beside them; the first that opens the port is kept.
"""

from collections.abc import AsyncGenerator
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Final, TypeAlias

import trio

from matcha_p2p.transport.endpoints import (
    Address,
    Endpoint,
    Scope,
    at_port,
    is_shared,
    scope_of,
)
from matcha_p2p.transport.router.datagrams import Datagrams
from matcha_p2p.transport.router.gateway import Gateways
from matcha_p2p.transport.router.igd import IgdClient
from matcha_p2p.transport.router.lease import Lease, NoAnswerError, RouterClient, RouterError
from matcha_p2p.transport.router.natpmp import NatPmpClient
from matcha_p2p.transport.router.pcp import OtherVersionError, PcpClient

ASK_LIMIT: Final = 2.0
"""Seconds after which no router is waited for any more."""

UPNP_YIELDS: Final = 0.6
"""Seconds that PCP and NAT-PMP have for themselves before UPnP opens the port."""

RENEW_EVERY: Final = 300.0
"""Seconds from one renewal to the next, though leases are longer.

So a router that was started again, or has got another address, is noticed without listening for
that.
"""

_LEAST_PAUSE: Final = 5.0
"""Seconds between two renewals, however short the leases of a router are."""

_GOODBYE: Final = 1.0
"""Seconds to give everything back."""


@dataclass(frozen=True, slots=True)
class Opened:
    """Guests from the internet are led here. how: the protocol by which this was asked for."""

    outside: Endpoint
    how: str


@dataclass(frozen=True, slots=True)
class Behind:
    """The router's own outside address is not on the internet.

    shared: whether it is one that a provider gives to many customers; else there is a second
    router before this one.
    """

    outside: Address

    @property
    def shared(self) -> bool:
        """Whether a provider gives this address to many."""
        return is_shared(self.outside)


@dataclass(frozen=True, slots=True)
class Refused:
    """A router answers and does not open the port. why: its reason, one line of English."""

    why: str
    outside: Address | None = None


@dataclass(frozen=True, slots=True)
class Silent:
    """No router answers."""


Finding: TypeAlias = Opened | Behind | Refused | Silent


class RouterReport:
    """What the routers do for ``port`` now: a renewal may change it."""

    def __init__(self, port: int, four: "_Question | None", six: "_Question | None") -> None:
        self.port: Final = port
        self._four: Final = four
        self._six: Final = six

    @property
    def four(self) -> Finding | None:
        """What came of it for IPv4; None if no router was asked."""
        return None if self._four is None else self._four.finding

    @property
    def six(self) -> Finding | None:
        """What came of it for IPv6; None if no router was asked."""
        return None if self._six is None else self._six.finding

    @property
    def opened(self) -> tuple[Endpoint, ...]:
        """The endpoints on the internet that lead here."""
        findings = (self.four, self.six)
        return tuple(each.outside for each in findings if isinstance(each, Opened))

    @property
    def outside(self) -> Address | None:
        """Our IPv4 address as the internet sees it, if the router has told it."""
        match self.four:
            case Opened(outside):
                return outside.address
            case Refused(outside=address) if address is not None:
                return address
            case _:
                return None

    def way_to(self, port: int) -> tuple[Endpoint, ...]:
        """Return where the internet sees ``port`` of ours, as far as the routers tell.

        If it is the port that was asked for, these endpoints lead here.
        """
        led = self.opened if port == self.port else ()
        known = {each.address for each in led}
        seen = (self.outside, *(each.address for each in self.opened))
        others = [each for each in seen if each is not None and each not in known]
        return tuple(dict.fromkeys((*led, *at_port(others, port))))


@asynccontextmanager
async def asking_router(
    port: int, gateways: Gateways, own_six: IPv6Address | None
) -> AsyncGenerator[RouterReport]:
    """Yield what the routers do for ``port`` after 2 s at most; keep it so during the body.

    own_six: the address of this machine on the internet that guests dial, if it has one. At the
    end everything is given back.
    """
    with ExitStack() as lines:
        four = None if gateways.four is None else _QuestionFour(port, lines)
        six = None if gateways.six is None or own_six is None else _Question(port, lines)
        with trio.move_on_after(ASK_LIMIT):
            async with trio.open_nursery() as nursery:
                if four is not None and gateways.four is not None:
                    nursery.start_soon(four.ask, gateways.four)
                if six is not None and gateways.six is not None:
                    nursery.start_soon(six.by_pcp, gateways.six, own_six)
        asked = [question for question in (four, six) if question is not None]
        try:
            async with trio.open_nursery() as nursery:
                for question in asked:
                    nursery.start_soon(question.renew)
                yield RouterReport(port, four, six)
                nursery.cancel_scope.cancel()
        finally:
            with trio.move_on_after(_GOODBYE, shield=True):
                async with trio.open_nursery() as goodbye:
                    for question in asked:
                        goodbye.start_soon(question.close)


class _Question:
    """Asks one router to open ``port``. lines: close what is opened for that."""

    def __init__(self, port: int, lines: ExitStack) -> None:
        self._port: Final = port
        self._lines: Final = lines
        self.finding: Finding = Silent()
        self._held: tuple[RouterClient, Lease] | None = None

    @property
    def holds(self) -> bool:
        """Whether the router has opened a port."""
        return self._held is not None

    async def by_pcp(self, gateway: Address, own: IPv6Address | None = None) -> None:
        """Ask by PCP or, if the router is older, by NAT-PMP. own: to send from."""
        try:
            line = self._lines.enter_context(await Datagrams.open(gateway, own))
            try:
                await self.by(PcpClient(line))
            except OtherVersionError:
                await self.by(NatPmpClient(line))
        except RouterError as error:
            self.note(error)

    async def by(self, client: RouterClient) -> None:
        """Ask by ``client``.

        Raises:
            RouterError: the router opens nothing.
        """
        self._hold(client, await client.open(self._port))

    def _hold(self, client: RouterClient, lease: Lease) -> None:
        self._held = client, lease
        if lease.outside.scope is Scope.INTERNET:
            self.finding = Opened(lease.outside, client.name)
        else:
            self.finding = Behind(lease.outside.address)

    async def renew(self) -> None:
        """Renew what is held again and again; a router that does not answer is asked later."""
        while self._held is not None:
            client, lease = self._held
            half = lease.seconds / 2 or RENEW_EVERY
            await trio.sleep(max(_LEAST_PAUSE, min(half, RENEW_EVERY)))
            with suppress(RouterError):
                self._hold(client, await client.open(self._port, lease))

    async def close(self) -> None:
        """Give back what is held."""
        if self._held is not None:
            client, lease = self._held
            await client.close(self._port, lease)

    def note(self, error: RouterError) -> None:
        """Remember why nothing was opened, the reason that says most."""
        address = error.outside
        if address is not None:
            inside = scope_of(address) is not Scope.INTERNET
            self.finding = Behind(address) if inside else Refused(error.reason, address)
        elif isinstance(self.finding, Silent) and not isinstance(error, NoAnswerError):
            self.finding = Refused(error.reason)


class _QuestionFour(_Question):
    """Asks the router for IPv4, in all ways."""

    async def ask(self, gateway: IPv4Address) -> None:
        """Ask until the port is open, or nothing is left to try."""
        first = trio.Event()  # PCP and NAT-PMP have said their last word
        began = trio.current_time()

        async def by_datagrams() -> None:
            await self.by_pcp(gateway)
            first.set()
            if self.holds:
                nursery.cancel_scope.cancel()

        async def by_upnp() -> None:
            try:
                client = await IgdClient.find(gateway)
                with trio.move_on_at(began + UPNP_YIELDS):
                    await first.wait()
                await self.by(client)
                nursery.cancel_scope.cancel()
            except RouterError as error:
                self.note(error)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(by_datagrams)
            nursery.start_soon(by_upnp)
