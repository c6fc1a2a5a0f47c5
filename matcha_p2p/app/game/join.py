"""Follow an invite, and play."""

from dataclasses import replace
from functools import partial
from typing import BinaryIO, Final

import trio

from matcha_p2p.app.game.host import own_hosts
from matcha_p2p.app.game.play import GreetedPeer, go_on, greet_peer
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.waiting import unless_ended
from matcha_p2p.app.outcomes import CANCELLED, Exit, NotBegunError
from matcha_p2p.app.signals import run_until_signal
from matcha_p2p.console.menu.asker import Asker, InputClosedError, OpenAsker
from matcha_p2p.console.menu.menu import TextField, Wait, Written
from matcha_p2p.errors import InviteError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.rules.seats import Seat
from matcha_p2p.session.reconnect import Place
from matcha_p2p.transport.addresses import local_addresses
from matcha_p2p.transport.dial import connect
from matcha_p2p.transport.invite import TEXT_LIMIT, Invite
from matcha_p2p.wire.talk import Reach

DIAL_LIMIT: Final = 12.0
"""Seconds to reach the host."""

TITLE: Final = Sentence("Join a table")
HOST: Final = Sentence("The host")
"""The heading under which the guest is told how it goes."""

_HOW: Final = Sentence("Paste what the host has sent you; it begins with matcha1.")
_INVITE: Final = Sentence("Invite:")
_SEEKING: Final = Sentence("Looking for the host at {places}.")
_CONNECTED: Final = Sentence("Connected. The two programs make keys and shuffle.")


def read_invite(stdin: BinaryIO) -> str:
    """Return the beginning of stdin, as long as an invite can be."""
    return stdin.read(4 * TEXT_LIMIT).decode(errors="replace")


async def ask_invite(asker: Asker) -> Invite | None:
    """Ask for an invite until one is given; None if the person goes back.

    Raises:
        InviteError: the input has ended; says what was wrong with the last one.
    """
    error = InviteError(
        "No invite was given. Ask the host for it: it begins with matcha1.",
        code="invite-missing",
    )
    wrong: tuple[str, ...] = ()
    while True:
        try:
            answer = await asker.ask(TextField(TITLE(), (*wrong, _HOW()), _INVITE()))
        except InputClosedError:
            raise error from None
        match answer:
            case Written(text) if text:
                try:
                    return Invite.parse(text)
                except InviteError as refused:
                    error, wrong = refused, (sentence_of(refused),)
            case _:
                return None


async def join(setup: SeatSetup, ask: OpenAsker, invite: Invite | None) -> int:
    """Reach the host, and play; return the exit code. invite: None to ask for it."""
    async with ask() as asker:
        if invite is None and (invite := await ask_invite(asker)) is None:
            return CANCELLED
        met = await unless_ended(
            partial(_find_host, setup, asker, invite), partial(_attend, asker, invite)
        )
    if met is None:
        return CANCELLED
    loopback = all(address.is_loopback for address in invite.addresses)
    own = invite.addresses[:1] if loopback else await local_addresses()
    place = Place(own, None, own_hosts(own))
    return await go_on(met.ledger, met.begun, met.link, place, setup)


async def _attend(asker: Asker, invite: Invite) -> None:
    """Let the person see who is looked for, until that is to end."""
    places = ", ".join(map(str, invite.addresses))
    await asker.ask(Wait(TITLE(), (_SEEKING(places=places),)))


async def _find_host(setup: SeatSetup, asker: Asker, invite: Invite) -> GreetedPeer:
    """Greet the host; go on to its other addresses if whoever answers does not greet us."""
    host = Reach(tuple(address.packed for address in invite.addresses), invite.port)
    places = invite.addresses
    while True:
        link = await connect(replace(invite, addresses=places), timeout=DIAL_LIMIT)
        setup.out.fact("connected")
        asker.tell(HOST(), (_CONNECTED(),))
        tried = link.remote
        try:
            return await greet_peer(link, Seat(1), invite.psk, setup, host)
        except NotBegunError as error:
            places = tuple(place for place in places if place != tried)
            if not places or error.exit_code == Exit.REFUSED:
                raise


def run(setup: SeatSetup, ask: OpenAsker, text: str | None) -> int:
    """Play the one game that the invite in ``text`` is for; return the exit code.

    text: None to ask for it.
    """
    invite = None if text is None else Invite.parse(text)
    return trio.run(run_until_signal, partial(join, setup, ask, invite))
