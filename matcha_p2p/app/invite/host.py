"""Wait for a guest, and play."""

import importlib
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from functools import partial
from secrets import token_bytes
from typing import TYPE_CHECKING, Final

import trio

from matcha_p2p.app.command.keep_open import keep_open
from matcha_p2p.app.command.outcomes import CANCELLED, NotBegunError
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.command.signals import run_until_signal
from matcha_p2p.app.command.while_asking import while_asking
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.invite import show_invite
from matcha_p2p.app.invite.answer_codes import AnswerCodes
from matcha_p2p.app.invite.ask_routers import ROUTER, letting_in
from matcha_p2p.app.invite.given_places import read_places
from matcha_p2p.app.invite.lobby_keys import lobby_keys, lobby_prompt
from matcha_p2p.app.invite.outside_address import learn_outside
from matcha_p2p.app.invite.reachability import PASTE_REPLY, who_can_reach
from matcha_p2p.console.menu.asker import Asker, OpenAsker
from matcha_p2p.console.menu.menu import Pressed, TextField, Wait, Written
from matcha_p2p.errors import InviteError, LinkError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.session.news import Terms
from matcha_p2p.transport.codes.invite import SECRET_SIZE, Invite
from matcha_p2p.transport.codes.reply import is_reply
from matcha_p2p.transport.endpoints import (
    MOST_ENDPOINTS,
    Address,
    Endpoint,
    at_port,
)
from matcha_p2p.transport.listen import Listener, listen
from matcha_p2p.transport.local.addresses import GivenPlace, local_addresses
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.punch import PunchPort
from matcha_p2p.transport.router.mapping import RouterReport
from matcha_p2p.transport.servers import Server
from matcha_p2p.wire.text import number_in

if TYPE_CHECKING:
    from matcha_p2p.app.invite.lobby import HostLobby
    from matcha_p2p.app.nearby.host_side import OpenTable
    from matcha_p2p.app.watching.host_side import WatchDoor
    from matcha_p2p.lobby.room import ReadyTable
    from matcha_p2p.session.reconnect import Place

