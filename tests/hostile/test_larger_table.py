"""A hostile seat at a table of three or four: its neighbours go on, and blame no honest seat."""

import pytest

from matcha_p2p.errors import Check
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import Arrived
from matcha_p2p.session.links import standing
from matcha_p2p.session.news import Broken, Violated
from matcha_p2p.session.state import Greeting, Parting, SessionOver
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.entry import sign_entry
from tests.session.room import Room, know_toy


@pytest.fixture(autouse=True)
def known(monkeypatch):
    know_toy(monkeypatch)


def greeted(graph: str, entries: int) -> Room:
    """Return a room in which the host has ``entries``."""
    room = Room(graph, "hostile", stays=True)
    room.run(until=lambda: len(room.chain(0).entries) >= entries)
    return room


def binding_of(room: Room, reader: int, bearer: int) -> Binding:
    state = room.states[Seat(reader)]
    assert not isinstance(state, SessionOver)
    return standing(state.links)[Seat(bearer)]


def give(room: Room, reader: int, bearer: int, kind: Kind, payload: bytes) -> None:
    """Let ``reader`` hear a frame of ``bearer``."""
    room.do(reader, Arrived(binding_of(room, reader, bearer), Frame(kind, payload)))


def check_whole(room: Room) -> None:
    """Check that all seats have the whole game, and blame nobody."""
    assert all(isinstance(room.states[seat], Parting) for seat in room.seats)
    assert not any(room.told(seat, Broken) for seat in room.seats)


# --- the greetings ---------------------------------------------------------------------------


def unreadable(_: Room) -> bytes:
    return b"?"


def forged(room: Room) -> bytes:
    """Return a greeting in the name of seat 1 that seat 2 has signed."""
    chain = room.chain(0)
    first, seed = chain.entries[0], room.chain(2).secrets.session
    return sign_entry(1, Seat(1), first.id, bytes(16), first.fields, seed).encoded


def out_of_place(room: Room) -> bytes:
    """Return an entry of seat 2 that follows nothing."""
    first, seed = room.chain(0).entries[0], room.chain(2).secrets.session
    return sign_entry(2, Seat(2), first.prev, bytes(16), first.fields, seed).encoded


@pytest.mark.parametrize("lie", [unreadable, forged, out_of_place])
def test_greeting_without_proof_of_its_author_ends_the_link_alone(lie):
    """The host keeps its secrets, and the game begins once the seat comes back."""
    room = greeted("star of three", 1)
    give(room, 0, 2, Kind.MSG, lie(room))
    state = room.states[Seat(0)]
    assert isinstance(state, Greeting)
    assert standing(state.links).keys() == {1}
    room.link(0, 2)
    room.run()
    check_whole(room)


def test_second_greeting_of_a_seat_is_shown_to_every_seat():
    room = greeted("star of four", 3)
    first, seed = room.chain(0).entries[2], room.chain(2).secrets.session
    again = sign_entry(2, Seat(2), first.prev, bytes(16), first.fields, seed)
    give(room, 0, 2, Kind.MSG, again.encoded)
    room.run()
    room.time_passes()
    for seat in room.seats:
        state = room.states[seat]
        assert isinstance(state, SessionOver)
        assert isinstance(state.ending, Violated)
        assert (state.ending.violation.check, state.ending.violation.seat) == (Check.FORK, 2)
