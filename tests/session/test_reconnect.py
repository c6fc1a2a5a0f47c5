"""The search for the peer: the waiting ports, the dialled addresses, and the pauses."""

import errno
import math
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from itertools import pairwise
from types import SimpleNamespace

import pytest
import trio
import trio.testing

from matcha_p2p.errors import LinkError
from matcha_p2p.seats import Seat
from matcha_p2p.session import reconnect
from matcha_p2p.session.connection.changes import LineDialled
from matcha_p2p.session.connection.line import Connection
from matcha_p2p.session.connection.peer_addresses import dialable_addresses, punch_targets
from matcha_p2p.session.reconnect import (
    DIAL_LIMIT,
    FIRST_PAUSE,
    HOST_YIELDS,
    LONGEST_PAUSE,
    LOOK_EVERY,
    STEADY,
    Neighbour,
    Place,
    Reconnect,
)
from matcha_p2p.session.storage.heard_knocks import StoredKnocks
from matcha_p2p.transport import dial as transport_dial
from matcha_p2p.transport import punch
from matcha_p2p.transport.endpoints import Endpoint, at_port
from matcha_p2p.transport.link import Link, confirm, knock
from matcha_p2p.transport.listen import Listener
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.punch import PUNCH_LIMIT
from matcha_p2p.transport.servers import Server
from matcha_p2p.transport.socks import PROXY_LIMIT
from matcha_p2p.wire.talk import PeerAddresses
from tests.harness import pair, respond
from tests.transport.test_listen import Arrival
from tests.transport.test_listen import Street as Door

PEER = Seat(0)
PLACE = Place((ip_address("192.0.2.1"),), 4717)
THERE = PeerAddresses((Endpoint(ip_address("192.0.2.2"), 4717),))


class Street:
    """Every listening socket of a seat so far. taken: ports in use by other programs."""

    def __init__(self) -> None:
        self.taken: set[int | None] = set()
        self.ports: list[int] = []
        self.hosts: list[object] = []
        self.keys: list[bytes] = []
        self.knocks: list[object] = []
        self.addresses = PLACE.addresses
        self.guests, self.doors = trio.open_memory_channel[str](0)

    async def listen(self, port=None, hosts=None, knocks=None):
        await trio.lowlevel.checkpoint()
        if port in self.taken:
            raise LinkError("The port is in use.")
        self.ports.append(port or 5000)
        self.hosts.append(hosts)
        self.knocks.append(knocks)
        return SimpleNamespace(port=self.ports[-1], serve_each=self.serve, close=lambda: None)

    async def local_addresses(self):
        await trio.lowlevel.checkpoint()
        return self.addresses

    async def serve(self, welcomes) -> None:
        ((psk, welcome),) = welcomes.items()
        self.keys.append(psk)
        async for guest in self.doors:
            await welcome(guest)


class Inbox:
    """Takes what the session is told."""

    def __init__(self) -> None:
        self.places: list[PeerAddresses] = []
        self.tries: list[tuple[float, int]] = []

    async def post(self, item) -> None:
        await trio.lowlevel.checkpoint()
        match item:
            case PeerAddresses():
                self.places.append(item)
            case LineDialled(tries):
                self.tries.append((trio.current_time(), tries))


@pytest.fixture
def street(monkeypatch):
    street = Street()
    monkeypatch.setattr(reconnect, "listen", street.listen)
    monkeypatch.setattr(reconnect, "local_addresses", street.local_addresses)
    monkeypatch.setattr(reconnect, "JITTER", 0.0)
    return street


@pytest.fixture
def chains(tmp_path):
    """Return copies of a game, by seat, with the address of the other seat."""
    return [copy.chain.with_addresses(copy.peer, THERE) for copy in pair(tmp_path)]


def seat(chain, inbox, line, links, place=PLACE, **how) -> Reconnect:
    return Reconnect(
        lambda: chain, {chain.others[0]: Neighbour(line, links)}, inbox, place, **how
    )


def broken_line() -> Connection:
    _, found = trio.open_memory_channel[Link](0)
    return Connection(found, PEER)


def sound_line() -> Connection:
    line = broken_line()
    line._calm()
    return line


