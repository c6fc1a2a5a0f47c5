"""Wait for a guest, and play."""

import importlib
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from functools import partial
from secrets import token_bytes
from typing import TYPE_CHECKING, Final

import trio

from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.invite import show_invite
from matcha_p2p.app.invite.answer_codes import AnswerCodes
from matcha_p2p.app.invite.ask_routers import ROUTER, letting_in
from matcha_p2p.app.invite.given_places import read_places
from matcha_p2p.app.invite.outside_address import learn_outside
from matcha_p2p.app.invite.reachability import PASTE_REPLY, who_can_reach
from matcha_p2p.app.outcomes import CANCELLED, NotBegunError
from matcha_p2p.app.output import Output
from matcha_p2p.app.signals import run_until_signal
from matcha_p2p.app.while_asking import while_asking
from matcha_p2p.console.menu.asker import Asker, OpenAsker
from matcha_p2p.console.menu.menu import Pressed, TextField, Wait, Written
from matcha_p2p.errors import InviteError, LinkError
from matcha_p2p.games import NUMBERS
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.race import Win, race
from matcha_p2p.seats import Seat
from matcha_p2p.transport.codes.invite import SECRET_SIZE, Invite, InvitedTable
from matcha_p2p.transport.codes.reply import is_reply
from matcha_p2p.transport.endpoints import (
    MOST_ENDPOINTS,
    Address,
    Endpoint,
    at_port,
)
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.listen import Listener, Slots, block_of, listen
from matcha_p2p.transport.local.addresses import GivenPlace, local_addresses
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.punch import PunchPort
from matcha_p2p.transport.router.mapping import RouterReport
from matcha_p2p.transport.servers import Server

if TYPE_CHECKING:
    from matcha_p2p.app.game.play import GreetedPeer
    from matcha_p2p.app.invite.lobby import HostLobby
    from matcha_p2p.app.nearby.host_side import OpenTable
    from matcha_p2p.app.watching.host_side import WatchDoor
    from matcha_p2p.lobby.room import ReadyTable
    from matcha_p2p.session.reconnect import Place

_LAST_PORT: Final = 65535

GUESTS: Final = 8
GUESTS_OF_A_BLOCK: Final = 4
"""The most guests that greet us at once: from one IPv4 address or IPv6 /64, and in all."""

GUEST_TIME: Final = 20.0
"""Seconds for a guest to greet; a session gives up sooner on a silent guest."""

TITLE: Final = Sentence("Host a table")
PLACES: Final = Sentence("Where guests reach you")
DOOR: Final = Sentence("At the door")
ANSWER: Final = Sentence("The answer code")
"""Headings for changes that the host is told."""

_STILL_WAITING: Final = Sentence("{why} Still waiting; the invite stays good.")
_LAST_GUESTS: Final = 3  # shown to the host
_HOW_TO_JOIN: Final = Sentence(
    "Send this invite to the other player, who pastes it at Join a table. The invite lets "
    "one guest in, for one game:"
)
_HOW_TO_SIT: Final = Sentence(
    "Send this invite to the other players, who paste it at Join a table. The invite lets a "
    "guest in at each empty seat, for one game:"
)
_WAITING: Final = Sentence("Waiting on port {port}.")
_ADDRESSES: Final = Sentence("addresses")
_ADDRESSES_HOW: Final = Sentence(
    "More addresses or names of this machine, with spaces between them. 127.0.0.1 alone "
    "keeps the game on this machine."
)
_ADDRESSES_Q: Final = Sentence("Addresses:")
_ANSWER: Final = Sentence("answer")
_ANSWER_Q: Final = Sentence("Answer code:")
_PORT: Final = Sentence("port")
_PORT_HOW: Final = Sentence("From 1 to 65535; 0 takes any free port.")
_PORT_Q: Final = Sentence("Port:")
_ROUTED: Final = Sentence(
    "The invite now holds the router's outside address. If you have sent the invite already, "
    "send it again."
)
_NAMED: Final = Sentence(
    "{name} now leads to {addresses}: the invite holds these addresses, and not the name."
)


