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
from matcha_p2p.app.outcomes import NotBegunError
from matcha_p2p.app.output import Output
from matcha_p2p.app.signals import run_until_signal
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.rules.seats import Seat
from matcha_p2p.transport.addresses import local_addresses
from matcha_p2p.transport.invite import SECRET_SIZE, Address, Invite
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.listen import Listener, Slots, block_of, listen
from matcha_p2p.transport.names import Psk

if TYPE_CHECKING:
    from matcha_p2p.session.reconnect import Place

GUESTS: Final = 8
GUESTS_OF_A_BLOCK: Final = 4
"""How many guests may greet us at once: from one IPv4 address or IPv6 /64, and in all."""

GUEST_TIME: Final = 20.0
"""Seconds that a guest has for that; a session gives up sooner on a guest who sends nothing."""

_STILL_WAITING: Final = Sentence("{why} Still waiting; the invite stays good.")
_HOW_TO_JOIN: Final = Sentence(
    "Let the other player run\n"
    "    matcha join\n"
    "and paste this invite, which lets one guest in for one game:"
)
_WAITING: Final = Sentence("Waiting on port {port}, at {places}. Ctrl-C ends it.")


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


async def open_door(addresses: Sequence[Address], port: int | None) -> Door:
    """Start to listen. addresses: for the invite; if none, those of this machine.

    port: None for the usual one or the next that is free, 0 for any.

    Raises:
        LinkError: the port cannot be used.
        InviteError: there are too many addresses for an invite.
    """
    reachable = tuple(addresses) or await local_addresses()
    listener = await listen(port, own_hosts(reachable))
    with ExitStack() as stack:
        stack.callback(listener.close)
        door = Door(listener, Invite(reachable, listener.port, token_bytes(SECRET_SIZE)))
        stack.pop_all()
    return door


async def host(
    setup: SeatSetup,
    addresses: Sequence[Address],
    port: int | None,
    keyboard: Keyboard | None = None,
) -> int:
    """Print the invite, wait for whoever holds it, and play; return the exit code.

    keyboard: by which a person lets neighbours in who have no invite; None for no such.
    """
    door = await open_door(addresses, port)
    _announce(setup.out, door.invite)
    return await wait_and_play(door, setup, keyboard)


async def wait_and_play(door: Door, setup: SeatSetup, keyboard: Keyboard | None = None) -> int:
    """Let guests in until one of them has greeted us, and play; return the exit code.

    Guests greet side by side, and each has 10 s. When there are too many, the one that began
    first is dropped. So nobody can keep the right guest out by connecting, and a guest who
    leaves before the game begins does not use the invite up.
    """
    await trio.to_thread.run_sync(_load_game)
    from matcha_p2p.app.game.entrance import let_neighbours_in
    from matcha_p2p.app.game.play import GreetedPeer, go_on, greet_peer
    from matcha_p2p.meeting.nearby import Surroundings

    met: list[GreetedPeer] = []
    places = Slots(GUESTS, GUESTS_OF_A_BLOCK, GUEST_TIME)

    async def welcome(link: Link, psk: Psk = door.invite.psk) -> None:
        with places.hold(block_of(link.remote)):
            try:
                met.append(await greet_peer(link, Seat(0), psk, setup))
            except NotBegunError as error:
                setup.out.fact("waiting", port=door.invite.port, why=sentence_of(error))
                setup.out.say(_STILL_WAITING(why=error))
            else:
                nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.listener.serve, door.invite.psk, welcome)
        if keyboard is not None:
            around = Surroundings.of(door.place.hosts)
            port = door.listener.port
            nursery.start_soon(let_neighbours_in, setup, keyboard, port, around, welcome)
    first, *late = met
    for other in late:  # it greeted us at the same moment; only one can play
        await other.link.aclose()
        other.ledger.close()
        await trio.to_thread.run_sync(setup.home.forget, other.ledger.path)
    return await go_on(first.ledger, first.begun, first.link, door.place, setup)


def _load_game() -> None:
    """Load the protocol once the invite is shown; in a thread Ctrl-C interrupts no import."""
    importlib.import_module("matcha_p2p.app.game.play")
    importlib.import_module("matcha_p2p.app.game.entrance")


def _announce(out: Output, invite: Invite) -> None:
    text = invite.encode()
    out.fact("invite", invite=text)
    out.fact("waiting", port=invite.port, why=None)
    places = ", ".join(map(str, invite.addresses))
    lines = (_HOW_TO_JOIN(), text, _WAITING(port=invite.port, places=places))
    # Written, not said: it is true only while we wait, so the menu must not repeat it later.
    out.write("".join(f"{line}\n" for line in lines))


def own_hosts(addresses: Sequence[Address]) -> list[str] | None:
    """Return the hosts to listen on: None for all; loopback if the invite has nothing else."""
    if all(address.is_loopback for address in addresses):
        return [str(address) for address in addresses]
    return None


def run(
    setup: SeatSetup,
    addresses: Sequence[Address],
    port: int | None,
    keyboard: Keyboard | None = None,
) -> int:
    """Host one game; return the exit code. keyboard: see ``host``."""
    return trio.run(run_until_signal, partial(host, setup, addresses, port, keyboard))
