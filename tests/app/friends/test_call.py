"""Two friends meet again over loopback, without an invite to paste."""

import socket
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from ipaddress import ip_address
from types import SimpleNamespace

import pytest
import trio

from matcha_p2p.app.command.outcomes import CommandError
from matcha_p2p.app.friends import bonds
from matcha_p2p.app.friends import call as calling
from matcha_p2p.app.friends import friends as known
from matcha_p2p.app.friends import wait as wait_module
from matcha_p2p.app.friends.bonds import (
    PunchWay,
    bonds_of,
    holding,
    own_addresses,
    punch_ways,
)
from matcha_p2p.app.friends.call import Reaching, ReachingThrough, call, reach, ways_to
from matcha_p2p.app.friends.wait import WaitWish, open_for_friends, wait
from matcha_p2p.errors import LinkError, ProxyError
from matcha_p2p.meeting import calling as meeting
from matcha_p2p.meeting.calling import DAY, Bond, punch_ports
from matcha_p2p.store.friends import Book, read_friends, write_book
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.punch import PunchPort
from tests.app.people import loopback
from tests.transport.servers import FakeSocks, nobody_listens


def wish():
    return WaitWish(router=False, port=14717)


@asynccontextmanager
async def waiting(person, around):
    """Let ``person`` wait, and sit down once a friend has come; yield the ready tables."""
    met = []

    async def play(ready, *_, **__):
        met.append(ready)
        return 0

    async with trio.open_nursery() as nursery:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(wait_module, "play_at_table", play)
            nursery.start_soon(wait, person.setup, person.ask, around, wish())
            await person.screen.until("Waiting for a call")
            yield met
        nursery.cancel_scope.cancel()


async def find(person, name, around):
    """Let ``person`` look for the friend called ``name``; return the result of ``reach``."""
    friends = read_friends(person.setup.home)
    (friend,) = (each for each in friends if each.name == name)
    (bond,) = bonds_of(person.setup, [friend])
    own = await own_addresses(around)
    with holding(ways_to(friend, bond, own)) as ways:
        return await reach(person.setup, Reaching(friend, bond, around, ways), person.asker)


async def meet(mina, ivo, around, *, at_ivo=None, says="1"):
    """Let Mina wait and Ivo call; return the meeting of each, by name."""
    met = {}

    async def agree():
        await mina.screen.until('"Ivo" calls')
        mina.types(says)

    with trio.fail_after(20):
        async with waiting(mina, around) as taken, trio.open_nursery() as nursery:
            nursery.start_soon(agree)
            met["ivo"] = await find(ivo, "Mina", at_ivo or around)
            while not taken:
                await trio.lowlevel.checkpoint()
            (met["mina"],) = taken
    return met


async def hang_up(met):
    """Check that both sit at one table, and close the links."""
    (host,) = met["mina"].links.values()
    (guest,) = met["ivo"].ready.links.values()
    assert host.binding == guest.binding
    assert [seat.name for seat in met["mina"].roster.seats] == ["Mina", "Ivo"]
    for link in (host, guest):
        await link.aclose()


async def test_friends_meet_on_one_network(friends):
    await hang_up(await meet(*friends, loopback()))


@pytest.mark.slow
async def test_friends_meet_where_they_last_were(friends):
    """The network passes no queries, as over the internet."""
    mina, ivo = friends
    (friend,) = read_friends(ivo.setup.home)
    here = tuple(Endpoint(ip_address("127.0.0.1"), port) for port in range(14717, 14724))
    write_book(ivo.setup.home, Book((replace(friend, endpoints=here),)))
    await hang_up(await meet(mina, ivo, loopback(), at_ivo=loopback()))


