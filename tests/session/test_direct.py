"""Guests of a star link directly: the game goes on past a host that withholds or is cut off."""

import math
import random
from dataclasses import replace
from ipaddress import ip_address

import pytest
import trio

from matcha_p2p.seats import Seat
from matcha_p2p.session import news, reconnect
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import LineDown, LineHeard, LineQuiet
from matcha_p2p.session.connection.line import Connection
from matcha_p2p.session.connection.peer_addresses import relayed_addresses
from matcha_p2p.session.news import FarSeatMissing, Finished, LineChanged
from matcha_p2p.session.reconnect import Neighbour, Place, Reconnect
from matcha_p2p.session.step import state as states
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.talk import PeerAddresses
from tests.session.room import Room, know_toy


@pytest.fixture(autouse=True)
def known(monkeypatch):
    know_toy(monkeypatch)


def way(*places: str) -> PeerAddresses:
    """Return the places, each as ADDRESS or ADDRESS/PORT."""
    split = [place.partition("/") for place in places]
    return PeerAddresses(
        tuple(Endpoint(ip_address(address), int(port or 4717)) for address, _, port in split)
    )


PLACES = way("8.8.8.8", "9.9.9.9/80", "10.0.0.1", "127.0.0.1", "0.0.0.0")


# --- where to dial ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("remote", "dialled"),
    [
        (None, ("8.8.8.8",)),
        ("1.1.1.1", ("8.8.8.8",)),
        ("192.168.1.1", ("8.8.8.8", "10.0.0.1")),
        ("127.0.0.1", ("8.8.8.8", "127.0.0.1")),
    ],
)
def test_relayed_places_are_of_the_internet_or_of_the_relays_network(remote, dialled):
    relay = None if remote is None else ip_address(remote)
    assert relayed_addresses(PLACES, relay, None) == way(*dialled)


def test_relayed_places_keep_the_known_places():
    known = PeerAddresses(way("10.0.0.7").endpoints, 40_000)
    there = relayed_addresses(way("8.8.8.8", "10.0.0.9"), ip_address("1.1.1.1"), known)
    assert there == PeerAddresses(way("8.8.8.8", "10.0.0.7").endpoints, 40_000)
    assert relayed_addresses(way("10.0.0.9"), None, None) is None
    many = way(*(f"8.8.8.{n}" for n in range(1, 8)))
    there = relayed_addresses(many, None, known)
    assert there is not None
    assert there.endpoints == many.endpoints


def test_places_of_a_guest_reach_the_other_guests_by_the_host():
    room = Room("star of four", "ways")
    room.run(room.has(4))
    room.do(1, PLACES)
    room.run()
    assert room.chain(2).ways[Seat(1)] == room.chain(3).ways[Seat(1)] == way("8.8.8.8")


def test_places_of_the_host_are_told_and_a_table_with_one_guest_tells_none():
    room = Room("star of three", "ways")
    room.run(room.has(3))
    room.do(0, way("8.8.8.8"))
    assert room.chain(0).words.ways[Seat(0)].way == way("8.8.8.8")
    pair = Room("pair", "ways")
    pair.run(pair.has(2))
    pair.do(0, way("8.8.8.8"))
    assert not pair.chain(0).words.ways


def test_word_about_places_is_made_once_for_each_change():
    room = Room("star of three", "ways")
    room.run(room.has(3))
    for place in ("8.8.8.8", "8.8.8.8", "9.9.9.9"):
        room.do(1, way(place))
    room.run()
    word = room.chain(2).words.ways[Seat(1)]
    assert (word.place, word.way) == ((0, 1), way("9.9.9.9"))
    assert room.chain(2).ways[Seat(1)].endpoints[0] == way("9.9.9.9").endpoints[0]


def test_old_places_of_a_restarted_guest_are_passed_over():
    room = Room("star of three", "ways")
    room.run(room.has(3))
    room.do(1, way("8.8.8.8"))
    room.run(lambda: Seat(1) in room.chain(2).words.ways)
    old = replace(room.chain(2).words.ways[Seat(1)], number=7)
    assert room.chain(2).words.news(old)
    room.restart(1)
    room.link(0, 1)
    room.run(lambda: room.chain(2).words.run_of(Seat(1)) > 0)
    assert not replace(room.chain(2).words, ways={}).news(old)


# --- direct links ----------------------------------------------------------------------------


