"""After a game of three or four seats: once all wish it, the next game begins on the links."""

import random
from dataclasses import replace

import pytest

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import Arrived
from matcha_p2p.session.links import standing
from matcha_p2p.session.news import (
    Concede,
    Finished,
    Interrupted,
    Leave,
    PlayAgain,
    Propose,
    Wishes,
)
from matcha_p2p.session.state import Greeting, Parting, SessionOver, Turning
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.again import AgainWord, NextKeys, sign_again
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.roster import Roster, parse_roster, sign_roster
from matcha_p2p.wire.talk import Proposal
from tests.session.room import GRAPHS, Room, know_toy, own_seat

LARGER = [graph for graph, (seats, _) in GRAPHS.items() if seats > 2]
larger = pytest.mark.parametrize("graph", LARGER)


@pytest.fixture(autouse=True)
def known(monkeypatch):
    know_toy(monkeypatch)


def over(graph: str, seed: str) -> Room:
    """Return a room at the end of its first game; everybody stays."""
    room = Room(graph, seed, stays=True)
    room.run()
    return room


def roster_in(room: Room, seat: int) -> Roster:
    roster = room.chain(seat).state.roster
    assert roster is not None
    return roster


def games_begun(room: Room) -> set[int]:
    return {len(chains) for chains in room.games}


@larger
@pytest.mark.parametrize("order", range(2))
def test_once_all_seats_wish_it_the_next_game_begins_on_the_same_links(graph, order):
    room = over(graph, f"again {order}")
    before = roster_in(room, 0)
    seats = [*room.seats]
    random.Random(order).shuffle(seats)
    for seat in seats:
        assert games_begun(room) == {0}
        room.wish(seat)
        room.run(until=lambda: room.rng.random() < 0.1)
    room.run()
    assert games_begun(room) == {1}
    assert all(isinstance(room.states[seat], Parting) for seat in room.seats)
    rosters = {roster_in(room, seat).encoded for seat in room.seats}
    assert rosters == {roster_in(room, 0).encoded}
    now = roster_in(room, 0)
    assert now.seats == tuple(own_seat(seat).listed for seat in room.seats)
    assert (now.game, now.nonce == before.nonce) == (before.game, False)
    for seat in room.seats:
        first, second = room.games[seat][0], room.chain(seat)
        assert first.transcript == room.games[0][0].transcript
        assert second.transcript == room.chain(0).transcript
        assert second.entries[0].prev == now.id
        for chain in (first, second):
            assert verify_transcript(chain.transcript).verdict is Verdict.COMPLETE


def test_three_games_in_a_row():
    room = over("ring of four", "three")
    for number in (1, 2):
        for seat in room.seats:
            room.wish(seat, number)
        room.run()
    assert games_begun(room) == {2}
    rosters = [*(chain.state.roster for chain in room.games[1]), roster_in(room, 1)]
    assert len({roster.id for roster in rosters if roster is not None}) == 3


def test_table_waits_for_the_last_wish_and_says_for_whom():
    room = over("star of four", "waits")
    for seat in (2, 0, 1):
        room.wish(seat)
        room.run()
    assert games_begun(room) == {0}
    assert room.told(3, Wishes) == [
        Wishes(("seat 2",), ("seat 0", "seat 1", "seat 3")),
        Wishes(("seat 0", "seat 2"), ("seat 1", "seat 3")),
        Wishes(("seat 0", "seat 1", "seat 2"), ("seat 3",)),
    ]
    assert room.told(2, Wishes) == room.told(3, Wishes)
    room.wish(3)
    room.run()
    assert games_begun(room) == {1}


@larger
@pytest.mark.parametrize("leaving", range(3))
def test_seat_that_leaves_tells_all_seats_and_no_game_follows(graph, leaving):
    room = over(graph, f"leaves {leaving}")
    for seat in room.seats:
        if seat != (leaving + 1) % 3:
            room.wish(seat)
    room.run()
    room.do(leaving, Leave())
    room.run()
    room.wish((leaving + 1) % 3)
    room.run()
    assert games_begun(room) == {0}
    for seat in room.seats:
        if seat != leaving:
            assert room.told(seat, Wishes)[-1].left == (f"seat {leaving}",)


def test_wish_is_made_once_and_ends_offers():
    room = over("star of three", "once")
    room.wish(1)
    room.run()
    before = room.chain(1).words
    room.wish(1, 2)
    room.do(1, Propose(Proposal.BOOKS))
    room.run()
    assert room.chain(1).words == before
    assert not any(room.chain(seat).words.opens for seat in room.seats)


def test_wish_during_a_game_counts_for_nothing():
    room = Room("star of three", "early", stays=True)
    room.run(until=room.has(5))
    room.wish(1)
    room.run()
    assert not room.chain(0).words.agains


def test_resigned_game_is_followed_by_another():
    room = Room("ring of three", "resigned", stays=True)
    room.run(until=room.has(6))
    room.do(1, Concede())
    room.run()
    for seat in room.seats:
        room.wish(seat)
    room.run()
    assert games_begun(room) == {1}
    assert {chains[0].resigned for chains in room.games} == {1}


def test_books_that_all_want_are_open_before_the_next_game():
    room = over("ring of three", "books")
    for seat in room.seats:
        room.do(seat, Propose(Proposal.BOOKS))
        room.wish(seat)
    room.run()
    assert games_begun(room) == {1}
    assert all(chains[0].exposed == {0, 1, 2} for chains in room.games)


