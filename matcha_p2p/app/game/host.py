"""Wait for a guest, and play."""

import importlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from functools import partial
from secrets import token_bytes
from typing import TYPE_CHECKING, Final

import trio

from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.served import ASKING, PASTE_REPLY, findings, kind_of, served
from matcha_p2p.app.outcomes import NotBegunError
from matcha_p2p.app.output import Output
from matcha_p2p.app.signals import run_until_signal
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.rules.seats import Seat
from matcha_p2p.transport.addresses import GivenPlace, local_addresses
from matcha_p2p.transport.endpoints import (
    MOST_ENDPOINTS,
    Address,
    Endpoint,
    Scope,
    at_port,
    global_six,
    scope_of,
)
from matcha_p2p.transport.invite import SECRET_SIZE, Invite
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.listen import Listener, Slots, block_of, listen
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.punch import PunchPort
from matcha_p2p.transport.router.gateway import find_gateways
from matcha_p2p.transport.router.mapping import RouterReport, asking_router

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
_WAITING: Final = Sentence("Waiting on port {port}. Ctrl-C ends it.")
_NAMED: Final = Sentence(
    "{name} leads to {addresses} now: the invite holds that, and not the name."
)


@dataclass(frozen=True, slots=True)
class HostWish:
    """How a person wants to host.

    places: where guests reach this machine besides its own addresses; if all are on this
    machine, there alone. port: None for the usual one or the next that is free, 0 for any.
    router: whether it is asked to let guests in. keyboard: for what is typed while waiting;
    None if that is not for us. announce: whether neighbours see the table, and are let in
    without an invite.
    """

    places: Sequence[GivenPlace] = ()
    port: int | None = None
    router: bool = True
    keyboard: Keyboard | None = None
    announce: bool = False


@dataclass(frozen=True, slots=True)
class Door:
    """An open listener, and the invite that leads to it.

    addresses: this machine's own. outside: endpoints elsewhere that lead to the listener.
    elsewhere: addresses of a router at which the internet sees us.
    """

    listener: Listener
    invite: Invite
    addresses: tuple[Address, ...]
    outside: tuple[Endpoint, ...] = ()
    elsewhere: tuple[Address, ...] = ()

    @property
    def place(self) -> "Place":
        """The addresses at which the host listens while the game lasts."""
        from matcha_p2p.session.reconnect import Place

        hosts = own_hosts(self.addresses)
        return Place(
            self.addresses,
            self.listener.port,
            hosts,
            self.outside,
            self.elsewhere,
            self.invite.punch_port,
        )


@asynccontextmanager
async def open_door(wish: HostWish, out: Output) -> AsyncGenerator[Door]:
    """Listen, and have the router lead guests there, as long as the body lasts.

    Tell what was found on the way. The listener is closed by who serves it.

    Raises:
        LinkError: the port cannot be used.
        InviteError: a name leads nowhere, or there are too many addresses for an invite.
    """
    given = [(place, await place.resolve()) for place in wish.places]
    for place, found in given:
        if isinstance(place.host, str):
            out.say(_NAMED(name=place.host, addresses=", ".join(map(str, found))))
    stays = bool(given) and all(place.on_this_machine for place, _ in given)
    at = tuple(address for _, found in given for address in found)
    addresses = at if stays else await local_addresses()
    listener = await listen(wish.port, own_hosts(addresses))
    typed = tuple(
        Endpoint(address, place.port or listener.port)
        for place, found in given
        for address in found
    )
    with closing(listener), ExitStack() as stack:
        punch_port = None if stays else stack.enter_context(PunchPort()).number
        async with _router(wish, listener.port, addresses, out) as report:
            sure = typed if report is None else (*typed, *report.opened)
            seen = None if report is None else report.outside
            elsewhere = () if seen is None else (seen,)
            inside = at_port((*elsewhere, *addresses), listener.port)
            endpoints = tuple(dict.fromkeys((*sure, *inside)))
            most = max(len(typed), MOST_ENDPOINTS)
            invite = Invite(endpoints[:most], token_bytes(SECRET_SIZE), punch_port)
            yield Door(listener, invite, addresses, sure, elsewhere)


