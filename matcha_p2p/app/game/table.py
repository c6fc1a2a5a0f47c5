"""Plays at a table, once the roster is signed, and after a restart.

A bot of this program has a session of its own, over a link within this machine to the host's
seat. So each seat of the table checks every entry, whoever plays the seat. The journals of the
bots are kept with the host's game.
"""

import math
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from ipaddress import IPv4Address
from pathlib import Path
from typing import Final, Protocol

import trio

from matcha_p2p.app.bots.opponents import opponent
from matcha_p2p.app.game.bot_seat import BotSeat
from matcha_p2p.app.game.people import people_of
from matcha_p2p.app.game.play import FinishedGames, Games, play_again
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.lobby.room import ReadyTable
from matcha_p2p.narration.news import News
from matcha_p2p.seats import Seat
from matcha_p2p.session import news
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import LineUp
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.reconnect import Place
from matcha_p2p.session.series import Series
from matcha_p2p.session.step.state import Transition
from matcha_p2p.session.step.step import begin, take_up
from matcha_p2p.store.home import Home
from matcha_p2p.table.seat import Secrets
from matcha_p2p.transport import link as transport_link
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.names import Psk
from matcha_p2p.watching.watch_host import WatchHost
from matcha_p2p.wire.talk import PeerAddresses
from matcha_p2p.wire.watching import Visibility

_THIS_MACHINE: Final = IPv4Address("127.0.0.1")
_NOWHERE: Final = Place((), None)


class LeftLobby(Protocol):
    """The host's lobby, once its game has begun."""

    @property
    def levels(self) -> Mapping[bytes, str]:
        """The bot of each bot's seat, by the seat's session key."""
        ...

    async def welcome_late(self, link: Link, lacks: Callable[[Seat], bool]) -> None:
        """Take a guest that comes late.

        lacks: tells whether the greeting of a seat is missing.
        """


@dataclass(frozen=True, slots=True)
class TableSeat:
    """A seat of this program, in a game that goes on from ``begun``.

    links: the first link to each neighbour, if any.
    """

    ledger: Ledger
    begun: Transition
    links: Mapping[Seat, Link | None]


class Journals:
    """The journals of the host's games, one after the other. home: of the host."""

    def __init__(self, home: Home) -> None:
        self._home: Final = home
        self._next: Final[dict[Path, Path]] = {}

    def after(self, journal: Path) -> Path:
        """Return the journal of the game after the game of ``journal``."""
        if journal not in self._next:
            self._next[journal] = self._home.new_journal()
        return self._next[journal]


@dataclass(frozen=True, slots=True)
class BotAtTable:
    """A bot of this program at a table. level: the name of the bot."""

    sitting: TableSeat
    level: str
    terms: news.Terms

    async def play(self, setup: SeatSetup, journals: Journals) -> None:
        """Play each game until the table ends. setup, journals: of the host."""
        ledger, terms = self.sitting.ledger, self.terms
        seat = ledger.chain.seat

        async def store(ledger: Ledger, _: news.Finished) -> Path:
            ledger.close()
            following = journals.after(ledger.path.parents[2] / ledger.path.name)
            keep = partial(setup.home.keep_bot, following, seat, self.level)
            return await trio.to_thread.run_sync(keep)

        series = Series(ledger, terms, _NOWHERE, store)
        told, heard = trio.open_memory_channel[News](math.inf)
        inbox = news.Inbox()

        def inform(piece: News) -> None:
            told.send_nowait(piece)
            if isinstance(piece, news.Settled):
                inbox.put(play_again(ledger.chain))

        bot = BotSeat(
            opponent(terms.game, self.level),
            terms.game,
            setup.seed,
            _say_nothing,
            complain=setup.out.warn,
        )
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(bot.play, seat, heard, inbox.put)
                with told:
                    begun, links = self.sitting.begun, self.sitting.links
                    ending = await series.play(begun, links, inform, inbox)
        finally:
            series.ledger.close()
        if isinstance(ending, news.DiskFailed):
            setup.out.warn(ending.why)


