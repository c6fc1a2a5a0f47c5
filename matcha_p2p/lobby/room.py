"""The lobby over links: one host, a line to each guest, until all have the roster."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from secrets import token_bytes
from typing import Final, TypeAlias

import trio

from matcha_p2p import errors
from matcha_p2p.errors import Check, LinkError, LobbyError
from matcha_p2p.lobby.guest import GuestTable
from matcha_p2p.lobby.host import HostTable
from matcha_p2p.lobby.own_seat import OwnSeat
from matcha_p2p.race import Win, race
from matcha_p2p.seats import Seat
from matcha_p2p.table.game import Find
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.listen import AddressBlock, Slots, block_of
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.transport.pace import Pace
from matcha_p2p.wire.lobby import Lobby, sign_lobby
from matcha_p2p.wire.roster import NONCE_SIZE, Roster
from matcha_p2p.wire.talk import Farewell, decode_farewell, encode_farewell

JOIN_LIMIT: Final = 10.0
"""Seconds for a guest to say JOIN, and to take a frame; and for a host's first LOBBY."""

PING_EVERY: Final = 5.0
LOST_AFTER: Final = 45.0
"""Seconds without a frame after which a guest gives the host up."""

NEWCOMERS: Final = 8
NEWCOMERS_OF_A_BLOCK: Final = 4
"""The most guests that are about to say JOIN: from one IPv4 address or IPv6 /64, and in all."""

JOINS: Final = (0.1, 8)
"""How often a seat is taken from one IPv4 address or IPv6 /64: a second, and at once."""

LOBBIES: Final = (2.0, 8)
"""How often a guest is told of changes: a second, and at once."""

AWAY_LIMIT: Final = 60.0
"""Seconds after which a guest that the host has sent away may come again."""

_GOODBYE: Final = 1.0
"""Seconds for the other end to take a goodbye."""

SILENT: Final = "lobby-silent"
"""The code of the error if no LOBBY comes: perhaps another program has answered."""

CUT: Final = "lobby-cut"
"""The code of the error for a lost line: the guest may say JOIN again."""

TellLobby = Callable[[Lobby], None]
Admits = Callable[[str], bool]
TellLeft = Callable[[str, bytes], None]
Lacks = Callable[[Seat], bool]
_Mark: TypeAlias = AddressBlock | bytes
"""A guest is known again by the address, and by the proven keys."""


@dataclass(frozen=True, slots=True)
class ReadyTable:
    """A table about to begin, for the session.

    own: this program's seat. psk: of the table. bots: the seats that this program's bots play.
    links: a link to each neighbour; in a star the host has all guests, and each guest the host.
    pace: as in the lobby.
    """

    seat: Seat
    own: OwnSeat
    roster: Roster
    psk: Psk = field(repr=False)
    links: Mapping[Seat, Link]
    bots: Mapping[Seat, OwnSeat]
    pace: int