async def dial_in_vain(*_, **__):
    await trio.sleep(DIAL_LIMIT)
    raise LinkError("No answer.")


async def test_the_door_stays_open_for_the_peer_alone(street, chains, tmp_path):
    inbox, knocks = Inbox(), StoredKnocks(tmp_path / "knocks")
    links, found = trio.open_memory_channel[Link](10)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat(chains[1], inbox, sound_line(), links, knocks=knocks).run)
        await trio.testing.wait_all_tasks_blocked()
        for number in range(3):
            await street.guests.send(f"guest {number}")
            assert await found.receive() == f"guest {number}"
        nursery.cancel_scope.cancel()
    assert street.ports == [4717]
    assert street.hosts == [PLACE.hosts]
    assert street.knocks == [knocks]
    assert [way.endpoints[0].port for way in inbox.places] == [4717]
    assert street.keys == [chains[1].link_psk(0, 1)]
    assert street.keys != [chains[1].link_psk(1, 0)]


async def test_seat_behind_a_proxy_dials_through_it_and_tells_no_address(
    street, chains, monkeypatch, autojump_clock
):
    """The seat opens no port, and reads no address of the machine."""
    proxy = Server("127.0.0.1", 9050)
    dialled = []

    async def dial(endpoints, psk, **how):
        dialled.append((endpoints, how))
        await trio.lowlevel.checkpoint()
        return "link"

    monkeypatch.setattr(reconnect, "dial", dial)
    links, found = trio.open_memory_channel[Link](1)
    inbox, place = Inbox(), Place((), None, proxy=proxy)
    search = seat(chains[1], inbox, broken_line(), links, place)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(search.run)
        assert await found.receive() == "link"
        nursery.cancel_scope.cancel()
    assert dialled == [(THERE.endpoints, {"timeout": PROXY_LIMIT, "proxy": proxy})]
    assert (street.ports, inbox.places) == ([], [])


@pytest.mark.parametrize("taken", [{4717}, {4717, None}], ids=["a port", "all usual ports"])
async def test_ports_that_somebody_has_taken_end_no_game(street, chains, taken):
    """The peer is told where to come now."""
    street.taken = taken
    inbox = Inbox()
    links, _ = trio.open_memory_channel[Link](10)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat(chains[1], inbox, sound_line(), links).run)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert street.ports == [5000]
    assert [way.endpoints[0].port for way in inbox.places] == [5000]


@pytest.mark.parametrize("number", [0, 1])
async def test_a_try_that_hears_nothing_holds_up_no_other(
    street, chains, monkeypatch, autojump_clock, number
):
    """Four dials are lost; the fifth is answered, and open dials are given up."""
    begun, given_up, keys = [], [], set()

    async def dial(endpoints, psk, **how) -> str:
        keys.add(psk)
        begun.append(trio.current_time() - start)
        if len(begun) == 5:
            return "link"
        try:
            await trio.sleep(how["timeout"])
        except trio.Cancelled:
            given_up.append(trio.current_time() - start)
            raise
        raise LinkError("No answer.")

    monkeypatch.setattr(reconnect, "dial", dial)
    inbox, start = Inbox(), trio.current_time()
    links, found = trio.open_memory_channel[Link](1)
    line = broken_line()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat(chains[number], inbox, line, links).run)
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
    assert keys == {chains[number].link_psk(number, 1 - number)}


def pauses(count: int) -> list[float]:
    return [FIRST_PAUSE * reconnect.GROWTH**number for number in range(count)]


async def test_dialling_slows_down(street, chains, monkeypatch, autojump_clock):
    """Without an answer, dials slow down from once a second to once a minute."""
    begun = []

    async def dial(*_, **__) -> str:
        begun.append(trio.current_time())
        raise LinkError("No answer.")

    monkeypatch.setattr(reconnect, "dial", dial)
    links, _ = trio.open_memory_channel[Link](1)
    with trio.move_on_after(24 * 3600):
        await seat(chains[1], Inbox(), broken_line(), links).run()
    gaps = [later - earlier for earlier, later in pairwise(begun)]
    assert min(gaps) == pytest.approx(FIRST_PAUSE)
    assert gaps[-1] == pytest.approx(LONGEST_PAUSE)
    assert len(begun) < 24 * 60 + 30


