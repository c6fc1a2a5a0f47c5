"""Wait for a guest, and play."""

import importlib
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from secrets import token_bytes
from typing import TYPE_CHECKING, Final

import trio

from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.waiting import unless_ended
from matcha_p2p.app.outcomes import CANCELLED, NotBegunError
from matcha_p2p.app.output import Output
from matcha_p2p.app.signals import run_until_signal
from matcha_p2p.console.menu.asker import Asker, OpenAsker
from matcha_p2p.console.menu.menu import Pressed, QrCode, Wait
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.rules.seats import Seat
from matcha_p2p.transport.addresses import local_addresses
from matcha_p2p.transport.invite import SECRET_SIZE, Address, Invite
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.listen import Listener, Slots, block_of, listen

if TYPE_CHECKING:
    from matcha_p2p.app.game.play import GreetedPeer
    from matcha_p2p.session.reconnect import Place

GUESTS: Final = 8
GUESTS_OF_A_BLOCK: Final = 4
"""How many guests may greet us at once: from one IPv4 address or IPv6 /64, and in all."""

GUEST_TIME: Final = 20.0
"""Seconds that a guest has for that; a session gives up sooner on a guest who sends nothing."""

TITLE: Final = Sentence("Host a table")
PLACES: Final = Sentence("Where guests reach you")
DOOR: Final = Sentence("At the door")
INVITE: Final = Sentence("The invite")
"""Headings under which the host is told what changes."""

_STILL_WAITING: Final = Sentence("{why} Still waiting; the invite stays good.")
_LAST_GUESTS: Final = 3  # that are told of
_HOW_TO_JOIN: Final = Sentence(
    "Let the other player run matcha join and paste this invite, which lets one guest in for "
    "one game:"
)
_WAITING: Final = Sentence("Waiting on port {port}, at {places}.")
_COPY: Final = Sentence("copy")
_COPIED: Final = Sentence("It is on the clipboard now, if your terminal allows that.")
_QR: Final = Sentence("QR code")
_QR_HOW: Final = Sentence("For the camera of a telephone; its text is the invite.")


@dataclass(frozen=True, slots=True)
class Door:
    """An open listener, and the invite that leads to it."""

    listener: Listener
    invite: Invite

    @property
    def place(self) -> "Place":
        """The addresses at which the host listens while the game lasts."""
        from matcha_p2p.session.reconnect import Place

        addresses = self.invite.addresses
        return Place(addresses, self.invite.port, own_hosts(addresses))


async def open_door(
    addresses: Sequence[Address], port: int | None, secret: bytes | None = None
) -> Door:
    """Start to listen. addresses: for the invite; if none, those of this machine.

    port: None for the usual one or the next that is free, 0 for any. secret: of the invite;
    None for a new one.

    Raises:
        LinkError: the port cannot be used.
        InviteError: there are too many addresses for an invite.
    """
    reachable = tuple(addresses) or await local_addresses()
    secret = token_bytes(SECRET_SIZE) if secret is None else secret
    listener = await listen(port, own_hosts(reachable))
    with ExitStack() as stack:
        stack.callback(listener.close)
        door = Door(listener, Invite(reachable, listener.port, secret))
        stack.pop_all()
    return door


async def host(
    setup: SeatSetup, ask: OpenAsker, addresses: Sequence[Address], port: int | None
) -> int:
    """Show the invite, wait for whoever holds it, and play; return the exit code."""
    async with ask() as asker:
        door = await open_door(addresses, port)
        _announce(setup.out, asker, door.invite)
        work = partial(find_guest, door, setup, asker)
        met = await unless_ended(work, partial(_attend, door.invite.encode(), asker))
    return CANCELLED if met is None else await _play_with(met, door, setup)


async def _attend(invite: str, asker: Asker) -> None:
    """Do what the person asks for, until that is to end the wait."""
    keys = (("c", _COPY()), ("q", _QR()))
    while True:
        match await asker.ask(Wait(TITLE(), (_HOW_TO_JOIN(),), invite, keys)):
            case Pressed("c"):
                asker.copy(invite)
                asker.tell(INVITE(), (_COPIED(),))
            case Pressed("q"):
                await asker.ask(QrCode(INVITE(), (_QR_HOW(),), invite))
            case _:
                return


async def find_guest(door: Door, setup: SeatSetup, asker: Asker) -> "GreetedPeer":
    """Let guests in until one of them has greeted us; close the door behind that one.

    Guests greet side by side, and each has 10 s. When there are too many, the one that began
    first is dropped. So nobody can keep the right guest out by connecting, and a guest who
    leaves before the game begins does not use the invite up.
    """
    with door.listener:
        await trio.to_thread.run_sync(_load_game)
        from matcha_p2p.app.game.play import greet_peer

        met: list[GreetedPeer] = []
        places = Slots(GUESTS, GUESTS_OF_A_BLOCK, GUEST_TIME)
        left: list[str] = []

        async def welcome(link: Link) -> None:
            with places.hold(block_of(link.remote)):
                try:
                    met.append(await greet_peer(link, Seat(0), door.invite.psk, setup))
                except NotBegunError as error:
                    setup.out.fact("waiting", port=door.invite.port, why=sentence_of(error))
                    left.append(_STILL_WAITING(why=error))
                    asker.tell(DOOR(), left[-_LAST_GUESTS:])
                else:
                    nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(door.listener.serve, door.invite.psk, welcome)
        first, *late = met
        for other in late:  # it greeted us at the same moment; only one can play
            await other.link.aclose()
            other.ledger.close()
            await trio.to_thread.run_sync(setup.home.forget, other.ledger.path)
        return first


async def _play_with(met: "GreetedPeer", door: Door, setup: SeatSetup) -> int:
    from matcha_p2p.app.game.play import go_on

    return await go_on(met.ledger, met.begun, met.link, door.place, setup)


def _load_game() -> None:
    """Load the protocol once the invite is shown; in a thread Ctrl-C interrupts no import."""
    importlib.import_module("matcha_p2p.app.game.play")


def _announce(out: Output, asker: Asker, invite: Invite) -> None:
    out.fact("invite", invite=invite.encode())
    out.fact("waiting", port=invite.port, why=None)
    places = ", ".join(map(str, invite.addresses))
    asker.tell(PLACES(), (_WAITING(port=invite.port, places=places),))


def own_hosts(addresses: Sequence[Address]) -> list[str] | None:
    """Return the hosts to listen on: None for all; loopback if the invite has nothing else."""
    if all(address.is_loopback for address in addresses):
        return [str(address) for address in addresses]
    return None


def run(
    setup: SeatSetup, ask: OpenAsker, addresses: Sequence[Address], port: int | None
) -> int:
    """Host one game; return the exit code."""
    return trio.run(run_until_signal, partial(host, setup, ask, addresses, port))
