"""A game that is cut during its greetings goes on like any other."""

from collections.abc import Callable

import pytest

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import LineUp
from matcha_p2p.session.news import Broken, Leave
from matcha_p2p.session.step.state import Greeting, Parting, SessionOver
from matcha_p2p.session.step.step import begin
from matcha_p2p.transport.framing import Frame, Kind
from tests.session.room import GRAPHS, Room, know_toy, on_graphs


@pytest.fixture(autouse=True)
def known(monkeypatch):
    know_toy(monkeypatch)


def greeted(room: Room, entries: int) -> Callable[[], bool]:
    """Return the test whether a seat has as many entries."""
    return lambda: max(len(room.chain(seat).entries) for seat in room.seats) >= entries


def check_played(room: Room) -> None:
    room.run()
    assert all(isinstance(room.states[seat], Parting) for seat in room.seats)
    assert not any(room.told(seat, Broken) for seat in room.seats)
    transcripts = {room.chain(seat).transcript for seat in room.seats}
    assert len(transcripts) == 1
    assert verify_transcript(transcripts.pop()).verdict is Verdict.COMPLETE


@on_graphs(GRAPHS, entries=range(1, 4))
def test_cut_links_of_the_greeting_are_made_again(graph, entries):
    room = Room(graph, f"cut {entries}", stays=True)
    room.run(until=greeted(room, min(entries, len(room.seats))))
    assert any(isinstance(room.states[seat], Greeting) for seat in room.seats)
    for one, other in GRAPHS[graph][1]:
        room.cut(one, other)
    for one, other in GRAPHS[graph][1]:
        room.link(one, other)
    check_played(room)


@on_graphs(GRAPHS, seat=range(3), back=range(3))
def test_seat_that_is_restarted_during_the_greeting_comes_back(graph, seat, back):
    """back: how many items the disk has lost, also our own HELLO."""
    room = Room(graph, f"restart {seat} {back}", stays=True)
    room.run(until=greeted(room, 2))
    seat = min(seat, room.seats[-1])
    room.restart(seat, min(back, len(room.chain(seat).entries)))
    for one, other in GRAPHS[graph][1]:
        if seat in (one, other):
            room.link(one, other)
    check_played(room)


def test_all_seats_restart_during_the_greeting():
    room = Room("star of four", "all", stays=True)
    room.run(until=greeted(room, 3))
    for seat in room.seats:
        room.restart(seat)
    for one, other in GRAPHS["star of four"][1]:
        room.link(one, other)
    check_played(room)


def test_restarted_seat_signs_no_greeting_before_the_words_of_all():
    room = Room("star of three", "waits", stays=True)
    room.run(until=greeted(room, 1))
    room.restart(1)
    room.relay = lambda author, _, frame: (
        [] if author == 2 and frame.kind == Kind.HERE else [frame]
    )
    room.link(0, 1)
    room.run()
    assert len(room.chain(1).entries) == 1
    assert not room.chain(1).whole


def test_table_waits_for_a_seat_that_leaves_during_the_greeting():
    room = Room("star of three", "leaves", stays=True)
    room.run(until=greeted(room, 1))
    room.do(1, Leave())
    room.run()
    assert isinstance(room.states[Seat(1)], SessionOver)
    assert isinstance(room.states[Seat(0)], Greeting)
    room.restart(1)
    room.link(0, 1)
    check_played(room)


@pytest.mark.parametrize("payload", [b"?", bytes(200)])
def test_unreadable_sync_during_the_greeting_ends_its_link_alone(payload):
    room = Room("star of three", "hostile", stays=True)
    room.run(until=greeted(room, 1))
    room.cut(0, 1)
    room.link(0, 1)
    room.hear(0, 1, Frame(Kind.SYNC, payload))
    assert isinstance(room.states[Seat(0)], Greeting)
    assert room.bindings(0).keys() == {2}
    room.link(0, 1)
    check_played(room)


@pytest.mark.parametrize("graph", ["pair", "star of three", "star of four"])
def test_guest_that_left_before_the_greetings_comes_back(graph):
    room = Room(graph, "apart", stays=True)
    ups = [
        LineUp(binding, None, seat) for seat, binding in room.bindings(0).items() if seat != 1
    ]
    room.cut(0, 1)
    chain = room.chain(0).empty
    room.states[Seat(0)], _ = begin(chain, room.terms[0], *ups, apart=[Seat(1)])
    room.run()
    assert isinstance(room.states[Seat(0)], Greeting)
    room.link(0, 1)
    check_played(room)