async def test_a_link_that_ends_at_once_does_not_begin_the_hurry_anew(
    street, chains, monkeypatch, autojump_clock
):
    """A peer that answers and hangs up is dialled ever more slowly, too."""
    begun = []
    line = broken_line()

    async def dial(*_, **__) -> str:
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
            nursery.start_soon(seat(chains[1], Inbox(), line, links).run)
            nursery.start_soon(lose)
    gaps = [later - earlier for earlier, later in pairwise(begun)]
    assert gaps[-1] > 10 * gaps[0]


def way(*addresses: str, port: int = 4717) -> PeerAddresses:
    return PeerAddresses(at_port(map(ip_address, addresses), port))


@pytest.mark.parametrize(
    ("remote", "told", "dialled"),
    [
        ("203.0.113.5", ("203.0.113.5", "8.8.8.8", "10.0.0.1", "127.0.0.1"), None),
        ("8.8.8.8", ("1.1.1.1", "10.0.0.1", "127.0.0.1", "fe80::1"), ("1.1.1.1", "8.8.8.8")),
        ("2600::1", ("1.1.1.1", "::1", "fd00::1"), ("1.1.1.1", "2600::1")),
        ("10.1.2.3", ("10.0.0.1", "8.8.8.8", "fd00::1"), ("10.0.0.1", "fd00::1", "10.1.2.3")),
        ("127.0.0.1", ("127.0.0.2", "8.8.8.8", "::1"), ("127.0.0.2", "::1", "127.0.0.1")),
        ("::ffff:8.8.8.8", ("1.1.1.1", "10.0.0.1"), ("1.1.1.1", "8.8.8.8")),
        ("10.1.2.3", ("0.0.0.0", "::", "::ffff:0.0.0.0", "0.1.2.3"), ("10.1.2.3",)),
        ("10.1.2.3", ("224.0.0.1", "255.255.255.255", "ff12::1"), ("10.1.2.3",)),
        ("169.254.1.1", ("169.254.1.2", "fe80::1"), ("169.254.1.1",)),
        (None, ("127.0.0.1", "8.8.8.8"), ("127.0.0.1", "8.8.8.8")),
    ],
)
def test_a_peer_sends_us_to_no_other_kind_of_place_than_it_comes_from(remote, told, dialled):
    """The seen address is dialled too: behind a router the peer may not know the address."""
    if remote == "203.0.113.5":  # of the documentation: counts as a private network
        dialled = ("203.0.113.5", "10.0.0.1")
    come_from = None if remote is None else ip_address(remote)
    assert dialable_addresses(way(*told), come_from, None) == way(*dialled)


def test_useless_addresses_of_the_peer_leave_only_the_seen_address_to_dial():
    told = replace(way("192.168.1.2"), punch_port=40_001)
    there = dialable_addresses(told, ip_address("8.8.8.8"), None)
    assert there == replace(way("8.8.8.8"), punch_port=40_001)
    assert punch_targets(there, ()) == (Endpoint(ip_address("8.8.8.8"), 40_001),)
    assert dialable_addresses(way("127.0.0.1"), None, None) == way("127.0.0.1")


def test_seven_are_dialled_at_most():
    told = way(*(f"1.1.1.{number}" for number in range(7)))
    there = dialable_addresses(told, ip_address("8.8.8.8"), None)
    assert there.endpoints == (*told.endpoints[:6], Endpoint(ip_address("8.8.8.8"), 4717))


def test_only_addresses_of_the_internet_are_punched_and_never_our_own():
    told = replace(way("8.8.8.8", "192.168.1.2", "1.1.1.1", "2600::1"), punch_port=40_001)
    own = at_port([ip_address("1.1.1.1")], 4717)
    found = punch_targets(told, own)
    assert [str(each.address) for each in found] == ["8.8.8.8", "2600::1"]
    assert {each.port for each in found} == {40_001}
    assert punch_targets(replace(told, punch_port=None), own) == ()
    assert punch_targets(replace(told, punch_port=1023), own) == ()
    assert punch_targets(None, own) == ()


