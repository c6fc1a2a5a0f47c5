"""A host takes its table back if a greeting is missing (PEER#taken-back)."""

from contextlib import asynccontextmanager
from ipaddress import ip_address

import pytest
import trio
from trio.testing import memory_stream_pair

from matcha_p2p.app.command.outcomes import CommandError, NotBegunError
from matcha_p2p.app.game import play
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.table import play_at_table
from matcha_p2p.app.invite.lobby import HostLobby
from matcha_p2p.console.menu.menu import Chosen
from matcha_p2p.games import find
from matcha_p2p.lobby import room
from matcha_p2p.lobby.host import HostTable
from matcha_p2p.lobby.own_seat import draw_seat
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import LineDown
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.news import (
    Concede,
    Leave,
    LineChanged,
    MoveDue,
    NextGame,
    Propose,
    Settled,
    Terms,
    Ungreeted,
)
from matcha_p2p.session.reconnect import Place
from matcha_p2p.store.home import Home
from matcha_p2p.transport.framing import Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.talk import Proposal
from tests.harness import PSK, initiate, respond
from tests.hostile.malice import Facts

pytestmark = pytest.mark.usefixtures("no_threads")

NAMES = ("Mia", "Ann", "Bob", "Cem")
UNREACHED = Place((ip_address("127.0.0.77"),), None, ["127.0.0.1"])
"""Nobody listens at the address that the others dial."""


class Person:
    """A player without a screen, who gives up each game and wants another.

    leaves: whether the person leaves once a greeting is late, or the next game begins. answer:
    to the question after.
    """

    def __init__(self, folder, name, game, *, leaves=False, answer=0):
        self.news = []
        self.leaves = leaves
        self.answer = answer
        self.asked = 0
        self.error = None
        self.home = Home.find(folder / name)
        terms = Terms(name, game.name, None, False, stays=True, seats=game.seats)
        self.setup = SeatSetup(terms, self, self.home, Facts(), ask=self.open)

    @asynccontextmanager
    async def open(self):
        yield self

    async def ask(self, _):
        await trio.lowlevel.checkpoint()
        self.asked += 1
        return Chosen(self.answer)

    async def play(self, _seat, news, choose):
        async for piece in news:
            self.news.append(piece)
            match piece:
                case MoveDue():
                    choose(Concede())
                case Settled():
                    choose(Propose(Proposal.REMATCH))
                case Ungreeted() | NextGame() if self.leaves:
                    choose(Leave())
                case _:
                    pass

    async def sit(self, ready):
        """Play at the table of ``ready`` until the command ends."""
        try:
            await play_at_table(ready, self.setup, UNREACHED)
        except CommandError as error:
            self.error = error

    @property
    def journals(self):
        return list(self.home.unfinished.glob("*/journal"))


async def seated(game):
    """Let all sit down at a table of ``game``; return the ready table of each seat."""
    host, *guests = map(draw_seat, NAMES[: game.seats])
    table = HostTable.of_game(game, host, PSK)
    lobby = room.HostRoom(table, lambda _: None, lambda _: True, lambda *_: None)
    ready = {}

    async def come(own):
        ours, theirs = memory_stream_pair()

        async def welcome():
            await lobby.welcome(await respond(theirs, PSK))

        nursery.start_soon(welcome)
        link = await initiate(ours, PSK)
        nursery.start_soon(visit, link, own)
        await trio.testing.wait_all_tasks_blocked()

    async def visit(link, own):
        seat = await room.visit(link, own, find, lambda _: None)
        ready[seat.seat] = seat

    async with trio.open_nursery() as nursery:
        for own in guests:
            await come(own)
        ready[Seat(0)] = await lobby.start()
    return [ready[seat] for seat in sorted(ready)]


