"""Makes a new link to a neighbour whenever the line needs one (PEER#resume).

Both sides listen as long as the game lasts, know each other's addresses, and dial. Only the two
sides know the psk.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import trio

from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import LineDialled
from matcha_p2p.session.connection.line import Connection
from matcha_p2p.session.connection.peer_addresses import punch_targets
from matcha_p2p.session.news import Inbox
from matcha_p2p.transport.dial import dial
from matcha_p2p.transport.endpoints import (
    MOST_ENDPOINTS,
    Address,
    Endpoint,
    at_port,
    global_six,
)
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.listen import Knocks, Listener, Welcome, listen
from matcha_p2p.transport.local.addresses import local_addresses
from matcha_p2p.transport.local.interfaces import addresses_of_machine
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.punch import PUNCH_LIMIT, punch_as_guest, punch_as_host
from matcha_p2p.transport.router.gateway import find_gateways
from matcha_p2p.transport.router.mapping import RouterReport
from matcha_p2p.transport.servers import Server
from matcha_p2p.transport.socks import PROXY_LIMIT
from matcha_p2p.wire.talk import PeerAddresses

FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0
GROWTH: Final = 1.25
"""Seconds between tries while the line is in trouble, and the growth of this pause.

A neighbour can name any plausible address. So we dial no faster than a person who tries again
and again, and slow down while nobody answers.
"""

JITTER: Final = 0.25
"""The largest random change of a pause, as a share of the pause.

If two seats dialled at the same times, each try would make two links, and each link may close
the other.
"""

STEADY: Final = 10.0
"""Seconds a link must last, before trouble begins with the first pause again."""

TAKEN_UP_IN: Final = 0.4
"""Seconds the line has to take a new link up."""

DIAL_LIMIT: Final = 4.0
"""Seconds for a try, however far away the peer is.

A try does not wait for the try before. A system repeats a lost packet after 1, 3 and 7 s, so an
early try may notice late that the line has healed.
"""

TELL_EVERY: Final = 5.0
"""Seconds, at least, between two reports of the number of tries."""

HOST_YIELDS: Final = 3.0
"""Seconds the lower of two seats waits before dialling.

The other seat knows the host's addresses from the invite.
"""

DIRECT_PAUSE: Final = 60.0
LONGEST_DIRECT_PAUSE: Final = 600.0
"""Seconds from one try for a direct link of two guests to the next. The pause doubles.

The game goes on without the link, and a seat can name machines of others. So one try follows
each address that a seat tells, and further tries are rare.
"""

DIRECT_LOOK: Final = 1.0
"""Seconds between two looks for an address that a guest has told."""

LOOK_EVERY: Final = 30.0
"""Seconds between two looks at our own addresses and at the router's report."""

ASK_AGAIN_AFTER: Final = 5.0
"""Seconds of trouble after which the routers are asked again.

A router may have forgotten the port. This machine may have slept longer than a lease, or be on
another network.
"""


@dataclass(frozen=True, slots=True)
class Place:
    """Where this seat can be reached. port: to listen on, None for any.

    hosts: the own addresses to listen on, None for all. outside: endpoints elsewhere that lead
    to ``port`` of this machine, named by the person. router: the routers' report, None if no
    router is asked. punch_port: kept for punching when neither seat can dial the other, or
    None. proxy: dials in our place, or None. With a proxy we do not listen, and tell the peer
    no address. others: take the links of people who come to our port by other psks.
    """

    addresses: tuple[Address, ...]
    port: int | None
    hosts: Sequence[str] | None = None
    outside: tuple[Endpoint, ...] = ()
    router: RouterReport | None = None
    punch_port: int | None = None
    proxy: Server | None = None
    others: Mapping[Psk, Welcome] = field(default_factory=dict[Psk, Welcome])

    def way(self, port: int) -> PeerAddresses:
        """Return our addresses for the peer if we listen at ``port``, which comes first."""
        first, *others = at_port(self.addresses, port)
        outside = self.outside if port == self.port else ()
        routed = () if self.router is None else self.router.way_to(port)
        endpoints = tuple(dict.fromkeys((first, *outside, *routed, *others)))
        return PeerAddresses(endpoints[:MOST_ENDPOINTS], self.punch_port)

    async def looked_up(self) -> "Place":
        """Return the place with this machine's present addresses, for a changed network."""
        if self.hosts is not None:
            return self
        return replace(self, addresses=await local_addresses())


class Neighbour(NamedTuple):
    """The connection to a neighbour. links: takes further links."""

    connection: Connection
    links: trio.MemorySendChannel[Link]

    @property
    def beside(self) -> bool:
        """Whether the game does without this neighbour's links."""
        return self.connection.beside


