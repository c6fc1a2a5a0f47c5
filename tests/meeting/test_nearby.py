"""A waiting host is found by every asking guest, and no other machine hears of the host."""

import itertools
from collections import Counter
from contextlib import asynccontextmanager
from ipaddress import IPv6Address

import pytest
import trio

from matcha_p2p.meeting import nearby
from matcha_p2p.meeting.beacon import (
    Query,
    TableAnswer,
    decode_answer,
    encode_answer,
    encode_query,
)
from matcha_p2p.meeting.nearby import (
    ANSWERS_PER_SECOND,
    ANSWERS_TO_ONE,
    ASK_LIMIT,
    LATECOMERS,
    MOST_FOUND,
    MOST_OF_ONE,
    Found,
    answer_queries,
    ask,
)
from matcha_p2p.transport.multicast import Heard
from tests.meeting.air import Air, at

QUERY = Query(b"12345678")


def table(name="Mina", port=4718, nonce=QUERY.nonce):
    return TableAnswer(nonce, port, b"tabl", "2015", name)


def reply(query, _):
    return table(nonce=query.nonce)


@asynccontextmanager
async def hosting(air, *hosts):
    """Let tables wait at ``hosts``."""
    async with trio.open_nursery() as nursery:
        for host in hosts:
            networks = (at(host),)
            nursery.start_soon(answer_queries, air.line(host), lambda n=networks: n, reply)
        yield
        nursery.cancel_scope.cancel()


async def test_waiting_host_is_found_and_the_search_ends_soon(autojump_clock):
    air, began = Air(), trio.current_time()
    line = air.line(3)
    async with hosting(air, 2, 4):
        found = await ask(line, [at(3)], QUERY)
    assert set(found) == {Found(at(host).address, table()) for host in (2, 4)}
    assert trio.current_time() - began == pytest.approx(LATECOMERS)
    assert "sweep" not in {how for _, how, _ in air.sent}


async def test_silent_network_gets_no_packet(autojump_clock):
    air = Air()
    async with hosting(air, 2, 4):
        await trio.sleep(3600)
    assert air.sent == []


async def test_blocked_broadcast_asks_each_neighbour(autojump_clock):
    air, began = Air(passes_groups=False), trio.current_time()
    line = air.line(3)
    async with hosting(air, 2):
        assert await ask(line, [at(3)], QUERY) == (Found(at(2).address, table()),)
    assert trio.current_time() - began == pytest.approx(ASK_LIMIT)
    assert [how for _, how, _ in air.sent] == ["call"] * 3 + ["sweep", "answer"]


async def test_search_without_a_waiting_host_finds_nobody(autojump_clock):
    air, began = Air(), trio.current_time()
    assert await ask(air.line(3), [at(3)], QUERY) == ()
    assert trio.current_time() - began == pytest.approx(ASK_LIMIT)


async def test_answers_to_others_and_from_elsewhere_do_not_count(autojump_clock):
    """A recording, an answer that crosses the router, and nonsense."""
    line = Air().line(3)
    for sender, datagram in (
        (at(9), encode_answer(table(nonce=b"recorded"))),
        (at("198.51.100.7"), encode_answer(table())),
        (at(9), b"matcha!"),
        (at(9), encode_query(QUERY)),
    ):
        line.put.send_nowait(Heard(datagram, sender.address, 4717))
    assert await ask(line, [at(3)], QUERY) == ()


