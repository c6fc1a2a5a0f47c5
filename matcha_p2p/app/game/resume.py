"""Resume an unfinished game."""

from contextlib import ExitStack
from functools import partial
from typing import Final

import trio

from matcha_p2p.app.game.play import go_on, open_unfinished
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.invite.host import own_hosts
from matcha_p2p.errors import LinkError
from matcha_p2p.language import Sentence
from matcha_p2p.session.connection.reconnect import Place
from matcha_p2p.session.session import take_up
from matcha_p2p.transport.local.addresses import local_addresses
from matcha_p2p.transport.punch import PunchPort

_LOOKING: Final = Sentence("Game {game}: looking for the other player.")


async def resume(setup: SeatSetup, name: str | None, *, older: bool = False) -> int:
    """Go on with the game called ``name``, or the latest one; return the exit code.

    older: even if its folder has been replaced by an older copy.

    Raises:
        HomeError: there is no such game.
        JournalError: its journal cannot be read, or is in use.
    """
    open_it = partial(open_unfinished, setup.home, name, older=older)
    ledger = await trio.to_thread.run_sync(open_it)
    chain = ledger.chain
    setup.out.fact("resumed", game=chain.table.gid.hex(), seat=chain.seat)
    setup.out.say(_LOOKING(game=ledger.path.parent.name))
    told = chain.ways[chain.seat]
    before = () if told is None else tuple(each.address for each in told.endpoints)
    stays = bool(before) and all(address.is_loopback for address in before)
    addresses = before if stays else await local_addresses()
    port = None if told is None else told.endpoints[0].port
    begun = await trio.to_thread.run_sync(take_up, chain, setup.terms, ledger.talk.spoken)
    with ExitStack() as stack:
        punch_port = None
        if told is not None and told.punch_port is not None:
            punch_port = stack.enter_context(_punch_port(told.punch_port)).number
        place = Place(addresses, port, own_hosts(addresses), punch_port=punch_port)
        return await go_on(ledger, begun, None, place, setup)


def _punch_port(number: int) -> PunchPort:
    """Return the port that the peer knows, or else another one."""
    try:
        return PunchPort(number)
    except LinkError:
        return PunchPort()


def run(setup: SeatSetup, name: str | None, *, older: bool = False) -> int:
    """Resume one game; return the exit code."""
    return trio.run(partial(resume, setup, name, older=older))
