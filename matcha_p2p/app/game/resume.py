"""Resume an unfinished game."""

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

import trio

from matcha_p2p.app.game.play import go_on, open_unfinished
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.invite.ask_routers import letting_in
from matcha_p2p.app.invite.host import own_hosts
from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.errors import LinkError
from matcha_p2p.language import Sentence
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.reconnect import Place
from matcha_p2p.session.session import take_up
from matcha_p2p.transport.endpoints import Address, Scope
from matcha_p2p.transport.listen import DEFAULT_PORT
from matcha_p2p.transport.local.addresses import local_addresses
from matcha_p2p.transport.punch import PunchPort
from matcha_p2p.transport.servers import Server

_LOOKING: Final = Sentence("Game {game}: looking for the other player.")


async def resume(
    setup: SeatSetup,
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
        CommandError: the game is of three or four.
    """
    open_it = partial(open_unfinished, setup.home, name, older=older)
    ledger = await trio.to_thread.run_sync(open_it)
    chain = ledger.chain
    if len(chain.others) > 1:
        ledger.close()
        raise CommandError(
            Exit.USAGE, "A game of three or four cannot go on yet.", code="table-resume"
        )
    setup.out.fact("resumed", game=chain.table.gid.hex(), seat=chain.seat)
    setup.out.say(_LOOKING(game=Path(ledger.path.parent.name)))
    begun = await trio.to_thread.run_sync(take_up, chain, setup.terms, ledger.talk.spoken)
    if proxy is not None:
        return await go_on(ledger, begun, None, Place((), None, proxy=proxy), setup)
    told = chain.ways.get(chain.seat)
    addresses = await _own_addresses(chain)
    port = DEFAULT_PORT if told is None else told.endpoints[0].port
    wanted = router and _was_far(chain)
    with ExitStack() as stack:
        punch_port = None
        if told is not None and told.punch_port is not None:
            punch_port = stack.enter_context(_punch_port(told.punch_port)).number

        def tell(sentences: Sequence[str]) -> None:
            for sentence in sentences:
                setup.out.say(sentence)

        async with letting_in(port, addresses, setup.out, tell, wanted=wanted) as report:
            hosts = own_hosts(addresses)
            place = Place(addresses, port, hosts, router=report, punch_port=punch_port)
            return await go_on(ledger, begun, None, place, setup)


async def _own_addresses(chain: Chain) -> tuple[Address, ...]:
    """Return this machine's addresses; a game on one machine keeps its addresses."""
    told = chain.ways.get(chain.seat)
    before = () if told is None else tuple(each.address for each in told.endpoints)
    stays = bool(before) and all(address.is_loopback for address in before)
    return before if stays else await local_addresses()


def _was_far(chain: Chain) -> bool:
    """Tell whether the other player may have been elsewhere than on our network."""
    way = chain.ways.get(chain.peer)
    return way is None or any(each.scope is Scope.INTERNET for each in way.endpoints)


def _punch_port(number: int) -> PunchPort:
    """Return the port known to the peer, or another port if that is taken."""
    try:
        return PunchPort(number)
    except LinkError:
        return PunchPort()


def run(
    setup: SeatSetup,
    name: str | None,
    *,
    older: bool = False,
    router: bool = True,
    proxy: Server | None = None,
) -> int:
    """Resume a game; return the exit code."""
    return trio.run(partial(resume, setup, name, older=older, router=router, proxy=proxy))
