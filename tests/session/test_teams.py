"""A team resigns only with both partners (SPEC#records), in the toy game of two teams."""

import pytest

from matcha_p2p.chain.records import gives_up
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import (
    Broken,
    Concede,
    GameEvent,
    MakeMove,
    MoveDue,
    ResignOffered,
    Withheld,
)
from matcha_p2p.table.table import next_due
from tests.games.toy import steps as toy
from tests.session.room import Room, know_toy
from tests.session.test_words import come_back, finish

STAR = "star of four"


@pytest.fixture(autouse=True)
def teams(monkeypatch):
    know_toy(monkeypatch)
    monkeypatch.setattr(toy, "new_game", lambda _, seats: toy.ToyOfTeams(seats, Seat(3)))


def partner(seat: int) -> Seat:
    return Seat((seat + 2) % 4)


@pytest.fixture
def room():
    """Return a room in which a seat is asked, and does not answer."""
    room = Room(STAR, "a team resigns")
    room.most = 0
    room.run()
    return room


def due(room: Room) -> Seat:
    owed = next_due(room.chain(0).table)
    assert owed is not None
    return owed.seat


def move(room: Room) -> None:
    """Let only the seat that is asked make a move."""
    seat = due(room)
    room.do(seat, MakeMove(room.told(seat, MoveDue)[-1].view.legal_moves()[0]))
    room.run()


def play_on(room: Room) -> None:
    """Let the game go on to its end, and check that nobody is blamed."""
    room.most = 1 << 16
    move(room)
    finish(room, STAR)
    assert {room.chain(seat).finished for seat in room.seats} == {True}
    assert {room.chain(seat).resigned for seat in room.seats} == {None}
    check_blameless(room)


def check_blameless(room: Room) -> None:
    for seat in room.seats:
        assert room.told(seat, Broken) + room.told(seat, Withheld) == []


def check_resigned(room: Room, *by: int) -> None:
    """Check that the game has ended for all by a resignation of a seat in ``by``."""
    finish(room, STAR)
    (first,) = {room.chain(seat).resigned for seat in room.seats}
    assert first in by
    for seat in room.seats:
        last = room.told(seat, GameEvent)[-1].event
        assert (last.how, set(last.winners)) == ("resigned", set(room.seats) - {first})
    check_blameless(room)


def test_offer_alone_ends_nothing_and_all_hear_of_it_once(room):
    seat = partner(due(room))
    room.do(seat, Concede())
    room.do(seat, Concede())
    room.run()
    for other in room.seats:
        (told,) = room.told(other, ResignOffered)
        assert (told.seat, told.partner, told.name) == (seat, due(room), f"seat {seat}")
        assert not room.chain(other).finished
    play_on(room)


def test_partner_who_agrees_ends_the_game(room):
    seat = due(room)
    room.do(partner(seat), Concede())
    room.run()
    room.do(seat, Concede())
    check_resigned(room, seat)


def test_seat_of_the_other_team_agrees_to_nothing(room):
    seat = due(room)
    room.do(seat, Concede())
    room.run()
    room.do((seat + 1) % 4, Concede())
    room.run()
    assert {room.chain(other).resigned for other in room.seats} == {None}
    assert len(room.told(seat, ResignOffered)) == 2
    play_on(room)


def test_offers_that_cross_end_the_game(room):
    seat = due(room)
    room.do(partner(seat), Concede())
    room.do(seat, Concede())
    room.run()
    check_resigned(room, seat, partner(seat))


def test_offer_ends_with_the_next_entry_of_its_author(room):
    seat = due(room)
    room.do(seat, Concede())
    move(room)
    room.do(partner(seat), Concede())
    room.run()
    assert {room.chain(other).resigned for other in room.seats} == {None}
    room.do(seat, Concede())
    check_resigned(room, seat)


def test_lost_agreement_comes_back_before_the_seat_goes_on():
    room = Room(STAR, "a team resigns", stays=True)  # nobody has left when the seat is back
    room.most = 0
    room.run()
    seat = due(room)
    room.do(partner(seat), Concede())
    room.run()
    room.do(seat, Concede())
    room.run(until=lambda: room.chain((seat + 1) % 4).resigned is not None)
    come_back(room, STAR, seat, 1)
    assert room.chain(seat).resigned is None
    check_resigned(room, seat)


def test_offer_of_another_seat_holds_up_no_restarted_seat(room):
    seat = due(room)
    room.do(partner(seat), Concede())
    room.run()
    other = (seat + 1) % 4
    come_back(room, STAR, other, 0)
    room.run()
    room.time_passes()
    assert room.chain(other).whole
    assert room.told(other, Withheld) == []
    play_on(room)


def test_restarted_seat_hears_again_of_the_open_offer(room):
    seat = due(room)
    room.do(partner(seat), Concede())
    room.run()
    come_back(room, STAR, seat, 0)
    assert [told.seat for told in room.told(seat, ResignOffered)] == [partner(seat)] * 2
    room.run()
    room.do(seat, Concede())
    check_resigned(room, seat)


@pytest.mark.parametrize("seed", range(12))
def test_offers_that_cross_the_decision_change_nothing(seed):
    room = Room("mesh of four", f"late {seed}")
    room.run(until=lambda: any(room.chain(seat).ended for seat in room.seats))
    (last, *_) = [seat for seat in room.seats if room.chain(seat).ended]
    for seat in ((last + 1) % 4, (last + 3) % 4):
        room.do(seat, Concede())
    finish(room, "mesh of four")
    assert {room.chain(seat).finished for seat in room.seats} == {True}
    assert {room.chain(seat).resigned for seat in room.seats} == {None}
    agreed = [record.seat for record in room.chain(0).records if gives_up(record)]
    assert len(agreed) == len({*agreed})
    check_blameless(room)
