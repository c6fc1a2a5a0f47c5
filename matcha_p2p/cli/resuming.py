"""Take up an unfinished game."""

from ipaddress import ip_address
from typing import Final

import trio

from matcha_p2p.cli.attending import Sitting
from matcha_p2p.cli.game import go_on
from matcha_p2p.cli.hosting import own_hosts
from matcha_p2p.language import Sentence
from matcha_p2p.session.chain import OUR_REACH, Chain
from matcha_p2p.session.reconnect import Place
from matcha_p2p.transport.addresses import local_addresses

_LOOKING: Final = Sentence("Game {game}: looking for the other player.")


async def resume(sitting: Sitting, name: str | None) -> int:
    """Go on with the game called ``name``, or the latest one; return the exit code.

    Raises:
        HomeError: there is no such game.
        JournalError: its journal cannot be read, or is in use.
    """
    journal = await trio.to_thread.run_sync(sitting.home.unfinished_game, name)
    chain = await trio.to_thread.run_sync(Chain.open, journal)
    sitting.out.fact("resumed", game=chain.table.gid.hex(), seat=chain.seat)
    sitting.out.say(_LOOKING(game=journal.parent.name))
    told = chain.reaches.get(OUR_REACH)
    before = () if told is None else tuple(map(ip_address, told.addresses))
    stays = bool(before) and all(address.is_loopback for address in before)
    addresses = before if stays else await local_addresses()
    port = None if told is None else told.port
    return await go_on(chain, None, Place(addresses, port, own_hosts(addresses)), sitting)


def run(sitting: Sitting, name: str | None) -> int:
    """Resume one game; return the exit code."""
    return trio.run(resume, sitting, name)
