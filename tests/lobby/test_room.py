"""The lobby over links in memory, and over sockets."""

from contextlib import asynccontextmanager
from dataclasses import replace
from ipaddress import IPv4Address, IPv6Address

import pytest
import trio
from trio.testing import lockstep_stream_pair, memory_stream_pair, wait_all_tasks_blocked

from matcha_p2p.errors import HandshakeError, LinkError, LobbyError, UnwantedGameError
from matcha_p2p.games import find
from matcha_p2p.lobby import room
from matcha_p2p.lobby.host import HostTable
from matcha_p2p.lobby.own_seat import draw_seat
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Proxied
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.lobby import sign_join, sign_lobby
from matcha_p2p.wire.talk import Farewell, decode_farewell
from tests.harness import initiate, respond

PSK = Psk(bytes(range(32)))
LINK_PSK = Psk(bytes(32))
HERS, HIS, THEIRS = map(IPv4Address, ("192.0.2.1", "192.0.2.2", "192.0.2.3"))
GAME = find("tichu", "1000 plays", 4)


class Evening:
    """A host in memory, and its guests by name."""

    def __init__(self, nursery):
        self.nursery = nursery
        self.shown = []
        mia = HostTable.of_game(GAME, draw_seat("Mia"), PSK)
        self.left = []

        def admits(name):
            return not name.startswith("Anon")

        def leaves(name, why):
            self.left.append((name, decode_farewell(why)))

        self.host = room.HostRoom(mia, self.shown.append, admits, leaves)
        self.lobbies = {}
        self.seated = {}
        self.trouble = {}
        self.links = {}
        self.lacks = lambda _: True
        self.refused = None
        self.begun = trio.current_time()

    @property
    def names(self):
        return ["-" if seat is None else seat.name for seat in self.host.lobby.seats]

    async def link(self, address=None, friend=None, pair=memory_stream_pair):
        """Return a guest's link, whose other end the host welcomes. friend: its key."""
        ours, theirs = pair()

        async def welcome():
            stream = theirs if address is None else Proxied(theirs, address)
            try:
                await self.host.welcome(await respond(stream, LINK_PSK), friend, self.lacks)
            except HandshakeError as error:
                self.refused = error

        self.nursery.start_soon(welcome)
        return await initiate(ours, LINK_PSK)

    async def comes(self, name, address=None, *, own=None, friend=None):
        self.trouble.pop(name, None)
        self.links[name] = link = await self.link(address, friend)
        self.nursery.start_soon(self._visit, name, link, own or draw_seat(name, friend))
        await wait_all_tasks_blocked()

    async def _visit(self, name, link, own):
        try:
            told = self.lobbies.setdefault(name, []).append
            self.seated[name] = await room.visit(link, own, find, told)
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


async def test_refused_name_gets_a_number_once_on_the_same_link():
    async with evening() as here:
        here.host._admits = lambda name: (
            name not in [each.name for each in here.host.lobby.taken]
        )
        await here.comes("Mia")
        assert here.names == ["Mia", "Mia 2", "-", "-"]
        await here.comes("Mia")
        assert here.trouble["Mia"].code == "name"
        assert here.names == ["Mia", "Mia 2", "-", "-"]
        await here.comes("M" * 24)
        await here.comes("M" * 24)
        assert here.names[2:] == ["M" * 24, "M" * 22 + " 2"]
        await here.host.start()
        await wait_all_tasks_blocked()
        assert here.seated["Mia"].own.listed.name == "Mia 2"


async def test_join_told_again_keeps_the_seat_and_the_newer_link_counts():
    own = draw_seat("Ann")
    async with evening() as here:
        await here.comes("Ann", own=own)
        await here.comes("Bob")
        old = here.links["Ann"]
        await here.comes("Ann", own=own)
        assert here.names == ["Mia", "Ann", "Bob", "-"]
        await old.aclose()
        await wait_all_tasks_blocked()
        assert here.names == ["Mia", "Ann", "Bob", "-"]
        await here.comes("Cem")
        await here.comes("Ann", own=own)  # also at a full table
        seated = await here.host.start()
        await wait_all_tasks_blocked()
        assert set(seated.links) == {1, 2, 3}
        assert here.seated["Ann"].roster == seated.roster


async def test_numbered_guest_that_joins_again_keeps_its_seat_and_its_name():
    """The guest's program says JOIN by the name without the number, as at first."""
    own = draw_seat("Mia")
    async with evening() as here:
        here.host._admits = lambda name: name != "Mia"
        for name in ("Mia", "Ann", "Bob", "Mia"):
            await here.comes(name, own=own if name == "Mia" else None)
        assert here.names == ["Mia", "Mia 2", "Ann", "Bob"]
        assert here.trouble.keys() == {"Mia"}  # the older link
        seated = await here.host.start()
        await wait_all_tasks_blocked()
        for again in range(2):  # with the roster of the lobby, and once more after the start
            assert here.seated.pop("Mia").roster == seated.roster
            if again == 0:
                await here.comes("Mia", own=own)


