"""After a game of three or four seats: once all wish it, the next game begins on the links."""

import random
from dataclasses import replace

import pytest

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.lobby.own_seat import OwnSeat
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import Arrived
from matcha_p2p.session.news import (
    NO_GREETING_OF,
    Awaited,
    Concede,
    Finished,
    Interrupted,
    Leave,
    PlayAgain,
    Propose,
    Ungreeted,
    Wishes,
)
from matcha_p2p.session.step.links import standing
from matcha_p2p.session.step.state import Greeting, Parting, SessionOver, Turning
from matcha_p2p.session.step.waits import waits
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.again import (
    AgainWord,
    NextKeys,
    parse_again,
    read_next,
    sign_again,
    write_next,
)
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.roster import Roster, parse_roster, sign_roster
from matcha_p2p.wire.talk import Farewell, Proposal, encode_farewell
from tests.session.room import GRAPHS, Room, know_toy, on_graphs, own_seat


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


@on_graphs(GRAPHS, order=range(2))
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


@on_graphs(GRAPHS, place=range(3))
def test_seat_that_leaves_tells_all_seats_and_no_game_follows(graph, place):
    room = over(graph, f"leaves {place}")
    leaving, last = (seat % len(room.seats) for seat in (place, place + 1))
    for seat in room.seats:
        if seat != last:
            room.wish(seat)
    room.run()
    room.do(leaving, Leave())
    room.run()
    room.wish(last)
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
            encoded, agains = read_next(frame.payload)
            roster, seed = parse_roster(encoded), own_seat(0).secrets.session
            signed = sign_roster(bytes(32), roster.game, roster.seats, seed)
            return [replace(frame, payload=write_next(signed.encoded, agains))]
        return [frame]

    room.relay = other
    for seat in room.seats:
        room.wish(seat)
    room.run()
    assert isinstance(room.states[Seat(0)], Greeting)
    for seat in (1, 2):
        assert isinstance(room.states[Seat(seat)], Parting)
    room.time_passes()
    room.run()
    state = room.states[Seat(0)]
    assert isinstance(state, SessionOver)
    assert isinstance(state.ending, Interrupted)
    assert state.ending.why == NO_GREETING_OF(names="seat 1, seat 2", seconds=10.0)


def table_of(room: Room) -> tuple[RosterId, list[bytes]]:
    """Return the id and the session keys of the first game."""
    roster = room.end_of(0).state.roster
    assert roster is not None
    return roster.id, [listed.session_key for listed in roster.seats]


def forged(
    room: Room,
    seat: int,
    seed: bytes,
    following: tuple[NextKeys, bytes] | None,
    run: int = 0,
) -> AgainWord:
    rid, _ = table_of(room)
    return sign_again(rid, Seat(seat), run, following, seed)


def wish_of(room: Room, author: int, keys: NextKeys, own: OwnSeat) -> Frame:
    """Return a wish of ``author`` for ``keys``, proved by the session key of ``own``."""
    following = keys, own.secrets.session
    word = forged(room, author, room.end_of(author).secrets.session, following)
    return Frame(Kind.AGAIN, word.encoded)


def keys_of(own: OwnSeat) -> NextKeys:
    return NextKeys(own.listed.session_key, own.listed.link_key)


def contradicted(room: Room, seat: int) -> tuple[str, ...]:
    return room.told(seat, Wishes)[-1].contradicted


@on_graphs(GRAPHS, order=range(2))
def test_wish_of_a_later_run_for_one_guest_stops_no_other_game(graph, order):
    """The last seat was not started again: it only says so to one neighbour, the highest."""
    room = over(graph, f"later run {order}")
    last = room.seats[-1]
    word = forged(
        room,
        last,
        room.end_of(last).secrets.session,
        (keys_of(own_seat(last, 2)), own_seat(last, 2).secrets.session),
        run=9,
    )
    seats = [*room.seats]
    random.Random(order).shuffle(seats)
    for seat in seats:
        room.wish(seat)
        room.run(until=lambda: room.rng.random() < 0.1)
        receiver = max(room.bindings(last), default=None)
        if seat == last and receiver is not None:
            room.hear(receiver, last, Frame(Kind.AGAIN, word.encoded))
    room.run()
    assert {len(room.games[seat]) for seat in room.seats[:-1]} == {1}
    assert not any(wishes.contradicted for wishes in room.told(0, Wishes))