def withhold(room: Room, author: int) -> None:
    """Let the host pass on no further entry, from an entry of ``author`` on."""
    kept_from = {author}

    def relay(sender, to, frame):
        if sender != 0 or frame.kind is not Kind.MSG or to == author:
            return [frame]
        if parse_entry(frame.payload).seat == author:
            kept_from.add(to)
        return [] if to in kept_from else [frame]

    room.relay = relay


def begun(seed: str, *, stays: bool = False) -> Room:
    room = Room("star of four", seed, stays=stays)
    room.run(room.has(4))
    return room


def test_game_goes_on_by_direct_links_past_a_host_that_withholds():
    room = begun("withheld")
    withhold(room, 1)
    room.run()
    assert all(isinstance(state, states.Playing) for state in room.states.values())
    stood_still = len(room.chain(2).entries)
    room.link(1, 2, beside=True)
    room.link(2, 3, beside=True)
    room.run()
    assert len(room.chain(3).entries) > stood_still
    assert {type(room.states[seat].ending) for seat in room.seats} == {Finished}
    assert len({room.chain(seat).transcript for seat in room.seats}) == 1


def test_direct_link_that_breaks_is_forgotten_and_nobody_is_told():
    room = begun("forgotten", stays=True)
    room.link(1, 2, beside=True)
    room.run(room.has(8))
    assert set(room.states[Seat(1)].links) == {0, 2}
    room.cut(1, 2)
    assert set(room.states[Seat(1)].links) == {0}
    assert not any(room.told(seat, LineChanged) for seat in (1, 2))
    room.run()
    assert len({room.chain(seat).transcript for seat in room.seats}) == 1


def test_direct_link_outlives_the_line_to_the_host():
    room = begun("cut off", stays=True)
    for pair in ((1, 2), (2, 3), (1, 3)):
        room.link(*pair, beside=True)
    room.cut(0, 1)
    room.run()
    assert isinstance(room.states[Seat(1)].links[Seat(0)], states.Apart)
    assert all(room.chain(seat).finished for seat in room.seats)


def left_by(seat: int) -> Room:
    """Return a table whose guests 1 and 2 were linked when ``seat`` left."""
    room = begun("left")
    room.link(1, 2, beside=True)
    room.run(room.has(8))
    room.do(seat, news.Leave())
    room.run()
    return room


def test_guest_that_leaves_ends_the_direct_link_alone():
    room = left_by(1)
    assert isinstance(room.states[Seat(1)], states.SessionOver)
    assert set(room.states[Seat(2)].links) == {0}
    assert not room.states[Seat(2)].gone


def test_guests_leave_when_the_host_leaves_though_they_are_linked():
    room = left_by(0)
    endings = {type(room.states[Seat(seat)].ending) for seat in (1, 2)}
    assert endings == {news.Interrupted}


@pytest.mark.parametrize("withheld", [frozenset(), frozenset({Kind.AGAIN, Kind.BYE})])
def test_game_is_given_away_once_direct_neighbours_have_it(withheld):
    """A host that leaves without a goodbye keeps no guest from its end of the game."""
    room = begun("given away")
    room.link(1, 2, beside=True)

    def relay(sender, _to, frame):
        return [] if sender == 0 and frame.kind in withheld else [frame]

    room.relay = relay
    room.run()
    if withheld:
        for seat in (1, 2, 3):
            room.cut(0, seat)
        room.time_passes()
    assert all(room.chain(seat).finished for seat in room.seats)
    assert {type(room.states[seat].ending) for seat in room.seats} == {Finished}


def test_next_game_begins_on_the_links_of_the_star():
    room = begun("again", stays=True)
    room.link(1, 2, beside=True)
    room.run()
    for seat in room.seats:
        room.wish(seat)
    room.run(lambda: all(room.games) and room.has(8)())
    assert [len(games) for games in room.games] == [1] * 4
    for seat in (1, 2, 3):
        assert set(room.states[Seat(seat)].links) == {0}
    room.link(1, 2, beside=True)
    room.run()
    assert all(room.chain(seat).finished for seat in room.seats)


# --- direct links of a game that begins ------------------------------------------------------


def test_unreadable_frame_on_a_direct_link_ends_the_link_before_the_greetings():
    room = Room("star of four", "early")
    room.link(1, 2, beside=True)
    room.hear(1, 2, Frame(Kind.SYNC, b"unreadable"))
    assert set(room.states[Seat(1)].links) == {0}
    assert not room.told(1, LineChanged)