class Reconnect:
    """Listens and dials for one game, while the game lasts.

    chain: returns our copy as it stands now. neighbours: the lines that may need another link.
    knocks: the first messages heard before. patience: seconds without a sound line after which
    the search for a neighbour ends.
    """

    def __init__(
        self,
        chain: Callable[[], Chain],
        neighbours: Mapping[Seat, Neighbour],
        inbox: Inbox,
        place: Place,
        *,
        knocks: Knocks | None = None,
        patience: float = math.inf,
    ) -> None:
        self._chain: Final = chain
        self._neighbours: Final = neighbours
        self._inbox: Final = inbox
        self._place = place
        self._knocks: Final = knocks
        self._patience: Final = patience

    async def run(self) -> None:
        """Give every new link to the channel of its neighbour.

        When patience with a neighbour is at its end, or the neighbour's key is worthless, close
        the channel. If cancelled, leave the channels open for the next game.
        """

        def where() -> Place:
            return self._place

        searches = list[_Search]()
        for seat, line in self._neighbours.items():
            try:
                searches.append(_Search(seat, line, self._chain, self._inbox, where))
            except HandshakeError:
                if not line.beside:
                    await line.links.aclose()
        direct = [search for search in searches if search.beside]
        searches = [search for search in searches if not search.beside]
        if not searches and not self._place.others:
            return
        async with trio.open_nursery() as nursery:
            for search in direct:
                nursery.start_soon(search.dial_directly)
            if self._place.proxy is None:
                await self._listen_and_dial(searches, direct)
            else:
                await self._dial(searches)
            nursery.cancel_scope.cancel()

    async def _listen_and_dial(
        self, searches: Sequence["_Search"], direct: Sequence["_Search"]
    ) -> None:
        with closing(await self._open()) as listener:
            async with trio.open_nursery() as nursery:
                welcomes = {
                    **self._place.others,
                    **{search.answers: search.take for search in (*searches, *direct)},
                }
                nursery.start_soon(listener.serve_each, welcomes)
                nursery.start_soon(self._tell_changes, listener.port)
                if self._place.punch_port is not None:
                    for search in searches:
                        nursery.start_soon(search.punch, self._place.punch_port, self._knocks)
                if self._place.router is not None:
                    nursery.start_soon(self._ask_routers, self._place.router)
                await self._dial(searches)
                if self._place.others:
                    await trio.sleep_forever()
                nursery.cancel_scope.cancel()

    async def _dial(self, searches: Sequence["_Search"]) -> None:
        async with trio.open_nursery() as nursery:
            for search in searches:
                nursery.start_soon(search.dial, self._patience)

    async def _open(self) -> Listener:
        """Listen at the port known to the others, or else at another port, and tell them."""
        told = self._chain().ways.get(self._chain().seat)
        wanted = self._place.port if told is None else told.endpoints[0].port
        for port in (wanted, None):
            with suppress(LinkError):
                listener = await listen(port, self._place.hosts, self._knocks)
                break
        else:
            listener = await listen(0, self._place.hosts, self._knocks)
        try:
            await self._inbox.post(self._place.way(listener.port))
        except trio.Cancelled:
            listener.close()  # the next game may want the port
            raise
        return listener

    async def _tell_changes(self, port: int) -> None:
        """Tell the others our addresses whenever they change. port: where we listen."""
        told = self._place.way(port)
        while True:
            await trio.sleep(LOOK_EVERY)
            self._place = await self._place.looked_up()
            way = self._place.way(port)
            if way != told:
                told = way
                await self._inbox.post(way)

    async def _ask_routers(self, report: RouterReport) -> None:
        """Ask the routers again while a line is in trouble: a neighbour may find no way in."""
        while True:
            await self._trouble()
            await trio.sleep(ASK_AGAIN_AFTER)
            if any(line.connection.troubled for line in self._sought):
                self._place = await self._place.looked_up()
                await report.ask(await find_gateways(), global_six(self._place.addresses))
                await trio.sleep(LOOK_EVERY)

    async def _trouble(self) -> None:
        """Wait until a line needs another link."""

        async def wait(line: Connection) -> None:
            await line.trouble()
            nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            for line in self._sought:
                nursery.start_soon(wait, line.connection)

    @property
    def _sought(self) -> Sequence[Neighbour]:
        """The neighbours without whose links the game stands still."""
        return [line for line in self._neighbours.values() if not line.beside]


