"""On one network a guest comes in without an invite, by a yes and a code: over loopback."""

import os
import socket
from contextlib import asynccontextmanager
from dataclasses import replace
from ipaddress import ip_address

import pytest
import trio

from matcha_p2p.app.nearby.guest_side import WaitingTable, find_tables, knock_at, listed
from matcha_p2p.app.nearby.host_side import OpenTable, PersonAtTheDoor, let_neighbours_in
from matcha_p2p.console.menu.asker import LineAsker
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.meeting.beacon import TableAnswer
from matcha_p2p.meeting.nearby import Found
from matcha_p2p.meeting.pairing import NotLetIn, RingAnswer
from tests.app.people import Screen, loopback
from tests.meeting.air import at

ANSWER = TableAnswer(b"12345678", 4718, b"tabl", "2015", "Mina")


def one():
    """Return the number of empty seats at a table of two."""
    return 1


@asynccontextmanager
async def waiting(mina, around, free=one):
    """Let Mina wait; yield a list of the guests let in. free: returns the empty seats."""
    let_in = []

    async def welcome(link, psk):
        let_in.append((link, psk))

    async with trio.open_nursery() as nursery:
        table = OpenTable(mina.setup, free, welcome)
        nursery.start_soon(let_neighbours_in, table, mina.asker, 0, around)
        with trio.fail_after(10):
            await mina.screen.until("A friend on this machine needs no invite")
            yield let_in
        nursery.cancel_scope.cancel()


async def answers_the_door(mina, answer, ivo):
    """Answer at the door. After a yes, Ivo types the code."""
    await mina.screen.until(r'"Ivo" \(127\.0\.0\.1\) is at the door')
    mina.types(answer)
    if answer == "1":
        ivo.types(await mina.screen.until(r"this code: (\d{3} \d{3})"))


async def test_waiting_host_is_found_and_lets_a_guest_in(mina, ivo):
    around = loopback()
    async with waiting(mina, around) as let_in:
        (table,) = await find_tables(around)
        assert (
            table.label == '"Mina" has an open table on this network (127.0.0.1), Matcha 2015'
        )
        async with trio.open_nursery() as nursery:
            nursery.start_soon(answers_the_door, mina, "1", ivo)
            paired = await knock_at(table, "Ivo", ivo.asker)
        while not let_in:
            await trio.lowlevel.checkpoint()
        (link, psk) = let_in[0]
        assert psk == paired.psk
        assert link.binding == paired.link.binding
        for each in (link, paired.link):
            await each.aclose()


@pytest.mark.slow
async def test_refused_guest_is_told(mina, ivo):
    around = loopback()
    async with waiting(mina, around) as let_in:
        (table,) = await find_tables(around)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(answers_the_door, mina, "2", ivo)
            with pytest.raises(LinkError) as caught:
                await knock_at(table, "Ivo", ivo.asker)
    assert caught.value.code == "pair-no"
    assert let_in == []


@pytest.mark.slow
async def test_wrong_code_is_told_to_both_and_other_text_is_asked_again(mina, ivo):
    around = loopback()

    async def mistype():
        await mina.screen.until("is at the door")
        mina.types("1")
        code = (await mina.screen.until(r"this code: (\d{3} \d{3})")).replace(" ", "")
        ivo.types("12345")
        await ivo.screen.until("type six digits")
        ivo.types(str((int(code) + 1) % 10**6).zfill(6))

    async with waiting(mina, around):
        (table,) = await find_tables(around)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(mistype)
            with pytest.raises(HandshakeError) as caught:
                await knock_at(table, "Ivo", ivo.asker)
        assert caught.value.code == "pair-code"
        await mina.screen.until('"Ivo" typed')


async def test_table_of_four_is_listed_with_its_empty_seats_until_it_is_full(mina):
    around, empty = loopback(), [3]
    mina.setup = mina.setup.another("tichu", 4)
    async with waiting(mina, around, lambda: empty[0]):
        (table,) = await find_tables(around)
        here = 'Tichu with "Mina" on this network, empty seats: 3 (127.0.0.1)'
        assert (table.label, table.game, table.answer.seats) == (here, "tichu", 4)
        empty[0] = 0
        assert await find_tables(around) == ()


