"""The search for the peer: where a seat waits, whom it dials, and how often."""

from contextlib import suppress
from dataclasses import replace
from ipaddress import ip_address
from itertools import pairwise
from types import SimpleNamespace

import pytest
import trio
import trio.testing

from matcha_p2p.errors import LinkError
from matcha_p2p.session import reconnect
from matcha_p2p.session.knocks import KnocksOfAGame
from matcha_p2p.session.line import Line, LineDialled
from matcha_p2p.session.reconnect import (
    DIAL_LIMIT,
    FIRST_PAUSE,
    HOST_YIELDS,
    LONGEST_PAUSE,
    STEADY,
    Place,
    Reconnect,
)
from matcha_p2p.session.way import dialable
from matcha_p2p.transport.endpoints import Endpoint, at_port
from matcha_p2p.transport.link import Link
from matcha_p2p.wire.talk import Way
from tests.harness import pair

PLACE = Place((ip_address("192.0.2.1"),), 4717)
THERE = Way((Endpoint(ip_address("192.0.2.2"), 4717),))


class Street:
    """Every listening socket that a seat has had. taken: the ports that it cannot have."""

    def __init__(self) -> None:
        self.taken: set[int] = set()
        self.ports: list[int] = []
        self.hosts: list[object] = []
        self.keys: list[bytes] = []
        self.knocks: list[object] = []
        self.guests, self.doors = trio.open_memory_channel[str](0)

    async def listen(self, port=None, hosts=None, knocks=None):
        await trio.lowlevel.checkpoint()
        if port in self.taken:
            raise LinkError("The port is in use.")
        self.ports.append(port or 5000)
        self.hosts.append(hosts)
        self.knocks.append(knocks)
        return SimpleNamespace(port=self.ports[-1], serve=self.serve, close=lambda: None)

    async def serve(self, psk: bytes, welcome) -> None:
        self.keys.append(psk)
        async for guest in self.doors:
            await welcome(guest)


class Inbox:
    """Takes what the session is told."""

    def __init__(self) -> None:
        self.places: list[Way] = []
        self.tries: list[tuple[float, int]] = []

    async def post(self, item) -> None:
        await trio.lowlevel.checkpoint()
        match item:
            case Way():
                self.places.append(item)
            case LineDialled(tries):
                self.tries.append((trio.current_time(), tries))


@pytest.fixture
def street(monkeypatch):
    street = Street()
    monkeypatch.setattr(reconnect, "listen", street.listen)
    monkeypatch.setattr(reconnect, "JITTER", 0.0)
    return street


@pytest.fixture
def chains(tmp_path):
    """Return copies of a game, by seat, that know where the other waits."""
    return [copy.chain.with_way(copy.chain.peer, THERE) for copy in pair(tmp_path)]


def seat(chain, inbox, line, **how) -> Reconnect:
    return Reconnect(lambda: chain, line, inbox, PLACE, **how)


def sound_line() -> Line:
    _, found = trio.open_memory_channel[Link](0)
    line = Line(found)
    line._calm()
    return line


async def test_the_door_stays_open_for_the_peer_alone(street, chains, tmp_path):
    inbox, knocks = Inbox(), KnocksOfAGame(tmp_path / "journal")
    links, found = trio.open_memory_channel[Link](10)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat(chains[1], inbox, sound_line(), knocks=knocks).run, links)
        await trio.testing.wait_all_tasks_blocked()
        for number in range(3):
            await street.guests.send(f"guest {number}")
            assert await found.receive() == f"guest {number}"
        nursery.cancel_scope.cancel()
    assert street.ports == [4717]
    assert street.hosts == [PLACE.hosts]
    assert street.knocks == [knocks]
    assert [way.endpoints[0].port for way in inbox.places] == [4717]
    assert street.keys == [chains[1].resume_psk(0)]
    assert street.keys != [chains[1].resume_psk(1)]