async def test_the_peer_is_told_when_this_machine_has_moved(street, chains, autojump_clock):
    inbox = Inbox()
    links, _ = trio.open_memory_channel[Link](10)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat(chains[1], inbox, sound_line(), links).run)
        await trio.sleep(3 * LOOK_EVERY)
        assert inbox.places == [PLACE.way(4717)]
        street.addresses = (ip_address("198.51.100.7"),)
        await trio.sleep(3 * LOOK_EVERY)
        nursery.cancel_scope.cancel()
    moved = replace(PLACE, addresses=street.addresses)
    assert inbox.places == [PLACE.way(4717), moved.way(4717)]


@pytest.mark.parametrize(
    ("trouble", "asked"),
    [(4.0, []), (6.0, [5.0]), (50.0, [5.0, 40.0]), (math.inf, [5, 40, 75])],
)
async def test_routers_are_asked_again_while_there_is_trouble(
    street, chains, monkeypatch, autojump_clock, trouble, asked
):
    """The search asks the routers anew: the machine may have slept longer than a lease."""
    gateways, found = object(), []

    async def find_gateways():
        await trio.lowlevel.checkpoint()
        return gateways

    async def ask(*about):
        found.append((trio.current_time() - start, about))
        await trio.lowlevel.checkpoint()

    monkeypatch.setattr(reconnect, "find_gateways", find_gateways)

    monkeypatch.setattr(reconnect, "dial", dial_in_vain)
    street.addresses = (ip_address("192.168.1.2"), ip_address("2600::1"))
    links, _ = trio.open_memory_channel[Link](1)
    line = broken_line()
    place = replace(PLACE, router=SimpleNamespace(ask=ask, way_to=lambda _: ()))
    start = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat(chains[1], Inbox(), line, links, place).run)
        with trio.move_on_after(100):
            await trio.sleep(trouble)
            line._calm()
            await trio.sleep(100)
        nursery.cancel_scope.cancel()
    assert [when for when, _ in found] == pytest.approx(asked)
    assert {about for _, about in found} <= {(gateways, ip_address("2600::1"))}


def test_port_of_a_router_comes_after_only_the_first_address():
    """The port of the first address shows later which port the peer was told."""
    addresses = [ip_address(f"192.168.1.{number}") for number in range(9)]
    outside = Endpoint(ip_address("8.8.8.8"), 4718)

    def way_to(port):
        return (outside,) if port == 4717 else at_port([outside.address], port)

    place = replace(
        PLACE, addresses=tuple(addresses), router=SimpleNamespace(way_to=way_to), punch_port=9
    )
    told = place.way(4717)
    assert told.endpoints == (
        *at_port(addresses[:1], 4717),
        outside,
        *at_port(addresses[1:6], 4717),
    )
    assert told.punch_port == 9
    assert place.way(5000).endpoints[1] == Endpoint(outside.address, 5000)


class _Punching:
    """Notes each punch, with the kind of seat; a punch ends with ``result``."""

    def __init__(self, monkeypatch, result="link", after=0.0):
        self.done = []

        async def punch(kind, port, targets, psk, *knocks):
            self.done.append((kind, port, targets, psk, *knocks))
            await trio.sleep(after)
            return result

        monkeypatch.setattr(reconnect, "punch_as_host", partial(punch, "host"))
        monkeypatch.setattr(reconnect, "punch_as_guest", partial(punch, "guest"))

        monkeypatch.setattr(reconnect, "dial", dial_in_vain)


def punching(chains, number, line, links, **how):
    """Return the search for a peer with a punch port on the internet."""
    told = replace(way("8.8.8.8"), punch_port=40_001)
    chain = chains[number].with_addresses(Seat(1 - number), told)
    place = replace(PLACE, punch_port=40_002)
    return seat(chain, Inbox(), line, links, place, **how)