class HostRoom:
    """The host's half.

    tell: called with the lobby after each change. admits: tells whether a name may come in.
    left: called with the name of each leaving guest, and the payload of the goodbye.
    """

    def __init__(
        self, table: HostTable, tell: TellLobby, admits: Admits, left: TellLeft
    ) -> None:
        self._table = table
        self._tell: Final = tell
        self._admits: Final = admits
        self._left: Final = left
        self._changed = trio.Event()
        self._roster: Roster | None = None
        self._links: Final[dict[Seat, Link]] = {}
        self._newcomers: Final = Slots(NEWCOMERS, NEWCOMERS_OF_A_BLOCK, JOIN_LIMIT)
        self._paces: Final[dict[_Mark, Pace]] = {}
        self._marks_of: Final[dict[Binding, list[_Mark]]] = {}
        self._untold = set[Binding]()  # guests that the roster is still to reach
        self._all_told: Final = trio.Event()
        tell(table.lobby)

    @property
    def lobby(self) -> Lobby:
        """Who sits where."""
        return self._table.lobby

    @property
    def begun(self) -> bool:
        """Whether the roster is signed."""
        return self._roster is not None

    def change(self, wish: Callable[[HostTable], HostTable]) -> None:
        """Change the table as the host's person wishes, and tell all guests.

        A guest without a seat then is sent away, and may not come again for AWAY_LIMIT.

        Raises:
            LobbyError: the table cannot do so; nothing has changed.
        """
        if self._roster is not None:
            raise LobbyError("The game begins already.")
        table = wish(self._table)
        for binding in self._table.guests.keys() - table.guests.keys():
            for pace in self._paces_for(self._marks_of[binding]):
                pace.hold_off(AWAY_LIMIT)
        self._take(table)

    async def welcome(
        self, link: Link, friend: bytes | None = None, lacks: Lacks = lambda _: True
    ) -> None:
        """Keep a guest's line until the guest leaves, or has the roster.

        A guest that comes after the roster is told that every seat is taken. If the roster
        lists the guest, and the guest's greeting is missing, the guest gets the roster again.
        friend: the identity key of a friend that has called. lacks: tells whether the greeting
        of a seat is missing.

        Raises:
            HandshakeError: the guest shows another key than ``friend``.
        """
        try:
            with self._newcomers.hold(block_of(link.remote)):
                await self._let_in(link, friend, lacks)
            await self._keep(link)
        except (LinkError, errors.CheckError, LobbyError):
            await link.abort()
        finally:
            self._part(link.binding)
            if link not in self._links.values():
                await _close(link)

    async def start(self) -> ReadyTable:
        """Send the roster to all guests, and return the table.

        A guest that leaves meanwhile keeps its seat: the session waits for its return.

        Raises:
            LobbyError: a seat is empty, or the game begins already.
        """
        if self._roster is not None:
            raise LobbyError("The game begins already.")
        table = self._table
        self._roster = table.roster(token_bytes(NONCE_SIZE))
        self._untold = set(table.guests)
        self._notify()
        if table.guests:
            with trio.move_on_after(JOIN_LIMIT):
                await self._all_told.wait()
        bots = {table.seat_of(bot.listed): bot for bot in table.bots}
        links = dict(self._links)
        psk, pace = table.lobby.psk, table.lobby.pace
        return ReadyTable(Seat(0), table.own, self._roster, psk, links, bots, pace)

    async def _let_in(self, link: Link, friend: bytes | None, lacks: Lacks) -> None:
        """Hear the guest's JOIN, and give the guest a seat. friend: as in ``welcome``.

        A guest whose name is not admitted may say JOIN once more, by another name: to come
        again, it might need another code, or call again.

        Raises:
            LinkError, CheckError: the guest has left, or says something else.
            LobbyError: the guest gets no seat, or had its seat already; the guest is told.
        """
        table = await self._hear_join(link, friend)
        if table is None:
            await link.send(Frame(Kind.BYE, encode_farewell(Farewell.NAME)))
            table = await self._hear_join(link, friend)
            if table is None:
                await _send_away(link, Farewell.NAME)
                raise LobbyError("The name of the guest is misleading, or another player's.")
        if self._roster is not None:
            if not lacks(table.seat_of(table.guests[link.binding])):
                await _send_away(link, Farewell.TAKEN)
                raise LobbyError("The guest plays the game already.")
            await self._tell_again(link, self._roster)
            raise LobbyError("The guest has the roster again, and comes back to the game.")
        # A JOIN does not prove its identity key: others could use up a pace of that key.
        marks = [
            block_of(link.remote),
            table.guests[link.binding].session_key,
            *([] if friend is None else [friend]),
        ]
        if not all(pace.take() for pace in self._paces_for(marks)):
            await _send_away(link, Farewell.AWAY)
            raise LobbyError("The guest is sent away.")
        self._marks_of[link.binding] = marks
        self._take(table)

    async def _hear_join(self, link: Link, friend: bytes | None) -> HostTable | None:
        """Return the table after the guest's JOIN. friend: as in ``welcome``.

        If the name is not admitted, or the guest sits here by another name, return None.

        Raises:
            LinkError, CheckError: the guest has left, or says something else.
            LobbyError: every seat is taken; the guest is told.
            HandshakeError: the guest shows another key than ``friend``.
        """
        frame = await link.receive()
        if frame.kind is not Kind.LOBBY:
            raise errors.EncodingError(Check.ENCODING, "a guest begins with JOIN")
        try:
            table = self._table.join(link.binding, frame.payload)
        except LobbyError:
            await _send_away(link, Farewell.TAKEN)
            raise
        if table is None:
            return None
        guest = table.guests[link.binding]
        if friend not in (None, guest.identity):
            raise errors.HandshakeError("The guest shows another key than the friend's.")
        sits = table.lobby == self.lobby
        return table if sits or self._admits(guest.name) else None

    async def _tell_again(self, link: Link, roster: Roster) -> None:
        """Send the roster again to a guest, who comes back to the game.

        Raises:
            LinkError: the guest has left.
        """
        seed = self._table.own.secrets.session
        await link.send(Frame(Kind.LOBBY, sign_lobby(self.lobby, link.binding, seed)))
        await link.send(Frame(Kind.ROSTER, roster.encoded))
        await link.aclose()

    def _paces_for(self, marks: list[_Mark]) -> list[Pace]:
        """Return the pace of each of ``marks``; forget the idle paces."""
        for mark in [mark for mark, pace in self._paces.items() if pace.idle]:
            del self._paces[mark]
        return [self._paces.setdefault(mark, Pace(*JOINS)) for mark in marks]

    async def _keep(self, link: Link) -> None:
        """Tell the guest of changes, until the guest has the roster.

        Raises:
            LinkError: the guest has said no JOIN in time, or has left.
            LobbyError: the host has sent the guest away; the guest is told.
        """
        if link.binding not in self._table.guests:
            raise LinkError("The guest has left.")
        roster = await race(partial(self._tell_guest, link), partial(self._hear, link))
        if link.binding not in self._table.guests:
            await _send_away(link, Farewell.AWAY)
            raise LobbyError("The guest is sent away.")
        if roster is None:
            raise LinkError("The guest has left.")
        await link.send(Frame(Kind.ROSTER, roster.encoded))
        guest = self._table.guests[link.binding]
        self._links[self._table.seat_of(guest)] = link

    def _part(self, binding: Binding) -> None:
        """Free the seat of a guest that has left; count the guest once the game begins."""
        self._marks_of.pop(binding, None)
        if self._roster is None:
            left = self._table.leave(binding)
            if left is not self._table:
                self._take(left)
        elif binding in self._untold:
            self._untold.remove(binding)
            if not self._untold:
                self._all_told.set()

    async def _tell_guest(self, link: Link, win: Win[Roster | None]) -> None:
        """Send the lobby after changes, and a PING now and then; win the roster.

        If the guest takes no message, or has lost its seat, win None.
        """
        seed, told, pace = self._table.own.secrets.session, None, Pace(*LOBBIES)
        while link.binding in self._table.guests and (
            self._roster is None or told != self.lobby
        ):
            changed, lobby = self._changed, self.lobby
            frame = Frame(Kind.PING)
            if lobby != told:
                frame = Frame(Kind.LOBBY, sign_lobby(lobby, link.binding, seed))
            with trio.move_on_after(JOIN_LIMIT) as limit, suppress(LinkError):
                await link.send(frame)
                told = lobby
            if limit.cancelled_caught or told != lobby:
                await win(None)
            if self._roster is None:
                with trio.move_on_after(PING_EVERY):
                    await changed.wait()
                await pace.wait()
        await win(self._roster)

    async def _hear(self, link: Link, win: Win[Roster | None]) -> None:
        """Win None once the guest leaves; guests say PING and BYE alone in the lobby."""
        with suppress(LinkError, errors.EncodingError):
            while (frame := await link.receive()).kind is Kind.PING:
                pass
            guest = self._table.guests.get(link.binding)
            if frame.kind is Kind.BYE and guest is not None:
                self._left(guest.name, frame.payload)
        await win(None)

    def _take(self, table: HostTable) -> None:
        self._table = table
        self._notify()
        self._tell(table.lobby)

    def _notify(self) -> None:
        changed, self._changed = self._changed, trio.Event()
        changed.set()