async def test_friend_is_called_through_a_proxy_and_in_no_other_way(friends, nursery):
    mina, ivo = friends
    fake = FakeSocks()
    proxy = await nursery.start(fake.run)
    around = loopback()

    async def agree():
        await mina.screen.until('Ivo" calls')
        mina.types("1")

    with trio.fail_after(20):
        async with waiting(mina, around) as taken, trio.open_nursery() as inner:
            inner.start_soon(agree)
            (friend,) = read_friends(ivo.setup.home)
            (bond,) = bonds_of(ivo.setup, [friend])
            here = tuple(
                Endpoint(ip_address("127.0.0.1"), port) for port in range(14717, 14724)
            )
            reaching = ReachingThrough(proxy, replace(friend, endpoints=here), bond)
            met = await reach(ivo.setup, reaching, ivo.asker)
            while not taken:
                await trio.lowlevel.checkpoint()
    assert fake.targets
    await hang_up({"ivo": met, "mina": taken[0]})


async def test_missing_proxy_is_told_before_a_friend_is_called(friends):
    _, ivo = friends
    (friend,) = read_friends(ivo.setup.home)
    (bond,) = bonds_of(ivo.setup, [friend])
    with nobody_listens() as gone, pytest.raises(ProxyError, match="does not answer"):
        await reach(ivo.setup, ReachingThrough(gone, friend, bond), ivo.asker)


@pytest.mark.slow
@pytest.mark.parametrize("ahead", [0, 1])
async def test_friends_meet_when_only_one_has_the_newest_secret(friends, ahead):
    """After a crash only the seat ``ahead`` has stored the secret."""
    home = friends[ahead].setup.home
    (friend,) = read_friends(home)
    write_book(home, Book((friend.moved_on(b"n" * 32),)))
    await hang_up(await meet(*friends, loopback()))


@pytest.mark.slow
async def test_a_stolen_secret_without_the_key_is_told(friends):
    """The thief has Ivo's name and book of friends, and knows his key, but not the seed."""
    mina, ivo = friends
    seed = b"thief" * 6 + b"!!"
    ivos_key = read_friends(mina.setup.home)[0].identity
    thief = replace(ivo.setup, terms=replace(ivo.setup.terms, identity=seed))
    around = loopback()

    def as_ivo(friend_seed):
        assert friend_seed == seed
        return ivos_key

    with pytest.MonkeyPatch.context() as patch, trio.fail_after(8):
        async with waiting(mina, around), trio.open_nursery() as nursery:
            patch.setattr(bonds, "public_key", as_ivo)

            async def steal():
                with suppress(LinkError):
                    await find(SimpleNamespace(setup=thief, asker=ivo.asker), "Mina", around)

            nursery.start_soon(steal)
            await mina.screen.until('"Ivo" calls')
            mina.types("1")
            await mina.screen.until('Somebody knows the secret that you share with "Ivo"')
            nursery.cancel_scope.cancel()


@pytest.mark.slow
async def test_forgotten_friend_knocks_at_silence(friends, monkeypatch):
    mina, ivo = friends
    other = replace(read_friends(mina.setup.home)[0], identity=b"o" * 32, secrets=(b"o" * 32,))
    write_book(mina.setup.home, Book((other,)))
    monkeypatch.setattr(calling, "CALL_LIMIT", 1.0)
    around = loopback()
    async with waiting(mina, around):
        with pytest.raises(LinkError) as caught:
            await find(ivo, "Mina", around)
    assert caught.value.code == "call-unanswered"
    assert "calls" not in mina.screen.text


@pytest.mark.slow
async def test_refused_caller_is_ignored_for_a_while(friends, monkeypatch):
    mina, ivo = friends
    monkeypatch.setattr(calling, "CALL_LIMIT", 4.0)
    around = loopback()
    mina.types("2")
    async with waiting(mina, around):
        with pytest.raises(LinkError) as caught:
            await find(ivo, "Mina", around)
    assert caught.value.code == "call-unanswered"
    assert mina.screen.text.count('"Ivo" calls') == 1


