"""Follow an invite, and play."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import BinaryIO, Final, TypeAlias

import trio

from matcha_p2p.app.command.keep_open import keep_open
from matcha_p2p.app.command.outcomes import CANCELLED, NotBegunError
from matcha_p2p.app.command.signals import run_until_signal
from matcha_p2p.app.command.while_asking import while_asking
from matcha_p2p.app.game.play import conclude_without_game
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.table import play_at_table
from matcha_p2p.app.invite.host import own_hosts
from matcha_p2p.app.invite.lobby import TABLE, GuestSeat, own_seat, sit_down
from matcha_p2p.app.invite.outside_address import learn_outside
from matcha_p2p.app.invite.reach_host import Reached, reaching_host, reaching_through
from matcha_p2p.app.invite.show_invite import COPIED, COPY
from matcha_p2p.app.menu.own_name import ask_name
from matcha_p2p.app.nearby.guest_side import HOST, WaitingTable, find_tables, knock_at
from matcha_p2p.console.menu import menu as menu_parts
from matcha_p2p.console.menu.asker import Asker, InputClosedError, OpenAsker
from matcha_p2p.errors import InviteError, LinkError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.lobby.own_seat import OwnSeat
from matcha_p2p.lobby.room import CUT, SILENT
from matcha_p2p.meeting.nearby import Surroundings
from matcha_p2p.meeting.pairing import Paired
from matcha_p2p.session.reconnect import Place
from matcha_p2p.transport.codes.invite import TEXT_LIMIT, Invite, InviteKind
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.local.addresses import GivenPlace, local_addresses
from matcha_p2p.transport.servers import NOBODY, Named
from matcha_p2p.wire.talk import PeerAddresses

PlayOn: TypeAlias = Callable[[], Awaitable[int]]
"""Plays a game to its end, and returns the exit code."""

TITLE: Final = Sentence("Join a table")
WATCH_TITLE: Final = Sentence("Watch a game")
BY_INVITE: Final = Sentence("I have an invite")
_LOOKING: Final = Sentence("Looking for open tables on this network.")
_HOW: Final = Sentence("Paste the host's invite, which begins with matcha1.")
_HOW_WATCH: Final = Sentence(
    "Paste the host's invite to watch, which begins with matchawatch1."
)
_INVITE: Final = Sentence("Invite:")
SEEKING: Final = Sentence("Looking for the host at {places}.")
_SEND_BACK: Final = Sentence(
    "No answer yet. Send this answer code to the host, who pastes it (on the full screen "
    "after r), and leave this open. The code holds your addresses and no secret:"
)
_AT_TABLE: Final = Sentence('Knocking at the door of "{name}".')
_NOBODY: Final = Sentence(
    "No table is open on this network, or a firewall or the Wi-Fi hides it. A guest Wi-Fi "
    "keeps devices apart."
)

_DIAL_AGAIN_AFTER: Final = 1.0
"""Seconds after a lost line until the host is dialled again."""


def read_invite(stdin: BinaryIO) -> str:
    """Return the beginning of stdin, as long as an invite can be."""
    return stdin.read(4 * TEXT_LIMIT).decode(errors="replace")


async def choose_way(asker: Asker, *, near: bool) -> WaitingTable | Invite | None:
    """Ask which table of this network to join, or for an invite; to go back, return None.

    near: whether to look for tables on this network at all.

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
    at, invite = 0, None
    while invite is None:
        match await asker.ask(menu_parts.Menu(TITLE(), (), labels, at, writes=True)):
            case menu_parts.Chosen(at) if at < len(tables):
                return tables[at]
            case menu_parts.Chosen(at):
                invite = await ask_invite(asker)
            case menu_parts.Written(text):
                invite = await ask_invite(asker, draft=text)
            case _:
                return None
    return invite


async def ask_invite(
    asker: Asker, kind: InviteKind = InviteKind.PLAY, draft: str = ""
) -> Invite | None:
    """Ask for an invite of ``kind`` until the person gives a valid invite or goes back (None).

    draft: the part of the invite typed already.

    Raises:
        InviteError: the input has ended; the sentence tells the fault of the last invite.
    """
    error = InviteError(
        "The invite is missing. Ask the host for one; it begins with {start}.",
        code="invite-missing",
        start=kind.start,
    )
    title, how = (TITLE(), _HOW()) if kind is InviteKind.PLAY else (WATCH_TITLE(), _HOW_WATCH())
    wrong: tuple[str, ...] = ()
    while True:
        try:
            answer = await asker.ask(
                menu_parts.TextField(title, (*wrong, how), _INVITE(), draft=draft)
            )
        except InputClosedError:
            raise error from None
        match answer:
            case menu_parts.Written(text) if text:
                try:
                    return Invite.parse(text, kind)
                except InviteError as refused:
                    draft = ""
                    error, wrong = refused, (sentence_of(refused),)
            case _:
                return None