@dataclass(frozen=True, slots=True)
class HostWish:
    """How a person wants to host.

    places: where guests reach this machine besides its own addresses; if all are on this
    machine, guests come only there. port: None for the usual port or the next free port, 0 for
    any. router: whether to ask the router to let guests in. announce: whether neighbours see
    the table; the person can let neighbours in without an invite. answers: whether answer codes
    may be pasted in line mode, where a script may have typed ahead. stun: a server to ask for
    our outside address. table: of three or four seats, or None.
    """

    places: Sequence[GivenPlace] = ()
    port: int | None = None
    router: bool = True
    announce: bool = False
    answers: bool = False
    stun: Server | None = None
    table: InvitedTable | None = None


@dataclass(slots=True)
class Door:
    """An open listener, and the invite to the listener.

    secret: the invite's. table: of three or four seats, or None. addresses: this machine's own.
    outside: endpoints elsewhere that lead to the listener, named by the person. router: the
    routers' report, None until known. watch: the watchers' invite, None until made. ready: set
    once report and invite are known. asked: the scope in which the invite is shown, cancelled
    when ready.
    """

    listener: Listener
    secret: bytes = field(repr=False)
    addresses: tuple[Address, ...]
    outside: tuple[Endpoint, ...] = ()
    punch_port: int | None = None
    table: InvitedTable | None = None
    router: RouterReport | None = None
    watch: Invite | None = None
    ready: trio.Event = field(default_factory=trio.Event)
    asked: trio.CancelScope = field(default_factory=trio.CancelScope)

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """Where guests may try to reach the listener, the surest first."""
        port = self.listener.port
        routed = () if self.router is None else self.router.way_to(port)
        inside = at_port(self.addresses, port)
        return tuple(dict.fromkeys((*self.outside, *routed, *inside)))

    @property
    def invite(self) -> Invite:
        """The invite, as it is now.

        Raises:
            InviteError: the person named more addresses than an invite holds.
        """
        most = max(len(self.outside), MOST_ENDPOINTS)
        return Invite(self.endpoints[:most], self.secret, self.punch_port, table=self.table)

    @property
    def place(self) -> "Place":
        """The addresses where the host listens while the game lasts."""
        from matcha_p2p.session.reconnect import Place

        hosts = own_hosts(self.addresses)
        return Place(
            self.addresses,
            self.listener.port,
            hosts,
            self.outside,
            self.router,
            self.punch_port,
        )


@asynccontextmanager
async def open_door(
    wish: HostWish, secret: bytes, out: Output, asker: Asker, watch: "WatchDoor | None" = None
) -> AsyncGenerator[Door]:
    """During the body, listen, and let the router lead guests here.

    During the body, the routers and a named STUN server are asked; then the answers are told,
    and the door is ready. secret: the invite's. watch: the watchers' door, or None.

    Raises:
        LinkError: the port cannot be used.
        InviteError: a name leads nowhere, or there are too many addresses for an invite.
    """
    given = [(place, await place.resolve()) for place in wish.places]
    named = [
        _NAMED(name=place.host, addresses=", ".join(map(str, found)))
        for place, found in given
        if isinstance(place.host, str)
    ]
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
        door = Door(listener, secret, addresses, typed, punch_port, wish.table)
        at_first = door.invite
        async with trio.open_nursery() as doors:

            async def learn() -> None:
                learnt = () if stays else await learn_outside(wish.stun, out)
                door.outside = (*typed, *at_port(learnt, listener.port))

            async def prepare() -> None:
                async with trio.open_nursery() as asking:
                    asking.start_soon(learn)
                    asking.start_soon(doors.start, _let_guests_in, door, wish, out, asker)
                    if watch is not None:
                        asking.start_soon(doors.start, _let_watchers_in, door, wish, watch)
                sure = typed if door.router is None else (*typed, *door.router.opened)
                whom = who_can_reach(door.endpoints, sure)
                asker.tell(PLACES(), (*named, *whom, _WAITING(port=listener.port)))
                if asker.redraws and door.invite != at_first:
                    asker.tell(show_invite.INVITE(), (_ROUTED(),))
                out.fact("invite", invite=door.invite.encode())
                if watch is not None and door.watch is not None:
                    show_invite.tell_watch_invite(out, asker, door.watch, watch.watch_host.most)
                out.fact("waiting", port=listener.port, why=None)
                door.ready.set()
                door.asked.cancel()

            doors.start_soon(prepare)
            yield door
            doors.cancel_scope.cancel()


