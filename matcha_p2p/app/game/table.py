"""Plays at a table of three or four seats, once the roster is signed.

A bot of this program has a session of its own, over a link within this machine to the host's
seat. So each seat of the table checks every entry, whoever plays the seat.
"""

import math
import socket
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from ipaddress import IPv4Address
from pathlib import Path
from typing import Final

import trio

from matcha_p2p.app.game.bot_seat import BotSeat
from matcha_p2p.app.game.play import FinishedGames, Games
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.opponents import opponent
from matcha_p2p.language import Sentence
from matcha_p2p.lobby.own_seat import OwnSeat, draw_seat
from matcha_p2p.lobby.room import ReadyTable
from matcha_p2p.narration.news import Inform, News, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session import news
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import LineEnded, LineUp
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.reconnect import Place
from matcha_p2p.session.series import Series
from matcha_p2p.session.session import begin
from matcha_p2p.session.state import Transition
from matcha_p2p.transport import link as transport_link
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.wire.roster import Roster
from matcha_p2p.wire.talk import Proposal

_LOST: Final = Sentence(
    "The connection to {name} has ended. Nobody can come back to this table yet, so the game "
    "stops."
)
_THIS_MACHINE: Final = IPv4Address("127.0.0.1")


@dataclass(frozen=True, slots=True)
class TableSeat:
    """A seat of this program. links: to each neighbour. psk: of the table."""

    roster: Roster
    seat: Seat
    own: OwnSeat
    links: Mapping[Seat, Link]
    psk: Psk = field(repr=False)

    async def begin(
        self, terms: news.Terms, path: Path, marks: Path | None
    ) -> tuple[Ledger, Transition]:
        """Begin a game of the roster. path: of the journal. marks: as for a ledger."""
        rid = Binding(self.roster.id)
        chain = Chain.begin(self.seat, self.own.secrets, rid, self.psk, self.roster)
        ups = [LineUp(link.binding, link.remote, seat) for seat, link in self.links.items()]
        begun = await trio.to_thread.run_sync(partial(begin, chain, terms, *ups))
        return Ledger(path, chain, marks), begun

    def play_again(self) -> news.PlayAgain:
        """Return the wish to play another game, with fresh secrets."""
        listed = self.own.listed
        return news.PlayAgain(draw_seat(listed.name, listed.identity, bot=listed.bot))


class TableGames:
    """The game of a table. If the line to a neighbour ends, this seat leaves the game."""

    def __init__(self, series: Series, games: Games, sitting: TableSeat) -> None:
        self._series: Final = series
        self._games: Final = games
        self._sitting: Final = sitting
        self._lost: str | None = None

    def choose(self, wish: Wish) -> None:
        """Pass a choice on to the session, with fresh secrets for another game."""
        if wish == news.Propose(Proposal.REMATCH):
            self._games.choose(self._sitting.play_again())
        else:
            self._games.choose(wish)

    async def play(self, inform: Inform) -> news.Ending:
        """Play to the end, or until the line to a neighbour has ended."""

        def follow(piece: News) -> None:
            inform(piece)
            match piece:
                case news.LineChanged(LineEnded(seat=int() as seat)):
                    if not self._series.ledger.chain.finished:
                        self._lost = self._sitting.roster.seats[seat].name
                        self._games.choose(news.Leave())
                case _:
                    pass

        ending = await self._games.play(follow)
        if self._lost is not None and isinstance(ending, news.Interrupted):
            return news.Interrupted(_LOST(name=self._lost))
        return ending


async def play_at_table(
    ready: ReadyTable, setup: SeatSetup, levels: Mapping[bytes, str]
) -> int:
    """Play the game of ``ready`` to its end; return the exit code.

    levels: the bot of each bot's seat, by the seat's session key.

    Raises:
        CommandError: the game did not end by the rules; the sentence says what is stored.
        JournalError, HomeError: the disk failed.
    """
    setup = replace(setup, terms=replace(setup.terms, variant=ready.roster.game.variant))
    links = dict(ready.links)
    with tempfile.TemporaryDirectory(prefix="matcha-bots-") as folder:
        async with trio.open_nursery() as bots:
            for seat, own in ready.bots.items():
                links[seat], far = await _link_pair(ready.psk)
                sitting = TableSeat(ready.roster, seat, own, {ready.seat: far}, ready.psk)
                level = levels[own.listed.session_key]
                path = Path(folder) / own.listed.session_key.hex() / "journal"
                bots.start_soon(_let_bot_play, sitting, level, setup, path)
            person = TableSeat(ready.roster, ready.seat, ready.own, links, ready.psk)
            code = await _play(person, setup)
            bots.cancel_scope.cancel()
    return code


async def _play(sitting: TableSeat, setup: SeatSetup) -> int:
    """Play with the front end of ``setup``; return the exit code."""
    home, finished = setup.home, FinishedGames(setup)
    ledger, begun = await sitting.begin(setup.terms, home.new_journal(), home.marks)
    series = Series(ledger, setup.terms, Place((), None), finished.store)
    games = TableGames(series, Games(series, begun, sitting.links, None), sitting)
    try:
        return await finished.run(series, games)
    finally:
        series.ledger.close()


async def _let_bot_play(sitting: TableSeat, level: str, setup: SeatSetup, path: Path) -> None:
    """Play the seat of a bot, in each game that follows. path: of the first journal."""
    name = sitting.own.listed.name
    terms = news.Terms(
        name,
        setup.terms.game,
        setup.terms.variant,
        open_book=False,
        stays=True,
        seats=setup.terms.seats,
    )
    ledger, begun = await sitting.begin(terms, path, None)
    series = Series(ledger, terms, Place((), None), _close_journal)
    told, heard = trio.open_memory_channel[News](math.inf)
    inbox = news.Inbox()

    def inform(piece: News) -> None:
        told.send_nowait(piece)
        if isinstance(piece, news.Settled):
            inbox.put(sitting.play_again())

    bot = BotSeat(
        opponent(terms.game, level),
        terms.game,
        setup.seed,
        _say_nothing,
        complain=setup.out.warn,
    )
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bot.play, sitting.seat, heard, inbox.put)
            with told:
                await series.play(begun, sitting.links, inform, inbox)
    finally:
        series.ledger.close()


async def _link_pair(psk: Psk) -> tuple[Link, Link]:
    """Return both ends of a link within this machine."""
    near, far = (
        transport_link.Proxied(
            trio.SocketStream(trio.socket.from_stdlib_socket(end)), _THIS_MACHINE
        )
        for end in socket.socketpair()
    )
    answered: list[Link] = []

    async def answer() -> None:
        responder, _ = await transport_link.hear_knock(far, psk)
        answered.append(await transport_link.answer(far, responder))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        link = await transport_link.confirm(near, await transport_link.knock(near, psk))
    return link, answered[0]


async def _close_journal(ledger: Ledger, _ending: news.Finished) -> Path:
    """Close the journal of a bot's game; return the path of the next journal."""
    ledger.close()
    return ledger.path.parent / "next" / ledger.path.name


def _say_nothing(_: str) -> None:
    """Print nothing: the person's own front end shows the game."""
