"""The listener, on streams in memory: strangers get no byte and hinder no guest."""

import errno
import random
from contextlib import asynccontextmanager
from ipaddress import ip_network

import pytest
import trio
from trio.testing import memory_stream_pair

from matcha_p2p.errors import LinkError
from matcha_p2p.transport import listen as module
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import confirm, knock, remote_of
from matcha_p2p.transport.listen import KNOCK_DEADLINE, SLOTS, SLOTS_PER_BLOCK, Listener
from matcha_p2p.transport.noise import HANDSHAKE_SIZE, Initiator
from tests.harness import initiate

PSK = bytes(range(32))
HELLO = Frame(Kind.WAYS, b"hello")


class Socket:
    """The socket methods for a listener, over streams in memory."""

    def __init__(self, host="192.0.2.1"):
        self.host = host
        self.is_closed = False

    def getpeername(self):
        if self.is_closed:
            raise OSError(errno.ENOTCONN, "not connected")
        return (self.host, 50000)

    def getsockname(self):
        return ("0.0.0.0", 4717)

    def close(self):
        self.is_closed = True


class Arrival(trio.abc.Stream):
    """The listener's end of a stream in memory that comes from ``host``."""

    def __init__(self, stream, host):
        self._stream = stream
        self.socket = Socket(host)

    async def send_all(self, data):
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self):
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes=None):
        return await self._stream.receive_some(max_bytes)

    async def aclose(self):
        await self._stream.aclose()

    def setsockopt(self, *_):
        """Accept options of real sockets."""


class Street:
    """A listening socket in memory."""

    def __init__(self):
        self.socket = Socket()
        self._arrivals, self._queue = trio.open_memory_channel(10_000)

    async def accept(self):
        arrival = await self._queue.receive()
        if isinstance(arrival, OSError):
            raise arrival
        return arrival

    def arrive(self, host):
        """Connect from ``host``; return the guest's end."""
        near, far = memory_stream_pair()
        self.take(Arrival(far, host))
        return near

    def take(self, arrival):
        """Let ``arrival`` come."""
        self._arrivals.send_nowait(arrival)

    def fail(self, number):
        self._arrivals.send_nowait(OSError(number, "accept"))


@asynccontextmanager
async def open_door(links):
    """Yield a street whose listener puts the guest into ``links``; end with the guest."""
    street = Street()

    async def wait():
        links.append(await Listener([street]).accept(PSK))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        yield street
    assert street.socket.is_closed


@pytest.fixture
def links():
    return []


async def enter(street, links, host="198.51.100.1"):
    """Come in as the guest and see that both ends can talk."""
    link = await initiate(street.arrive(host), PSK)
    await trio.testing.wait_all_tasks_blocked()
    await link.send(HELLO)
    assert await links[0].receive() == HELLO


async def is_shown_out(stream):
    """Tell whether the other end has closed ``stream``, without a byte sent."""
    await trio.testing.wait_all_tasks_blocked()
    with trio.move_on_after(0.001):
        assert await stream.receive_some() == b""
        return True
    return False


async def test_a_guest_gets_in(links, autojump_clock):
    async with open_door(links) as street:
        await enter(street, links)


async def test_garbage_is_shown_out_without_a_byte(links, autojump_clock):
    async with open_door(links) as street:
        chance = random.Random(7)
        for number in range(100):
            stranger = street.arrive(f"203.0.113.{number}")
            await stranger.send_all(chance.randbytes(chance.randint(HANDSHAKE_SIZE, 500)))
            assert await is_shown_out(stranger)
        await enter(street, links)


@pytest.mark.parametrize("patience", [0.2, 1])
async def test_five_seconds_are_all_a_stranger_gets(links, autojump_clock, patience):
    """A byte now and then does not help: the deadline is absolute."""
    async with open_door(links) as street:
        stranger = street.arrive("203.0.113.1")
        start = trio.current_time()
        with pytest.raises(trio.BrokenResourceError):
            await drip(stranger, patience)
        assert KNOCK_DEADLINE <= trio.current_time() - start <= KNOCK_DEADLINE + patience
        assert await is_shown_out(stranger)
        await enter(street, links)


