"""Follow an invite, and play."""

from dataclasses import replace
from functools import partial
from typing import BinaryIO, Final

import trio

from matcha_p2p.app.game.host import own_hosts
from matcha_p2p.app.game.play import GreetedPeer, go_on, greet_peer
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.tables import HOST, WaitingTable, find_tables, knock_at
from matcha_p2p.app.game.waiting import unless_ended
from matcha_p2p.app.outcomes import CANCELLED, Exit, NotBegunError
from matcha_p2p.app.signals import run_until_signal
from matcha_p2p.console.menu.asker import Asker, InputClosedError, OpenAsker
from matcha_p2p.console.menu.menu import Chosen, Menu, TextField, Wait, Written
from matcha_p2p.errors import InviteError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.meeting.nearby import Surroundings
from matcha_p2p.rules.seats import Seat
from matcha_p2p.session.reconnect import Place
from matcha_p2p.transport.addresses import local_addresses
from matcha_p2p.transport.dial import connect
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.invite import TEXT_LIMIT, Invite
from matcha_p2p.wire.talk import Way

DIAL_LIMIT: Final = 12.0
"""Seconds to reach the host."""

TITLE: Final = Sentence("Join a table")
BY_INVITE: Final = Sentence("I have an invite")
_LOOKING: Final = Sentence("Who waits on this network?")
_HOW: Final = Sentence("Paste what the host has sent you; it begins with matcha1.")
_INVITE: Final = Sentence("Invite:")
_SEEKING: Final = Sentence("Looking for the host at {places}.")
_AT_TABLE: Final = Sentence("Knocking at {name}'s door.")
_NOBODY: Final = Sentence(
    "Nobody is waiting on this network, or a firewall or the Wi-Fi (one for guests keeps "
    "devices apart) hides them."
)
_CONNECTED: Final = Sentence("Connected. The two programs make keys and shuffle.")


def read_invite(stdin: BinaryIO) -> str:
    """Return the beginning of stdin, as long as an invite can be."""
    return stdin.read(4 * TEXT_LIMIT).decode(errors="replace")


async def choose_way(asker: Asker, *, near: bool) -> WaitingTable | Invite | None:
    """Ask which table of this network to join, or for an invite; None if the person goes back.

    near: whether to look around on this network at all.

    Raises:
        InviteError: the input has ended.
    """
    if not near:
        return await ask_invite(asker)
    asker.tell(HOST(), (_LOOKING(),))
    tables = await find_tables(Surroundings.of(None))
    asker.tell(HOST(), () if tables else (_NOBODY(),))
    if not tables:
        return await ask_invite(asker)
    labels = (*(table.label for table in tables), BY_INVITE())
    match await asker.ask(Menu(TITLE(), (), labels)):
        case Chosen(at) if at < len(tables):
            return tables[at]
        case Chosen():
            return await ask_invite(asker)
        case _:
            return None


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


async def join(
    setup: SeatSetup, ask: OpenAsker, invite: Invite | None, *, near: bool = False
) -> int:
    """Reach the host, and play; return the exit code.

    invite: None to ask for it, or, if ``near``, to offer the tables of this network.

    Raises:
        LinkError, HandshakeError: nobody was reached, or has let the person in.
    """
    async with ask() as asker:
        way = invite or await choose_way(asker, near=near)
        if way is None:
            return CANCELLED
        work = partial(_meet, setup, asker, way)
        met = await unless_ended(work, partial(_attend, asker, way))
    if met is None:
        return CANCELLED
    there = _addresses(way)
    stays = all(address.is_loopback for address in there)
    own = there[:1] if stays else await local_addresses()
    place = Place(own, None, own_hosts(own))
    return await go_on(met.ledger, met.begun, met.link, place, setup)


def _addresses(way: Invite | WaitingTable) -> tuple[Address, ...]:
    match way:
        case Invite(endpoints=endpoints):
            return tuple(endpoint.address for endpoint in endpoints)
        case WaitingTable(address=address):
            return (address,)


def _sought(way: Invite | WaitingTable) -> str:
    match way:
        case Invite(endpoints=endpoints):
            return _SEEKING(places=", ".join(map(str, endpoints)))
        case WaitingTable(answer=answer):
            return _AT_TABLE(name=answer.name)


async def _attend(asker: Asker, way: Invite | WaitingTable) -> None:
    """Let the person see who is looked for, until that is to end."""
    await asker.ask(Wait(TITLE(), (_sought(way),)))


async def _meet(setup: SeatSetup, asker: Asker, way: Invite | WaitingTable) -> GreetedPeer:
    match way:
        case Invite():
            return await _find_host(setup, asker, way)
        case WaitingTable():
            return await _come_in(setup, asker, way)


async def _come_in(setup: SeatSetup, asker: Asker, table: WaitingTable) -> GreetedPeer:
    """Knock at a table on this network, and greet the host who lets the person in."""
    paired = await knock_at(table, setup.terms.name, asker)
    setup.out.fact("connected")
    asker.tell(HOST(), (_CONNECTED(),))
    return await greet_peer(paired.link, Seat(1), paired.psk, setup)


async def _find_host(setup: SeatSetup, asker: Asker, invite: Invite) -> GreetedPeer:
    """Greet the host; go on to its other addresses if whoever answers does not greet us."""
    host = Way(invite.endpoints)
    places = invite.endpoints
    while True:
        link = await connect(replace(invite, endpoints=places), timeout=DIAL_LIMIT)
        setup.out.fact("connected")
        asker.tell(HOST(), (_CONNECTED(),))
        tried = link.remote
        try:
            return await greet_peer(link, Seat(1), invite.psk, setup, host)
        except NotBegunError as error:
            places = tuple(place for place in places if place.address != tried)
            if not places or error.exit_code == Exit.REFUSED:
                raise


def run(setup: SeatSetup, ask: OpenAsker, text: str | None, *, near: bool = False) -> int:
    """Play the one game that the invite in ``text`` is for; return the exit code.

    text: None to ask for it, or, if ``near``, to offer the tables of this network.
    """
    invite = None if text is None else Invite.parse(text)
    return trio.run(run_until_signal, partial(join, setup, ask, invite, near=near))
