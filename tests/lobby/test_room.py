"""The lobby over links in memory, and over sockets."""

from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import pytest
import trio
from trio.testing import memory_stream_pair, wait_all_tasks_blocked

from matcha_p2p.errors import LinkError, LobbyError
from matcha_p2p.games import find
from matcha_p2p.lobby import room
from matcha_p2p.lobby.host import HostTable
from matcha_p2p.lobby.own_seat import draw_seat
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import confirm, knock
from matcha_p2p.transport.listen import listen
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.lobby import sign_join, sign_lobby
from tests.harness import initiate, respond

PSK = Psk(bytes(range(32)))
LINK_PSK = Psk(bytes(32))
GAME = find("tichu", "1000 plays", 4)


class Evening:
    """A host in memory, and its guests by name."""

    def __init__(self, nursery):
        self.nursery = nursery
        self.shown = []
        mia = HostTable.of_game(GAME, draw_seat("Mia"), PSK)
        self.host = room.HostRoom(mia, self.shown.append, lambda name: name != "Anon")
        self.lobbies = {}
        self.seated = {}
        self.trouble = {}
        self.links = {}

    @property
    def names(self):
        return ["-" if seat is None else seat.name for seat in self.host.lobby.seats]

    async def link(self):
        """Return a guest's link, whose other end the host welcomes."""
        ours, theirs = memory_stream_pair()

        async def welcome():
            await self.host.welcome(await respond(theirs, LINK_PSK))

        self.nursery.start_soon(welcome)
        return await initiate(ours, LINK_PSK)

    async def comes(self, name):
        self.links[name] = link = await self.link()
        self.nursery.start_soon(self._visit, name, link)
        await wait_all_tasks_blocked()

    async def _visit(self, name, link):
        try:
            told = self.lobbies.setdefault(name, []).append
            self.seated[name] = await room.visit(link, draw_seat(name), find, told)
        except (LinkError, LobbyError) as error:
            self.trouble[name] = error


@asynccontextmanager
async def evening():
    async with trio.open_nursery() as nursery:
        yield Evening(nursery)
        nursery.cancel_scope.cancel()


async def test_host_and_three_guests_end_in_one_roster():
    async with evening() as here:
        for name in ("Ann", "Bob", "Cem"):
            await here.comes(name)
        seated = await here.host.start()
        await wait_all_tasks_blocked()
        assert [seat.name for seat in seated.roster.seats] == ["Mia", "Ann", "Bob", "Cem"]
        assert {each.roster.id for each in here.seated.values()} == {seated.roster.id}
        assert {each.psk for each in (seated, *here.seated.values())} == {PSK}
        assert [here.seated[name].seat for name in ("Ann", "Bob", "Cem")] == [1, 2, 3]
        for name, guest in here.seated.items():
            (link,) = guest.links.values()
            await link.send(Frame(Kind.MSG, name.encode()))
        heard = [(await seated.links[seat].receive()).payload for seat in (1, 2, 3)]
        assert heard == [b"Ann", b"Bob", b"Cem"]


async def test_all_are_shown_who_sits_where():
    async with evening() as here:
        await here.comes("Ann")
        await here.comes("Bob")
        here.host.change(lambda table: table.swap(1, 3))
        await wait_all_tasks_blocked()
        assert here.names == ["Mia", "-", "Bob", "Ann"]
        assert here.lobbies["Ann"][-1] == here.lobbies["Bob"][-1] == here.host.lobby
        assert here.shown[-1] == here.host.lobby


async def test_the_fourth_guest_is_refused_with_a_sentence():
    async with evening() as here:
        for name in ("Ann", "Bob", "Cem", "Dan"):
            await here.comes(name)
        assert here.trouble["Dan"].code == "table-full"
        assert here.names == ["Mia", "Ann", "Bob", "Cem"]


