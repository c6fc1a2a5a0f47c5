"""Friends sit down at a table of three or four by a call, without an invite: over loopback."""

from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from functools import partial

import pytest
import trio

from matcha_p2p.app.bots.bot_names import PEOPLE
from matcha_p2p.app.friends import call as calling
from matcha_p2p.app.friends.call import CallWish, call
from matcha_p2p.app.friends.wait import WaitWish, wait
from matcha_p2p.app.watching.watch import Spectator
from matcha_p2p.errors import HandshakeError, LinkError, LobbyError
from matcha_p2p.games import find
from matcha_p2p.lobby.host import HostTable
from matcha_p2p.lobby.own_seat import draw_seat
from matcha_p2p.meeting.calling import Bond
from matcha_p2p.store.home import Home
from matcha_p2p.transport.codes.invite import Invite, InviteKind
from matcha_p2p.transport.names import Psk
from tests.app.game.test_people import play
from tests.app.people import PATIENCE, loopback


@pytest.fixture
async def friends(sits):
    """Return Mia, and Ann and Bob, who are friends of Mia."""
    mia, *others = map(sits, ("Mia", "Ann", "Bob"))
    for other in others:
        await play(mia.setup, other.setup)
    return mia, *others


@asynccontextmanager
async def table(mia, around, game="kashi", seats=3):
    """Let Mia wait with a table until the body ends; yield the nursery of the guests."""
    setup = mia.setup if seats == 2 else mia.setup.another(game, seats)
    wish = WaitWish(router=False, port=14817)
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait, setup, mia.ask, around, wish)
            await mia.reads("Waiting for a call")
            yield nursery
            nursery.cancel_scope.cancel()


async def rings(person, around, game=None):
    await call(person.setup, person.ask, "Mia", around, CallWish(router=False, game=game))


async def comes_in(nursery, mia, person, name, around, game=None):
    """Let ``person`` call, and Mia say yes."""
    nursery.start_soon(rings, person, around, game)
    await mia.reads(f'"{name}" calls')
    mia.types("1")
    await person.reads(rf"Seat \d: {name} \(you\)")


async def test_friends_that_call_get_seats_and_play_with_the_host(friends):
    mia, ann, bob = friends
    around = loopback()
    async with table(mia, around) as nursery:
        await comes_in(nursery, mia, ann, "Ann", around)
        await comes_in(nursery, mia, bob, "Bob", around, "kashi")
        await mia.reads("Seat 3: Bob\n")
        mia.types("start")
        for person in friends:
            await person.reads("The coin has chosen")


async def test_friend_that_calls_at_a_full_table_is_told_and_the_host_is_not_asked(friends):
    mia, ann, _ = friends
    around = loopback()
    async with table(mia, around):
        for seat, name in enumerate(PEOPLE["club"][:2], start=2):
            mia.types("bot club")
            await mia.reads(f"Seat {seat}: {name}")
        full = pytest.RaisesExc(LinkError, match="Every seat of this table is taken")
        with pytest.RaisesGroup(full, flatten_subgroups=True):
            await rings(ann, around)
        assert "calls" not in mia.screen.text


async def test_friend_that_wants_another_game_than_the_table_leaves_the_seat(friends):
    mia, ann, bob = friends
    around = loopback()
    async with table(mia, around) as nursery:
        refused = pytest.RaisesExc(LobbyError, match="waits for players of Kashi-ichi")

        async def call_for_tichu():
            with pytest.RaisesGroup(refused, flatten_subgroups=True):
                await rings(ann, around, "tichu")

        nursery.start_soon(call_for_tichu)
        await mia.reads('"Ann" calls')
        mia.types("1")
        await mia.reads("(?s)Seat 2: Ann\n.*Seat 2: empty")
        await comes_in(nursery, mia, bob, "Bob", around)
        await bob.reads("Seat 2: Bob")


async def test_friend_that_wants_a_table_is_told_that_matcha_is_played(friends):
    mia, ann, _ = friends
    around = loopback()
    async with table(mia, around, seats=2) as nursery:
        refused = pytest.RaisesExc(LobbyError, match="waits for players of Matcha")

        async def call_for_tichu():
            with pytest.RaisesGroup(refused, flatten_subgroups=True):
                await rings(ann, around, "tichu")
            done.set()

        done = trio.Event()
        nursery.start_soon(call_for_tichu)
        await mia.reads('"Ann" calls')
        mia.types("1")
        await done.wait()
        await mia.reads("Ann wants another game or edition, and has left")


async def test_table_of_friends_is_watched(friends):
    mia, ann, _ = friends
    around, setup = loopback(), mia.setup.another("kashi", 3)
    setup = replace(setup, terms=replace(setup.terms, watchers=1))
    wish = WaitWish(router=False, port=14817)
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait, setup, mia.ask, around, wish)
            text = await mia.reads(r"(matchawatch1\S+)")
            olga = Spectator(Invite.parse(text, InviteKind.WATCH), "Olga")
            nursery.start_soon(olga.run)
            await comes_in(nursery, mia, ann, "Ann", around)
            mia.types("bot club")
            await mia.reads("Seat 3: Nori")
            mia.types("start")
            await mia.reads('1 watches now, let in by you: "Olga"')
            await ann.reads('1 watches now, let in by Mia: "Olga"')
            async with aclosing(olga.reports()) as reports:
                async for report in reports:
                    if len(report.accepted) > 3:
                        break
            nursery.cancel_scope.cancel()
    assert olga.game.roster is not None
    seats = olga.game.roster.seats
    assert [seat.name for seat in seats[:2]] == ["Mia", "Ann"]
    assert [seat.bot for seat in seats] == [False, False, True]


@pytest.mark.parametrize("identity", [None, b"another key of 32 bytes, no less"])
def test_table_of_somebody_without_the_key_of_the_friend_is_refused(tmp_path, identity):
    bond = Bond("Mia", b"our key", b"Mia's key", (b"secret",))
    host = draw_seat("Mia", identity)
    lobby = HostTable.of_game(find("tichu", "1000 plays", 4), host, Psk(bytes(32))).lobby
    check = partial(calling.check_table, Home.find(tmp_path), bond, None)
    with pytest.raises(HandshakeError, match="lacks the key") as refused:
        check(lobby)
    assert f"matcha friends --forget Mia --home {tmp_path}" in str(refused.value)
    seats = (replace(host.listed, identity=b"Mia's key"), *lobby.seats[1:])
    check(replace(lobby, seats=seats))
