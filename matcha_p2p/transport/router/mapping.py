"""Lets the router lead guests to a port of this machine, as long as wanted.

PCP, NAT-PMP and UPnP are tried side by side; the first protocol that opens the port is kept.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Final, TypeAlias

import trio

from matcha_p2p.transport import endpoints as transport_endpoints
from matcha_p2p.transport.router.gateway import Gateways
from matcha_p2p.transport.router.lease import Lease, NoAnswerError, RouterClient, RouterError
from matcha_p2p.transport.router.natpmp import NatPmpClient
from matcha_p2p.transport.router.pcp import OtherVersionError, PcpClient

ASK_LIMIT: Final = 2.0
"""The most seconds to wait for routers."""

UPNP_YIELDS: Final = 0.6
"""Seconds for PCP and NAT-PMP before UPnP opens the port."""

RENEW_EVERY: Final = 300.0
"""Seconds from one renewal to the next, though leases are longer.

A renewal notices a restarted router, or a new address of the router.
"""

_LEAST_PAUSE: Final = 5.0
"""Seconds between two renewals, however short the leases of a router are."""

_GOODBYE: Final = 1.0
"""Seconds to give everything back."""


@dataclass(frozen=True, slots=True)
class OpenedPort:
    """The router leads guests to this machine. how: the protocol of the request."""

    outside: transport_endpoints.Endpoint
    how: str


@dataclass(frozen=True, slots=True)
class Behind:
    """The router's own outside address is not on the internet.

    shared: whether a provider gives the address to many customers. Otherwise a second router
    stands between the first router and the internet.
    """

    outside: transport_endpoints.Address

    @property
    def shared(self) -> bool:
        """Whether a provider gives the address to many customers."""
        return transport_endpoints.is_shared(self.outside)


@dataclass(frozen=True, slots=True)
class Refused:
    """A router answers but does not open the port. why: the reason, a line of English."""

    why: str
    outside: transport_endpoints.Address | None = None


@dataclass(frozen=True, slots=True)
class Silent:
    """No router answers."""


Finding: TypeAlias = OpenedPort | Behind | Refused | Silent


class RouterReport:
    """The present findings about ``port``; later questions may change the findings."""

    def __init__(self, port: int) -> None:
        self.port: Final = port
        self._four: _Question | None = None
        self._six: _Question | None = None
        self._asked = trio.Event()

    async def ask(self, gateways: Gateways, own_six: IPv6Address | None) -> None:
        """Ask the routers, or ask them again; return after 2 s at most.

        own_six: our IPv6 address, as in ``asking_router``. An open port stays open, and is
        opened again if a router has forgotten the lease. If the router is new, the lease of the
        old router ends by itself.
        """
        four, six = gateways.four, None if own_six is None else gateways.six
        if four is not None and (self._four is None or self._four.gateway != four):
            self._four = _QuestionFour(self.port, four)
        if six is not None and (
            self._six is None or (self._six.gateway, self._six.own) != (six, own_six)
        ):
            self._six = _Question(self.port, six, own_six)
        with trio.move_on_after(ASK_LIMIT):
            async with trio.open_nursery() as nursery:
                for question in self._questions:
                    nursery.start_soon(question.ask)
        self._asked.set()
        self._asked = trio.Event()

    async def keep(self) -> None:
        """Renew open leases forever; ask a silent router again later."""
        while True:
            asked = self._asked
            with trio.move_on_after(self._pause) as due:
                await asked.wait()
            if due.cancelled_caught:
                async with trio.open_nursery() as nursery:
                    for question in self._questions:
                        nursery.start_soon(question.renew)

    async def close(self) -> None:
        """Give everything back."""
        async with trio.open_nursery() as nursery:
            for question in self._questions:
                nursery.start_soon(question.close)

    @property
    def _questions(self) -> tuple["_Question", ...]:
        return tuple(each for each in (self._four, self._six) if each is not None)

    @property
    def _pause(self) -> float:
        """The seconds from one renewal to the next."""
        return min((question.pause for question in self._questions), default=RENEW_EVERY)

    @property
    def four(self) -> Finding | None:
        """The finding for IPv4, or None if no router was asked."""
        return None if self._four is None else self._four.finding

    @property
    def six(self) -> Finding | None:
        """The finding for IPv6, or None if no router was asked."""
        return None if self._six is None else self._six.finding

    @property
    def opened(self) -> tuple[transport_endpoints.Endpoint, ...]:
        """The endpoints on the internet that lead to this machine."""
        findings = (self.four, self.six)
        return tuple(each.outside for each in findings if isinstance(each, OpenedPort))

    @property
    def outside(self) -> transport_endpoints.Address | None:
        """Our IPv4 address on the internet, or None if the router has not told it."""
        match self.four:
            case OpenedPort(outside):
                return outside.address
            case Refused(outside=address) if address is not None:
                return address
            case _:
                return None

    def way_to(self, port: int) -> tuple[transport_endpoints.Endpoint, ...]:
        """Return the endpoints on the internet for our ``port``, as far as the routers tell.

        If the routers have opened ``port``, the endpoints lead to this machine.
        """
        led = self.opened if port == self.port else ()
        known = {each.address for each in led}
        seen = (self.outside, *(each.address for each in self.opened))
        others = [each for each in seen if each is not None and each not in known]
        return tuple(dict.fromkeys((*led, *transport_endpoints.at_port(others, port))))


@asynccontextmanager
async def asking_router(
    port: int, gateways: Gateways, own_six: IPv6Address | None
) -> AsyncGenerator[RouterReport]:
    """Yield the report about ``port`` after 2 s at most; keep the leases during the body.

    own_six: the IPv6 address for guests to dial, or None. At the end all leases are given back.
    """
    report = RouterReport(port)
    try:
        await report.ask(gateways, own_six)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(report.keep)
            yield report
            nursery.cancel_scope.cancel()
    finally:
        with trio.move_on_after(_GOODBYE, shield=True):
            await report.close()


class _Question:
    """Asks a router to open ``port``. own: our IPv6 address for guests."""

    def __init__(
        self, port: int, gateway: transport_endpoints.Address, own: IPv6Address | None = None
    ) -> None:
        self.gateway: Final = gateway
        self.own: Final = own
        self.finding: Finding = Silent()
        self._port: Final = port
        self._held: tuple[RouterClient, Lease] | None = None

    @property
    def holds(self) -> bool:
        """Whether the router has opened a port."""
        return self._held is not None

    @property
    def pause(self) -> float:
        """The seconds until the next renewal."""
        if self._held is None:
            return RENEW_EVERY
        _, lease = self._held
        return max(_LEAST_PAUSE, min(lease.seconds / 2 or RENEW_EVERY, RENEW_EVERY))

    async def ask(self) -> None:
        """Renew the lease. Without a lease, or if the router refuses, ask for a new lease."""
        if not await self.renew():
            self._held, self.finding = None, Silent()
            await self._ask_anew()

    async def renew(self) -> bool:
        """Renew the lease; tell whether we still hold a lease.

        A router that does not answer may keep the lease nevertheless.
        """
        if self._held is None:
            return False
        client, lease = self._held
        try:
            self._hold(client, await client.open(self._port, lease))
        except NoAnswerError:
            return True
        except RouterError:
            return False
        return True

    async def close(self) -> None:
        """Give the lease back."""
        if self._held is not None:
            client, lease = self._held
            await client.close(self._port, lease)

    async def _ask_anew(self) -> None:
        await self._by_pcp()

    async def _by_pcp(self) -> None:
        """Ask by PCP or, if the router is older, by NAT-PMP."""
        try:
            try:
                await self._by(PcpClient(self.gateway, self.own))
            except OtherVersionError:
                await self._by(NatPmpClient(self.gateway))
        except RouterError as error:
            self._note(error)

    async def _by(self, client: RouterClient) -> None:
        """Ask by ``client``.

        Raises:
            RouterError: the router does not open the port.
        """
        self._hold(client, await client.open(self._port))

    def _hold(self, client: RouterClient, lease: Lease) -> None:
        self._held = client, lease
        if lease.outside.scope is transport_endpoints.Scope.INTERNET:
            self.finding = OpenedPort(lease.outside, client.name)
        else:
            self.finding = Behind(lease.outside.address)

    def _note(self, error: RouterError) -> None:
        """Keep the most telling reason for the closed port."""
        address = error.outside
        if address is not None:
            inside = (
                transport_endpoints.scope_of(address) is not transport_endpoints.Scope.INTERNET
            )
            self.finding = Behind(address) if inside else Refused(error.reason, address)
        elif isinstance(self.finding, Silent) and not isinstance(error, NoAnswerError):
            self.finding = Refused(error.reason)


class _QuestionFour(_Question):
    """Asks the router for IPv4, in all ways."""

    def __init__(self, port: int, gateway: IPv4Address) -> None:
        super().__init__(port, gateway)
        self._gateway: Final = gateway

    async def _ask_anew(self) -> None:
        """Try all protocols until the port is open."""
        first = trio.Event()  # PCP and NAT-PMP have said their last word
        began = trio.current_time()

        async def by_datagrams() -> None:
            await self._by_pcp()
            first.set()
            if self.holds:
                nursery.cancel_scope.cancel()

        async def by_upnp() -> None:
            # HTTP takes a while to load, and most commands ask no router.
            from matcha_p2p.transport.router.igd import IgdClient

            try:
                client = await IgdClient.find(self._gateway)
                with trio.move_on_at(began + UPNP_YIELDS):
                    await first.wait()
                await self._by(client)
                nursery.cancel_scope.cancel()
            except RouterError as error:
                self._note(error)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(by_datagrams)
            nursery.start_soon(by_upnp)
