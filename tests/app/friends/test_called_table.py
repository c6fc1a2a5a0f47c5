"""Friends are called to a table, each to the place of the last game: over loopback."""

from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from ipaddress import ip_address

import pytest
import trio

from matcha_p2p.app.command.outcomes import CommandError
from matcha_p2p.app.friends.groups import see_it_listens, table_to_call
from matcha_p2p.app.friends.wait import WaitWish, wait
from matcha_p2p.store.friends import Book, read_book, write_book
from matcha_p2p.store.home import Home
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.servers import Server
from tests.app.game.test_people import play
from tests.app.people import PATIENCE, loopback
from tests.processes import Matcha

PORTS = {"Mia": 14917, "Ann": 14937, "Bob": 14957}


@pytest.fixture
async def friends(sits):
    """Return Mia, Ann and Bob, who have played at one table in this order."""
    sitting = [sits(name) for name in PORTS]
    await play(*(player.setup for player in sitting))
    return sitting


async def waits(player, around, called=None, table=("matcha", 2)):
    setup = player.setup if table == ("matcha", 2) else player.setup.another(*table)
    wish = WaitWish(router=False, port=PORTS[setup.terms.name])
    await wait(setup, player.ask, around, wish, called)


@asynccontextmanager
async def calling(player, around, *names):
    """Let ``player`` call friends to a table until the body ends; yield a nursery."""
    game, _, seats, called = table_to_call(player.setup.home, names)
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(waits, player, around, called, (game, seats))
            yield nursery
            nursery.cancel_scope.cancel()


async def sits_down(nursery, around, player, host):
    """Let ``player`` wait, and say yes to the call of ``host``."""
    nursery.start_soon(waits, player, around)
    await player.reads(f'"{host}" calls you to a table')
    player.types("1")
    await player.reads(r"Seat \d: \w+ \(you\)")


async def test_all_who_wait_sit_at_their_places_and_play(friends):
    """Ann calls, so Bob sits after her, and Mia after Bob; Mia comes first."""
    mia, ann, bob = friends
    around = loopback()
    async with calling(ann, around, "Mia", "Bob") as nursery:
        await ann.reads('Not at the table yet: "Mia", "Bob"')
        await sits_down(nursery, around, mia, "Ann")
        await ann.reads("Seat 3: Mia\n")
        await sits_down(nursery, around, bob, "Ann")
        await ann.reads("Seat 2: Bob\n")
        ann.types("start")
        for player in friends:
            await player.reads("The coin has chosen")


async def test_table_begins_with_a_bot_in_the_place_of_a_friend_who_does_not_wait(friends):
    mia, ann, _ = friends
    around = loopback()
    async with calling(mia, around, "Ann", "Bob") as nursery:
        await sits_down(nursery, around, ann, "Mia")
        await mia.reads('Not at the table yet: "Bob"')
        mia.types("bot")
        await mia.reads("Seat 3: Nori")
        mia.types("start")
        for player in (mia, ann):
            await player.reads("The coin has chosen")


async def test_friend_of_a_table_that_is_closed_waits_again(friends):
    mia, ann, _ = friends
    around = loopback()
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as home:
            async with calling(mia, around, "Ann", "Bob"):
                await sits_down(home, around, ann, "Mia")
            await ann.reads("The host has closed the table")
            async with calling(mia, around, "Ann", "Bob"):
                await ann.reads("(?s)calls you to a table.*calls you to a table")
                ann.types("2")
            home.cancel_scope.cancel()


async def test_guests_of_the_own_table_are_sent_home_for_a_call_to_another(friends):
    mia, ann, bob = friends
    around = loopback()
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as home:
            home.start_soon(waits, ann, around, None, ("kashi", 3))
            await ann.reads("Waiting for a call")
            ann.types("bot")
            await ann.reads("Seat 2: Nori")
            async with calling(mia, around, "Ann", "Bob"):
                await ann.reads("The guests at your own table are sent home")
                ann.types("1")
                await ann.reads(r"Seat 2: Ann \(you\)")
            await ann.reads("The host has closed the table")
            home.cancel_scope.cancel()
    assert "Bob" not in bob.screen.text