async def test_guest_that_lacks_the_roster_gets_it_again_and_another_guest_does_not():
    own = draw_seat("Ann")
    async with evening() as here:
        link = await here.link()
        await link.send(Frame(Kind.LOBBY, _join(link, own)))
        for name in ("Bob", "Cem"):
            await here.comes(name)
        seated = await here.host.start()
        await link.aclose()
        await here.comes("Ann", own=own)
        assert here.seated["Ann"].roster == seated.roster
        assert here.seated["Ann"].own == own
        (again,) = here.seated["Ann"].links.values()
        with pytest.raises(LinkError):  # without a goodbye: the guest comes back to the game
            await again.receive()
        await here.comes("Ann 2", own=draw_seat("Ann"))
        assert here.trouble["Ann 2"].code == "table-full"


async def test_guest_whose_greeting_has_come_gets_no_roster_again():
    own = draw_seat("Ann")
    async with evening() as here:
        await here.comes("Ann", own=own)
        for name in ("Bob", "Cem"):
            await here.comes(name)
        await here.host.start()
        here.lacks = lambda seat: seat > 1
        await here.comes("Ann", own=own)
        assert here.trouble["Ann"].code == "table-full"


async def test_session_key_of_a_guest_serves_no_other_name():
    own = draw_seat("Ann")
    async with evening() as here:
        await here.comes("Ann", own=own)
        await here.comes("Eve", own=replace(own, listed=replace(own.listed, name="Eve")))
        assert here.names == ["Mia", "Ann", "-", "-"]
        assert here.lobbies["Eve"] == []


@pytest.mark.parametrize("error", [UnwantedGameError, LobbyError])
async def test_guest_that_does_not_want_the_game_says_why(error):
    async with evening() as here:
        link = await here.link()

        def refuse(_):
            raise error("No.")

        with pytest.raises(error):
            await room.visit(link, draw_seat("Ann"), find, refuse)
        await wait_all_tasks_blocked()
        why = Farewell.EDITION if error is UnwantedGameError else Farewell.LATER
        assert here.left == [("Ann", why)]


async def test_guest_whose_program_lacks_the_game_says_so():
    async with evening() as here:
        link = await here.link()
        with pytest.raises(LobbyError, match="does not know"):
            await room.visit(link, draw_seat("Ann"), lambda *_: None, lambda _: None)
        await wait_all_tasks_blocked()
        assert here.left == [("Ann", Farewell.VERSION)]


@pytest.mark.parametrize("shows", [True, False])
async def test_friend_that_has_called_must_show_the_key(shows):
    async with evening() as here:
        key = draw_seat("Ann").listed.session_key
        link = await here.link(friend=key)
        own = draw_seat("Ann", key if shows else None)
        join = sign_join(own.listed, link.binding, own.secrets.session)
        await link.send(Frame(Kind.LOBBY, join))
        await wait_all_tasks_blocked()
        assert here.names == ["Mia", "Ann" if shows else "-", "-", "-"]
        assert (here.refused is None) == shows


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


def empty(here, seat):
    here.host.change(lambda table: table.empty(seat))


async def test_guest_that_the_host_sends_away_is_told_why_and_the_others_see_it():
    async with evening() as here:
        await here.comes("Ann", HERS)
        await here.comes("Eve", HIS)
        empty(here, 2)
        await wait_all_tasks_blocked()
        assert here.trouble["Eve"].code == "sent-away"
        assert "Eve" not in here.seated
        assert here.names == ["Mia", "Ann", "-", "-"]
        assert here.lobbies["Ann"][-1] == here.host.lobby
        assert len(here.lobbies["Eve"]) == 1


async def test_guest_that_takes_no_message_loses_its_seat_at_once(autojump_clock):
    async with evening() as here:
        link = await here.link(HIS, pair=lockstep_stream_pair)
        await link.send(Frame(Kind.LOBBY, _join(link)))
        await wait_all_tasks_blocked()
        assert here.names == ["Mia", "Eve", "-", "-"]
        empty(here, 1)
        assert here.names == ["Mia", "-", "-", "-"]
        await here.comes("Eve", HIS)
        assert here.trouble["Eve"].code == "sent-away"
        await trio.sleep(2 * room.JOIN_LIMIT)
        with pytest.raises(LinkError):
            await link.send(Frame(Kind.PING))