async def drip(stream, patience):
    while True:
        await stream.send_all(b"x")
        await trio.sleep(patience)


async def test_the_deadline_holds_after_the_knock_too(links, autojump_clock):
    async with open_door(links) as street:
        stream = street.arrive("203.0.113.1")
        channel = await knock(stream, PSK)
        await trio.sleep(KNOCK_DEADLINE + 1)
        with pytest.raises(LinkError):
            await confirm(stream, channel)
        await enter(street, links)


async def test_the_oldest_of_one_address_gives_way(links, autojump_clock):
    async with open_door(links) as street:
        crowd = await fill(street, ["203.0.113.1"] * (SLOTS_PER_BLOCK + 3))
        shown_out = [await is_shown_out(stranger) for stranger in crowd]
        assert shown_out == [True] * 3 + [False] * SLOTS_PER_BLOCK
        await enter(street, links, "203.0.113.1")


async def fill(street, hosts):
    crowd = []
    for host in hosts:
        crowd.append(street.arrive(host))
        await trio.testing.wait_all_tasks_blocked()
    return crowd


async def test_a_slash_64_counts_as_one_address(links, autojump_clock):
    async with open_door(links) as street:
        hosts = [f"2001:db8::{number:x}%eth0" for number in range(SLOTS_PER_BLOCK + 1)]
        crowd = await fill(street, ["2001:db8:0:1::1", *hosts])
        shown_out = [await is_shown_out(stranger) for stranger in crowd]
        assert shown_out == [False, True] + [False] * SLOTS_PER_BLOCK
        await enter(street, links)


async def test_the_oldest_of_all_gives_way_when_no_slot_is_left(links, autojump_clock):
    async with open_door(links) as street:
        crowd = await fill(street, [f"10.0.{number}.1" for number in range(SLOTS + 2)])
        shown_out = [await is_shown_out(stranger) for stranger in crowd]
        assert shown_out == [True] * 2 + [False] * SLOTS
        await enter(street, links)


async def test_a_flood_does_not_lock_the_guest_out(links, autojump_clock):
    """600 idle connections a second, from everywhere, while the guest comes in."""

    async def flood():
        for number in range(6000):
            crowd.append(street.arrive(f"10.{number // 250}.{number % 250}.1"))
            await trio.sleep(1 / 600)

    crowd = []
    async with open_door(links) as street, trio.open_nursery() as nursery:
        nursery.start_soon(flood)
        await trio.sleep(1)
        await enter(street, links)
        nursery.cancel_scope.cancel()


async def test_knocking_guest_is_not_pushed_out(links, autojump_clock):
    """The guest is slow to go on; his own address fills with strangers meanwhile."""
    async with open_door(links) as street:
        stream = street.arrive("203.0.113.1")
        channel = await knock(stream, PSK)
        await fill(street, ["203.0.113.1"] * (SLOTS_PER_BLOCK + 3))
        await confirm(stream, channel)


async def test_closed_connection_is_ignored(links, autojump_clock):
    async with open_door(links) as street:
        street.arrive("203.0.113.1")
        street._queue.receive_nowait().socket.close()
        gone = Arrival(memory_stream_pair()[1], "203.0.113.1")
        gone.socket.close()
        street._arrivals.send_nowait(gone)
        await enter(street, links)


async def test_a_repeated_knock_gets_no_answer(links, autojump_clock):
    recording = Initiator(PSK).write()
    async with open_door(links) as street:
        first = street.arrive("203.0.113.1")
        await first.send_all(recording)
        assert len(await first.receive_some()) == HANDSHAKE_SIZE
        again = street.arrive("203.0.113.2")
        await again.send_all(recording)
        assert await is_shown_out(again)
        await enter(street, links)


async def test_a_recorded_knock_does_not_use_the_invite_up(links, autojump_clock):
    """The replaying stranger gets an answer and cannot go on; the guest still gets in."""
    async with open_door(links) as street:
        stranger = street.arrive("203.0.113.1")
        await stranger.send_all(Initiator(PSK).write() + bytes(16))
        assert len(await stranger.receive_some()) == HANDSHAKE_SIZE
        assert await is_shown_out(stranger)
        await enter(street, links)