async def test_start_right_after_a_change_reaches_all_guests_at_once(autojump_clock):
    async with evening() as here:
        for name in ("Ann", "Bob", "Cem"):
            await here.comes(name)
        before = trio.current_time()
        here.host.change(lambda table: table.swap(1, 3))
        await here.host.start()
        await wait_all_tasks_blocked()
        assert len(here.seated) == 3
        assert trio.current_time() == before


async def test_guest_that_comes_after_the_start_is_refused_with_a_sentence():
    async with evening() as here:
        for name in ("Ann", "Bob", "Cem"):
            await here.comes(name)
        await here.host.start()
        await here.comes("Dan")
        assert here.trouble["Dan"].code == "table-full"
        assert here.names == ["Mia", "Ann", "Bob", "Cem"]


async def test_guest_whose_name_is_not_admitted_is_refused_alone():
    async with evening() as here:
        await here.comes("Ann")
        shown = len(here.shown)
        await here.comes("Anon")
        assert here.trouble["Anon"].code == "name"
        assert len(here.shown) == shown
        assert len(here.lobbies["Ann"]) == 1
        await here.comes("Bob")
        assert here.names == ["Mia", "Ann", "Bob", "-"]


@pytest.mark.parametrize("shows", [True, False])
async def test_friend_that_has_called_must_show_the_key(shows):
    """A PING tells the friend that a table waits."""
    async with evening() as here:
        ours, theirs = memory_stream_pair()
        key = draw_seat("Ann").listed.session_key

        async def welcome():
            await here.host.welcome(await respond(theirs, LINK_PSK), key)

        here.nursery.start_soon(welcome)
        link = await initiate(ours, LINK_PSK)
        assert (await link.receive()).kind is Kind.PING
        own = draw_seat("Ann", key if shows else None)
        join = sign_join(own.listed, link.binding, own.secrets.session)
        await link.send(Frame(Kind.LOBBY, join))
        await wait_all_tasks_blocked()
        assert here.names == ["Mia", "Ann" if shows else "-", "-", "-"]


async def test_guest_that_refuses_a_lobby_frees_its_seat():
    async with evening() as here:
        link = await here.link()

        def refuse(lobby):
            raise LobbyError("I know somebody here.")

        with pytest.raises(LobbyError, match="somebody"):
            await room.visit(link, draw_seat("Ann"), find, refuse)
        await wait_all_tasks_blocked()
        assert here.names == ["Mia", "-", "-", "-"]


async def test_a_guest_that_leaves_frees_its_seat():
    async with evening() as here:
        for name in ("Ann", "Bob"):
            await here.comes(name)
        await here.links["Ann"].aclose()
        await wait_all_tasks_blocked()
        assert here.names == ["Mia", "-", "Bob", "-"]
        assert here.lobbies["Bob"][-1] == here.host.lobby
        await here.comes("Cem")
        assert here.names == ["Mia", "Cem", "Bob", "-"]


@pytest.mark.parametrize(
    "said",
    [
        lambda _: Frame(Kind.LOBBY, b"\x90"),
        lambda _: Frame(Kind.MSG, b""),
        lambda link: Frame(Kind.LOBBY, _join(link, name="\x1b[2J")),
        lambda link: Frame(Kind.LOBBY, _join(link, session_key=bytes(32))),
    ],
    ids=["form", "kind", "name", "key"],
)
async def test_a_malformed_join_ends_that_line_alone(said):
    async with evening() as here:
        await here.comes("Ann")
        link = await here.link()
        await link.send(said(link))
        with pytest.raises(LinkError):
            await link.receive()
        assert here.names == ["Mia", "Ann", "-", "-"]
        await here.comes("Bob")
        assert here.names == ["Mia", "Ann", "Bob", "-"]


async def test_a_guest_that_says_nothing_is_sent_away(autojump_clock):
    async with evening() as here:
        link = await here.link()
        with pytest.raises(LinkError):
            await link.receive()
        assert trio.current_time() >= room.JOIN_LIMIT
        assert here.names == ["Mia", "-", "-", "-"]