async def _send_away(link: Link, why: Farewell) -> None:
    """Tell a guest why there is no seat for it, and close the link."""
    with trio.move_on_after(JOIN_LIMIT):
        await link.send(Frame(Kind.BYE, encode_farewell(why)))
        await link.aclose()


async def _close(link: Link, why: Farewell = Farewell.LATER) -> None:
    """Close a link; if the other end has not left, it is told ``why``."""
    with trio.CancelScope(shield=True):
        with trio.move_on_after(_GOODBYE), suppress(LinkError):
            await link.send(Frame(Kind.BYE, encode_farewell(why)))
        await link.aclose()


async def visit(link: Link, own: OwnSeat, find: Find, tell: TellLobby) -> ReadyTable:
    """Join the host's table on ``link``; return once the host begins.

    If the host's program refuses the name, add a number to the name, once. A guest that changes
    its mind closes the link. tell: called with each lobby; may refuse the lobby by LobbyError.

    Raises:
        LinkError: every seat is taken, the host has left or sends the guest away, the host's
            program refuses the guest's name, or the line is lost (CUT, SILENT).
        LobbyError: the host's program says what no honest program says, or of a game unknown
            here, or ``tell`` has refused the lobby. The host is told, and the link is closed.
    """
    try:
        return await _sit(link, own, find, tell)
    except errors.CheckError as error:
        unknown = error.check in (Check.GAME, Check.VERSION)
        await _close(link, Farewell.VERSION if unknown else Farewell.LATER)
        raise _refused(error) from None
    except LobbyError as error:
        unwanted = isinstance(error, errors.UnwantedGameError)
        await _close(link, Farewell.EDITION if unwanted else Farewell.LATER)
        raise
    except LinkError:
        await link.abort()
        raise


