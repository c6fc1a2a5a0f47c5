"""Resume an unfinished game."""

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import trio

from matcha_p2p.app.game.play import go_on, open_unfinished
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.table import go_on_at_table
from matcha_p2p.app.invite.ask_routers import letting_in
from matcha_p2p.app.invite.host import own_hosts
from matcha_p2p.errors import LinkError
from matcha_p2p.language import Sentence
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.reconnect import Place
from matcha_p2p.session.session import take_up
from matcha_p2p.store.home import Home
from matcha_p2p.transport.endpoints import Address, Scope
from matcha_p2p.transport.listen import DEFAULT_PORT
from matcha_p2p.transport.local.addresses import local_addresses
from matcha_p2p.transport.punch import PunchPort
from matcha_p2p.transport.servers import Server

SetUp: TypeAlias = Callable[[str, int], SeatSetup]
"""Sets the person up for a game with that name, at a table with so many seats."""

_LOOKING: Final = Sentence("Game {game}: looking for the other player.")
_LOOKING_MANY: Final = Sentence("Game {game}: looking for the other players.")


async def resume(
    home: Home,
    set_up: SetUp,
    name: str | None,
    *,
    older: bool = False,
    router: bool = True,
    proxy: Server | None = None,
) -> int:
    """Go on with the game called ``name``, or the latest game; return the exit code.

    older: whether to go on even from an older copy of the folder. router: whether to ask the
    router again to let the other player in. proxy: dials in our place.

    Raises:
        HomeError: the home has no unfinished game ``name``.
        JournalError: the journal cannot be read, or is in use.
    """
    open_it = partial(open_unfinished, home, name, older=older)
    ledger = await trio.to_thread.run_sync(open_it)
    async with AsyncExitStack() as stack:
        stack.callback(ledger.close)
        if proxy is not None:
            ledger.chain = ledger.chain.hidden
        chain = ledger.chain
        roster = chain.state.roster
        played = chain.table.game.name if roster is None else roster.game.name
        setup = set_up(played, len(chain.seats))
        looking = _LOOKING if setup.terms.seats == 2 else _LOOKING_MANY
        of = chain.table.gid if chain.met or roster is None else roster.id
        setup.out.fact("resumed", game=of.hex(), seat=chain.seat)
        setup.out.say(looking(game=Path(ledger.path.parent.name)))
        place = Place((), None, proxy=proxy)
        if proxy is None:
            place = await _open_place(stack, chain, setup, router=router)
        if setup.terms.seats > 2:
            return await go_on_at_table(ledger, place, setup, older=older)
        return await _go_on_between_two(ledger, place, setup)


async def _go_on_between_two(ledger: Ledger, place: Place, setup: SeatSetup) -> int:
    again = partial(take_up, ledger.chain, setup.terms, ledger.talk.spoken)
    begun = await trio.to_thread.run_sync(again)
    return await go_on(ledger, begun, None, place, setup)


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


def run(
    home: Home,
    set_up: SetUp,
    name: str | None,
    *,
    older: bool = False,
    router: bool = True,
    proxy: Server | None = None,
) -> int:
    """Resume a game; return the exit code."""
    return trio.run(
        partial(resume, home, set_up, name, older=older, router=router, proxy=proxy)
    )
