"""Lets watchers into a host's game, from the first minute to the end of the game."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from secrets import token_bytes
from typing import Final

import trio

from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.invite.ask_routers import asking, stays_here
from matcha_p2p.app.invite.show_invite import WATCH_KEY, show_watch_code, tell_watch_invite
from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import Pressed, Wait
from matcha_p2p.narration.news import Inform, News
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.news import Ending, Finished, NextGame, WatchingChanged
from matcha_p2p.session.reconnect import Place
from matcha_p2p.transport import endpoints as transport_endpoints
from matcha_p2p.transport.codes.invite import SECRET_SIZE, Invite, InviteKind
from matcha_p2p.transport.listen import DEFAULT_PORT, PORTS_TRIED, Listener, open_sockets
from matcha_p2p.transport.names import Psk
from matcha_p2p.watching.publish import publish
from matcha_p2p.watching.watch_host import WatchHost
from matcha_p2p.wire.watching import Dismissal, Visibility


class WatchDoor:
    """The watchers' door for one game, and their invite. most: how many may watch at once."""

    def __init__(self, most: int) -> None:
        self.watch_host: Final = WatchHost(most)
        self._secret: Final = token_bytes(SECRET_SIZE)

    @asynccontextmanager
    async def open(
        self,
        beside: Sequence[transport_endpoints.Endpoint],
        port: int,
        addresses: Sequence[transport_endpoints.Address],
        hosts: Sequence[str] | None,
        *,
        router: bool,
    ) -> AsyncGenerator[Invite]:
        """Yield the watchers' invite, and let watchers in during the body.

        beside: the players' endpoints on this machine, at ``port``; watchers use the next free
        port. addresses: this machine's own. hosts: the addresses to listen on, None for all.
        router: whether to ask the router to let watchers in.

        Raises:
            LinkError: no port is free.
        """
        ports = range(port + 1, port + 1 + PORTS_TRIED)
        listener = Listener(await open_sockets(ports, hosts))
        with closing(listener):
            wanted = router and not stays_here(addresses)
            async with asking(listener.port, addresses, wanted=wanted) as report:
                routed = () if report is None else report.way_to(listener.port)
                known = transport_endpoints.at_port(
                    [each.address for each in beside], listener.port
                )
                endpoints = tuple(dict.fromkeys((*routed, *known)))[
                    : transport_endpoints.MOST_ENDPOINTS
                ]
                invite = Invite(endpoints, self._secret, kind=InviteKind.WATCH)
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._serve, listener, invite.psk)
                    yield invite
                    nursery.cancel_scope.cancel()

    async def _serve(self, listener: Listener, psk: Psk) -> None:
        """Let watchers in until the watch_host is closed and the watchers have gone."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listener.serve, psk, self.watch_host.welcome)
            await self.watch_host.closed()
            nursery.cancel_scope.cancel()


@dataclass(frozen=True, slots=True)
class Audience:
    """The watchers of a game, and the watchers' invite."""

    watch_host: WatchHost
    invite: Invite


@asynccontextmanager
async def open_for_watchers(
    setup: SeatSetup, asker: Asker, place: Place, *, router: bool
) -> AsyncGenerator[Audience | None]:
    """If the seat admits watchers, let people watch the game at ``place`` during the body.

    Yield the audience after telling the invite. router: whether to ask the router to let
    watchers in.

    Raises:
        LinkError: no port is free.
    """
    most = setup.terms.watchers
    if not most:
        yield None
        return
    port = place.port or DEFAULT_PORT
    door = WatchDoor(most)
    beside = transport_endpoints.at_port(place.addresses, port)
    async with door.open(beside, port, place.addresses, place.hosts, router=router) as invite:
        tell_watch_invite(setup.out, asker, invite, most)
        yield Audience(door.watch_host, invite)


@asynccontextmanager
async def seeing_off(audience: Audience | None) -> AsyncGenerator[WatchHost | None]:
    """Yield the watch host, or None; after the body, send the watchers away in any case."""
    if audience is None:
        yield None
        return
    try:
        yield audience.watch_host
    finally:
        await audience.watch_host.see_off()


async def attend_waiting(asker: Asker, wait: Wait, audience: Audience | None) -> None:
    """Show ``wait`` until the person stops waiting; at key "w", copy the watchers' invite."""
    if audience is None:
        await asker.ask(wait)
        return
    asked = wait._replace(keys=(("w", WATCH_KEY()),))
    while await asker.ask(asked) == Pressed("w"):
        await show_watch_code(asker, audience.invite)


class Broadcast:
    """Shows a running game to watchers. chain: returns the durable copy of the game."""

    def __init__(self, watch_host: WatchHost, chain: Callable[[], Chain]) -> None:
        self._gallery: Final = watch_host
        self._chain: Final = chain
        self._sight = Visibility.NOTHING

    def following(self, inform: Inform) -> Inform:
        """Return a function that passes news to ``inform``, and shows the game to watchers."""

        def tell(news: News) -> None:
            inform(news)
            self._follow(news)

        return tell

    def _follow(self, news: News) -> None:
        match news:
            case WatchingChanged(now=watching):
                self._sight = watching.sight
                if watching.closed:
                    self._gallery.close(Dismissal.CLOSED)
            case NextGame():  # the invite was for the first game only
                self._gallery.close(Dismissal.DONE)
            case _:
                pass
        self._gallery.show(publish(self._chain(), self._sight))

    def end(self, ending: Ending) -> None:
        """Show watchers the end of the game, then send them away."""
        over = isinstance(ending, Finished) or self._chain().finished
        self._gallery.show(publish(self._chain(), self._sight))
        self._gallery.close(Dismissal.DONE if over else Dismissal.LATER)