async def _let_guests_in(
    door: Door,
    wish: HostWish,
    out: Output,
    asker: Asker,
    *,
    task_status: "trio.TaskStatus[None]",
) -> None:
    """Have the router lead guests to ``door`` until cancelled."""
    tell = partial(asker.tell, ROUTER())
    async with letting_in(
        door.listener.port, door.addresses, out, tell, wanted=wish.router
    ) as door.router:
        task_status.started()
        await trio.sleep_forever()


async def _let_watchers_in(
    door: Door, wish: HostWish, watch: "WatchDoor", *, task_status: "trio.TaskStatus[None]"
) -> None:
    """Let people watch beside ``door`` until cancelled."""
    beside, port, own = door.endpoints, door.listener.port, door.addresses
    async with watch.open(beside, port, own, own_hosts(own), router=wish.router) as door.watch:
        task_status.started()
        await trio.sleep_forever()


async def host(setup: SeatSetup, ask: OpenAsker, wish: HostWish) -> int:
    """Show the invite, wait for guests, and play; return the exit code."""
    watch = await _watch_door(setup.terms.watchers)
    host_it = _host_two if setup.terms.seats == 2 else _host_table
    async with trio.open_nursery() as doors:
        try:
            code = await host_it(doors, setup, ask, wish, watch)
        finally:  # also after an error, such as a game left early
            if watch is not None:
                await watch.watch_host.see_off()
        doors.cancel_scope.cancel()
    return code


async def _host_two(
    doors: trio.Nursery,
    setup: SeatSetup,
    ask: OpenAsker,
    wish: HostWish,
    watch: "WatchDoor | None",
) -> int:
    """Wait for one guest, and play. doors: keeps the doors open. watch: the watchers' door."""
    async with ask() as asker:
        found = await _wait(doors, setup, asker, wish, watch)
    return CANCELLED if found is None else await _play_with(*found, setup, watch)


async def _host_table(
    doors: trio.Nursery,
    setup: SeatSetup,
    ask: OpenAsker,
    wish: HostWish,
    watch: "WatchDoor | None",
) -> int:
    """Let people and bots sit down, and play. doors, watch: as in ``_host_two``."""
    await trio.to_thread.run_sync(_load_game)
    from matcha_p2p.app.game.table import play_at_table
    from matcha_p2p.app.invite.lobby import HostLobby

    table = InvitedTable(NUMBERS[setup.terms.game], setup.terms.seats)
    async with ask() as asker:
        keep_open = partial(_keep_open, watch=watch)
        secret = token_bytes(SECRET_SIZE)
        wish = replace(wish, table=table)
        door, _ = await doors.start(keep_open, wish, secret, setup.out, asker)
        await door.ready.wait()
        codes = AnswerCodes(lambda: door.invite, setup.out, partial(asker.tell, ANSWER()))
        lobby = HostLobby(setup, asker, door.invite.psk)
        attend = partial(_attend_lobby, door, lobby, asker, codes, wish)
        sit = partial(_let_all_sit, door, lobby, asker, codes, wish)
        ready = await while_asking(sit, attend)
    if ready is None:
        return CANCELLED
    # Guests that come during the game are told that every seat is taken.
    place = replace(door.place, others={door.invite.psk: lobby.welcome})
    watch_host = None if watch is None else watch.watch_host
    return await play_at_table(ready, setup, place, levels=lobby.levels, watch_host=watch_host)