async def test_a_port_that_somebody_has_taken_ends_no_game(street, chains):
    """The peer is told where to come now."""
    street.taken = {4717}
    inbox = Inbox()
    links, _ = trio.open_memory_channel[Link](10)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat(chains[1], inbox, sound_line()).run, links)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert street.ports == [5000]
    assert [way.endpoints[0].port for way in inbox.places] == [5000]


@pytest.mark.parametrize("number", [0, 1])
async def test_a_try_that_hears_nothing_holds_up_no_other(
    street, chains, monkeypatch, autojump_clock, number
):
    """Four are lost; the fifth is answered, and whatever is still under way is given up."""
    begun, given_up, keys = [], [], set()

    async def dial(endpoints, psk, *, timeout) -> str:  # noqa: ASYNC109 -- as the real one
        keys.add(psk)
        begun.append(trio.current_time() - start)
        if len(begun) == 5:
            return "link"
        try:
            await trio.sleep(timeout)
        except trio.Cancelled:
            given_up.append(trio.current_time() - start)
            raise
        raise LinkError("No answer.")

    monkeypatch.setattr(reconnect, "dial", dial)
    inbox, start = Inbox(), trio.current_time()
    links, found = trio.open_memory_channel[Link](1)
    _, none = trio.open_memory_channel[Link](0)
    line = Line(none)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat(chains[number], inbox, line).run, links)
        assert await found.receive() == "link"
        line._calm()
        await trio.sleep(60)
        nursery.cancel_scope.cancel()
    first = HOST_YIELDS * (1 - number)
    assert begun == pytest.approx([first + sum(pauses(count)) for count in range(5)])
    lost = [moment for moment in begun[:4] if moment > begun[4] - DIAL_LIMIT]
    assert given_up == pytest.approx([begun[4]] * len(lost))
    told = [(when - start, tries) for when, tries in inbox.tries]
    assert told[0] == (pytest.approx(begun[0]), 1)
    assert keys == {chains[number].resume_psk(number)}


def pauses(count: int) -> list[float]:
    return [FIRST_PAUSE * reconnect.GROWTH**number for number in range(count)]


async def test_nobody_is_dialled_for_ever_at_one_pace(
    street, chains, monkeypatch, autojump_clock
):
    """However long nobody answers: from once a second to once a minute, and no faster."""
    begun = []

    async def dial(*_, timeout) -> str:  # noqa: ASYNC109 -- as the real one
        begun.append(trio.current_time())
        raise LinkError("No answer.")

    monkeypatch.setattr(reconnect, "dial", dial)
    links, _ = trio.open_memory_channel[Link](1)
    _, none = trio.open_memory_channel[Link](0)
    with trio.move_on_after(24 * 3600):
        await seat(chains[1], Inbox(), Line(none)).run(links)
    gaps = [later - earlier for earlier, later in pairwise(begun)]
    assert min(gaps) == pytest.approx(FIRST_PAUSE)
    assert gaps[-1] == pytest.approx(LONGEST_PAUSE)
    assert len(begun) < 24 * 60 + 30


async def test_a_link_that_ends_at_once_does_not_begin_the_hurry_anew(
    street, chains, monkeypatch, autojump_clock
):
    """A peer that answers and hangs up is dialled ever more slowly, too."""
    begun = []
    _, none = trio.open_memory_channel[Link](0)
    line = Line(none)

    async def dial(*_, timeout) -> str:  # noqa: ASYNC109 -- as the real one
        begun.append(trio.current_time())
        return "link"

    monkeypatch.setattr(reconnect, "dial", dial)
    links, found = trio.open_memory_channel[Link](1)

    async def lose() -> None:
        for _ in range(20):
            await found.receive()
            line._calm()
            await trio.sleep(STEADY / 10)
            line._trouble.set()
        nursery.cancel_scope.cancel()

    with suppress(trio.Cancelled):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(seat(chains[1], Inbox(), line).run, links)
            nursery.start_soon(lose)
    gaps = [later - earlier for earlier, later in pairwise(begun)]
    assert gaps[-1] > 10 * gaps[0]