@pytest.mark.parametrize("number", [0, 1])
async def test_both_dial_from_their_punch_ports_while_there_is_trouble(
    street, chains, monkeypatch, autojump_clock, number, tmp_path
):
    """Seat 1 always speaks first: both seats take the key for a dialling seat 1."""
    punched, knocks = _Punching(monkeypatch), StoredKnocks(tmp_path / "knocks")
    links, found = trio.open_memory_channel[Link](1)
    line, abandoned = broken_line(), []

    async def abandon(port):
        abandoned.append(port)

    monkeypatch.setattr(line, "abandon", abandon)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(punching(chains, number, line, links, knocks=knocks).run)
        assert await found.receive() == "link"
        line._calm()
        await trio.sleep(60)
        nursery.cancel_scope.cancel()
    target = (Endpoint(ip_address("8.8.8.8"), 40_001),)
    expected = ("host" if number == 0 else "guest", 40_002, target, chains[0].link_psk(1, 0))
    assert punched.done == [(*expected, knocks) if number == 0 else expected]
    assert abandoned == [40_002]


async def test_punching_ends_when_the_old_line_is_well_again(
    street, chains, monkeypatch, autojump_clock
):
    punched = _Punching(monkeypatch, after=1000.0)
    links, found = trio.open_memory_channel[Link](1)
    line = broken_line()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(punching(chains, 1, line, links).run)
        await trio.sleep(5)
        line._calm()
        await trio.sleep(2000)
        nursery.cancel_scope.cancel()
    assert len(punched.done) == 1
    with pytest.raises(trio.WouldBlock):
        found.receive_nowait()


async def test_punching_pauses_after_ten_minutes(street, chains, monkeypatch, autojump_clock):
    punched = _Punching(monkeypatch, after=math.inf)
    links, _ = trio.open_memory_channel[Link](1)
    with trio.move_on_after(PUNCH_LIMIT + 1):
        await punching(chains, 1, broken_line(), links).run()
    assert len(punched.done) == 2


async def test_peer_without_a_punch_port_is_not_punched_at(
    street, chains, monkeypatch, autojump_clock
):
    punched = _Punching(monkeypatch)
    links, _ = trio.open_memory_channel[Link](1)
    place = replace(PLACE, punch_port=40_002)
    with trio.move_on_after(60):
        await seat(chains[1], Inbox(), broken_line(), links, place).run()
    assert punched.done == []


class _Cut(Arrival):
    """Our end of a link that ends before its confirmation: we can only knock or answer."""

    words = 1

    async def send_all(self, data):
        if not self.words:
            raise trio.BrokenResourceError
        self.words -= 1
        await super().send_all(data)

    def setsockopt(self, *_):
        """Refuse options, as some systems do when the other end has hung up."""
        raise OSError(errno.EINVAL, "Invalid argument")


class _Peer:
    """The peer at the other end of each link. The first link ends before its confirmation.

    psk: of the links.
    """

    def __init__(self, psk, nursery) -> None:
        self._psk = psk
        self._nursery = nursery
        self.links = 0

    def answer(self) -> trio.abc.Stream:
        """Return our end of a link on which we speak first."""
        near, far = trio.testing.memory_stream_pair()
        self._nursery.start_soon(self._respond, far)
        return self._kind()(near, "192.0.2.2")

    def knock(self) -> trio.abc.Stream:
        """Return our end of a link on which the peer speaks first."""
        near, far = trio.testing.memory_stream_pair()
        kind = self._kind()
        self._nursery.start_soon(self._initiate, far, kind is _Cut)
        return kind(near, "192.0.2.2")

    def _kind(self) -> type[Arrival]:
        self.links += 1
        return _Cut if self.links == 1 else Arrival

    async def _respond(self, stream) -> None:
        with suppress(LinkError):
            await respond(stream, self._psk)

    async def _initiate(self, stream, cut) -> None:
        channel = await knock(stream, self._psk)
        if cut:
            await stream.aclose()
        else:
            await confirm(stream, channel)