def test_end_of_the_direct_links_is_no_news_in_the_next_game():
    """The line tells the end of the link once the next game has begun."""
    room = begun("again", stays=True)
    room.link(1, 2, beside=True)
    room.run()
    for seat in room.seats:
        room.wish(seat)
    room.run(lambda: all(room.games))
    assert isinstance(room.states[Seat(1)], states.Greeting)
    room.do(1, LineDown("The link has ended.", Seat(2)))
    assert set(room.states[Seat(1)].links) == {0}
    assert not room.told(1, LineChanged)


@pytest.mark.parametrize("refused", [False, True])
def test_last_direct_link_ends_the_session_once_the_host_has_left(refused):
    room = begun("alone", stays=True)
    room.link(1, 2, beside=True)
    room.run()
    room.do(0, news.Leave())
    room.run()
    assert set(room.states[Seat(1)].links) == {2}
    if refused:
        room.hear(1, 2, Frame(Kind.WAY, b"unreadable"))
    else:
        room.cut(1, 2)
    assert isinstance(room.states[Seat(1)], states.SessionOver)


@pytest.mark.parametrize("change", [LineQuiet(10.0, Seat(2)), LineHeard(Seat(2))])
def test_silence_of_a_direct_link_that_has_ended_is_no_news(change):
    room = begun("late")
    room.link(1, 2, beside=True)
    room.cut(1, 2)
    room.do(1, change)
    assert set(room.states[Seat(1)].links) == {0}
    assert not room.told(1, LineChanged)


# --- by whose way ----------------------------------------------------------------------------


def test_person_reads_by_whose_way_a_message_is_missing():
    room = begun("far")
    withhold(room, 1)
    room.run()
    room.time_passes()
    (told,) = room.told(2, FarSeatMissing)
    assert (told.name, told.ways) == ("seat 1", ("seat 0",))
    room.time_passes()
    assert len(room.told(2, FarSeatMissing)) == 1
    assert not room.told(0, FarSeatMissing)


def test_person_with_a_direct_link_to_the_author_is_told_nothing():
    room = begun("near")
    withhold(room, 1)
    room.run()
    room.relay = lambda sender, _to, frame: [] if sender == 1 else [frame]
    room.link(1, 2, beside=True)
    room.run()
    room.time_passes()
    assert isinstance(room.states[Seat(2)], states.Playing)
    assert not room.told(2, FarSeatMissing)
    assert room.told(3, FarSeatMissing)


# --- dialling --------------------------------------------------------------------------------


@pytest.fixture
def lonely(monkeypatch):
    """Return a guest's search for another guest, whose address never answers."""
    monkeypatch.setattr(reconnect, "random", random.Random("direct"))
    monkeypatch.setattr(Chain, "link_psk", lambda *_: Psk(bytes(32)))
    room = begun("dials")

    async def search(seconds, changed_at=math.inf):
        tries = list[float]()
        chain = room.chain(1).with_addresses(Seat(2), way("8.8.8.8"))
        began = trio.current_time()

        async def dial(endpoints, _psk, **_how):
            if endpoints[0].address == ip_address("203.0.113.1"):
                await trio.sleep_forever()
            tries.append(trio.current_time() - began)
            await trio.lowlevel.checkpoint()
            raise reconnect.LinkError("No answer.")

        def now():
            late = trio.current_time() - began >= changed_at
            return chain.with_addresses(Seat(2), way("9.9.9.9")) if late else chain

        monkeypatch.setattr(reconnect, "dial", dial)
        links, came = trio.open_memory_channel[Link](1)
        line = Neighbour(Connection(came, Seat(2), beside=True), links)
        host = Neighbour(Connection(came, Seat(0)), links)
        lines = {Seat(2): line, Seat(0): host}
        place = Place((), None, proxy=("proxy", 9050))
        chain = chain.with_addresses(Seat(0), way("203.0.113.1"))
        with trio.move_on_after(seconds):
            await Reconnect(now, lines, news.Inbox(), place).run()
        return tries

    return search


async def test_guest_dials_another_guest_once_and_then_seldom(lonely, autojump_clock):
    first, *later = await lonely(1500)
    assert first <= 2 * reconnect.HOST_YIELDS
    gaps = [after - before for before, after in zip([first, *later], later, strict=False)]
    assert len(gaps) == 4
    for gap, pause in zip(gaps, (60, 120, 240, 480), strict=True):
        assert gap == pytest.approx(pause, rel=reconnect.JITTER + 0.1)


async def test_guest_dials_a_new_address_at_once(lonely, autojump_clock):
    tries = await lonely(40, changed_at=30)
    assert len(tries) == 2
    assert 30 <= tries[1] <= 36
