"""Wait for a guest, and play."""

import importlib
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from secrets import token_bytes
from typing import TYPE_CHECKING, Final

import trio

from matcha_p2p.app.game.attend import Sitting
from matcha_p2p.app.outcomes import NotBegunError
from matcha_p2p.app.output import Output
from matcha_p2p.app.signals import run_until_signal
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.transport.addresses import local_addresses
from matcha_p2p.transport.invite import SECRET_SIZE, Address, Invite
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.listen import Listener, Slots, block_of, listen

if TYPE_CHECKING:
    from matcha_p2p.session.reconnect import Place

GUESTS: Final = 8
GUESTS_OF_A_BLOCK: Final = 4
"""How many may greet us at once, from one IPv4 address or IPv6 /64 and in all."""

GUEST_TIME: Final = 20.0
"""Seconds for it, at most; a session gives up a guest who says nothing sooner."""

_STILL_WAITING: Final = Sentence("{why} Still waiting; the invite stays good.")
_HOW_TO_JOIN: Final = Sentence(
    "Let the other player run\n"
    "    matcha join\n"
    "and paste this invite, which lets one guest in for one game:"
)
_WAITING: Final = Sentence("Waiting on port {port}, at {places}. Ctrl-C ends it.")


@dataclass(frozen=True, slots=True)
class Door:
    """Where guests come in: an open listener, and the invite that leads there."""

    listener: Listener
    invite: Invite

    @property
    def place(self) -> "Place":
        """Where the host can be reached as long as the game lasts."""
        from matcha_p2p.session.reconnect import Place

        addresses = self.invite.addresses
        return Place(addresses, self.invite.port, own_hosts(addresses))


async def open_door(addresses: Sequence[Address], port: int | None) -> Door:
    """Start to listen. addresses: for the invite; if none, those of this machine.

    port: None for the usual one or the next that is free, 0 for any.

    Raises:
        LinkError: the port is not to be had.
        InviteError: there are too many addresses for an invite.
    """
    reachable = tuple(addresses) or await local_addresses()
    listener = await listen(port, own_hosts(reachable))
    with ExitStack() as stack:
        stack.callback(listener.close)
        door = Door(listener, Invite(reachable, listener.port, token_bytes(SECRET_SIZE)))
        stack.pop_all()
    return door


async def host(sitting: Sitting, addresses: Sequence[Address], port: int | None) -> int:
    """Print the invite, wait for whoever holds it, and play; return the exit code."""
    door = await open_door(addresses, port)
    _announce(sitting.out, door.invite)
    return await wait_and_play(door, sitting)


async def wait_and_play(door: Door, sitting: Sitting) -> int:
    """Let guests in until one of them has greeted us, and play; return the exit code.

    They greet side by side, and have 10 s for it; when there are too many the one who is at it
    longest has to go. So nobody can keep the right guest out by connecting, and no guest who
    goes before the game begins uses the invite up.
    """
    await trio.to_thread.run_sync(_load_game)
    from matcha_p2p.app.game.play import Introduction, go_on, introduce

    met: list[Introduction] = []
    places = Slots(GUESTS, GUESTS_OF_A_BLOCK, GUEST_TIME)

    async def welcome(link: Link) -> None:
        with places.hold(block_of(link.remote)):
            try:
                met.append(await introduce(link, 0, door.invite.psk, sitting))
            except NotBegunError as error:
                sitting.out.fact("waiting", port=door.invite.port, why=sentence_of(error))
                sitting.out.say(_STILL_WAITING(why=error))
            else:
                nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.listener.serve, door.invite.psk, welcome)
    first, *late = met
    for other in late:  # it has greeted us at the same moment, and has come in vain
        await other.link.aclose()
        other.ledger.close()
        await trio.to_thread.run_sync(sitting.home.forget, other.ledger.path)
    return await go_on(first.ledger, first.begun, first.link, door.place, sitting)


def _load_game() -> None:
    """Load the protocol, after the invite is there; in a thread no Ctrl-C tears that apart."""
    importlib.import_module("matcha_p2p.app.game.play")


def _announce(out: Output, invite: Invite) -> None:
    text = invite.encode()
    out.fact("invite", invite=text)
    out.fact("waiting", port=invite.port, why=None)
    places = ", ".join(map(str, invite.addresses))
    lines = (_HOW_TO_JOIN(), text, _WAITING(port=invite.port, places=places))
    # Written, not said: it holds while we wait, and nobody is to be reminded of it later.
    out.write("".join(f"{line}\n" for line in lines))


def own_hosts(addresses: Sequence[Address]) -> list[str] | None:
    """Return the hosts to listen on: all, unless nobody but this machine is invited."""
    if all(address.is_loopback for address in addresses):
        return [str(address) for address in addresses]
    return None


def run(sitting: Sitting, addresses: Sequence[Address], port: int | None) -> int:
    """Host one game; return the exit code."""
    return trio.run(run_until_signal, partial(host, sitting, addresses, port))