async def _let_all_sit(
    door: Door, lobby: "HostLobby", asker: Asker, codes: AnswerCodes, wish: HostWish
) -> "ReadyTable":
    """Let guests sit down until the game begins; return the table."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.listener.serve, door.invite.psk, lobby.welcome)
        nursery.start_soon(codes.run, lobby.welcome)
        if wish.announce:
            nursery.start_soon(_let_near_in, door, lobby.open_table, asker)
        ready = await lobby.start()
        nursery.cancel_scope.cancel()
    return ready


async def _attend_lobby(
    door: Door, lobby: "HostLobby", asker: Asker, codes: AnswerCodes, wish: HostWish
) -> None:
    """Do the person's actions in the lobby, until the person leaves."""
    question = _lobby_question(door, wish)
    while True:
        match await asker.ask(question):
            case Written(text) if is_reply(text):
                codes.take(text)
            case Written(text):
                lobby.take(text)
            case Pressed("r" | "c" | "q" | "w" as key):
                await _press(asker, door, codes, key)
            case Pressed(key):
                await lobby.press(key)
            case _:
                return
        if not asker.redraws:  # the invite stays on the terminal
            question = Wait(TITLE(), (), prompt=question.prompt)


def _lobby_question(door: Door, wish: HostWish) -> Wait:
    """Return the screen for waiting until every seat is taken."""
    from matcha_p2p.app.invite.lobby import KEYS
    from matcha_p2p.console.lines.lobby import COMMANDS

    keys = [*((key, label()) for key, label in KEYS), ("c", show_invite.COPY())]
    keys.append(("q", show_invite.QR()))
    if door.punch_port is not None:
        keys.append(("r", _ANSWER()))
    if door.watch is not None:
        keys.append(("w", show_invite.WATCH_KEY()))
    prompt = COMMANDS() if wish.answers else ""
    return Wait(TITLE(), (_HOW_TO_SIT(),), door.invite.encode(), tuple(keys), prompt)


async def _watch_door(most: int) -> "WatchDoor | None":
    """If people may watch, load the protocol and return the watchers' door."""
    if not most:
        return None
    await trio.to_thread.run_sync(_load_game)
    from matcha_p2p.app.watching.host_side import WatchDoor

    return WatchDoor(most)


async def _wait(
    doors: trio.Nursery,
    setup: SeatSetup,
    asker: Asker,
    wish: HostWish,
    watch: "WatchDoor | None",
) -> "tuple[GreetedPeer, Door] | None":
    """Wait for a guest, and follow the person's changes; if the person leaves, return None.

    doors: keeps the guest's door and the watchers' door open.
    """
    secret = token_bytes(SECRET_SIZE)  # a moved door keeps the secret: sent invites stay good
    while True:
        keep_open = partial(_keep_open, watch=watch)
        door, close = await doors.start(keep_open, wish, secret, setup.out, asker)
        if not asker.redraws:  # lines stay on the terminal, so the invite waits until complete
            await door.ready.wait()
        met, elsewhere = await _wait_at(door, setup, asker, wish)
        if met is not None:
            return met, door
        await close()
        if not elsewhere:
            return None
        (wish,) = elsewhere


async def _wait_at(
    door: Door, setup: SeatSetup, asker: Asker, wish: HostWish
) -> "tuple[GreetedPeer | None, list[HostWish]]":
    """Return the guest, if one came, and the next wish to host, [] for no wish."""
    elsewhere: list[HostWish] = []
    codes = AnswerCodes(lambda: door.invite, setup.out, partial(asker.tell, ANSWER()))

    async def attend() -> None:
        elsewhere.extend(await _attend(door, wish, asker, codes))

    met = await while_asking(partial(find_guest, door, setup, asker, wish, codes), attend)
    return met, elsewhere