class _Search:
    """The search for the neighbour ``seat``. answers: the psk of links that the seat dials.

    place: returns where we can be reached now. beside: whether the game does without the links.

    Raises:
        HandshakeError: the neighbour's link key is worthless.
    """

    def __init__(
        self,
        seat: Seat,
        neighbour: Neighbour,
        chain: Callable[[], Chain],
        inbox: Inbox,
        place: Callable[[], Place],
    ) -> None:
        own = chain().seat
        self.answers: Final = chain().link_psk(seat, own)
        self._dials: Final = chain().link_psk(own, seat)
        self._first: Final = own < seat
        self._seat: Final = seat
        self._line, self._links = neighbour
        self.beside: Final = neighbour.beside
        self._chain: Final = chain
        self._inbox: Final = inbox
        self._place: Final = place
        self._pause = FIRST_PAUSE
        self._found_at = -math.inf

    async def take(self, link: Link) -> None:
        """Give ``link`` to the line; if the line is given up, close ``link``."""
        try:
            await self._links.send(link)
        except trio.ClosedResourceError:
            await link.aclose()

    async def dial(self, patience: float) -> None:
        """Dial while the line is in trouble; after ``patience``, close the channel."""
        while True:
            await self._line.trouble()
            with trio.move_on_after(patience) as limit:
                if trio.current_time() - self._found_at > STEADY:
                    self._pause = FIRST_PAUSE
                else:  # a peer that answers and hangs up is no reason to hurry
                    await trio.sleep(self._next_pause())
                if self._first:
                    await trio.sleep(HOST_YIELDS)
                while self._line.troubled:
                    await self._dial_until_answered()
                    await trio.sleep(TAKEN_UP_IN)
            if limit.cancelled_caught and self._line.troubled:
                await self._links.aclose()
                return

    async def dial_directly(self) -> None:
        """Dial seldom while the line is in trouble: at each new address, then now and then."""
        tried, pause, next_at = None, DIRECT_PAUSE, math.inf
        while True:
            await self._line.trouble()
            if self._first:
                await trio.sleep(HOST_YIELDS)
            way = self._chain().ways.get(self._seat)
            if way != tried:
                tried, pause, next_at = way, DIRECT_PAUSE, -math.inf
            if self._line.troubled and trio.current_time() >= next_at:
                next_at = trio.current_time() + self._varied(pause)
                pause = min(2 * pause, LONGEST_DIRECT_PAUSE)
                link = await self._dial_once()
                if link is not None:
                    await self.take(link)
            await trio.sleep(DIRECT_LOOK)

    async def punch(self, port: int, knocks: Knocks | None) -> None:
        """While the line is in trouble, dial at the same time as the peer, from known ports.

        First give up a link from our port: two links cannot have the same pair of ports.
        """
        while True:
            await self._line.trouble()
            own = (*self._place().way(port).endpoints, *at_port(addresses_of_machine(), 1))
            targets = punch_targets(self._chain().ways.get(self._seat), own)
            link = None
            if targets:
                await self._line.abandon(port)
                with trio.move_on_after(PUNCH_LIMIT):
                    link = await self._punch_once(port, targets, knocks)
            if link is not None:
                await self.take(link)
            await trio.sleep(TAKEN_UP_IN)

    async def _punch_once(
        self, port: int, targets: tuple[Endpoint, ...], knocks: Knocks | None
    ) -> Link | None:
        """Return the punched link, or None if the line heals before.

        The higher of the two seats always speaks first on a punched link.
        """
        link = None

        async def watch() -> None:
            while True:
                await trio.sleep(TAKEN_UP_IN)
                if not self._line.troubled:
                    nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            if self._first:
                link = await punch_as_host(port, targets, self.answers, knocks)
            else:
                link = await punch_as_guest(port, targets, self._dials)
            nursery.cancel_scope.cancel()
        return link

    async def _dial_until_answered(self) -> None:
        """Begin one try after the other, until a try succeeds or the trouble is over."""

        async def attempt() -> None:
            link = await self._dial_once()
            if link is not None:
                self._found_at = trio.current_time()
                await self.take(link)
                nursery.cancel_scope.cancel()

        tries, tell_at = 0, -math.inf
        async with trio.open_nursery() as nursery:
            while self._line.troubled:
                tries += 1
                nursery.start_soon(attempt)
                if trio.current_time() >= tell_at:
                    tell_at = trio.current_time() + TELL_EVERY
                    told = LineDialled(tries, self._line.seat)
                    nursery.start_soon(self._inbox.post, told)
                await trio.sleep(self._next_pause())
            nursery.cancel_scope.cancel()

    def _next_pause(self) -> float:
        pause = self._pause
        self._pause = min(pause * GROWTH, LONGEST_PAUSE)
        return self._varied(pause)

    def _varied(self, pause: float) -> float:
        return pause * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311 -- no secret

    async def _dial_once(self) -> Link | None:
        way, proxy = self._chain().ways.get(self._seat), self._place().proxy
        if way is None:
            return None
        limit = DIAL_LIMIT if proxy is None else PROXY_LIMIT
        try:
            return await dial(way.endpoints, self._dials, timeout=limit, proxy=proxy)
        except (LinkError, HandshakeError):
            return None  # the peer does not answer yet
