"""How a guest reaches the host: by dialling, or both dial at once (PEER#punching)."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

import trio

from matcha_p2p.app.invite.ask_routers import asking
from matcha_p2p.app.invite.given_places import endpoints_outside
from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.race import Win, race
from matcha_p2p.transport import endpoints as transport_endpoints
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.codes.reply import Reply, dialable
from matcha_p2p.transport.dial import connect
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.local.addresses import GivenPlace
from matcha_p2p.transport.punch import PUNCH_LIMIT, PunchPort, punch_as_guest
from matcha_p2p.transport.router.mapping import ASK_LIMIT, RouterReport
from matcha_p2p.transport.servers import Server
from matcha_p2p.transport.socks import PROXY_LIMIT

DIAL_LIMIT: Final = 12.0
"""Seconds to reach the host, if dialling is the only way."""

FIRST_LIMIT: Final = 4.0
"""Seconds without an answer until the guest is given an answer code.

The last two seconds are for asking the router.
"""

DIAL_AGAIN_AFTER: Final = 2.0
"""Seconds between two races to the host's addresses while both dial."""

_PUNCH_FAILED: Final = (
    "Both programs tried for {minutes} minutes. At least one router changes ports or blocks "
    "the connection. Use a VPN together, or forward a port at either end."
)
_NO_CODE: Final = (
    "{why} Your outside address is unknown, so there is no answer code either. Give the "
    "outside address of your router (matcha join --address), or a server that tells it "
    "(matcha join --stun)."
)


@dataclass(frozen=True, slots=True)
class Reached:
    """A link to the host. punch_port: our port for punching, or None.

    router: the routers' report for the punch port, or None if no router was asked.
    """

    link: Link
    punch_port: int | None = None
    router: RouterReport | None = None


@asynccontextmanager
async def reaching_host(
    invite: Invite,
    own: Sequence[transport_endpoints.Address],
    tell_code: Callable[[str], None],
    *,
    places: Sequence[GivenPlace] = (),
    learn: Callable[[], Awaitable[Sequence[transport_endpoints.Address]]] | None = None,
    router: bool,
) -> AsyncGenerator[Reached]:
    """Yield a link to the host; keep the way open during the body.

    own: our addresses. tell_code: takes the answer code, if any. places: our router's addresses
    on the internet, named by the person. learn: asks a server for our outside address. router:
    whether to ask the router.

    Raises:
        LinkError, HandshakeError: as ``connect``.
        InviteError: as ``endpoints_outside``.
    """
    punched = [
        transport_endpoints.Endpoint(endpoint.address, invite.punch_port or 0)
        for endpoint in invite.endpoints
        if invite.punch_port is not None
    ]
    targets = dialable(punched, ())
    if not targets:
        yield Reached(await connect(invite, timeout=DIAL_LIMIT))
        return
    with PunchPort() as port:
        typed = await endpoints_outside(places, port.number)
        link = await _dial_first(invite, FIRST_LIMIT - ASK_LIMIT if router else FIRST_LIMIT)
        if link is not None:
            yield Reached(link, port.number)
            return
        async with asking(port.number, own, wanted=router) as report:
            seen = (
                () if learn is None else transport_endpoints.at_port(await learn(), port.number)
            )
            ours = _endpoints(port.number, own, (*typed, *seen), report)
            if not ours:
                yield Reached(await _dial_last(invite), port.number)
                return
            tell_code(Reply(ours).encode(invite.secret))
            ways = (
                partial(punch_as_guest, port.number, targets, invite.psk),
                partial(_dial_again, invite),
            )
            yield Reached(await _first_of(ways), port.number, report)


@asynccontextmanager
async def reaching_through(proxy: Server, invite: Invite) -> AsyncGenerator[Reached]:
    """Yield a link to the host, dialled only by ``proxy``, in our place.

    Raises:
        LinkError, HandshakeError: as ``connect``.
    """
    yield Reached(await connect(invite, timeout=PROXY_LIMIT, proxy=proxy))


def _endpoints(
    port: int,
    own: Sequence[transport_endpoints.Address],
    given: Sequence[transport_endpoints.Endpoint],
    report: RouterReport | None,
) -> tuple[transport_endpoints.Endpoint, ...]:
    """Return where ``port`` of ours is on the internet, as far as is known."""
    inside = [
        transport_endpoints.Endpoint(each, port)
        for each in own
        if transport_endpoints.scope_of(each) is transport_endpoints.Scope.INTERNET
    ]
    outside = () if report is None else report.way_to(port)
    return tuple(dict.fromkeys((*given, *inside, *outside)))[
        : transport_endpoints.MOST_ENDPOINTS
    ]


async def _dial_first(invite: Invite, seconds: float) -> Link | None:
    """Dial; if nobody answers within ``seconds``, return None."""
    try:
        return await connect(invite, timeout=seconds)
    except LinkError as error:
        if error.code != "net-unreachable":
            raise
        return None


async def _dial_last(invite: Invite) -> Link:
    """Dial, where no answer code can be made.

    Raises:
        LinkError: nobody answers; the sentence says how to get a code.
    """
    try:
        return await connect(invite, timeout=DIAL_LIMIT)
    except LinkError as error:
        raise LinkError(_NO_CODE, code="no-answer-code", why=error) from None


async def _dial_again(invite: Invite) -> Link:
    """Dial as at first, again and again: the host may have opened a port meanwhile.

    A stranger at an address of the invite ends no search: the host may still come by punching.
    """
    while True:
        with suppress(LinkError, HandshakeError):
            return await connect(invite, timeout=FIRST_LIMIT)
        await trio.sleep(DIAL_AGAIN_AFTER)


async def _first_of(ways: Sequence[Callable[[], Awaitable[Link]]]) -> Link:
    """Return the first link from any of ``ways``.

    Raises:
        LinkError: no link was made in ten minutes.
    """

    async def go(way: Callable[[], Awaitable[Link]], win: Win[Link]) -> None:
        await win(await way())

    with trio.move_on_after(PUNCH_LIMIT):
        return await race(*(partial(go, way) for way in ways), close=Link.aclose)
    raise LinkError(_PUNCH_FAILED, code="punch-failed", minutes=round(PUNCH_LIMIT / 60))