def _lead_to(peer, monkeypatch, *, dialled) -> Door:
    """Let each way out lead to ``peer``; return the door for links that come in.

    dialled: whether a dial is answered. Punching always leads to the peer.
    """
    door = Door()

    async def open_stream(*_) -> trio.abc.Stream:
        await trio.lowlevel.checkpoint()
        if not dialled:
            raise OSError(errno.ECONNREFUSED, "refused")
        return peer.answer()

    async def connect(*how) -> socket.socket:
        await trio.lowlevel.checkpoint()
        punched.append(peer.answer if len(how) == 3 else peer.knock)
        return socket.socket()

    def stream(made) -> trio.abc.Stream:
        made.close()
        return punched.pop()()

    async def listen(*_):
        await trio.lowlevel.checkpoint()
        return Listener([door])

    punched = list[Callable[[], trio.abc.Stream]]()
    monkeypatch.setattr(transport_dial, "_open", open_stream)
    monkeypatch.setattr(transport_dial, "open_through", open_stream)
    monkeypatch.setattr(punch, "_connect", connect)
    monkeypatch.setattr(punch, "_stream", stream)
    monkeypatch.setattr(reconnect, "listen", listen)
    return door


PUNCHING = replace(PLACE, punch_port=40_002)
PUNCHED = replace(way("8.8.8.8"), punch_port=40_001)
PROXY = Place((), None, proxy=Server("127.0.0.1", 9050))
OPEN = replace(PLACE, others={Psk(bytes(32)): Link.aclose})
"""A place that stays open, also if no neighbour is sought."""


WAYS = {
    "dialled": (1, PLACE, THERE),
    "proxied": (1, PROXY, THERE),
    "direct": (1, OPEN, THERE),
    "accepted": (1, PLACE, THERE),
    "punched as host": (0, PUNCHING, PUNCHED),
    "punched as guest": (1, PUNCHING, PUNCHED),
}
"""Each kind of link: our seat, our place, and the place of the peer."""


@pytest.mark.parametrize("kind", WAYS)
async def test_link_that_ends_before_its_confirmation_ends_no_search(
    chains, monkeypatch, autojump_clock, kind
):
    """The search goes on, and finds the next link."""
    number, own, told = WAYS[kind]
    chain = chains[number].with_addresses(1 - number, told)
    links, found = trio.open_memory_channel[Link](1)
    _, unused = trio.open_memory_channel[Link](0)
    line = Connection(unused, PEER, beside=kind == "direct")
    async with trio.open_nursery() as nursery:
        psk = chain.link_psk(0, 1) if kind == "accepted" else chain.link_psk(1, 0)
        peer = _Peer(psk, nursery)
        door = _lead_to(peer, monkeypatch, dialled=kind in {"dialled", "proxied", "direct"})
        nursery.start_soon(seat(chain, Inbox(), line, links, own).run)
        if kind == "accepted":
            await trio.testing.wait_all_tasks_blocked()
            door.take(peer.knock())
            door.take(peer.knock())
        with trio.fail_after(1000):
            link = await found.receive()
        assert link.remote == ip_address("192.0.2.2")
        assert peer.links == 2
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(("port", "known"), [(1023, None), (22, 4717), (80, 80), (1024, None)])
def test_ports_of_services_are_dialled_only_if_the_invite_says_so(port, known):
    told = way("1.1.1.1", port=port)
    before = None if known is None else way("1.1.1.1", port=known)
    dialled = dialable_addresses(told, ip_address("1.1.1.1"), before)
    assert dialled == (told if port >= 1024 or port == known else None)


def test_a_first_message_is_answered_once_also_by_a_program_started_again(tmp_path):
    knocks = StoredKnocks(tmp_path / "knocks")
    assert knocks.remember(b"a" * 48)
    assert not knocks.remember(b"a" * 48)
    assert knocks.remember(b"b" * 48)
    again = StoredKnocks(tmp_path / "knocks")
    assert not again.remember(b"a" * 48)
    assert not again.remember(b"b" * 48)
    assert again.remember(b"c" * 48)
    assert (tmp_path / "knocks").stat().st_size == 3 * 32


def test_a_file_of_first_messages_that_is_a_link_or_torn_ends_no_game(tmp_path):
    (tmp_path / "knocks").symlink_to(tmp_path / "elsewhere")
    assert StoredKnocks(tmp_path / "knocks").remember(b"a" * 48)
    assert not (tmp_path / "elsewhere").exists()
    (tmp_path / "knocks").unlink()
    (tmp_path / "knocks").write_bytes(bytes(40))
    assert StoredKnocks(tmp_path / "knocks").remember(b"a" * 48)
