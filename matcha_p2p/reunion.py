"""Find the peer again, whenever the line needs another link (SPEC#resume).

Either side may wait and either side may dial: both keep a port open for as long as the game
lasts, both have told the other where, and the psk is one that only these two know.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

import trio

from matcha_p2p.chain import OUR_REACH, THEIR_REACH, Chain
from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.line import Line
from matcha_p2p.session import Session
from matcha_p2p.transport.dial import dial
from matcha_p2p.transport.invite import Address
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.listen import Listener, listen
from matcha_p2p.wire.talk import Reach

DIAL_EVERY: Final = 0.5
"""Seconds between two rounds of dialling while the line is in trouble."""

DIAL_LIMIT: Final = 1.5
"""Seconds for one round: a line that has healed is noticed by the next one."""

HOST_YIELDS: Final = 3.0
"""Seconds that seat 0 leaves the dialling to seat 1, so that they do not meet crosswise."""


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

    async def run(self, links: trio.MemorySendChannel[Link]) -> None:
        """Put every new link into ``links``; close it when patience is at its end."""
        async with links:
            await self._session.met()
            listener = await self._open()
            reach = Reach(tuple(a.packed for a in self._place.addresses), listener.port)
            await self._session.announce(reach)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._wait, listener, links)
                await self._dial(links)
                nursery.cancel_scope.cancel()

    async def _open(self) -> Listener:
        """Listen where the peer has been told to come, or on another port if that is taken."""
        told = self._chain.reaches.get(OUR_REACH)
        wanted = self._place.port if told is None else told.port
        try:
            return await listen(wanted, self._place.hosts)
        except LinkError:
            return await listen(None, self._place.hosts)

    async def _wait(self, listener: Listener, links: trio.MemorySendChannel[Link]) -> None:
        while True:
            port = listener.port
            await links.send(await listener.accept(self._chain.resume_psk))
            listener = await listen(port, self._place.hosts)

    async def _dial(self, links: trio.MemorySendChannel[Link]) -> None:
        """Dial the peer while the line is in trouble; return when patience is at its end."""
        while True:
            await self._line.trouble()
            with trio.move_on_after(self._patience) as limit:
                if self._chain.seat == 0:
                    await trio.sleep(HOST_YIELDS)
                while self._line.troubled:
                    await self._dial_once(links)
                    await trio.sleep(DIAL_EVERY)
            if limit.cancelled_caught and self._line.troubled:
                return

    async def _dial_once(self, links: trio.MemorySendChannel[Link]) -> None:
        reach = self._chain.reaches.get(THEIR_REACH)
        if reach is None:
            return
        places = tuple(map(ip_address, reach.addresses))
        psk = self._chain.resume_psk
        try:
            link = await dial(places, reach.port, psk, timeout=DIAL_LIMIT)
        except (LinkError, HandshakeError):
            return  # not there yet
        await links.send(link)
