"""Lines of a table of three or four are made again, by keys of two seats alone."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
import trio
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from trio.testing import memory_stream_pair

from matcha_p2p import games
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.seats import Seat
from matcha_p2p.session import news, reconnect
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection import changes
from matcha_p2p.session.connection.line import Connection
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.reconnect import Neighbour, Place, Reconnect
from matcha_p2p.session.series import Series
from matcha_p2p.session.step.state import Transition
from matcha_p2p.session.step.step import begin, take_up
from matcha_p2p.table.greeting import roster_game
from matcha_p2p.table.seat import Secrets
from matcha_p2p.transport.endpoints import Endpoint, at_port
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link, answer, hear_knock_of
from matcha_p2p.transport.listen import Welcome
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.roster import RosterSeat, sign_roster
from matcha_p2p.wire.talk import PeerAddresses
from tests import harness
from tests.session.room import know_toy

TABLE = Psk(H("table psk"))
"""The psk of the invite, which every guest holds."""


@pytest.fixture(autouse=True)
def known(monkeypatch):
    know_toy(monkeypatch)
    monkeypatch.setattr(reconnect, "random", random.Random("star"))


def port_of(seat: int) -> int:
    return 4717 + seat


class Door:
    """A listening port, with the interface of ``transport.listen.Listener``."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._come, self._streams = trio.open_memory_channel[trio.abc.Stream](10)

    async def serve_each(self, welcomes: Mapping[Psk, Welcome]) -> None:
        async def receive(stream: trio.abc.Stream) -> None:
            try:
                responder, _, psk = await hear_knock_of(stream, welcomes)
                link = await answer(stream, responder)
            except (HandshakeError, LinkError):
                await trio.aclose_forcefully(stream)
            else:
                await welcomes[psk](link)

        async with trio.open_nursery() as nursery:
            async for stream in self._streams:
                nursery.start_soon(receive, stream)

    async def visit(self, psk: Psk) -> Link:
        near, far = memory_stream_pair()
        try:
            await self._come.send(far)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise LinkError("Nobody is there.") from None
        return await harness.initiate(near, psk)

    def close(self) -> None:
        self._come.close()


class Star:
    """The programs of a table with the host in the middle, over links in memory.

    news: by seat. then: called at the first decision, while the other seats are still to move.
    network: the first three bytes of the seats' addresses. think: seconds for a decision.
    """

    def __init__(self, folder: Path, seats: int) -> None:
        self.network = "192.0.2"
        self.think = 0.0
        game = games.find("toy", games.game_of("toy").variants[0], seats)
        assert game is not None
        self.folder = folder
        self.seats = [Seat(seat) for seat in range(seats)]
        self.secrets = [
            Secrets(*(H("star", what, bytes([seat])) for what in (b"game", b"key", b"link")))
            for seat in self.seats
        ]
        listed = [
            RosterSeat(f"seat {seat}", public_key(own.session), link_key(own.link))
            for seat, own in zip(self.seats, self.secrets, strict=True)
        ]
        first = self.secrets[0].session
        self.roster = sign_roster(H("star nonce"), roster_game(game), listed, first)
        self.news: list[list[news.SessionNews]] = [[] for _ in self.seats]
        self.endings: dict[Seat, news.Ending] = {}
        self.ledgers: dict[Seat, Ledger] = {}
        self.programs: dict[Seat, trio.CancelScope] = {}
        self.doors: dict[int, Door] = {}
        self.ends: dict[Seat, Link] = {}  # of the host's first links, by guest
        self.then: Callable[[], object] | None = None

    def terms(self, seat: Seat) -> news.Terms:
        return news.Terms(f"seat {seat}", "toy", None, open_book=False, seats=len(self.seats))

    def new_chain(self, seat: Seat) -> Chain:
        chain = Chain.begin(seat, self.secrets[seat], TABLE, self.roster)
        host = PeerAddresses(at_port([ip_address("192.0.2.1")], port_of(0)))
        return chain.with_addresses(Seat(0), host) if seat else chain

    async def begin(self, nursery: trio.Nursery) -> None:
        """Let all programs begin a game over fresh links."""
        links: list[dict[Seat, Link]] = [{} for _ in self.seats]
        for seat in self.seats[1:]:
            links[0][seat], links[seat][Seat(0)] = await harness.links()
        self.ends = links[0]
        for seat in self.seats:
            chain, terms = self.new_chain(seat), self.terms(seat)
            ups = [changes.LineUp(link.binding, None, to) for to, link in links[seat].items()]
            ledger = Ledger(self.journal(seat), chain)
            nursery.start_soon(self.play, ledger, begin(chain, terms, *ups), links[seat])

    def resume(self, nursery: trio.Nursery, seat: Seat) -> None:
        """Start the program of ``seat`` again."""
        ledger = Ledger.open(self.journal(seat))
        chain = ledger.chain
        begun = take_up(chain, self.terms(seat), neighbours=chain.neighbours)
        nursery.start_soon(self.play, ledger, begun, dict.fromkeys(chain.neighbours))

    def kill(self, seat: Seat) -> None:
        self.programs[seat].cancel()

    def journal(self, seat: Seat) -> Path:
        return self.folder / str(seat) / "journal"

    async def play(
        self, ledger: Ledger, begun: Transition, links: Mapping[Seat, Link | None]
    ) -> None:
        seat, inbox = ledger.chain.seat, news.Inbox()
        decisions, due = trio.open_memory_channel[news.MakeMove](math.inf)

        async def decide() -> None:
            async for decision in due:
                await trio.sleep(self.think)
                inbox.put(decision)

        def inform(piece: news.SessionNews) -> None:
            self.news[seat].append(piece)
            if isinstance(piece, news.MoveDue):
                decisions.send_nowait(news.MakeMove(piece.view.legal_moves()[0]))
                then, self.then = self.then, None
                if then is not None:
                    then()

        self.ledgers[seat] = ledger
        place = Place((ip_address(f"{self.network}.{seat + 1}"),), port_of(seat))
        series = Series(ledger, self.terms(seat), place, no_next_game)
        async with trio.open_nursery() as nursery:
            self.programs[seat] = nursery.cancel_scope
            nursery.start_soon(decide)
            self.endings[seat] = await series.play(begun, links, inform, inbox)
            nursery.cancel_scope.cancel()
        with trio.CancelScope(shield=True):
            for link in links.values():
                if link is not None:
                    await link.aclose()
        ledger.close()

    def told(self, seat: int, kind: type) -> list:
        return [piece for piece in self.news[seat] if isinstance(piece, kind)]

    def changes(self, seat: int) -> list[changes.LineChange]:
        return [piece.change for piece in self.told(seat, news.LineChanged)]

    # the windows of ``reconnect``

    async def listen(self, port: int, *_: object) -> Door:
        await trio.lowlevel.checkpoint()
        self.doors[port] = Door(port)
        return self.doors[port]

    async def dial(self, endpoints: Sequence[Endpoint], psk: Psk, **how: Any) -> Link:
        door = self.doors.get(endpoints[0].port)
        with trio.move_on_after(how["timeout"]):
            if door is not None:
                return await door.visit(psk)
            await trio.sleep_forever()
        raise LinkError("No answer.")