async def _keep_open(
    wish: HostWish,
    secret: bytes,
    out: Output,
    asker: Asker,
    *,
    watch: "WatchDoor | None",
    task_status: "trio.TaskStatus[tuple[Door, Callable[[], Awaitable[None]]]]",
) -> None:
    """Keep a door open; pass on the door, and the function that closes the door."""
    closed = trio.Event()
    with trio.CancelScope() as scope:

        async def close() -> None:
            scope.cancel()
            await closed.wait()

        async with open_door(wish, secret, out, asker, watch) as door:
            task_status.started((door, close))
            await trio.sleep_forever()
    closed.set()


async def _attend(
    door: Door, wish: HostWish, asker: Asker, codes: AnswerCodes
) -> list[HostWish]:
    """Do the person's actions; return the next wish to host, or [] to stop."""
    while True:
        answer = None
        with trio.CancelScope() as door.asked:
            answer = await asker.ask(_waiting(door, wish))
        match answer:
            case None:
                pass  # the door is ready: there is more to show
            case Written(code):
                codes.take(code)
            case Pressed("r" | "c" | "q" | "w" as key):
                await _press(asker, door, codes, key)
            case Pressed("a" | "p" as key):
                other = await _ask_elsewhere(asker, door, wish, key)
                if other != wish:
                    return [other]
            case _:
                return []


def _waiting(door: Door, wish: HostWish) -> Wait:
    """Return the screen for waiting for a guest."""
    prompt = ""
    keys = [
        ("c", show_invite.COPY()),
        ("q", show_invite.QR()),
        ("a", _ADDRESSES()),
        ("p", _PORT()),
    ]
    if door.punch_port is not None:
        keys.append(("r", _ANSWER()))
        prompt = PASTE_REPLY() if wish.answers else ""
    if door.watch is not None:
        keys.append(("w", show_invite.WATCH_KEY()))
    return Wait(TITLE(), (_HOW_TO_JOIN(),), door.invite.encode(), tuple(keys), prompt)


async def _press(asker: Asker, door: Door, codes: AnswerCodes, key: str) -> None:
    """Do what ``key`` does to an invite, whoever is waited for.

    r: ask for an answer code. c: copy the invite. q: show the invite as a QR code. w: show and
    copy the watchers' invite.
    """
    if key == "r":
        await _ask_answer(asker, codes)
    elif key == "c":
        asker.copy(door.invite.encode())
        asker.tell(show_invite.INVITE(), (show_invite.COPIED(),))
    elif key == "q":
        await show_invite.show_code(asker, door.invite)
    elif door.watch is not None:
        await show_invite.show_watch_code(asker, door.watch)


async def _ask_elsewhere(asker: Asker, door: Door, wish: HostWish, key: str) -> HostWish:
    """Ask for addresses or a port; return how to host from now on."""
    if key == "a":
        places = await _ask_places(asker)
        return wish if places is None else replace(wish, places=places)
    port = await _ask_port(asker, door)
    return wish if port is None else replace(wish, port=port)


async def _ask_answer(asker: Asker, codes: AnswerCodes) -> None:
    """Ask for an answer code, and try the code."""
    match await asker.ask(TextField(ANSWER(), (PASTE_REPLY(),), _ANSWER_Q())):
        case Written(text) if text:
            codes.take(text)
        case _:
            pass


async def _ask_places(asker: Asker) -> Sequence[GivenPlace] | None:
    """Ask where guests reach this machine, until readable; None keeps the old places."""
    wrong: tuple[str, ...] = ()
    while True:
        field = TextField(PLACES(), (*wrong, _ADDRESSES_HOW()), _ADDRESSES_Q())
        match await asker.ask(field):
            case Written(text):
                try:
                    return read_places(text.split())
                except InviteError as error:
                    wrong = (sentence_of(error),)
            case _:
                return None


