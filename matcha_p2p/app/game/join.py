"""Follow an invite, and play."""

from dataclasses import replace
from functools import partial
from typing import BinaryIO, Final

import trio

from matcha_p2p.app.game.host import own_hosts
from matcha_p2p.app.game.play import go_on, greet_peer
from matcha_p2p.app.game.reaching import reaching
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.tables import WaitingTable, find_tables, knock_at
from matcha_p2p.app.outcomes import Exit, NotBegunError
from matcha_p2p.app.signals import run_until_signal
from matcha_p2p.console.terminal.keyboard import Keyboard, narrow
from matcha_p2p.errors import InviteError
from matcha_p2p.language import Sentence
from matcha_p2p.meeting.nearby import Surroundings
from matcha_p2p.rules.seats import Seat
from matcha_p2p.session.reconnect import Place
from matcha_p2p.transport.addresses import local_addresses
from matcha_p2p.transport.invite import TEXT_LIMIT, Invite
from matcha_p2p.wire.talk import Way

_PASTE: Final = Sentence("Paste the invite:")
_CHOOSE: Final = Sentence("Type a number, or paste an invite:")
_NOBODY: Final = Sentence(
    "Nobody is waiting on this network, or a firewall or the Wi-Fi (one for guests keeps "
    "devices apart) hides them."
)
_CONNECTED: Final = Sentence("Connected. The two programs make keys and shuffle.")


def read_invite(stdin: BinaryIO) -> str:
    """Return the beginning of stdin, as long as an invite can be."""
    return stdin.read(4 * TEXT_LIMIT).decode(errors="replace")


async def play_without_invite(
    setup: SeatSetup, keyboard: Keyboard, *, router: bool = True
) -> int:
    """Let the person choose who waits on this network, or paste an invite; and play.

    Return the exit code.

    Raises:
        InviteError: nothing comes, or it is no invite.
    """
    tables = await find_tables(Surroundings.of(None)) if keyboard.echoes else ()
    for number, table in enumerate(tables, start=1):
        setup.out.write(f"{number}: {table.label}\n")
    if keyboard.echoes and not tables:
        setup.out.write(f"{_NOBODY()}\n")
    setup.out.write(f"{_CHOOSE() if tables else _PASTE()} ")
    line = await keyboard.read()
    if line is None:
        raise InviteError(
            "No invite was given. Ask the host for it: it begins with matcha1.",
            code="invite-missing",
        )
    typed = narrow(line).strip()
    if typed.isascii() and typed.isdecimal() and 0 < int(typed[:9]) <= len(tables):
        return await join_table(setup, tables[int(typed) - 1], keyboard)
    return await join(setup, Invite.parse(line), router=router)


async def join_table(setup: SeatSetup, table: WaitingTable, keyboard: Keyboard) -> int:
    """Knock at a table on this network, and play; return the exit code.

    Raises:
        LinkError, HandshakeError: nobody has let the person in.
    """
    paired = await knock_at(table, setup, keyboard)
    setup.out.fact("connected")
    setup.out.say(_CONNECTED())
    loopback = table.address.is_loopback
    own = (table.address,) if loopback else await local_addresses()
    met = await greet_peer(paired.link, Seat(1), paired.psk, setup)
    place = Place(own, None, own_hosts(own))
    return await go_on(met.ledger, met.begun, met.link, place, setup)


async def join(setup: SeatSetup, invite: Invite, *, router: bool = True) -> int:
    """Reach the host, and play; return the exit code.

    Go on to its other addresses if whoever answers does not greet us. router: whether it may be
    asked for our outside address.
    """
    invited = tuple(endpoint.address for endpoint in invite.endpoints)
    stays = all(address.is_loopback for address in invited)
    own = invited[:1] if stays else await local_addresses()
    host, places = Way(invite.endpoints, invite.punch_port), invite.endpoints
    while True:
        there = replace(invite, endpoints=places)
        async with reaching(there, own, setup.out, router=router) as reached:
            setup.out.fact("connected")
            setup.out.say(_CONNECTED())
            tried = reached.link.remote
            try:
                met = await greet_peer(reached.link, Seat(1), invite.psk, setup, host)
            except NotBegunError as error:
                places = tuple(place for place in places if place.address != tried)
                if not places or error.exit_code == Exit.REFUSED:
                    raise
                continue
            place = Place(
                own,
                None,
                own_hosts(own),
                elsewhere=reached.elsewhere,
                punch_port=reached.punch_port,
            )
            return await go_on(met.ledger, met.begun, met.link, place, setup)


def run(setup: SeatSetup, text: str, *, router: bool = True) -> int:
    """Play the one game that the invite in ``text`` is for; return the exit code."""
    work = partial(join, setup, Invite.parse(text), router=router)
    return trio.run(run_until_signal, work)


def run_without_invite(setup: SeatSetup, keyboard: Keyboard, *, router: bool = True) -> int:
    """Play with whom the person chooses; return the exit code."""
    work = partial(play_without_invite, setup, keyboard, router=router)
    return trio.run(run_until_signal, work)


def run_at_table(setup: SeatSetup, table: WaitingTable, keyboard: Keyboard) -> int:
    """Play at a table on this network; return the exit code."""
    return trio.run(run_until_signal, partial(join_table, setup, table, keyboard))