async def no_next_game(*_: object) -> Path:
    raise AssertionError


def link_key(secret: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


@pytest.fixture
def star(monkeypatch, tmp_path, no_threads):
    def make(seats: int) -> Star:
        star = Star(tmp_path, seats)
        monkeypatch.setattr(reconnect, "listen", star.listen)
        monkeypatch.setattr(reconnect, "dial", star.dial)
        return star

    return make


def check_ended(star: Star) -> None:
    """Check that every seat has the whole game, and that nobody is blamed."""
    transcripts = {star.ledgers[seat].chain.transcript for seat in star.seats}
    assert len(transcripts) == 1
    assert verify_transcript(transcripts.pop()).verdict is Verdict.COMPLETE
    assert {type(ending) for ending in star.endings.values()} == {news.Finished}
    assert not any(star.told(seat, news.Broken) for seat in star.seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("cut", [1, -1])
async def test_cut_line_is_made_again_and_the_game_ends(star, seats, cut, autojump_clock):
    table, cut = star(seats), cut % seats
    async with trio.open_nursery() as nursery:
        table.then = partial(nursery.start_soon, close, table, Seat(cut))
        await table.begin(nursery)
    check_ended(table)
    for seat, other in ((0, cut), (cut, 0)):
        down, *later = (
            change
            for change in table.changes(seat)
            if isinstance(change, changes.LineDown | changes.LineUp)
        )
        assert (type(down), down.seat) == (changes.LineDown, other)
        assert changes.LineUp in {type(change) for change in later if change.seat == other}


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_line_that_is_cut_before_the_greetings_is_made_again(star, seats, autojump_clock):
    table = star(seats)
    async with trio.open_nursery() as nursery:
        await table.begin(nursery)
        await close(table, Seat(seats - 1))
    check_ended(table)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("killed", [0, -1])
async def test_program_that_is_killed_before_the_greetings_is_resumed(
    star, seats, killed, autojump_clock
):
    table, killed = star(seats), killed % seats

    async def later() -> None:
        await trio.sleep(20)
        assert not table.endings
        assert not any(table.ledgers[seat].chain.met for seat in table.seats)
        table.resume(nursery, Seat(killed))

    async with trio.open_nursery() as nursery:
        await table.begin(nursery)
        while Seat(killed) not in table.programs or not table.journal(Seat(killed)).exists():
            await trio.lowlevel.checkpoint()
        table.kill(Seat(killed))
        nursery.start_soon(later)
    check_ended(table)


async def test_guests_on_the_internet_make_direct_links(star, monkeypatch, autojump_clock):
    """Each key is of two guests alone, and the front end hears nothing of it."""
    table, made = star(4), set[Psk]()
    table.network, table.think = "8.8.8", 2.0

    async def dial(endpoints: Sequence[Endpoint], psk: Psk, **how: Any) -> Link:
        link = await table.dial(endpoints, psk, **how)
        made.add(psk)
        return link

    monkeypatch.setattr(reconnect, "dial", dial)
    async with trio.open_nursery() as nursery:
        await table.begin(nursery)
    check_ended(table)
    for seat, other in ((1, 2), (1, 3), (2, 3)):
        chain = table.ledgers[Seat(seat)].chain
        assert made & {chain.link_psk(seat, other), chain.link_psk(other, seat)}, (seat, other)
    assert not table.told(1, news.LineChanged)


async def test_guests_on_a_network_that_the_host_does_not_name_stay_apart(star, autojump_clock):
    table = star(3)
    table.think = 2.0
    async with trio.open_nursery() as nursery:
        await table.begin(nursery)
    check_ended(table)
    assert Seat(2) not in table.ledgers[Seat(1)].chain.ways


async def close(table: Star, cut: Seat) -> None:
    await table.ends[cut].aclose()


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("killed", [0, -1])
async def test_killed_program_is_resumed_and_the_game_ends(star, seats, killed, autojump_clock):
    """The other programs run on, and find the resumed program by themselves."""
    table, killed = star(seats), killed % seats

    async def kill() -> None:
        table.kill(Seat(killed))
        await trio.sleep(20)
        assert not table.endings
        table.resume(nursery, Seat(killed))

    async with trio.open_nursery() as nursery:
        table.then = partial(nursery.start_soon, kill)
        await table.begin(nursery)
    check_ended(table)


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_all_programs_are_resumed_and_the_game_ends(star, seats, autojump_clock):
    table = star(seats)

    async def kill_all() -> None:
        for seat in table.seats:
            table.kill(seat)
        await trio.sleep(20)
        for seat in table.seats:
            table.resume(nursery, seat)

    async with trio.open_nursery() as nursery:
        table.then = partial(nursery.start_soon, kill_all)
        await table.begin(nursery)
    check_ended(table)


@pytest.mark.parametrize("seats", [2, 4])
async def test_holder_of_the_invite_cannot_come_back_as_a_seat(star, seats, autojump_clock):
    """The psk of the table opens no door of a running game."""
    table, tried = star(seats), trio.Event()

    async def knock() -> None:
        for door in table.doors.values():
            with pytest.raises((HandshakeError, LinkError)):
                await door.visit(TABLE)
        tried.set()

    async with trio.open_nursery() as nursery:
        table.then = partial(nursery.start_soon, knock)
        await table.begin(nursery)
    assert tried.is_set()
    check_ended(table)


async def test_link_of_a_seat_carries_no_word_of_another_seat(star, autojump_clock):
    """Seat 2 dials by its own key, and gives the SYNC of seat 1 there."""
    table, ended = star(4), trio.Event()

    async def pretend() -> None:
        ours, theirs = (table.ledgers[Seat(seat)].chain for seat in (2, 1))
        assert ours.link_psk(2, 0) not in {theirs.link_psk(1, 0), theirs.link_psk(0, 1)}
        await table.ends[Seat(2)].aclose()
        link = await table.doors[port_of(0)].visit(ours.link_psk(2, 0))
        await link.send(Frame(Kind.SYNC, theirs.sync(link.binding)))
        with suppress(LinkError):
            while True:
                await link.receive()
        ended.set()

    async with trio.open_nursery() as nursery:
        table.then = partial(nursery.start_soon, pretend)
        await table.begin(nursery)
    assert ended.is_set()
    check_ended(table)
    ups = [change for change in table.changes(0) if isinstance(change, changes.LineUp)]
    assert {change.seat for change in ups} == {2}


async def test_seat_with_a_worthless_key_for_links_keeps_nobody_else_out(star, autojump_clock):
    table = star(3)
    listed = (
        table.roster.seats[0],
        replace(table.roster.seats[1], link_key=bytes(32)),
        table.roster.seats[2],
    )
    nonce, key = H("star nonce"), table.secrets[0].session
    table.roster = sign_roster(nonce, table.roster.game, listed, key)
    async with trio.open_nursery() as nursery:
        await table.begin(nursery)
    chain = table.ledgers[Seat(0)].chain
    found = {}
    for seat in (Seat(1), Seat(2)):
        links, came = trio.open_memory_channel[Link](1)
        found[seat] = Neighbour(Connection(came, seat), links), came
    lines = {seat: line for seat, (line, _) in found.items()}
    inbox, place = news.Inbox(), Place((ip_address("192.0.2.1"),), port_of(0))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Reconnect(lambda: chain, lines, inbox, place).run)
        nursery.start_soon(listen_to, inbox)
        with pytest.raises(trio.EndOfChannel):
            await found[Seat(1)][1].receive()
        psk = table.ledgers[Seat(2)].chain.link_psk(2, 0)
        await trio.sleep(0.1)
        link = await table.doors[port_of(0)].visit(psk)
        assert (await found[Seat(2)][1].receive()).binding == link.binding
        nursery.cancel_scope.cancel()


async def listen_to(inbox: news.Inbox) -> None:
    while True:
        await inbox.take(math.inf)