@dataclass(frozen=True, slots=True)
class JoinWish:
    """How a person wants to join.

    asks: whether a person is there to choose another name. near: whether to look for tables on
    this network. router: whether to ask the router for our outside address. places: our outside
    address, named by the person. servers: the STUN server is asked for our outside address too.
    The proxy dials in our place; with a proxy no server or router is asked.
    """

    asks: bool = False
    near: bool = False
    router: bool = True
    places: Sequence[GivenPlace] = ()
    servers: Named = NOBODY


async def join(
    setup: SeatSetup, ask: OpenAsker, invite: Invite | None, wish: JoinWish | None = None
) -> int:
    """Reach the host, and play; return the exit code.

    invite: None to ask for an invite, or to offer the tables of this network.

    Raises:
        LinkError, HandshakeError: no host was reached, or the host has refused the person.
    """
    wish = wish or JoinWish()
    async with trio.open_nursery() as ways:  # keeps the way to the host open
        code = await _join(ways, setup, ask, invite, wish)
        ways.cancel_scope.cancel()
    return code


async def _join(
    ways: trio.Nursery,
    setup: SeatSetup,
    ask: OpenAsker,
    way: WaitingTable | Invite | None,
    wish: JoinWish,
) -> int:
    """Reach the host, and play. If no game begins, come back to the lobby by the invite."""
    own, before = own_seat(setup), None
    while True:
        async with ask() as asker:
            way = way or await choose_way(asker, near=wish.near and wish.servers.proxy is None)
            if way is None:
                return CANCELLED
            said = () if before is None else (sentence_of(before),)
            asker.tell(HOST(), said)  # tables found on the network no longer matter
            shown = menu_parts.Wait(TITLE(), (_sought(way),))
            seeker = _Seeker(ways, setup, asker, wish, shown, own)
            try:
                play = await while_asking(partial(seeker.meet, way), seeker.attend)
            except LinkError:
                if before is None:
                    raise
                return conclude_without_game(before, setup.out)
        if play is None:
            return CANCELLED
        setup, own = seeker.setup, seeker.own
        try:
            return await play()
        except NotBegunError as error:
            if isinstance(way, WaitingTable):  # it would need another code
                return conclude_without_game(error, setup.out)
            before = error
            if error.next_game:
                own = own_seat(setup)


def _addresses(way: Invite | WaitingTable) -> tuple[Address, ...]:
    match way:
        case Invite(endpoints=endpoints):
            return tuple(endpoint.address for endpoint in endpoints)
        case WaitingTable(address=address):
            return (address,)


def _ways_of(invite: Invite) -> PeerAddresses:
    """Return where the host of ``invite`` can be reached."""
    return PeerAddresses(invite.endpoints, invite.punch_port)


def _sought(way: Invite | WaitingTable) -> str:
    match way:
        case Invite(endpoints=endpoints):
            return SEEKING(places=", ".join(map(str, endpoints)))
        case WaitingTable(answer=answer):
            return _AT_TABLE(name=answer.name)