_LAST_PORT: Final = 65535

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
    our outside address.
    """

    places: Sequence[GivenPlace] = ()
    port: int | None = None
    router: bool = True
    announce: bool = False
    answers: bool = False
    stun: Server | None = None


@dataclass(slots=True)
class Door:
    """An open listener, and the invite to the listener.

    secret: the invite's. addresses: this machine's own. outside: endpoints elsewhere that lead
    to the listener, named by the person. router: the routers' report, None until known. watch:
    the watchers' invite, None until made. ready: set once report and invite are known. asked:
    the scope in which the invite is shown, cancelled when ready.
    """

    listener: Listener
    secret: bytes = field(repr=False)
    addresses: tuple[Address, ...]
    outside: tuple[Endpoint, ...] = ()
    punch_port: int | None = None
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
        return Invite(self.endpoints[:most], self.secret, self.punch_port)

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
        door = Door(listener, secret, addresses, typed, punch_port)
        at_first = door.invite
        async with trio.open_nursery() as doors:

            async def learn() -> None:
                learnt = () if stays else await learn_outside(wish.stun, out)
                door.outside = (*typed, *at_port(learnt, listener.port))

            async def prepare() -> None:
                async with trio.open_nursery() as asking:
                    asking.start_soon(learn)
                    asking.start_soon(_let_guests_in, doors, door, wish, out, asker)
                    if watch is not None:
                        asking.start_soon(_let_watchers_in, doors, door, wish, watch)
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
    doors: trio.Nursery, door: Door, wish: HostWish, out: Output, asker: Asker
) -> None:
    """Have the router lead guests to ``door`` until ``doors`` are cancelled."""
    tell, port = partial(asker.tell, ROUTER()), door.listener.port
    asked = letting_in(port, door.addresses, out, tell, wanted=wish.router)
    door.router, _ = await doors.start(keep_open, asked)


async def _let_watchers_in(
    doors: trio.Nursery, door: Door, wish: HostWish, watch: "WatchDoor"
) -> None:
    """Let people watch beside ``door`` until ``doors`` are cancelled."""
    own = door.listener.port, door.addresses, own_hosts(door.addresses)
    opened = watch.open(door.endpoints, *own, router=wish.router)
    door.watch, _ = await doors.start(keep_open, opened)


async def host(setup: SeatSetup, ask: OpenAsker, wish: HostWish) -> int:
    """Show the invite, wait for guests, and play; return the exit code."""
    watch = await _watch_door(setup.terms.watchers)
    async with trio.open_nursery() as doors:
        try:
            code = await _host_table(doors, setup, ask, wish, watch)
        finally:  # also after an error, such as a game left early
            if watch is not None:
                await watch.watch_host.see_off()
        doors.cancel_scope.cancel()
    return code


async def _host_table(
    doors: trio.Nursery,
    setup: SeatSetup,
    ask: OpenAsker,
    wish: HostWish,
    watch: "WatchDoor | None",
) -> int:
    """Let people and bots sit down, and play. doors: keeps the doors open.

    watch: the watchers' door. If a game does not begin, the lobby opens again under the same
    invite, with fresh keys (PEER#taken-back).
    """
    opened, secret = None, token_bytes(SECRET_SIZE)
    left = deque[str](maxlen=_LAST_GUESTS)
    while True:
        async with ask() as asker:
            while True:
                if opened is None:  # a moved door keeps the secret, so sent invites stay good
                    moved = open_door(wish, secret, setup.out, asker, watch)
                    opened = await doors.start(keep_open, moved)
                door, close = opened
                met = await _meet(door, setup, asker, wish, tuple(left))
                if not isinstance(met, HostWish):
                    break
                wish, opened = met, None
                await close()
        if met is None:
            return CANCELLED
        lobby, ready = met
        from matcha_p2p.app.game.table import play_at_table

        watch_host = None if watch is None else watch.watch_host
        try:
            return await play_at_table(
                ready,
                setup,
                door.place,
                lobby=lobby,
                watch_host=watch_host,
            )
        except NotBegunError as error:
            door.listener = await door.listener.again(own_hosts(door.addresses))
            setup.out.fact("waiting", port=door.listener.port, why=sentence_of(error))
            left.append(_STILL_WAITING(why=error))


async def _meet(
    door: Door, setup: SeatSetup, asker: Asker, wish: HostWish, said: Sequence[str]
) -> "tuple[HostLobby, ReadyTable] | HostWish | None":
    """Let people and bots sit down; return the lobby and the table.

    If the person wishes to host otherwise, return the wish; if the person stops waiting, None.
    said: of guests with whom no game began. The invite is shown while the protocol is loaded.
    """
    if not asker.redraws:  # lines stay on the terminal: the invite waits until complete
        await door.ready.wait()
    if said:
        asker.tell(DOOR(), said)
    codes = AnswerCodes(lambda: door.invite, setup.out, partial(asker.tell, ANSWER()))
    opening = _Opening()
    elsewhere = list[HostWish]()

    async def attend() -> None:
        shown = partial(_lobby_question, door, opening, setup.terms, wish)
        elsewhere.extend(await _attend_lobby(door, opening, shown, asker, codes, wish))

    async def sit() -> "tuple[HostLobby, ReadyTable]":
        lobby = await opening.open(setup, asker, door.invite.psk)
        return lobby, await _let_all_sit(door, lobby, asker, codes, wish)

    return await while_asking(sit, attend) or (elsewhere[0] if elsewhere else None)


class _Opening:
    """The lobby, once the protocol is loaded."""

    def __init__(self) -> None:
        self._lobbies = deque["HostLobby"](maxlen=1)
        self._opened: Final = trio.Event()

    async def open(self, setup: SeatSetup, asker: Asker, psk: Psk) -> "HostLobby":
        """Load the protocol, and open the lobby; return the lobby."""
        await trio.to_thread.run_sync(_load_game)
        from matcha_p2p.app.invite.lobby import HostLobby

        self._lobbies.append(HostLobby(setup, asker, psk))
        self._opened.set()
        return self._lobbies[0]

    async def lobby(self) -> "HostLobby":
        """Wait for the lobby, and return the lobby."""
        await self._opened.wait()
        return self._lobbies[0]

    @property
    def alone(self) -> bool:
        """Whether nobody but the host sits at the table."""
        return all(lobby.alone for lobby in self._lobbies)


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
    door: Door,
    opening: _Opening,
    shown: Callable[[], Wait],
    asker: Asker,
    codes: AnswerCodes,
    wish: HostWish,
) -> list[HostWish]:
    """Do the person's actions; return the next wish to host, or [] to stop."""
    while True:
        answer = None
        with trio.CancelScope() as door.asked:
            answer = await asker.ask(shown())
        match answer:
            case None:
                pass  # the door is ready: there is more to show
            case Written(text) if is_reply(text):
                codes.take(text)
            case Written(text):
                (await opening.lobby()).take(text)
            case Pressed("r" | "c" | "q" | "w" as key):
                await _press(asker, door, codes, key)
            case Pressed("a" | "p" as key) if opening.alone:
                other = await _ask_elsewhere(asker, door, wish, key)
                if other != wish:
                    return [other]
            case Pressed(key):
                await (await opening.lobby()).press(key)
            case _:
                return []


def _lobby_question(door: Door, opening: _Opening, terms: Terms, wish: HostWish) -> Wait:
    """Return the screen for waiting until every seat is taken."""
    arranging = lobby_keys(terms)
    keys = [*arranging, ("c", show_invite.COPY())]
    keys.append(("q", show_invite.QR()))
    if opening.alone:  # the guests of a moved door have to come again
        keys += [("a", _ADDRESSES()), ("p", _PORT())]
    if door.punch_port is not None:
        keys.append(("r", _ANSWER()))
    if door.watch is not None:
        keys.append(("w", show_invite.WATCH_KEY()))
    reply = PASTE_REPLY() if door.punch_port else ""
    prompt = lobby_prompt(terms, reply) if wish.answers else ""
    how = _HOW_TO_SIT() if arranging else _HOW_TO_JOIN()
    return Wait(TITLE(), (how,), door.invite.encode(), tuple(keys), prompt)


async def _watch_door(most: int) -> "WatchDoor | None":
    """If people may watch, load the protocol and return the watchers' door."""
    if not most:
        return None
    await trio.to_thread.run_sync(_load_game)
    from matcha_p2p.app.watching.host_side import WatchDoor

    return WatchDoor(most)


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
                port = number_in(text)
                if port == now:
                    return None
                try:
                    if port is not None and port <= _LAST_PORT:
                        (await listen(port, hosts)).close()
                        return port
                    wrong = ()
                except LinkError as error:
                    wrong = (sentence_of(error),)
            case _:
                return None


async def _let_near_in(door: Door, table: "OpenTable", asker: Asker) -> None:
    """Announce ``table`` on the networks of ``door``, and let neighbours in; never return."""
    from matcha_p2p.app.nearby.host_side import let_neighbours_in
    from matcha_p2p.meeting.nearby import Surroundings

    await let_neighbours_in(table, asker, door.listener.port, Surroundings.of(door.place.hosts))


def _load_game() -> None:
    """Load the protocol; in a thread Ctrl-C interrupts no import."""
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