async def test_a_lobby_that_opens_again_has_fresh_keys_and_another_roster(mina):
    """One session key under two rosters would convict the host."""
    rosters = []
    for _ in range(2):
        lobby = HostLobby(mina.setup, mina.asker, PSK)
        ours, theirs = memory_stream_pair()

        async def welcome(lobby=lobby, theirs=theirs):
            await lobby.welcome(await respond(theirs, PSK))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(welcome)
            link = await initiate(ours, PSK)
            nursery.start_soon(room.visit, link, draw_seat("Ann"), find, lambda _: None)
            rosters.append((await lobby.start()).roster)
    first, second = (
        (host.session_key, host.link_key) for (host, _) in (r.seats for r in rosters)
    )
    assert not {*first} & {*second}
    assert rosters[0].id != rosters[1].id


def cut_at_greeting(monkeypatch, seat, game):
    """Break the link of ``seat`` in place of the seat's HELLO of the ``game``-th game."""
    send, greeted = Link.send, []

    async def send_or_break(link, frame):
        entry = parse_entry(frame.payload) if frame.kind is Kind.MSG else None
        if entry is not None and entry.seat == entry.seq == seat and entry.id not in greeted:
            greeted.append(entry.id)
            if len(greeted) == game:
                await link.abort()
        await send(link, frame)

    monkeypatch.setattr(Link, "send", send_or_break)


@pytest.mark.parametrize("number", [1, 2], ids=["first game", "next game"])
async def test_host_of_one_guest_takes_the_table_back_by_itself(
    tmp_path, monkeypatch, autojump_clock, number
):
    """The guest has signed its greeting, keeps the game, and reads what to do."""
    game = find("matcha", "2020", 2)
    mia, ann = (Person(tmp_path, name, game) for name in NAMES[:2])
    ready = await seated(game)
    cut_at_greeting(monkeypatch, 1, number)
    begun = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ann.sit, ready[1])
        await mia.sit(ready[0])
        assert play.GIVEN_UP_AFTER <= trio.current_time() - begun < 2 * play.GIVEN_UP_AFTER
        nursery.cancel_scope.cancel()
    assert isinstance(mia.error, NotBegunError)
    assert mia.error.next_game == (number == 2)
    assert mia.asked == 0
    assert mia.journals == []
    (kept,) = ann.journals
    copy = Ledger.open(kept)
    copy.close()
    assert len(copy.chain.entries) == 2
    downs = [piece.change for piece in ann.news if isinstance(piece, LineChanged)]
    assert any(
        isinstance(down, LineDown)
        and "If Mia opens the table again without this game, leave, and join" in down.why
        for down in downs
    )


@pytest.mark.parametrize("seats", [2, 3, pytest.param(4, marks=pytest.mark.slow)])
async def test_host_takes_the_table_back_by_itself_if_all_guests_are_missing(
    tmp_path, monkeypatch, autojump_clock, seats
):
    game = find(*(("matcha", "2020") if seats == 2 else ("kashi", "ichi")), seats)
    mia, *guests = (Person(tmp_path, name, game) for name in NAMES[:seats])
    ready = await seated(game)
    here, send = trio.CancelScope(), Link.send

    async def end_before_greeting(link, frame):
        if frame.kind is Kind.MSG and parse_entry(frame.payload).seat == 1:
            here.cancel()
        await send(link, frame)

    monkeypatch.setattr(Link, "send", end_before_greeting)

    async def come():
        with here:
            async with trio.open_nursery() as coming:
                for person, each in zip(guests, ready[1:], strict=True):
                    coming.start_soon(person.sit, each)

    begun = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(come)
        await mia.sit(ready[0])
    assert trio.current_time() - begun >= play.GIVEN_UP_AFTER
    assert isinstance(mia.error, NotBegunError)
    assert mia.asked == 0
    assert mia.journals == []


def cut_at_roster(monkeypatch, ends):
    """Break the link whose end ``ends`` has, in place of the roster of the next game."""
    send = Link.send

    async def send_or_break(link, frame):
        if frame.kind is Kind.ROSTER and link is ends:
            await link.abort()
        await send(link, frame)

    monkeypatch.setattr(Link, "send", send_or_break)