def way(*addresses: str, port: int = 4717) -> Way:
    return Way(at_port(map(ip_address, addresses), port))


@pytest.mark.parametrize(
    ("remote", "told", "dialled"),
    [
        ("203.0.113.5", ("203.0.113.5", "10.0.0.1", "127.0.0.1"), None),
        ("8.8.8.8", ("1.1.1.1", "10.0.0.1", "127.0.0.1", "fe80::1"), ("1.1.1.1",)),
        ("2600::1", ("1.1.1.1", "::1", "fd00::1"), ("1.1.1.1",)),
        ("10.1.2.3", ("10.0.0.1", "8.8.8.8", "127.0.0.1", "fd00::1"), ("10.0.0.1", "fd00::1")),
        ("127.0.0.1", ("127.0.0.2", "10.0.0.1", "8.8.8.8", "::1"), ("127.0.0.2", "::1")),
        ("10.1.2.3", ("0.0.0.0", "::", "::ffff:0.0.0.0", "0.1.2.3", "10.0.0.1"), ("10.0.0.1",)),
        ("10.1.2.3", ("224.0.0.1", "255.255.255.255", "ff12::1", "169.254.1.1"), None),
        ("::ffff:8.8.8.8", ("1.1.1.1", "10.0.0.1"), ("1.1.1.1",)),
        (None, ("127.0.0.1", "8.8.8.8"), ("127.0.0.1", "8.8.8.8")),
    ],
)
def test_a_peer_sends_us_to_no_other_kind_of_place_than_it_comes_from(remote, told, dialled):
    if remote == "203.0.113.5":  # of the documentation: counts as a private network
        dialled = ("203.0.113.5", "10.0.0.1")
    come_from = None if remote is None else ip_address(remote)
    assert dialable(way(*told), come_from, None) == (dialled and way(*dialled))


def test_where_no_address_is_left_nothing_is_taken():
    assert dialable(way("127.0.0.1"), ip_address("8.8.8.8"), None) is None


@pytest.mark.parametrize(("port", "known"), [(1023, None), (22, 4717), (80, 80), (1024, None)])
def test_ports_of_services_are_dialled_only_if_the_invite_says_so(port, known):
    told = way("1.1.1.1", port=port)
    before = None if known is None else way("1.1.1.1", port=known)
    dialled = dialable(told, ip_address("8.8.8.8"), before)
    assert dialled == (told if port >= 1024 or port == known else None)


def test_what_the_peer_tells_is_in_the_chain_and_survives(tmp_path):
    host, _ = pair(tmp_path)
    host.ledger.become(replace(host.chain).hear_way(THERE))
    assert host.reopened().chain.ways[1] == THERE


def test_a_first_message_is_answered_once_also_by_a_program_started_again(tmp_path):
    knocks = KnocksOfAGame(tmp_path / "journal")
    assert knocks.remember(b"a" * 48)
    assert not knocks.remember(b"a" * 48)
    assert knocks.remember(b"b" * 48)
    again = KnocksOfAGame(tmp_path / "journal")
    assert not again.remember(b"a" * 48)
    assert not again.remember(b"b" * 48)
    assert again.remember(b"c" * 48)
    assert (tmp_path / "knocks").stat().st_size == 3 * 32


def test_a_file_of_first_messages_that_is_a_link_or_torn_ends_no_game(tmp_path):
    (tmp_path / "knocks").symlink_to(tmp_path / "elsewhere")
    assert KnocksOfAGame(tmp_path / "journal").remember(b"a" * 48)
    assert not (tmp_path / "elsewhere").exists()
    (tmp_path / "knocks").unlink()
    (tmp_path / "knocks").write_bytes(bytes(40))
    assert KnocksOfAGame(tmp_path / "journal").remember(b"a" * 48)