@on_graphs(GRAPHS, order=range(2))
def test_two_wishes_of_one_seat_stop_no_other_game_unnoticed(graph, order):
    """Each neighbour of the last seat hears another wish of that seat, with other keys."""
    room = over(graph, f"two wishes {order}")
    last = room.seats[-1]

    def two(author: Seat, receiver: Seat, frame: Frame) -> list[Frame]:
        if author != last or frame.kind is not Kind.AGAIN:
            return [frame]
        if parse_again(frame.payload, *table_of(room)).seat != last:
            return [frame]
        own = own_seat(last, 1 + receiver)
        return [wish_of(room, last, keys_of(own), own)]

    room.relay = two
    seats = [*room.seats]
    random.Random(order).shuffle(seats)
    for seat in seats:
        room.wish(seat, 1 if seat != last else 1 + min(room.bindings(last)))
        room.run(until=lambda: room.rng.random() < 0.1)
    room.run()
    honest = [seat for seat in room.seats if seat != last]
    begun = {len(room.games[seat]) for seat in honest}
    assert len(begun) == 1
    if begun == {0}:
        for seat in honest:
            assert contradicted(room, seat) == (f"seat {last}",)
            assert isinstance(room.states[seat], Parting)


@on_graphs(GRAPHS)
def test_seat_that_signs_two_wishes_is_named_to_all_and_no_game_follows(graph):
    room = over(graph, "two wishes")
    last = room.seats[-1]
    for number in (1, 2):
        own = own_seat(last, number)
        for neighbour in room.bindings(last):
            room.hear(neighbour, last, wish_of(room, last, keys_of(own), own))
        room.run()
    for seat in room.seats[:-1]:
        room.wish(seat)
        room.run()
        assert contradicted(room, seat) == (f"seat {last}",)
    assert games_begun(room) == {0}


@on_graphs(GRAPHS)
def test_second_wish_that_comes_after_the_roster_names_the_seat_and_stops_nothing(graph):
    """A neighbour of the host has heard the other wish first, on another way."""
    room = over(graph, "late wish")
    last = room.seats[-1]
    for seat in reversed(room.seats):
        room.wish(seat)
    room.run(until=lambda: isinstance(room.states[Seat(0)], Greeting))
    neighbour = next(iter(room.bindings(0)))
    own = own_seat(last, 2)
    other = wish_of(room, last, keys_of(own), own)
    for _ in range(2):
        room.hear(0, neighbour, other)
    room.run()
    assert games_begun(room) == {1}
    named = [wishes.contradicted for wishes in room.told(0, Wishes) if wishes.contradicted]
    assert named == [(f"seat {last}",)]


def test_seat_that_leaves_after_its_wish_contradicts_nothing():
    room = over("star of three", "leaves")
    room.wish(1)
    room.run()
    room.do(1, Leave())
    room.run()
    assert room.told(2, Wishes)[-1] == Wishes((), ("seat 0", "seat 2"), ("seat 1",))


@on_graphs(GRAPHS, first=[True, False])
def test_copied_session_key_ends_the_link_of_its_author_and_blames_no_honest_seat(graph, first):
    """first: whether the copy comes before the wish of the honest seat."""
    room = over(graph, "copied key")
    victim, last = room.seats[-2:]
    neighbour = min(room.bindings(last))
    copy = wish_of(room, last, keys_of(own_seat(victim)), own_seat(last))
    if first:
        room.hear(neighbour, last, copy)
    room.wish(victim)
    room.run()
    if not first:
        room.hear(neighbour, last, copy)
    assert last not in room.bindings(neighbour)
    room.link(neighbour, last)
    for seat in room.seats:
        room.wish(seat)
    room.run()
    assert games_begun(room) == {1}
    assert not any(
        piece.contradicted for seat in room.seats for piece in room.told(seat, Wishes)
    )


@on_graphs(GRAPHS)
def test_two_seats_that_share_a_session_key_are_both_named(graph):
    room = over(graph, "shared key")
    honest, last = room.seats[-2:]
    shared = own_seat(honest)
    room.wish(honest)
    room.run()
    room.hear(min(room.bindings(last)), last, wish_of(room, last, keys_of(shared), shared))
    room.wish(0)
    room.run()
    assert games_begun(room) == {0}
    assert contradicted(room, 0) == (f"seat {honest}", f"seat {last}")