@pytest.mark.parametrize("sat", [0, 500])
@pytest.mark.parametrize("same", ["key", "friend", "address", "block"])
async def test_guest_that_was_sent_away_comes_back_after_a_while(same, sat, autojump_clock):
    own, friend, address = draw_seat("Eve"), None, HIS
    other, again = HIS, draw_seat("Eve")
    if same == "key":
        other, again = THEIRS, own
    if same == "friend":
        friend = draw_seat("Eve").listed.session_key
        own, again = draw_seat("Eve", friend), draw_seat("Eve", friend)
        other = THEIRS
    if same == "block":
        address, other = IPv6Address("2001:db8::1"), IPv6Address("2001:db8::2")
    async with evening() as here:
        await here.comes("Eve", address, own=own, friend=friend)
        await trio.sleep(sat)
        await here.comes("Ann", HERS)
        empty(here, 1)
        await wait_all_tasks_blocked()
        await here.comes("Eve", other, own=again, friend=friend)
        assert here.trouble["Eve"].code == "sent-away"
        assert here.names == ["Mia", "-", "Ann", "-"]
        await here.comes("Bob", HERS)
        assert here.names == ["Mia", "Bob", "Ann", "-"]
        await trio.sleep(room.AWAY_LIMIT)
        await here.comes("Eve", other, own=again, friend=friend)
        assert here.names == ["Mia", "Bob", "Ann", "Eve"]


async def test_guest_that_claims_the_key_of_another_keeps_the_other_from_no_seat():
    """An identity key is public, and a JOIN does not prove it."""
    key = draw_seat("Ann").listed.session_key
    async with evening() as here:
        await here.comes("Eve", HIS, own=draw_seat("Eve", key))
        empty(here, 1)
        await wait_all_tasks_blocked()
        await here.comes("Ann", HERS, own=draw_seat("Ann", key))
        assert here.names == ["Mia", "Ann", "-", "-"]


async def test_holder_of_the_invite_who_takes_all_seats_is_sent_away_for_others():
    async with evening() as here:
        for name in ("Eve", "Ewa", "Eva"):
            await here.comes(name, HIS)
        await here.comes("Ann", HERS)
        assert here.trouble["Ann"].code == "table-full"
        for seat in (1, 2, 3):
            empty(here, seat)
            await wait_all_tasks_blocked()
            await here.comes("Eve", HIS)
            assert here.trouble["Eve"].code == "sent-away"
        for name, address in (("Ann", HERS), ("Bob", THEIRS)):
            await here.comes(name, address)
        assert here.names == ["Mia", "Ann", "Bob", "-"]


async def test_silent_newcomers_keep_nobody_from_the_lobby(autojump_clock):
    async with evening() as here:
        silent = [await here.link(HIS) for _ in range(3 * room.NEWCOMERS)]
        await wait_all_tasks_blocked()
        for link in silent[: -room.NEWCOMERS_OF_A_BLOCK]:  # gave way to the next
            with pytest.raises(LinkError):
                await link.receive()
        assert trio.current_time() == here.begun
        await here.comes("Ann", HERS)
        assert here.names == ["Mia", "Ann", "-", "-"]


async def test_guest_that_comes_and_goes_costs_the_others_few_messages(autojump_clock):
    async with evening() as here:
        await here.comes("Ann", HERS)
        for _ in range(100):
            await here.comes("Eve", HIS)
            await here.links["Eve"].aclose()
            await wait_all_tasks_blocked()
        _, at_once = room.JOINS
        assert len(here.shown) <= 2 + 2 * at_once
        assert here.names == ["Mia", "Ann", "-", "-"]
        await here.comes("Bob", THEIRS)
        assert here.names == ["Mia", "Ann", "Bob", "-"]


async def test_guests_are_told_of_changes_at_a_pace_and_in_the_end_the_last(autojump_clock):
    async with evening() as here:
        await here.comes("Ann", HERS)
        rate, at_once = room.LOBBIES
        for number in range(100):
            here.host.change(lambda table, one=number % 3 + 1: table.with_pace(one))
            await trio.sleep(0.01)
        passed = trio.current_time() - here.begun
        assert len(here.lobbies["Ann"]) <= 2 + at_once + passed * rate
        await trio.sleep(1 / rate)
        assert here.lobbies["Ann"][-1] == here.host.lobby
        assert here.host.lobby.pace == 1


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


@pytest.mark.parametrize("lobby", [False, True])
async def test_a_host_that_falls_silent_is_given_up(lobby, autojump_clock):
    """A machine that sends no LOBBY at all may be another program."""
    ours, theirs = memory_stream_pair()
    own, mia = draw_seat("Ann"), draw_seat("Mia")

    async def host():
        link = await respond(theirs, LINK_PSK)
        if lobby:
            table = HostTable.of_game(GAME, mia, PSK).join(link.binding, _join(link, own))
            signed = sign_lobby(table.lobby, link.binding, mia.secrets.session)
            await link.send(Frame(Kind.LOBBY, signed))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(host)
        link = await initiate(ours, LINK_PSK)
        with pytest.raises(LinkError, match="silent") as caught:
            await room.visit(link, own, find, lambda _: None)
        assert caught.value.code == room.SILENT
        assert trio.current_time() >= (room.LOST_AFTER if lobby else room.JOIN_LIMIT)


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


def _join(link, own=None, **changes):
    own = own or draw_seat("Eve")
    return sign_join(replace(own.listed, **changes), link.binding, own.secrets.session)