def test_link_that_breaks_meanwhile_shows_the_wishes_again():
    room = over("star of three", "cut")
    room.wish(1)
    room.wish(2)
    room.cut(0, 1)
    room.run()
    room.wish(0)
    room.run()
    assert games_begun(room) == {0}  # the roster would not reach seat 1
    room.link(0, 1)
    room.run()
    assert games_begun(room) == {1}


def test_restarted_seat_wishes_with_new_keys():
    room = over("star of three", "restarted")
    room.wish(1)
    room.run()
    room.restart(1)
    room.link(0, 1)
    room.run()
    for seat in (0, 2):
        room.wish(seat)
    room.run()
    assert games_begun(room) == {0}  # nobody has the secrets of the first wish
    room.wish(1, 2)
    room.run()
    assert games_begun(room) == {1}
    assert roster_in(room, 0).seats[1] == own_seat(1, 2).listed


# --- hostile seats ---------------------------------------------------------------------------


def test_other_rosters_than_the_wished_begin_nothing():
    """The host signs a roster with a nonce that does not follow from the wishes."""
    room = over("star of three", "other roster")

    def other(author: Seat, _: Seat, frame: Frame) -> list[Frame]:
        if author == 0 and frame.kind is Kind.ROSTER:
            roster = parse_roster(frame.payload)
            seed = own_seat(0).secrets.session
            signed = sign_roster(bytes(32), roster.game, roster.seats, seed)
            return [replace(frame, payload=signed.encoded)]
        return [frame]

    room.relay = other
    for seat in room.seats:
        room.wish(seat)
    room.run()
    assert isinstance(room.states[Seat(0)], Greeting)
    for seat in (1, 2):
        assert isinstance(room.states[Seat(seat)], Parting)
    room.time_passes()
    state = room.states[Seat(0)]
    assert isinstance(state, SessionOver)
    assert isinstance(state.ending, Interrupted)


def forged(room: Room, seat: int, seed: bytes, keys: NextKeys | None) -> AgainWord:
    rid = RosterId(room.chain(0).entries[0].prev)
    return sign_again(rid, Seat(seat), 0, keys, seed)


def test_wish_with_the_signature_of_another_seat_ends_the_link():
    room = over("star of three", "forged")
    word = forged(room, 1, room.chain(2).secrets.session, None)
    binding = standing(room.states[Seat(0)].links)[Seat(2)]
    room.do(0, Arrived(binding, Frame(Kind.AGAIN, word.encoded)))
    assert Seat(2) not in standing(room.states[Seat(0)].links)
    assert not room.chain(0).words.agains


def test_key_of_another_seat_begins_no_game():
    room = over("star of three", "same keys")
    keys = own_seat(1).listed
    taken = NextKeys(keys.session_key, keys.link_key)
    word = forged(room, 2, room.chain(2).secrets.session, taken)
    binding = standing(room.states[Seat(0)].links)[Seat(2)]
    room.do(0, Arrived(binding, Frame(Kind.AGAIN, word.encoded)))
    for seat in (0, 1):
        room.wish(seat)
    room.run()
    assert games_begun(room) == {0}


def test_frames_of_the_game_before_are_passed_over_on_a_link_without_the_roster():
    room = over("star of three", "late")
    for seat in room.seats:
        room.wish(seat)
    room.run(until=lambda: isinstance(room.states[Seat(0)], Greeting))
    state = room.states[Seat(0)]
    assert isinstance(state.links[Seat(1)], Turning)
    binding = standing(state.links)[Seat(1)]
    old = room.games[0][0]
    late = [Frame(Kind.MSG, old.entries[3].encoded), Frame(Kind.ROSTER, b"?")]
    for frame in late:
        room.do(0, Arrived(binding, frame))
    assert room.states[Seat(0)] == state
    room.run()
    assert games_begun(room) == {1}
    assert isinstance(room.states[Seat(0)], Parting)


def test_two_seats_need_no_roster():
    room = Room("pair", "pair", stays=True)
    room.run()
    room.do(0, PlayAgain(own_seat(0)))
    for seat in room.seats:
        room.do(seat, Propose(Proposal.REMATCH))
    room.run()
    assert games_begun(room) == {1}
    assert room.told(0, Wishes) == []
    assert room.chain(0).state.roster is None


@pytest.mark.parametrize("seed", range(8))
def test_no_word_follows_a_goodbye(seed):
    """Bytes that nobody reads would cut the neighbour's own goodbye."""
    room = Room("star of four", f"leaving {seed}")
    sent: dict[tuple[int, int], list[Kind]] = {}

    def relay(sender, receiver, frame):
        sent.setdefault((sender, receiver), []).append(frame.kind)
        return [frame]

    room.relay = relay
    room.run()
    assert all(room.chain(seat).finished for seat in room.seats)
    for kinds in sent.values():
        after = kinds[kinds.index(Kind.BYE) :] if Kind.BYE in kinds else []
        assert Kind.AGAIN not in after


@pytest.mark.parametrize("wished", [True, False])
def test_seat_whose_goodbye_is_lost_is_not_missed_once_it_has_wished_another_game(wished):
    """The AGAIN of a seat says that the seat has the whole game."""
    room = over("star of three", "lost goodbye")
    if wished:
        room.wish(1)
    room.run()
    room.cut(0, 1)
    for seat in (2, 0):
        room.do(seat, Leave())
        room.run()
    room.time_passes()
    room.run()
    state = room.states[Seat(0)]
    assert isinstance(state, SessionOver)
    assert isinstance(state.ending, Finished)
    assert state.ending.seen_off == wished
