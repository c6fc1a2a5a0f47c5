"""Find the peer again, whenever the line needs another link (SPEC#resume).

Either side may wait and either side may dial: both keep a port open for as long as the game
lasts, both have told the other where, and the psk is one that only these two know.
"""

import math
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

import trio

from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.session.chain import OUR_REACH, THEIR_REACH, Chain
from matcha_p2p.session.line import Line
from matcha_p2p.session.session import Session
from matcha_p2p.transport.dial import dial
from matcha_p2p.transport.invite import Address
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.listen import Listener, listen
from matcha_p2p.wire.talk import Reach

DIAL_EVERY: Final = (1.6, 0.4)
"""Seconds from one try to the next, by seat, while the line is in trouble.

None waits for the one before it: a system repeats a lost packet after 1, 3 and 7 s, so a try
that was begun before the line healed may notice it late. The seats should not meet crosswise,
nor a new try meet what is repeated of an old one: two links at a time may undo each other.
"""

TAKEN_UP_IN: Final = 0.4
"""Seconds that the line has to take a new link up."""

DIAL_LIMIT: Final = 4.0
"""Seconds for a try, however far away the peer is."""

TELL_EVERY: Final = 5.0
"""Seconds, at least, from one number of tries that is told to the next."""

HOST_YIELDS: Final = 3.0
"""Seconds that seat 0 leaves the dialling to seat 1, who knows the way from the invite."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where this seat can be reached. port: None for any.

    hosts: the own addresses to listen on, None for all.
    """

    addresses: tuple[Address, ...]
    port: int | None
    hosts: Sequence[str] | None = None


class Reunion:
    """What keeps the two peers of one game together.

    patience: seconds without a sound line after which there will be no other one.
    """

    def __init__(
        self,
        session: Session,
        chain: Chain,
        line: Line,
        place: Place,
        patience: float = math.inf,
    ) -> None:
        self._session: Final = session
        self._chain: Final = chain
        self._line: Final = line
        self._place: Final = place
        self._patience: Final = patience
        self._heard: Final = set[bytes]()
        self._told: Reach | None = None

    async def run(self, links: trio.MemorySendChannel[Link]) -> None:
        """Put every new link into ``links``; close it when patience is at its end.

        Cancelled, it leaves ``links`` open for the next game.
        """
        await self._session.met()
        with closing(await self._open()) as listener:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._wait, listener, links)
                await self._dial(links)
                nursery.cancel_scope.cancel()
        await links.aclose()

    async def _open(self) -> Listener:
        """Listen where the peer has been told to come, or elsewhere, and tell it where."""
        told = self._told or self._chain.reaches.get(OUR_REACH)
        wanted = self._place.port if told is None else told.port
        try:
            listener = await listen(wanted, self._place.hosts, self._heard)
        except LinkError:
            listener = await listen(None, self._place.hosts, self._heard)
        reach = Reach(tuple(a.packed for a in self._place.addresses), listener.port)
        if reach != self._told:
            self._told = reach
            try:
                await self._session.announce(reach)
            except trio.Cancelled:
                listener.close()  # the next game may want the port
                raise
        return listener

    async def _wait(self, listener: Listener, links: trio.MemorySendChannel[Link]) -> None:
        while True:
            await links.send(await listener.accept(self._chain.resume_psk))
            listener = await self._open()

    async def _dial(self, links: trio.MemorySendChannel[Link]) -> None:
        """Dial the peer while the line is in trouble; return when patience is at its end."""
        while True:
            await self._line.trouble()
            with trio.move_on_after(self._patience) as limit:
                if self._chain.seat == 0:
                    await trio.sleep(HOST_YIELDS)
                while self._line.troubled:
                    await self._dial_until_answered(links)
                    await trio.sleep(TAKEN_UP_IN)
            if limit.cancelled_caught and self._line.troubled:
                return

    async def _dial_until_answered(self, links: trio.MemorySendChannel[Link]) -> None:
        """Begin one try after the other, until one succeeds or the trouble is over."""

        async def attempt() -> None:
            link = await self._dial_once()
            if link is not None:
                await links.send(link)
                nursery.cancel_scope.cancel()

        tries, tell_at = 0, -math.inf
        async with trio.open_nursery() as nursery:
            while self._line.troubled:
                tries += 1
                nursery.start_soon(attempt)
                if trio.current_time() >= tell_at:
                    tell_at = trio.current_time() + TELL_EVERY
                    nursery.start_soon(self._session.dialled, tries)
                await trio.sleep(DIAL_EVERY[self._chain.seat])
            nursery.cancel_scope.cancel()

    async def _dial_once(self) -> Link | None:
        reach = self._chain.reaches.get(THEIR_REACH)
        if reach is None:
            return None
        places = tuple(map(ip_address, reach.addresses))
        try:
            return await dial(places, reach.port, self._chain.resume_psk, timeout=DIAL_LIMIT)
        except (LinkError, HandshakeError):
            return None  # not there yet