async def _ask_port(asker: Asker, door: Door) -> int | None:
    """Ask for a port to listen at, until usable; None keeps the old port."""
    now, hosts = door.listener.port, own_hosts(door.addresses)
    wrong: tuple[str, ...] = ()
    while True:
        field = TextField(PLACES(), (*wrong, _PORT_HOW()), _PORT_Q(), default=str(now))
        match await asker.ask(field):
            case Written(text):
                port = int(text) if text.isascii() and text.isdecimal() else -1
                if port == now:
                    return None
                try:
                    if 0 <= port <= _LAST_PORT:
                        (await listen(port, hosts)).close()
                        return port
                    wrong = ()
                except LinkError as error:
                    wrong = (sentence_of(error),)
            case _:
                return None


async def find_guest(
    door: Door, setup: SeatSetup, asker: Asker, wish: HostWish, codes: AnswerCodes
) -> "GreetedPeer":
    """Let guests in until a guest has greeted us; return this guest.

    Guests greet side by side, and each has 10 s. If there are too many, the guest who began
    first is dropped. So strangers cannot keep the right guest out by connecting. A guest who
    leaves before the game begins does not use up the invite.
    """
    await trio.to_thread.run_sync(_load_game)
    from matcha_p2p.app.game.play import greet_peer, turn_away
    from matcha_p2p.app.nearby.host_side import OpenTable

    left = deque[str](maxlen=_LAST_GUESTS)
    places = Slots(GUESTS, GUESTS_OF_A_BLOCK, GUEST_TIME)

    async def welcome(win: "Win[GreetedPeer]", link: Link, psk: Psk = door.invite.psk) -> None:
        with places.hold(block_of(link.remote)):
            try:
                await win(await greet_peer(link, Seat(0), psk, setup))
            except NotBegunError as error:
                setup.out.fact("waiting", port=door.listener.port, why=sentence_of(error))
                left.append(_STILL_WAITING(why=error))
                asker.tell(DOOR(), tuple(left))

    async def let_in(win: "Win[GreetedPeer]") -> None:
        take = partial(welcome, win)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(door.listener.serve, door.invite.psk, take)
            nursery.start_soon(codes.run, take)
            if wish.announce:
                table = OpenTable(setup, lambda: 1, take)
                nursery.start_soon(_let_near_in, door, table, asker)

    return await race(let_in, close=partial(turn_away, setup.home))


async def _let_near_in(door: Door, table: "OpenTable", asker: Asker) -> None:
    """Announce ``table`` on the networks of ``door``, and let neighbours in; never return."""
    from matcha_p2p.app.nearby.host_side import let_neighbours_in
    from matcha_p2p.meeting.nearby import Surroundings

    await let_neighbours_in(table, asker, door.listener.port, Surroundings.of(door.place.hosts))


async def _play_with(
    met: "GreetedPeer", door: Door, setup: SeatSetup, watch: "WatchDoor | None"
) -> int:
    from matcha_p2p.app.game.play import go_on

    watch_host = None if watch is None else watch.watch_host
    return await go_on(met.ledger, met.begun, met.link, door.place, setup, watch_host)


def _load_game() -> None:
    """Load the protocol once the invite is shown; in a thread Ctrl-C interrupts no import."""
    importlib.import_module("matcha_p2p.app.game.play")
    importlib.import_module("matcha_p2p.app.nearby.host_side")


def own_hosts(addresses: Sequence[Address]) -> list[str] | None:
    """Return the hosts to listen on: loopback if all ``addresses`` are, else None for all."""
    if all(address.is_loopback for address in addresses):
        return [str(address) for address in addresses]
    return None


def run(setup: SeatSetup, ask: OpenAsker, wish: HostWish) -> int:
    """Host a game; return the exit code."""
    return trio.run(run_until_signal, partial(host, setup, ask, wish))