async def test_bots_of_the_host_fill_the_table():
    async with evening() as here:
        await here.comes("Ann")
        bots = [draw_seat(name, bot=True) for name in ("Kettle", "Whisk")]
        for bot in bots:
            here.host.change(lambda table, bot=bot: table.add_bot(bot))
        seated = await here.host.start()
        await wait_all_tasks_blocked()
        assert seated.bots == {2: bots[0], 3: bots[1]}
        assert [seat.bot for seat in here.seated["Ann"].roster.seats] == [0, 0, 1, 1]
        assert set(seated.links) == {1}


async def test_a_game_does_not_start_with_an_empty_seat_or_twice():
    async with evening() as here:
        await here.comes("Ann")
        with pytest.raises(LobbyError, match="empty"):
            await here.host.start()
        for name in ("Bob", "Cem"):
            await here.comes(name)
        await here.host.start()
        with pytest.raises(LobbyError, match="already"):
            await here.host.start()
        with pytest.raises(LobbyError, match="already"):
            here.host.change(lambda table: table.swap(1, 2))


async def test_a_host_that_falls_silent_is_given_up(autojump_clock):
    ours, theirs = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(respond, theirs, LINK_PSK)
        link = await initiate(ours, LINK_PSK)
        with pytest.raises(LinkError, match="silent"):
            await room.visit(link, draw_seat("Ann"), find, lambda _: None)
        assert trio.current_time() >= room.LOST_AFTER


async def test_a_host_with_another_roster_than_its_lobby_is_found():
    """The guest names what differs, and nothing begins."""
    ours, theirs = memory_stream_pair()
    ann, found = draw_seat("Ann"), []

    async def visit():
        try:
            await room.visit(await initiate(ours, LINK_PSK), ann, find, lambda _: None)
        except LobbyError as error:
            found.append(error.code)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(visit)
        link = await respond(theirs, LINK_PSK)
        host = HostTable.of_game(GAME, draw_seat("Mia"), PSK)
        host = host.join(link.binding, (await link.receive()).payload)
        for name in ("Kettle", "Whisk"):
            host = host.add_bot(draw_seat(name, bot=True))
        seed = host.own.secrets.session
        await link.send(Frame(Kind.LOBBY, sign_lobby(host.lobby, link.binding, seed)))
        told = host.swap(1, 2).roster(bytes(32))
        await link.send(Frame(Kind.ROSTER, told.encoded))
    assert found == ["table-roster"]


@pytest.mark.slow
async def test_host_and_three_guests_meet_over_sockets():
    mia = HostTable.of_game(GAME, draw_seat("Mia"), PSK)
    host = room.HostRoom(mia, lambda _: None, lambda _: True)
    listener = await listen(0, ["127.0.0.1"])
    found, full = {}, trio.Event()

    def told(lobby):
        if lobby.full:
            full.set()

    async def visit(name):
        stream = await trio.open_tcp_stream("127.0.0.1", listener.port)
        link = await confirm(stream, await knock(stream, PSK))
        found[name] = await room.visit(link, draw_seat(name), find, told)

    async with trio.open_nursery() as serving:
        serving.start_soon(listener.serve, PSK, host.welcome)
        with trio.fail_after(20):
            async with trio.open_nursery() as guests:
                for name in ("Ann", "Bob", "Cem"):
                    guests.start_soon(visit, name)
                await full.wait()
                seated = await host.start()
        serving.cancel_scope.cancel()
    assert {each.roster.id for each in found.values()} == {seated.roster.id}
    assert sorted(each.seat for each in found.values()) == [1, 2, 3]
    for name, guest in found.items():
        await guest.links[0].send(Frame(Kind.MSG, name.encode()))
        assert (await seated.links[guest.seat].receive()).payload == name.encode()
    for link in seated.links.values():
        await link.aclose()
    for guest in found.values():
        with suppress(LinkError):
            await guest.links[0].aclose()


def _join(link, **changes):
    own = draw_seat("Eve")
    return sign_join(replace(own.listed, **changes), link.binding, own.secrets.session)