async def test_twenty_handshakes_a_second_are_the_most(links, autojump_clock):
    async with open_door(links) as street:
        knockers = [street.arrive(f"10.0.{number}.1") for number in range(50)]
        for knocker in knockers:
            await knocker.send_all(Initiator(PSK).write())
        answered = []
        with trio.move_on_after(0.99):
            async with trio.open_nursery() as nursery:
                for knocker in knockers:
                    nursery.start_soon(note_answer, knocker, answered)
        assert len(answered) == 20
        await enter(street, links)


@pytest.mark.slow
@pytest.mark.parametrize("knocks_on", [False, True])
async def test_endless_knocks_with_the_secret_lock_nobody_out(links, autojump_clock, knocks_on):
    """A thousand in one moment, or three hundred a second, from one address."""

    async def flood():
        for number in range(2000 if knocks_on else 1000):
            stream = street.arrive("10.0.0.1")
            await stream.send_all(Initiator(PSK).write())
            crowd.append(stream)
            if knocks_on and number % 30 == 0:
                await trio.sleep(0.1)

    crowd = []
    async with open_door(links) as street, trio.open_nursery() as nursery:
        nursery.start_soon(flood)
        await trio.sleep(3 if knocks_on else KNOCK_DEADLINE + 1)
        with trio.fail_after(KNOCK_DEADLINE):
            await enter(street, links)
        nursery.cancel_scope.cancel()


def test_memory_of_first_messages_has_the_limit_of_its_file(monkeypatch):
    monkeypatch.setattr(module, "MOST_KNOCKS", 3)
    knocks = module.KnocksOfARun()
    for number in range(100):
        assert knocks.remember(bytes([number]))
        assert not knocks.remember(bytes([number]))
    assert len(knocks._heard) <= 3


async def note_answer(knocker, answered):
    answered.append(await knocker.receive_some())


async def test_one_of_two_guests_gets_in(links, autojump_clock):
    """Both hold the secret, are answered, and go on at the same moment."""
    guests = []

    async def go_on(stream, channel):
        guests.append(await confirm(stream, channel))

    async with open_door(links) as street:
        streams = [street.arrive(f"10.0.0.{number}") for number in range(2)]
        channels = [await knock(stream, PSK) for stream in streams]
        async with trio.open_nursery() as nursery:
            for stream, channel in zip(streams, channels, strict=True):
                nursery.start_soon(go_on, stream, channel)
    await links[0].send(HELLO)
    assert sorted([await first_word(guest) for guest in guests]) == ["closed", "hello"]


async def first_word(link):
    try:
        return (await link.receive()).payload.decode()
    except LinkError:
        return "closed"


async def test_running_out_of_files_is_waited_out(links, autojump_clock):
    async with open_door(links) as street:
        street.fail(errno.EMFILE)
        await enter(street, links)


async def test_a_broken_listening_socket_is_an_error(autojump_clock):
    street = Street()
    street.fail(errno.EBADF)
    with pytest.RaisesGroup(OSError, flatten_subgroups=True):
        await Listener([street]).accept(PSK)
    assert street.socket.is_closed


async def test_cancelled_listener_closes_its_door(autojump_clock):
    street = Street()
    with trio.move_on_after(60):
        await Listener([street]).accept(PSK)
    assert street.socket.is_closed


def test_blocks_are_addresses_and_slash_64s():
    for host, block in (
        ("192.0.2.7", "192.0.2.7/32"),
        ("2001:db8::7", "2001:db8::/64"),
        ("fe80::7%eth0", "fe80::/64"),
    ):
        stream = Arrival(memory_stream_pair()[0], host)
        assert module.block_of(remote_of(stream)) == ip_network(block)


async def test_a_guest_with_another_secret_is_a_stranger(links, autojump_clock):
    async with open_door(links) as street:
        with pytest.raises(LinkError):
            await initiate(street.arrive("10.0.0.1"), bytes(32))
        await enter(street, links)