@pytest.mark.parametrize("ahead", [None, 0, 1])
async def test_friends_meet_through_their_punch_ports(friends, monkeypatch, ahead):
    """The network passes no queries, and nobody can dial the port of a friend.

    ahead: the only seat with the newest secret, as after a crash at the peer.
    """
    mina, ivo = friends
    monkeypatch.setattr(bonds, "dialable", lambda places, _: tuple(places))
    for number, person in enumerate(friends):
        (friend,) = read_friends(person.setup.home)
        here = (Endpoint(ip_address("127.0.0.1"), 9),)
        known = replace(friend, endpoints=here)
        ahead_of = known.moved_on(b"n" * 32) if number == ahead else known
        write_book(person.setup.home, Book((ahead_of,)))
    met = await meet(mina, ivo, loopback(), at_ivo=loopback())
    (friend,) = read_friends(mina.setup.home)
    (bond,) = bonds_of(mina.setup, [friend])
    links = *met["mina"].links.values(), *met["ivo"].ready.links.values()
    pairs = {frozenset((each.ours, each.theirs)) for each in punch_ports(bond, time.time())}
    assert frozenset(link.port for link in links) in pairs
    await hang_up(met)


@pytest.mark.parametrize("waited", [0, 3500])
@pytest.mark.parametrize("clock", [-3500, 0, 3500])
def test_caller_knows_the_ports_of_a_friend_on_another_day(monkeypatch, waited, clock):
    """The friend began to wait before midnight, or a clock is wrong by an hour."""
    monkeypatch.setattr(bonds, "dialable", lambda places, _: tuple(places))
    mina, ivo = b"m" * 32, b"i" * 32
    here = (Endpoint(ip_address("127.0.0.1"), 9),)
    known = SimpleNamespace(endpoints=here)
    at_mina, at_ivo = (
        Bond("Ivo", mina, ivo, (b"s" * 32,)),
        Bond("Mina", ivo, mina, (b"s" * 32,)),
    )
    for now in (20000 * DAY, 20000 * DAY + 1800, 20000 * DAY + 80000):
        monkeypatch.setattr(time, "time", lambda now=now: now)
        (waits,) = punch_ways(at_mina, known, [], now - waited + clock)
        calls = {(way.place.port, way.port) for way in ways_to(known, at_ivo, [])}
        assert (waits.port, waits.place.port) in calls
        assert len(calls) <= 2


def test_ports_that_another_program_has_are_left_out():
    with socket.create_server(("", 0)) as other, PunchPort() as free:
        free.close()
        ports = free.number, other.getsockname()[1], free.number
        with holding(PunchWay(*each, None) for each in enumerate(ports)) as ways:
            assert [way.number for way in ways] == [0, 2]


@pytest.mark.slow
async def test_muted_friend_is_not_heard_again(friends, monkeypatch):
    mina, ivo = friends
    monkeypatch.setattr(calling, "CALL_LIMIT", 4.0)
    monkeypatch.setattr(meeting, "MUTED", 0.0)
    around = loopback()
    mina.types("3")
    async with waiting(mina, around):
        with pytest.raises(LinkError):
            await find(ivo, "Mina", around)
    assert mina.screen.text.count('"Ivo" calls') == 1
    assert "Mute for 6 hours" in mina.screen.text


async def test_call_to_a_stranger_is_refused(friends):
    _, ivo = friends
    with pytest.raises(CommandError) as caught:
        await call(ivo.setup, lambda: None, "Olena", loopback())
    assert caught.value.code == "friend-unknown"
    assert "You have met: " in str(caught.value)


def test_call_without_a_friend_is_refused_with_the_reason():
    with pytest.raises(CommandError, match="the key of no other player"):
        known.find((), "Olena")


async def test_home_without_a_key_neither_calls_nor_waits(friends):
    mina, _ = friends
    keyless = replace(mina.setup, terms=replace(mina.setup.terms, identity=None))
    with pytest.raises(CommandError) as caught:
        bonds_of(keyless, read_friends(mina.setup.home))
    assert caught.value.code == "call-keyless"


async def test_home_without_friends_does_not_wait(sits):
    taro = sits("Taro")
    with pytest.raises(CommandError) as caught:
        async with open_for_friends(taro.setup, taro.asker, loopback(), wish()):
            pass
    assert caught.value.code == "call-nobody"