@asynccontextmanager
async def _router(
    wish: HostWish, port: int, addresses: Sequence[Address], out: Output
) -> AsyncGenerator[RouterReport | None]:
    """Yield what the router does for ``port``, after 2 s at most; None if it is not asked."""
    if not wish.router or all(scope_of(each) is Scope.MACHINE for each in addresses):
        yield None
        return
    out.say(ASKING())
    gateways = await find_gateways()
    async with asking_router(port, gateways, global_six(addresses)) as report:
        out.fact("router", ipv4=kind_of(report.four), ipv6=kind_of(report.six))
        for sentence in findings(report, port):
            out.say(sentence)
        yield report


async def host(setup: SeatSetup, wish: HostWish) -> int:
    """Print the invite, wait for whoever holds it, and play; return the exit code."""
    async with open_door(wish, setup.out) as door:
        _announce(setup.out, door)
        return await wait_and_play(door, setup, wish)


async def wait_and_play(door: Door, setup: SeatSetup, wish: HostWish) -> int:
    """Let guests in until one of them has greeted us, and play; return the exit code.

    Guests greet side by side, and each has 10 s. When there are too many, the one that began
    first is dropped. So nobody can keep the right guest out by connecting, and a guest who
    leaves before the game begins does not use the invite up.
    """
    await trio.to_thread.run_sync(_load_game)
    from matcha_p2p.app.game.play import GreetedPeer, go_on, greet_peer

    met: list[GreetedPeer] = []
    places = Slots(GUESTS, GUESTS_OF_A_BLOCK, GUEST_TIME)

    async def welcome(link: Link, psk: Psk = door.invite.psk) -> None:
        with places.hold(block_of(link.remote)):
            try:
                met.append(await greet_peer(link, Seat(0), psk, setup))
            except NotBegunError as error:
                setup.out.fact("waiting", port=door.listener.port, why=sentence_of(error))
                setup.out.say(_STILL_WAITING(why=error))
            else:
                nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.listener.serve, door.invite.psk, welcome)
        nursery.start_soon(_heed_typed, door, setup, wish, welcome)
    first, *late = met
    for other in late:  # it greeted us at the same moment; only one can play
        await other.link.aclose()
        other.ledger.close()
        await trio.to_thread.run_sync(setup.home.forget, other.ledger.path)
    return await go_on(first.ledger, first.begun, first.link, door.place, setup)


async def _heed_typed(
    door: Door,
    setup: SeatSetup,
    wish: HostWish,
    welcome: Callable[[Link, Psk], Awaitable[None]],
) -> None:
    """Let neighbours in if the person says so, and punch when an answer code is pasted."""
    if wish.keyboard is None:
        return
    from matcha_p2p.app.game.answering import Punching, TypedLines
    from matcha_p2p.app.game.entrance import let_neighbours_in
    from matcha_p2p.meeting.nearby import Surroundings

    punching = Punching(door.invite, setup.out, welcome)
    typed = TypedLines(wish.keyboard, punching.take)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(typed.run)
        nursery.start_soon(punching.run)
        if wish.announce:
            around, port = Surroundings.of(door.place.hosts), door.listener.port
            nursery.start_soon(let_neighbours_in, setup, typed, port, around, welcome)


def _load_game() -> None:
    """Load the protocol once the invite is shown; in a thread Ctrl-C interrupts no import."""
    importlib.import_module("matcha_p2p.app.game.play")
    importlib.import_module("matcha_p2p.app.game.entrance")


def _announce(out: Output, door: Door) -> None:
    text, port = door.invite.encode(), door.listener.port
    out.fact("invite", invite=text)
    out.fact("waiting", port=port, why=None)
    whom = served(door.invite.endpoints, door.outside)
    answers = () if door.invite.punch_port is None else (PASTE_REPLY(),)
    lines = (*whom, _HOW_TO_JOIN(), text, *answers, _WAITING(port=port))
    # Written, not said: it is true only while we wait, so the menu must not repeat it later.
    out.write("".join(f"{line}\n" for line in lines))


def own_hosts(addresses: Sequence[Address]) -> list[str] | None:
    """Return the hosts to listen on: None for all; loopback if the invite has nothing else."""
    if all(address.is_loopback for address in addresses):
        return [str(address) for address in addresses]
    return None


def run(setup: SeatSetup, wish: HostWish) -> int:
    """Host one game; return the exit code."""
    return trio.run(run_until_signal, partial(host, setup, wish))
