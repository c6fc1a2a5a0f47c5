"""The lobby over links: one host, a line to each guest, until all have the roster."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from secrets import token_bytes
from typing import Final

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
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.wire.lobby import Lobby, sign_lobby
from matcha_p2p.wire.roster import NONCE_SIZE, Roster
from matcha_p2p.wire.talk import Farewell, decode_farewell, encode_farewell

JOIN_LIMIT: Final = 10.0
"""Seconds for a guest to say JOIN, and to take a frame."""

PING_EVERY: Final = 5.0
LOST_AFTER: Final = 45.0
"""Seconds without a frame after which a guest gives the host up."""

_GOODBYE: Final = 1.0
"""Seconds for a guest to take the goodbye of a table that closes."""

TellLobby = Callable[[Lobby], None]
Admits = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class ReadyTable:
    """A table that is about to begin: what the session takes.

    own: this program's seat. psk: of the table. bots: the seats that this program's bots play.
    links: a link to each neighbour; in a star the host has all guests, and each guest the host.
    """

    seat: Seat
    own: OwnSeat
    roster: Roster
    psk: Psk = field(repr=False)
    links: Mapping[Seat, Link]
    bots: Mapping[Seat, OwnSeat]


class HostRoom:
    """The host's half.

    tell: called with the lobby after each change. admits: tells whether a name may come in.
    """

    def __init__(self, table: HostTable, tell: TellLobby, admits: Admits) -> None:
        self._table = table
        self._tell: Final = tell
        self._admits: Final = admits
        self._changed = trio.Event()
        self._roster: Roster | None = None
        self._links: Final[dict[Seat, Link]] = {}
        self._untold = set[Binding]()  # guests that the roster is still to reach
        self._all_told: Final = trio.Event()
        tell(table.lobby)

    @property
    def lobby(self) -> Lobby:
        """Who sits where."""
        return self._table.lobby

    def change(self, wish: Callable[[HostTable], HostTable]) -> None:
        """Change the table as the host's person wishes, and tell all guests.

        Raises:
            LobbyError: the table cannot do so; nothing has changed.
        """
        if self._roster is not None:
            raise LobbyError("The game begins already.")
        self._take(wish(self._table))

    async def welcome(self, link: Link, friend: bytes | None = None) -> None:
        """Keep a guest's line until the guest leaves, or has the roster.

        A guest that comes after the roster is told that every seat is taken. friend: the
        identity key of a friend that has called; a PING tells the friend that a table waits.
        """
        try:
            if friend is not None:
                await link.send(Frame(Kind.PING))
            await self._let_in(link, friend)
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
        return ReadyTable(Seat(0), table.own, self._roster, table.lobby.psk, links, bots)

    async def _let_in(self, link: Link, friend: bytes | None) -> None:
        """Hear the guest's JOIN, and give the guest a seat. friend: the key it has to show.

        Raises:
            LinkError, CheckError: the guest has left, or says something else.
            LobbyError: every seat is taken, or the guest's name is not admitted; the guest is
                told.
        """
        frame = None
        with trio.move_on_after(JOIN_LIMIT):
            frame = await link.receive()
        if frame is None or frame.kind is not Kind.LOBBY:
            raise errors.EncodingError(Check.ENCODING, "a guest begins with JOIN")
        if self._roster is not None or self.lobby.full:
            await _send_away(link, Farewell.TAKEN)
            raise LobbyError("Every seat is taken.")
        table = self._table.join(link.binding, frame.payload)
        guest = table.guests[link.binding]
        if friend not in (None, guest.identity):
            raise errors.ProofError(Check.CERT, "the guest shows another key than the friend's")
        if not self._admits(guest.name):
            await _send_away(link, Farewell.NAME)
            raise LobbyError("The name of the guest is misleading, or another player's.")
        self._take(table)

    async def _keep(self, link: Link) -> None:
        """Tell the guest of changes, until the guest has the roster."""
        roster = await race(partial(self._tell_guest, link), partial(self._hear, link))
        if roster is None:
            raise LinkError("The guest has left.")
        await link.send(Frame(Kind.ROSTER, roster.encoded))
        guest = self._table.guests[link.binding]
        self._links[self._table.seat_of(guest)] = link

    def _part(self, binding: Binding) -> None:
        """Free the seat of a guest that has left; count the guest once the game begins."""
        if self._roster is None:
            left = self._table.leave(binding)
            if left is not self._table:
                self._take(left)
        elif binding in self._untold:
            self._untold.remove(binding)
            if not self._untold:
                self._all_told.set()

    async def _tell_guest(self, link: Link, win: Win[Roster | None]) -> None:
        """Send the lobby after each change, and a PING now and then; win the roster.

        If the guest takes no message, win None.
        """
        seed, told = self._table.own.secrets.session, None
        while self._roster is None or told != self.lobby:
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
        await win(self._roster)

    async def _hear(self, link: Link, win: Win[Roster | None]) -> None:
        """Win None once the guest leaves: a guest in the lobby has nothing else to say."""
        with suppress(LinkError, errors.EncodingError):
            while (await link.receive()).kind is Kind.PING:
                pass
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


async def _close(link: Link) -> None:
    """Close the link to a guest; a guest that has not left is told."""
    with trio.CancelScope(shield=True):
        with trio.move_on_after(_GOODBYE), suppress(LinkError):
            await link.send(Frame(Kind.BYE, encode_farewell(Farewell.LATER)))
        await link.aclose()


async def visit(link: Link, own: OwnSeat, find: Find, tell: TellLobby) -> ReadyTable:
    """Join the host's table on ``link``; return once the host begins.

    A guest that changes its mind closes the link. tell: called with each lobby; may refuse the
    lobby by LobbyError.

    Raises:
        LinkError: every seat is taken, the host has left, the host's program refuses the
            guest's name, or the line is lost.
        LobbyError: the host's program says what no honest program says, or of a game unknown
            here, or ``tell`` has refused the lobby. The link is closed.
    """
    table = GuestTable(own, link.binding)
    await link.send(Frame(Kind.LOBBY, table.join))
    try:
        while True:
            frame = await _next_frame(link)
            match frame.kind:
                case Kind.LOBBY:
                    table = table.hear(frame.payload, find)
                    if table.lobby is not None:
                        tell(table.lobby)
                case Kind.ROSTER:
                    seat, roster, psk = table.hear_roster(frame.payload)
                    return ReadyTable(seat, own, roster, psk, {Seat(0): link}, {})
                case Kind.BYE:
                    raise _farewell(decode_farewell(frame.payload))
                case Kind.PING:
                    pass
                case _:
                    raise errors.EncodingError(Check.ENCODING, "no such frame is of a lobby")
    except errors.CheckError as error:
        await link.abort()
        raise _refused(error) from None
    except (LinkError, LobbyError):
        await link.abort()
        raise


async def _next_frame(link: Link) -> Frame:
    with trio.move_on_after(LOST_AFTER):
        return await link.receive()
    raise LinkError("The host has been silent for {seconds} s.", seconds=round(LOST_AFTER))


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
        case _:
            return LinkError("The host has closed the table.", code="table-closed")


def _refused(error: errors.CheckError) -> LobbyError:
    match error.check:
        case Check.GAME | Check.VERSION:
            return LobbyError(
                "Your program does not know the game of this table, or knows other rules. All "
                "players need the same matcha: install the latest one.",
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