class _Seeker:
    """Looks for the host.

    ways: keeps the way to the host open. seeking: the screen of the search. own: the seat to
    take, the same at each try (PEER#join-again). place: where we can be reached, after the
    meeting.
    """

    def __init__(
        self,
        ways: trio.Nursery,
        setup: SeatSetup,
        asker: Asker,
        wish: JoinWish,
        seeking: menu_parts.Wait,
        own: OwnSeat,
    ) -> None:
        self._ways: Final = ways
        self.setup, self.own = setup, own  # another name changes both
        self._asker: Final = asker
        self._wish: Final = wish
        self._seeking: Final = seeking
        self._shown = seeking
        self._asked = trio.CancelScope()  # around the question of ``attend``
        self.place = Place((), None)

    async def attend(self) -> None:
        """Show the search, the answer code, and the meeting, until the person stops."""
        while True:
            answer: menu_parts.MenuAnswer | None = None
            with trio.CancelScope() as self._asked:
                answer = await self._asker.ask(self._shown)
            match answer:
                case None:
                    pass  # there is something else to show
                case menu_parts.Pressed("c"):
                    self._asker.copy(self._shown.text)
                    self._asker.tell(HOST(), (COPIED(),))
                case _:
                    return

    def _show(self, wait: menu_parts.Wait) -> None:
        if wait != self._shown:
            self._shown = wait
            self._asked.cancel()

    async def meet(self, way: Invite | WaitingTable) -> PlayOn:
        """Reach the host, and sit down; return what plays the game.

        If the host refuses the person's name, ask for another name, and begin again.
        """
        while True:
            try:
                return await self._meet(way)
            except LinkError as error:
                if error.code != "name" or not self._wish.asks:
                    raise
                await self._take_name(error)

    async def _take_name(self, refused: LinkError) -> None:
        """Ask for another name.

        Raises:
            LinkError: ``refused``, if the person gives no name.
        """
        for heading in (HOST(), TABLE()):
            self._asker.tell(heading, ())
        name = None
        with suppress(InputClosedError):
            name = await ask_name(self._asker, TITLE(), (sentence_of(refused),))
        if name is None:
            raise refused
        self.setup = replace(self.setup, terms=replace(self.setup.terms, name=name))
        self.own = own_seat(self.setup)

    async def _meet(self, way: Invite | WaitingTable) -> PlayOn:
        if self._wish.servers.proxy is not None and isinstance(way, Invite):
            self.place = Place((), None, proxy=self._wish.servers.proxy)
        else:
            there = _addresses(way)
            stays = all(address.is_loopback for address in there)
            own = there[:1] if stays else await local_addresses()
            self.place = Place(own, None, own_hosts(own))
        if isinstance(way, WaitingTable):
            seat = await self._sit_down((await self._come_in(way)).link)
        else:
            seat = await self._find_host(way)
        host = None if isinstance(way, WaitingTable) else _ways_of(way)
        return partial(play_at_table, seat.ready, seat.setup, self.place, host=host)

    async def _sit_down(self, link: Link) -> GuestSeat:
        return await sit_down(self.setup, self._asker, link, self.own)

    async def _come_in(self, table: WaitingTable) -> Paired:
        """Knock at a table on this network; return once the host has let the person in."""
        self._show(self._seeking)
        paired = await knock_at(table, self.setup.terms.name, self._asker)
        self._tell_connected()
        return paired

    async def _find_host(self, invite: Invite) -> GuestSeat:
        """Sit down at the host's table.

        If a machine does not answer as a host, go on to the other addresses. If the line is
        lost, dial again: the seat stays ours.
        """
        places = invite.endpoints
        while True:
            self._show(self._seeking)
            there = replace(invite, endpoints=places)
            reached, leave = await self._ways.start(keep_open, self._reaching(there))
            self._tell_connected()
            self.place = replace(
                self.place, router=reached.router, punch_port=reached.punch_port
            )
            tried = reached.link.remote
            try:
                return await self._sit_down(reached.link)
            except LinkError as error:
                await leave()
                if error.code == SILENT:
                    places = tuple(place for place in places if place.address != tried)
                if error.code not in (SILENT, CUT) or not places:
                    raise
            await trio.sleep(_DIAL_AGAIN_AFTER)

    def _reaching(self, invite: Invite) -> AbstractAsyncContextManager[Reached]:
        wish = self._wish
        if wish.servers.proxy is not None:
            return reaching_through(wish.servers.proxy, invite)
        return reaching_host(
            invite,
            self.place.addresses,
            self._tell_code,
            places=wish.places,
            learn=partial(learn_outside, wish.servers.stun, self.setup.out),
            router=wish.router,
        )

    def _tell_code(self, code: str) -> None:
        self.setup.out.fact("reply", reply=code)
        self._show(menu_parts.Wait(TITLE(), (_SEND_BACK(),), code, (("c", COPY()),)))

    def _tell_connected(self) -> None:
        self.setup.out.fact("connected")
        self._asker.tell(HOST(), ())
        if self._asker.redraws:  # lines stay on the terminal
            self._show(menu_parts.Wait(TITLE(), ()))


def run(
    setup: SeatSetup, ask: OpenAsker, text: str | None, wish: JoinWish | None = None
) -> int:
    """Play the one game of the invite in ``text``; return the exit code.

    text: None to ask for an invite, or to offer the tables of this network.
    """
    invite = None if text is None else Invite.parse(text)
    return trio.run(run_until_signal, partial(join, setup, ask, invite, wish))
