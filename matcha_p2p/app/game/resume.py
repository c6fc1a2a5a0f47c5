"""Resume an unfinished game."""

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import trio

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.game.play import open_unfinished
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.table import go_on_at_table
from matcha_p2p.app.invite.ask_routers import letting_in
from matcha_p2p.app.invite.host import own_hosts
from matcha_p2p.errors import LinkError, ProxyError
from matcha_p2p.language import Sentence
from matcha_p2p.narration.sentences import listed
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.reconnect import Place
from matcha_p2p.store.home import Home
from matcha_p2p.transport.endpoints import Address, Scope
from matcha_p2p.transport.listen import DEFAULT_PORT
from matcha_p2p.transport.local.addresses import local_addresses
from matcha_p2p.transport.punch import PunchPort
from matcha_p2p.transport.servers import Server
from matcha_p2p.transport.socks import greet_proxy

SetUp: TypeAlias = Callable[[str, int], SeatSetup]
"""Sets the person up for a game with that name, at a table with so many seats."""

_LOOKING: Final = Sentence("Game {game}: looking for {names}.")
_HIDDEN: Final = Sentence(
    "Only the proxy {proxy} dials: the other players do not see your address."
)
_OPENLY: Final = Sentence(
    "You go on without the proxy: the other players learn the addresses of this machine."
)
_NO_PROXY: Final = (
    "{why} To go on without the proxy, so that the other players learn your addresses: "
    "{matcha_resume}"
)


@dataclass(frozen=True, slots=True)
class ResumeWish:
    """How a person wants to go on.

    older: also from an older copy of the folder. router: whether to ask the router again to let
    the other player in. proxy: dials in our place, None for the proxy with which the game was
    left. openly: without a proxy.
    """

    older: bool = False
    router: bool = True
    proxy: Server | None = None
    openly: bool = False


async def resume(home: Home, set_up: SetUp, name: str | None, wish: ResumeWish) -> int:
    """Go on with the game called ``name``, or the latest game; return the exit code.

    Raises:
        HomeError: the home has no unfinished game ``name``.
        JournalError: the journal cannot be read, or is in use.
        CommandError: the proxy cannot be used.
    """
    open_it = partial(open_unfinished, home, name, older=wish.older)
    ledger = await trio.to_thread.run_sync(open_it)
    async with AsyncExitStack() as stack:
        stack.callback(ledger.close)
        before = ledger.chain.proxy
        proxy = None if wish.openly else wish.proxy or before
        if proxy is not None:
            await _try_proxy(proxy, ledger, home)
        await trio.to_thread.run_sync(ledger.become, ledger.chain.behind(proxy))
        chain = ledger.chain
        setup = set_up(chain.roster.game.name, len(chain.seats))
        names = listed(map(chain.name_of, chain.persons))
        setup.out.fact("resumed", game=chain.id.hex(), seat=chain.seat)
        setup.out.say(_LOOKING(game=Path(ledger.path.parent.name), names=names))
        place = Place((), None, proxy=proxy)
        if proxy is not None:
            setup.out.say(_HIDDEN(proxy=proxy))
        else:
            if before is not None:
                setup.out.say(_OPENLY())
            place = await _open_place(stack, chain, setup, router=wish.router)
        return await go_on_at_table(ledger, place, setup, older=wish.older)


async def _try_proxy(proxy: Server, ledger: Ledger, home: Home) -> None:
    """Greet ``proxy`` alone.

    Raises:
        CommandError: the proxy cannot be used; the sentence says how to go on without it.
    """
    try:
        await trio.aclose_forcefully(await greet_proxy(proxy))
    except ProxyError as error:
        openly = home.command("resume", ledger.path.parent.name, "--no-socks")
        raise CommandError(
            Exit.UNREACHED, _NO_PROXY, code="resume-socks", why=error, matcha_resume=openly
        ) from None


async def _open_place(
    stack: AsyncExitStack, chain: Chain, setup: SeatSetup, *, router: bool
) -> Place:
    """Return where the others find us as before; the way stays open as long as ``stack``."""

    def tell(sentences: Sequence[str]) -> None:
        for sentence in sentences:
            setup.out.say(sentence)

    told = chain.ways.get(chain.seat)
    addresses = await _own_addresses(chain)
    port = DEFAULT_PORT if told is None else told.endpoints[0].port
    punch_port = None
    if told is not None and told.punch_port is not None:
        punch_port = stack.enter_context(_punch_port(told.punch_port)).number
    wanted = router and _was_far(chain)
    asking = letting_in(port, addresses, setup.out, tell, wanted=wanted)
    report = await stack.enter_async_context(asking)
    return Place(addresses, port, own_hosts(addresses), router=report, punch_port=punch_port)


async def _own_addresses(chain: Chain) -> tuple[Address, ...]:
    """Return this machine's addresses; a game on one machine keeps its addresses."""
    told = chain.ways.get(chain.seat)
    before = () if told is None else tuple(each.address for each in told.endpoints)
    stays = bool(before) and all(address.is_loopback for address in before)
    return before if stays else await local_addresses()


def _was_far(chain: Chain) -> bool:
    """Tell whether a neighbour may have been elsewhere than on our network."""
    ways = [chain.ways.get(seat) for seat in chain.apart.intersection(chain.neighbours)]
    return any(
        way is None or any(each.scope is Scope.INTERNET for each in way.endpoints)
        for way in ways
    )


def _punch_port(number: int) -> PunchPort:
    """Return the port known to the peer, or another port if that is taken."""
    try:
        return PunchPort(number)
    except LinkError:
        return PunchPort()


def run(home: Home, set_up: SetUp, name: str | None, wish: ResumeWish) -> int:
    """Resume a game; return the exit code."""
    return trio.run(resume, home, set_up, name, wish)