async def play_at_table(
    ready: ReadyTable,
    setup: SeatSetup,
    place: Place,
    *,
    lobby: LeftLobby | None = None,
    host: PeerAddresses | None = None,
    watch_host: WatchHost | None = None,
) -> int:
    """Play the game of ``ready`` to its end; return the exit code.

    place: where this seat can be reached. lobby: the host's own. host: where the host can be
    reached, if known. watch_host: where people watch the game at this seat.

    Raises:
        NotBegunError: the game did not begin; the players may meet in the lobby again.
        CommandError: the game did not end by the rules; the sentence says what is stored.
        JournalError, HomeError: the disk failed.
    """
    setup = replace(setup, terms=replace(setup.terms, variant=ready.roster.game.variant))
    home, journal = setup.home, setup.home.new_journal()
    links, bots = dict(ready.links), list[BotAtTable]()
    levels = dict[bytes, str]() if lobby is None else lobby.levels

    async def sit(
        seat: Seat, secrets: Secrets, links: Mapping[Seat, Link], path: Path, terms: news.Terms
    ) -> TableSeat:
        pace = 0 if setup.at_once else ready.pace
        table = ready.psk, ready.roster, place.proxy, pace
        chain = Chain.begin(seat, secrets, *table)
        if host is not None:
            chain = chain.with_addresses(Seat(0), host)
        ups = [LineUp(link.binding, link.remote, other) for other, link in links.items()]
        apart = [seat for seat in chain.neighbours if seat not in links]
        begun = await trio.to_thread.run_sync(partial(begin, chain, terms, *ups, apart=apart))
        neighbours = {**dict[Seat, Link | None].fromkeys(apart), **links}
        return TableSeat(Ledger(path, chain, home.marks), begun, neighbours)

    for seat, own in ready.bots.items():
        level = levels[own.listed.session_key]
        path = await trio.to_thread.run_sync(home.keep_bot, journal, seat, level)
        links[seat], far = await _link_pair(ready.psk)
        terms = _terms_of_bot(own.listed.name, setup)
        sitting = await sit(seat, own.secrets, {ready.seat: far}, path, terms)
        bots.append(BotAtTable(sitting, level, terms))
    person = await sit(ready.seat, ready.own.secrets, links, journal, setup.terms)
    if lobby is not None:
        come_late, first = lobby.welcome_late, person.ledger

        async def welcome(link: Link) -> None:
            await come_late(link, lambda seat: seat >= len(first.chain.entries))

        place = replace(place, others={ready.psk: welcome})
    return await _play(person, bots, place, setup, watch_host, lobby=True)


async def go_on_at_table(ledger: Ledger, place: Place, setup: SeatSetup, *, older: bool) -> int:
    """Go on with the game of ``ledger``; return the exit code.

    older: whether to go on even from older copies of the bots' journals.

    Raises:
        CommandError: the game did not end by the rules; the sentence says what is stored.
        JournalError, HomeError: the disk failed, or the bots of the game are missing.
    """
    chain = ledger.chain
    variant = chain.roster.game.variant
    setup = replace(setup, terms=replace(setup.terms, variant=variant))
    links, bots = dict[Seat, Link | None].fromkeys(chain.neighbours), list[BotAtTable]()
    found = list[tuple[Ledger, str]]()
    with ExitStack() as opened:
        for seat in sorted(set(chain.neighbours) - chain.apart):
            path, level = await trio.to_thread.run_sync(setup.home.bot_of, ledger.path, seat)
            open_it = partial(Ledger.open, path, setup.home.marks, older=older)
            found.append((await trio.to_thread.run_sync(open_it), level))
            opened.callback(found[-1][0].close)
        for own, level in found:
            seat = own.chain.seat
            links[seat], far = await _link_pair(chain.psk)
            terms = _terms_of_bot(chain.name_of(seat), setup)
            sitting = TableSeat(own, await _taken_up(own, terms), {chain.seat: far})
            bots.append(BotAtTable(sitting, level, terms))
        begun = await _taken_up(ledger, setup.terms)
        return await _play(TableSeat(ledger, begun, links), bots, place, setup)


async def _taken_up(ledger: Ledger, terms: news.Terms) -> Transition:
    chain, spoken = ledger.chain, ledger.talk.spoken
    again = partial(take_up, chain, terms, spoken, chain.neighbours)
    return await trio.to_thread.run_sync(again)


async def _play(
    person: TableSeat,
    bots: Sequence[BotAtTable],
    place: Place,
    setup: SeatSetup,
    watch_host: WatchHost | None = None,
    *,
    lobby: bool = False,
) -> int:
    """Play with the front end of ``setup``; return the exit code.

    watch_host: as above. lobby: as in ``FinishedGames``.
    """
    finished, journals = FinishedGames(setup), Journals(setup.home)

    async def store(ledger: Ledger, ending: news.Finished) -> Path:
        await finished.store(ledger, ending)
        return journals.after(ledger.path)

    series = Series(person.ledger, setup.terms, place, store)
    bots_play = [partial(bot.play, setup, journals) for bot in bots]
    with ExitStack() as opened:
        for bot in bots:
            opened.callback(bot.sitting.ledger.close)
        try:
            people = await trio.to_thread.run_sync(people_of, setup)
            sitting = series, person.begun, person.links
            games = Games(*sitting, people, watch_host, bots_play)
            return await finished.run(series, games, lobby=lobby)
        finally:
            series.ledger.close()


def _terms_of_bot(name: str, setup: SeatSetup) -> news.Terms:
    """Return the terms of the bot called ``name``. setup: of the host.

    The host alone decides what watchers see of the bot's game.
    """
    host = setup.terms
    return news.Terms(
        name,
        host.game,
        host.variant,
        open_book=True,
        stays=True,
        sight=Visibility.AT_ONCE,
        seats=host.seats,
        bot=True,
    )


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


def _say_nothing(_: str) -> None:
    """Print nothing: the person's own front end shows the game."""