@on_graphs(GRAPHS)
def test_copied_link_key_stops_no_other_game(graph):
    room = over(graph, "copied link key")
    last = room.seats[-1]
    own = own_seat(last)
    copied = replace(own, listed=replace(own.listed, link_key=own_seat(1).listed.link_key))
    for seat in room.seats[:-1]:
        room.wish(seat)
    room.do(last, PlayAgain(copied))
    room.run()
    assert games_begun(room) == {1}
    listed = roster_in(room, 0).seats
    assert listed[1].link_key == listed[last].link_key


@pytest.mark.parametrize("graph", ["star of three", "star of four"])
@pytest.mark.parametrize("silent", [1, 2, 3])
def test_seat_that_wishes_and_never_greets_is_named_to_all(graph, silent):
    """The silent seat says AGAIN, and then nothing more: neither its roster nor its HELLO."""
    room = over(graph, "silent")
    silent = min(silent, room.seats[-1])

    def mute(author: Seat, _: Seat, frame: Frame) -> list[Frame]:
        return [] if author == silent and frame.kind is not Kind.AGAIN else [frame]

    room.relay = mute
    for seat in room.seats:
        room.wish(seat)
    room.run()
    honest = [seat for seat in room.seats if seat != silent]
    for seat in honest:
        assert isinstance(room.states[seat], Greeting)
    for seat in honest[1:]:  # these cannot know for whom the first seat waits
        others = tuple(f"seat {other}" for other in room.seats if other != seat)
        room.wait(seat, Awaited.FAR)
        assert room.told(seat, Ungreeted) == [Ungreeted(others, 10.0)]
    room.wait(0, Awaited.GREETING)
    room.run()
    room.wait(0, Awaited.HANG_UP)
    for seat in honest:
        state = room.states[seat]
        assert isinstance(state, SessionOver)
        assert isinstance(state.ending, Interrupted)
        assert f"seat {silent}" in state.ending.why
        assert room.games[seat][0].finished


@pytest.mark.parametrize("silent", [1, 2])
def test_seat_that_turns_and_never_greets_is_named_to_all(silent):
    room = over("star of three", "no greeting")

    def mute(author: Seat, _: Seat, frame: Frame) -> list[Frame]:
        return [] if author == silent and frame.kind is Kind.MSG else [frame]

    room.relay = mute
    for seat in room.seats:
        room.wish(seat)
    room.run()
    for seat in room.seats:
        if seat != silent:
            room.wait(seat, Awaited.FAR)
            assert room.told(seat, Ungreeted) == [Ungreeted((f"seat {silent}",), 10.0)]
            assert not any(wait.what is Awaited.FAR for wait in waits(room.states[seat]))


def test_seat_that_hangs_up_before_its_roster_is_named_to_all():
    room = over("star of three", "hangs up")
    room.relay = lambda author, _, frame: (
        [] if author == 2 and frame.kind is not Kind.AGAIN else [frame]
    )
    for seat in room.seats:
        room.wish(seat)
    room.run()
    room.cut(0, 2)
    room.run()
    room.wait(0, Awaited.HANG_UP)
    for seat in (0, 1):
        state = room.states[Seat(seat)]
        assert isinstance(state, SessionOver)
        assert isinstance(state.ending, Interrupted)
        assert "seat 2" in state.ending.why


@on_graphs(GRAPHS)
@pytest.mark.parametrize("farewell", [None, Farewell.LATER])
def test_before_a_neighbour_has_the_roster_a_seat_signs_nothing_that_it_could_forget(
    graph, farewell
):
    """The last seat keeps its roster from a neighbour, and leaves it with a BYE, or cut."""
    room = over(graph, "unsigned")
    last = room.seats[-1]
    neighbour = min(room.bindings(last))

    def keep_back(author: Seat, receiver: Seat, frame: Frame) -> list[Frame]:
        kept = (author, receiver, frame.kind) == (last, neighbour, Kind.ROSTER)
        return [] if kept else [frame]

    room.relay = keep_back
    for seat in room.seats:
        room.wish(seat)
    room.run()
    assert isinstance(room.states[neighbour], Greeting)
    assert Seat(neighbour) not in {entry.seat for entry in room.chain(neighbour).entries}
    if farewell is None:
        room.cut(neighbour, last)
    else:
        room.hear(neighbour, last, Frame(Kind.BYE, encode_farewell(farewell)))
    room.run()
    assert not any(neighbour == entry.seat for entry in room.chain(neighbour).entries)


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