async def _sit(link: Link, own: OwnSeat, find: Find, tell: TellLobby) -> ReadyTable:
    """Say JOIN on ``link``, and follow the lobby until the roster comes."""
    table = GuestTable(own, link.binding)
    await _say_join(link, table)
    while True:
        frame = await _next_frame(link, JOIN_LIMIT if table.lobby is None else LOST_AFTER)
        match frame.kind:
            case Kind.LOBBY:
                table = table.hear(frame.payload, find)
                if table.lobby is not None:
                    tell(table.lobby)
            case Kind.ROSTER:
                seat, roster, lobby = table.hear_roster(frame.payload)
                star = {Seat(0): link}
                return ReadyTable(seat, table.own, roster, lobby.psk, star, {}, lobby.pace)
            case Kind.BYE:
                why = decode_farewell(frame.payload)
                if why is not Farewell.NAME or table.own != own:
                    raise _farewell(why)
                table = replace(table, own=own.numbered())
                await _say_join(link, table)
            case Kind.PING:
                pass
            case _:
                raise errors.EncodingError(Check.ENCODING, "no such frame is of a lobby")


async def _say_join(link: Link, table: GuestTable) -> None:
    """Send the JOIN of ``table``.

    Raises:
        LinkError: the line is lost.
    """
    try:
        await link.send(Frame(Kind.LOBBY, table.join))
    except LinkError as error:
        raise LinkError(error.sentence, code=CUT) from None


async def _next_frame(link: Link, limit: float) -> Frame:
    """Return the next frame of the host.

    Raises:
        LinkError: the line is lost, or the host is silent for ``limit`` seconds.
        EncodingError: no frame is so.
    """
    with trio.move_on_after(limit):
        try:
            return await link.receive()
        except LinkError as error:
            raise LinkError(error.sentence, code=CUT) from None
    raise LinkError(
        "The host has been silent for {seconds} s.", code=SILENT, seconds=round(limit)
    )


def _farewell(why: Farewell) -> LinkError:
    match why:
        case Farewell.TAKEN:
            return LinkError(
                "Every seat of this table is taken. Ask the host for a seat at the next table.",
                code="table-full",
            )
        case Farewell.NAME:
            return LinkError(
                "The program there refuses your name: a player at the table has this name or "
                "one like it, or the name contains a quotation mark, a date, or words that a "
                "program says about players. Choose another name, and join again.",
                code="name",
            )
        case Farewell.AWAY:
            return LinkError(
                "There is no seat for you now: the host has sent you away, or guests have come "
                "from your address too often. Talk to the host, and join again in a minute.",
                code="sent-away",
            )
        case _:
            return LinkError("The host has closed the table.", code="table-closed")


def _refused(error: errors.CheckError) -> LobbyError:
    match error.check:
        case Check.GAME | Check.VERSION:
            return LobbyError(
                "Your program does not know the game of this table, or knows other rules. All "
                "players need the same matcha, or the same package of the game: install the "
                "latest one.",
                code="table-unknown",
            )
        case Check.ROSTER:
            return LobbyError(
                "The host's list of who sits where differs from the list that you were shown. "
                "Nothing has begun. Ask the host, and join again.",
                code="table-roster",
            )
        case _:
            return LobbyError(
                "The host's program sent an unreadable message. Join again.",
                code="table-unreadable",
            )
