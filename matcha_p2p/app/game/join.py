"""Follow an invite, and play."""

from dataclasses import replace
from typing import BinaryIO, Final

import trio

from matcha_p2p.app.game.host import own_hosts
from matcha_p2p.app.game.play import GreetedPeer, go_on, greet_peer
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.outcomes import Exit, NotBegunError
from matcha_p2p.app.output import Output
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.errors import InviteError
from matcha_p2p.language import Sentence
from matcha_p2p.rules.seats import Seat
from matcha_p2p.session.reconnect import Place
from matcha_p2p.transport.addresses import local_addresses
from matcha_p2p.transport.dial import connect
from matcha_p2p.transport.invite import TEXT_LIMIT, Invite
from matcha_p2p.wire.talk import Way

DIAL_LIMIT: Final = 12.0
"""Seconds to reach the host."""

_PASTE: Final = Sentence("Paste the invite:")
_CONNECTED: Final = Sentence("Connected. The two programs make keys and shuffle.")


def read_invite(stdin: BinaryIO) -> str:
    """Return the beginning of stdin, as long as an invite can be."""
    return stdin.read(4 * TEXT_LIMIT).decode(errors="replace")


def ask_invite(out: Output, keyboard: Keyboard) -> str:
    """Let the person paste an invite.

    Raises:
        InviteError: nothing comes.
    """
    out.write(f"{_PASTE()} ")
    line = keyboard.readline()
    if line is None:
        raise InviteError(
            "No invite was given. Ask the host for it: it begins with matcha1.",
            code="invite-missing",
        )
    return line


async def join(setup: SeatSetup, invite: Invite) -> int:
    """Reach the host, and play; return the exit code."""
    invited = tuple(endpoint.address for endpoint in invite.endpoints)
    stays = all(address.is_loopback for address in invited)
    own = invited[:1] if stays else await local_addresses()
    place = Place(own, None, own_hosts(own))
    met = await _find_host(setup, invite)
    return await go_on(met.ledger, met.begun, met.link, place, setup)


async def _find_host(setup: SeatSetup, invite: Invite) -> GreetedPeer:
    """Greet the host; go on to its other addresses if whoever answers does not greet us."""
    host = Way(invite.endpoints)
    places = invite.endpoints
    while True:
        link = await connect(replace(invite, endpoints=places), timeout=DIAL_LIMIT)
        setup.out.fact("connected")
        setup.out.say(_CONNECTED())
        tried = link.remote
        try:
            return await greet_peer(link, Seat(1), invite.psk, setup, host)
        except NotBegunError as error:
            places = tuple(place for place in places if place.address != tried)
            if not places or error.exit_code == Exit.REFUSED:
                raise


def run(setup: SeatSetup, text: str) -> int:
    """Play the one game that the invite in ``text`` is for; return the exit code."""
    return trio.run(join, setup, Invite.parse(text))