on_tables = pytest.mark.parametrize(
    "table",
    [
        ("matcha", "2020", 2),
        ("kashi", "ichi", 3),
        pytest.param(("kashi", "ichi", 4), marks=pytest.mark.slow),
    ],
    ids=str,
)


@on_tables
@pytest.mark.parametrize("side", ["host", "guest"])
async def test_next_game_without_the_roster_of_a_guest_leaves_the_host_no_journal(
    tmp_path, monkeypatch, autojump_clock, table, side
):
    """A game without the roster of a guest can never go on: no player is asked to resume it."""
    game = find(*table)
    people = [Person(tmp_path, name, game) for name in NAMES[: game.seats]]
    ready = await seated(game)
    last = Seat(game.seats - 1)
    cut_at_roster(monkeypatch, ready[0].links[last] if side == "host" else ready[last].links[0])
    async with trio.open_nursery() as nursery:
        for person, each in zip(people[1:], ready[1:], strict=True):
            nursery.start_soon(person.sit, each)
        await people[0].sit(ready[0])
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert isinstance(people[0].error, NotBegunError)
    assert people[0].error.next_game
    assert people[0].asked == 0
    assert people[0].journals == []


@on_tables
async def test_host_that_is_killed_before_a_guest_has_the_next_roster_keeps_no_journal(
    tmp_path, monkeypatch, autojump_clock, table
):
    """A resumed host would wait for a guest that knows no such game."""
    game = find(*table)
    people = [Person(tmp_path, name, game) for name in NAMES[: game.seats]]
    ready = await seated(game)
    send, last, here = Link.send, ready[-1].links[0], trio.CancelScope()

    async def send_or_kill(link, frame):
        if frame.kind is Kind.ROSTER and link is last:
            await trio.testing.wait_all_tasks_blocked()
            here.cancel()
        await send(link, frame)

    monkeypatch.setattr(Link, "send", send_or_kill)
    async with trio.open_nursery() as nursery:
        for person, each in zip(people[1:], ready[1:], strict=True):
            nursery.start_soon(person.sit, each)
        with here:
            await people[0].sit(ready[0])
        assert here.cancelled_caught
        assert people[0].journals == []
        nursery.cancel_scope.cancel()


@on_tables
async def test_host_that_leaves_before_a_guest_has_the_next_roster_keeps_no_journal(
    tmp_path, autojump_clock, table
):
    """The person goes, and does not come back to the lobby."""
    game = find(*table)
    host = Person(tmp_path, "Mia", game, leaves=True)
    others = [Person(tmp_path, name, game) for name in NAMES[1 : game.seats]]
    ready = await seated(game)
    async with trio.open_nursery() as nursery:
        for person, each in zip(others, ready[1:], strict=True):
            nursery.start_soon(person.sit, each)
        await host.sit(ready[0])
        nursery.cancel_scope.cancel()
    assert sum(isinstance(piece, NextGame) for piece in host.news) == 1
    assert host.error is None
    assert host.journals == []


@pytest.mark.parametrize("answer", [0, 1], ids=["open again", "keep"])
@pytest.mark.parametrize("seats", [3, pytest.param(4, marks=pytest.mark.slow)])
async def test_host_of_more_guests_is_asked_once_the_person_leaves(
    tmp_path, monkeypatch, autojump_clock, seats, answer
):
    game = find("kashi", "ichi", seats)
    mia = Person(tmp_path, "Mia", game, leaves=True, answer=answer)
    others = [Person(tmp_path, name, game) for name in NAMES[1:seats]]
    ready = await seated(game)
    cut_at_greeting(monkeypatch, seats - 1, 1)
    begun = trio.current_time()
    async with trio.open_nursery() as nursery:
        for person, each in zip(others, ready[1:], strict=True):
            nursery.start_soon(person.sit, each)
        await mia.sit(ready[0])
        assert trio.current_time() - begun >= 10
        nursery.cancel_scope.cancel()
    assert mia.asked == 1
    assert isinstance(mia.error, NotBegunError) == (answer == 0)
    assert len(mia.journals) == answer