async def test_people_who_have_not_played_together_get_the_first_table_for_so_many(friends):
    mia, *_ = friends
    home, book = mia.setup.home, read_book(mia.setup.home)
    assert table_to_call(home, ["Ann", "Bob"], "kashi").called.places
    game, variant, seats, called = table_to_call(home, ["Ann", "Bob"], "tichu")
    assert (game, variant, seats, called.places) == ("tichu", None, 4, {})
    write_book(home, Book(book.friends))
    assert table_to_call(home, ["Ann", "Bob", "ann"])[:3] == ("tichu", None, 4)


async def test_table_that_cannot_be_called_is_refused_with_the_reason(friends):
    mia, *_ = friends
    home, book = mia.setup.home, read_book(mia.setup.home)
    with pytest.raises(CommandError, match="no table for 3 players"):
        table_to_call(home, ["Ann", "Bob"], "matcha")
    ann, bob = book.friends
    write_book(home, Book((ann, replace(bob, secrets=()))))
    with pytest.raises(CommandError, match="You cannot call"):
        table_to_call(home, ["Ann", "Bob"])
    write_book(home, Book())
    with pytest.raises(CommandError, match="You have not met"):
        table_to_call(home, ["Ann", "Bob"])
    with pytest.raises(CommandError, match="through a proxy"):
        see_it_listens(Server("127.0.0.1", 1))


NAMES = ("Mia", "Ann", "Bob", "Ivo")


def person(folder, name, command, *words):
    """Start the program of a person who types; all stay on this machine."""
    return Matcha(
        folder / name, command, *words, "--json", "--ui", "line", "--name", name, "--no-router"
    )


def play_to_the_end(programs):
    """Let the last of ``programs`` give up, and all leave; return what each has counted."""
    programs[0].type("start\n")
    programs[-1].until_said("The coin has chosen")
    programs[-1].type("concede\n")
    programs[-1].until_said("y: yes")
    programs[-1].type("y\n")
    counted = [program.until("group") for program in programs]
    for program in programs:
        program.type("leave\n")
    assert [program.end() for program in programs] == [0] * len(programs)
    return counted


def know_the_ports(home, waiting):
    """Let the book of ``home`` have the ports of friends who wait on this machine."""
    book = read_book(home)
    here = ip_address("127.0.0.1")
    friends = [
        replace(friend, endpoints=(Endpoint(here, waiting[friend.name]),))
        for friend in book.friends
    ]
    write_book(home, book._replace(friends=tuple(friends)))


@pytest.mark.slow
async def test_four_programs_meet_again_by_one_call_of_any_of_them(tmp_path, sits):
    await play(*(sits(name).setup for name in NAMES))
    with ExitStack() as running:
        waiting = {
            name: running.enter_context(person(tmp_path, name, "wait"))
            for name in ("Mia", "Ann", "Ivo")
        }
        ports = {name: program.until("waiting")["port"] for name, program in waiting.items()}
        know_the_ports(Home.find(tmp_path / "Bob"), ports)
        caller = running.enter_context(person(tmp_path, "Bob", "call", *waiting))
        assert set(caller.until("calling")["missing"]) == {*waiting}
        for program in waiting.values():
            program.until_said('"Bob" calls you to a table')
            program.type("1\n")
        while caller.until("calling")["missing"]:
            pass
        while None in (seats := caller.until("lobby")["seats"]):
            pass
        assert [seat["name"] for seat in seats] == ["Bob", "Ivo", "Mia", "Ann"]
        counted = play_to_the_end([caller, *waiting.values()])
        assert [each["games"] for each in counted] == [2] * 4