async def test_ten_thousand_answers_leave_a_short_list(autojump_clock):
    """One machine's answers count a few times; the whole network's answers fill one screen."""
    line = Air().line(3)
    for number in range(10_000):
        sender = at(4 + number // 5000 * (number % 200)).address
        datagram = encode_answer(table(f"Mina {number}"))
        line.put.send_nowait(Heard(datagram, sender, 4717))
    found = await ask(line, [at(3)], QUERY)
    assert len(found) == MOST_FOUND
    assert len({each.address for each in found}) == MOST_FOUND


async def test_neighbour_with_eight_addresses_does_not_hide_a_table(autojump_clock):
    """The neighbour answers first, with any number of tables, again and again."""
    line = Air().line(3)
    for number in range(800):
        sender = at(10 + number % 8).address
        datagram = encode_answer(table(f"Eve {number}"))
        line.put.send_nowait(Heard(datagram, sender, 4717))
        if number == 400:
            line.put.send_nowait(Heard(encode_answer(table()), at(2).address, 4717))
    found = await ask(line, [at(3)], QUERY)
    assert Found(at(2).address, table()) in found[:9]
    assert len(found) == 8 * MOST_OF_ONE + 1
    newest = {f"Eve {number}" for number in range(800 - 8 * MOST_OF_ONE, 800)}
    assert {each.answer.name for each in found} == {*newest, "Mina"}


async def test_memory_of_addresses_is_bounded(autojump_clock):
    """A neighbour can have any number of addresses by IPv6, and hides nobody by IPv4."""
    line = Air().line(3)
    line.put.send_nowait(Heard(encode_answer(table()), at(2).address, 4717))
    search = nearby._Search(QUERY, [at(3)])
    search.take(await line.hear())
    for number in range(5000):
        sender = IPv6Address(f"fe80::{number:x}")
        search.take(Heard(encode_answer(table(f"Eve {number}")), sender, 4717))
    assert len(search._of[6]) == nearby._MOST_ADDRESSES
    assert list(search._of[4]) == [at(2).address]
    assert len(search.found()) == MOST_FOUND


async def test_host_answering_every_query_is_listed_once(autojump_clock):
    air = Air()
    line = air.line(3)
    async with hosting(air, 2):
        for _ in range(3):
            line.put.send_nowait(Heard(encode_answer(table()), at(2).address, 4717))
        assert len(await ask(line, [at(3)], QUERY)) == 1


async def test_strangers_from_other_networks_get_no_answer(autojump_clock):
    air = Air()
    for outside in ("198.51.100.7", "192.168.2.3"):
        air.line(outside)
    async with hosting(air, 2):
        for line in air.lines[:2]:
            await line.call(encode_query(QUERY), [])
        await trio.sleep(1)
    assert [how for _, how, _ in air.sent] == ["call", "call"]


async def test_a_link_local_neighbour_gets_an_answer(autojump_clock):
    air = Air()
    line = air.line("169.254.3.4")
    async with hosting(air, 2):
        await line.call(encode_query(QUERY), [])
        answer = await line.hear()
    assert decode_answer(answer.datagram) == table()


async def test_nonsense_gets_no_answer(autojump_clock):
    air = Air()
    line = air.line(3)
    async with hosting(air, 2):
        for datagram in (b"", b"matcha?", encode_query(QUERY)[:-1], bytes(512)):
            await line.call(datagram, [])
        await trio.sleep(1)
    assert "answer" not in {how for _, how, _ in air.sent}


@pytest.mark.parametrize(
    ("queries", "hosts"), [(100, 60), pytest.param(1000, 190, marks=pytest.mark.slow)]
)
async def test_a_flood_gets_few_answers_and_leaves_some_for_others(
    queries, hosts, autojump_clock
):
    """An answer is at most as long as its query: a flood gains no bytes through us."""
    air = Air()
    flood, other = air.line(3), air.line(4)
    async with hosting(air, 2):
        await trio.sleep(0.01)
        for _ in range(queries):
            await flood.call(encode_query(QUERY), [])
        await trio.sleep(0.1)
        await other.call(encode_query(QUERY), [])
        await trio.sleep(0.1)
        answers = [datagram for _, how, datagram in air.sent if how == "answer"]
        assert len(answers) == ANSWERS_TO_ONE + 1
        for _ in range(ANSWERS_TO_ONE):
            for host in range(10, 10 + hosts):
                await air.line(host).call(encode_query(QUERY), [])
        await trio.sleep(0.1)
    answers = [datagram for _, how, datagram in air.sent if how == "answer"]
    assert len(answers) <= ANSWERS_PER_SECOND
    assert all(len(datagram) <= len(encode_query(QUERY)) for datagram in answers)


async def test_each_address_has_its_share_and_no_family_takes_that_of_the_other(mock_clock):
    pacing = nearby.Pacing()
    many = [IPv6Address(f"fe80::{number:x}") for number in range(1000)]
    assert sum(map(pacing.admits, many)) == ANSWERS_PER_SECOND
    assert sum(pacing.admits(at(3).address) for _ in range(100)) == ANSWERS_TO_ONE
    few = [at(host).address for host in range(10, 73)]
    asked = Counter(address for address in 8 * few if pacing.admits(address))
    assert set(asked) == set(few)
    assert max(asked.values()) <= ANSWERS_TO_ONE


async def test_five_hundred_queries_a_second_hide_no_table(autojump_clock):
    """One neighbour asks from a hundred addresses without end; another searches for tables."""
    air = Air()
    flood = [air.line(host) for host in range(100, 200)]
    asking = air.line(3)

    async def ask_without_end():
        for number in itertools.count():
            await flood[number % len(flood)].call(encode_query(QUERY), [])
            await trio.sleep(1 / 500)

    async with hosting(air, 2), trio.open_nursery() as nursery:
        nursery.start_soon(ask_without_end)
        await trio.sleep(0.7)
        found = await ask(asking, [at(3)], QUERY)
        nursery.cancel_scope.cancel()
    assert Found(at(2).address, table()) in found


async def test_a_network_that_is_joined_later_is_heard(autojump_clock):
    air, networks = Air(), [at("10.0.0.2")]
    line, asking = air.line(2), air.line(3)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer_queries, line, lambda: tuple(networks), reply)
        await trio.sleep(1)
        networks.append(at(2))
        await trio.sleep(60)
        await asking.call(encode_query(QUERY), [])
        await asking.hear()
        nursery.cancel_scope.cancel()
    assert line.joined == networks
