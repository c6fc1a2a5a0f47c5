"""Two who have played find each other again, with nothing pasted: over loopback."""

from dataclasses import replace
from ipaddress import ip_address

import pytest
import trio

from matcha_p2p.app.game import call as calling
from matcha_p2p.app.game.call import reach, take_call
from matcha_p2p.app.outcomes import CommandError
from matcha_p2p.errors import LinkError
from matcha_p2p.meeting.nearby import Surroundings
from matcha_p2p.store.friends import read_friends, write_friends
from matcha_p2p.transport.endpoints import Endpoint
from tests.app.game.test_neighbours import Person, loopback
from tests.app.game.test_people import play


@pytest.fixture
async def friends(tmp_path):
    """Return Mina and Ivo, who have played a game."""
    mina, ivo = Person(tmp_path, "Mina"), Person(tmp_path, "Ivo")
    await play(mina.setup, ivo.setup)
    yield mina, ivo
    mina.close()
    ivo.close()


async def meet(mina, ivo, around, *, at_ivo=None, says="y"):
    """Let Mina wait and Ivo call; return whom either has met."""
    met = {}

    async def wait():
        met["mina"], _ = await take_call(mina.setup, mina.keyboard, around, 14717)

    async def agree():
        await mina.screen.until("Ivo calls")
        mina.types(says)

    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            nursery.start_soon(agree)
            await mina.screen.until("Waiting for a call of Ivo")
            met["ivo"] = await reach(ivo.setup, "Mina", at_ivo or around)
    return met


async def hang_up(met):
    for greeted in met.values():
        await greeted.link.aclose()
        greeted.ledger.close()


async def test_friends_meet_on_one_network(friends):
    mina, ivo = friends
    met = await meet(mina, ivo, loopback())
    assert met["mina"].link.binding == met["ivo"].link.binding
    assert met["mina"].ledger.chain.table.hellos[1].name == "Ivo"
    await hang_up(met)


async def test_friends_meet_where_they_last_were(friends):
    """The network passes no queries, as over the internet."""
    mina, ivo = friends
    (friend,) = read_friends(ivo.setup.home)
    here = tuple(Endpoint(ip_address("127.0.0.1"), port) for port in range(14717, 14724))
    write_friends(ivo.setup.home, [replace(friend, endpoints=here)])
    met = await meet(mina, ivo, loopback(), at_ivo=loopback())
    assert met["mina"].link.binding == met["ivo"].link.binding
    await hang_up(met)


@pytest.mark.parametrize("ahead", [0, 1])
async def test_friends_meet_when_only_one_has_the_newest_secret(friends, ahead):
    """A crash came before the other had stored it."""
    home = friends[ahead].setup.home
    (friend,) = read_friends(home)
    write_friends(home, [friend.moved_on(b"n" * 32)])
    await hang_up(await meet(*friends, loopback()))


async def test_a_stolen_secret_without_the_key_is_told(friends):
    """The thief has Ivo's book of friends and name, and knows his key; the seed it lacks."""
    mina, ivo = friends
    seed = b"thief" * 6 + b"!!"
    ivos_key = read_friends(mina.setup.home)[0].identity
    thief = replace(ivo.setup, terms=replace(ivo.setup.terms, identity=seed))
    around = loopback()

    def as_ivo(friend_seed):
        assert friend_seed == seed
        return ivos_key

    with pytest.MonkeyPatch.context() as patch, trio.move_on_after(8) as limit:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(take_call, mina.setup, mina.keyboard, around, 14717)
            await mina.screen.until("Waiting for a call of Ivo")
            patch.setattr(calling, "public_key", as_ivo)

            async def steal():
                met = await reach(thief, "Mina", around)
                await hang_up({"thief": met})

            nursery.start_soon(steal)
            await mina.screen.until("Ivo calls")
            mina.types("y")
            await mina.screen.until("Somebody has the secret that you share with Ivo")
            nursery.cancel_scope.cancel()
    assert not limit.cancelled_caught


async def test_who_was_forgotten_on_one_side_knocks_at_silence(friends, monkeypatch):
    mina, ivo = friends
    other = replace(read_friends(mina.setup.home)[0], identity=b"o" * 32, secrets=(b"o" * 32,))
    write_friends(mina.setup.home, [other])
    monkeypatch.setattr(calling, "CALL_LIMIT", 1.0)
    around = loopback()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(take_call, mina.setup, mina.keyboard, around, 14717)
        await mina.screen.until("Waiting")
        with pytest.raises(LinkError) as caught:
            await reach(ivo.setup, "Mina", around)
        nursery.cancel_scope.cancel()
    assert caught.value.code == "call-unanswered"
    assert "calls" not in mina.screen.text


async def test_whom_one_has_not_met_one_cannot_call(friends):
    _, ivo = friends
    with pytest.raises(CommandError) as caught:
        await reach(ivo.setup, "Olena", loopback())
    assert caught.value.code == "friend-unknown"


async def test_who_shows_no_key_neither_calls_nor_waits(friends):
    mina, _ = friends
    keyless = replace(mina.setup, terms=replace(mina.setup.terms, identity=None))
    with pytest.raises(CommandError) as caught:
        await take_call(keyless, mina.keyboard, loopback())
    assert caught.value.code == "call-keyless"


async def test_who_has_no_friends_does_not_wait(tmp_path):
    taro = Person(tmp_path, "Taro")
    with pytest.raises(CommandError) as caught:
        await take_call(taro.setup, taro.keyboard, Surroundings.of(["127.0.0.1"]))
    assert caught.value.code == "call-nobody"
    taro.close()