async def test_neighbour_at_a_full_table_is_told_and_the_host_is_not_asked(mina, ivo):
    around, empty = loopback(), [1]
    async with waiting(mina, around, lambda: empty[0]):
        (table,) = await find_tables(around)
        empty[0] = 0
        for _ in range(2):  # the address is not muted
            with pytest.raises(LinkError) as caught:
                await knock_at(table, "Ivo", ivo.asker)
            assert caught.value.code == "table-full"
    assert "at the door" not in mina.screen.text


async def test_departed_host_is_told(ivo):
    with socket.socket() as bound:  # and nobody listens there
        bound.bind(("127.0.0.1", 0))
        answer = replace(ANSWER, port=bound.getsockname()[1])
        with pytest.raises(LinkError) as caught:
            await knock_at(WaitingTable(ip_address("127.0.0.1"), answer), "Ivo", ivo.asker)
    assert caught.value.code == "pair-gone"


async def test_the_question_is_asked_until_it_is_answered(mina):
    door = PersonAtTheDoor(mina.asker, one)
    for line in ("", "perhaps", "1"):
        mina.types(line)
    assert await door.admits("Ivo", ip_address("192.168.1.3")) is RingAnswer.YES
    assert mina.screen.text.count("Type a number from 1 to 4") == 2


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("q", "NO"), ("2", "NO"), ("3", "MUTE"), ("4", "CLOSE")],
)
async def test_person_says_how_long_somebody_is_not_heard(mina, typed, answer):
    mina.types(typed)
    door = PersonAtTheDoor(mina.asker, one)
    assert await door.admits("Ivo", ip_address("192.168.1.3")) is RingAnswer[answer]
    assert "Mute 192.168.1.3 for 6 hours" in mina.screen.text


async def test_person_is_not_asked_about_a_guest_with_a_misleading_name(mina):
    door = PersonAtTheDoor(mina.asker, one)
    said = await door.admits('Ivo" (192.168.1.3), "', ip_address("192.168.1.66"))
    assert said is RingAnswer.NO
    assert mina.screen.text == ""


async def test_host_without_input_lets_nobody_in():
    end, hands = os.pipe()
    os.close(hands)
    door = PersonAtTheDoor(LineAsker(Screen().write, Keyboard(end)), one)
    assert await door.admits("Ivo", None) is RingAnswer.NO
    os.close(end)


async def test_typing_after_a_withdrawn_question_is_left_for_the_next(mina):
    """The guest leaves. The game's screen reads the next key, and no thread steals the key."""
    with trio.move_on_after(0.01):
        await PersonAtTheDoor(mina.asker, one).admits("Ivo", None)
    mina.types("3a")
    assert await mina.keyboard.read() == "3a"


def test_each_parting_has_its_words(mina):
    door = PersonAtTheDoor(mina.asker, one)
    for why in NotLetIn:
        door.part("Ivo", why)
    assert len(set(mina.screen.text.splitlines())) == len(NotLetIn)


def test_table_with_a_misleading_name_is_not_listed():
    named = replace(ANSWER, name='Mina" (192.168.1.2), "')
    assert listed([Found(ip_address("192.168.1.66"), named)], ()) == ()


@pytest.mark.parametrize("change", [{"game": 200}, {"game": 2, "seats": 3}, {"seats": 3}])
def test_table_of_an_unknown_game_or_size_is_not_listed(change):
    answer = replace(ANSWER, **change)
    assert listed([Found(ip_address("192.168.1.66"), answer)], ()) == ()


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        (["192.168.1.2", "fe80::2%3"], ["192.168.1.2"]),
        (["fe80::2%3"], ["fe80::2%3"]),
        (["192.168.1.2", "192.168.1.66"], ["192.168.1.2", "192.168.1.66"]),
        (["192.168.1.9", "127.0.0.1"], ["127.0.0.1"]),
    ],
)
def test_a_table_is_listed_once_and_its_impostor_as_well(found, shown):
    """Our own machine is 192.168.1.9."""
    answers = [Found(ip_address(address), ANSWER) for address in found]
    own = (at("127.0.0.1"), at(9))
    assert [str(table.address) for table in listed(answers, own)] == shown
