"""Tables of two to four seats, over links that form any connected graph."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.errors import Check
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import LineDown
from matcha_p2p.session.ledger import header_of, recall_chain, since
from matcha_p2p.session.news import (
    LEFT_BY,
    Awaited,
    Broken,
    Concede,
    Finished,
    Interrupted,
    Leave,
    LineChanged,
    Offered,
    Propose,
    TimeUp,
    Unproven,
    Violated,
)
from matcha_p2p.session.step.state import Playing, SessionOver
from matcha_p2p.session.step.waits import waits
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.again import sign_open
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.entry import Entry, parse_entry, sign_entry
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.statements import Abort
from matcha_p2p.wire.talk import Proposal
from tests.games.tichu.party import lawful
from tests.session.room import GRAPHS, Room, know_toy, on_graphs


@pytest.fixture(autouse=True)
def known(monkeypatch):
    know_toy(monkeypatch)


def finished(room: Room, seat: Seat) -> Finished:
    state = room.states[seat]
    assert isinstance(state, SessionOver), seat
    assert isinstance(state.ending, Finished), state.ending
    return state.ending


def check_ended(room: Room) -> None:
    """Check that every seat has come to the same end of the game, and blames nobody."""
    assert len({str(finished(room, seat).ended) for seat in room.seats}) == 1
    for transcript in {room.chain(seat).transcript for seat in room.seats}:
        assert verify_transcript(transcript).valid


def check_blamed(room: Room, culprit: int, check: Check) -> None:
    """Check that every other seat has the proof that ``culprit`` has failed ``check``."""
    for seat in room.seats:
        if seat != culprit:
            state = room.states[seat]
            assert isinstance(state, SessionOver), seat
            assert isinstance(state.ending, Violated), (seat, state.ending)
            failure = verify_transcript(state.chain.evidence).failure
            assert failure is not None
            assert (failure.check, failure.seat) == (check, culprit)


def check_idle(room: Room, *, length: int | None = None) -> None:
    """Check that all still play and nobody is blamed."""
    for seat in room.seats:
        assert isinstance(room.states[seat], Playing)
        assert not room.told(seat, Broken)
        if length is not None:
            assert len(room.chain(seat).entries) == length


# --- flooding --------------------------------------------------------------------------------


@on_graphs(GRAPHS)
def test_game_ends_alike_at_every_seat(graph):
    room = Room(graph, "whole")
    room.run()
    check_ended(room)
    assert all(finished(room, seat).seen_off for seat in room.seats)
    assert len({room.chain(seat).transcript for seat in room.seats}) == 1


@pytest.mark.parametrize(
    ("graph", "times", "before"),
    [("pair", 1, 1), ("star of four", 3, 3), ("line of four", 3, 2)],
)
def test_entry_crosses_each_link_of_a_tree_once(graph, times, before):
    """``before`` frames with the first entry are on their way from the start."""
    room = Room(graph, "once")
    sent = []
    room.relay = lambda _from, _to, frame: sent.append(frame) or [frame]
    room.run()
    entries = [frame for frame in sent if frame.kind is Kind.MSG]
    assert len(entries) == times * len(room.chain(0).entries) - before


def test_game_of_tichu_goes_on_at_a_table_of_four_people():
    room = Room("line of four", "tichu", game="tichu", choose=lawful)
    room.most = 50
    room.run()
    assert len(room.chain(0).entries) >= room.most
    check_idle(room, length=len(room.chain(0).entries))


@on_graphs(GRAPHS, seed=range(4))
def test_cut_links_that_come_back_lose_nothing(graph, seed):
    room = Room(graph, f"cut {seed}")
    _, edges = GRAPHS[graph]
    for place in range(len(room.seats), 60, 3):
        room.run(until=room.has(place))
        one, other = room.rng.choice(edges)
        if any(isinstance(room.states[Seat(seat)], SessionOver) for seat in (one, other)):
            break
        room.cut(one, other)
        room.link(one, other)
    room.run()
    room.time_passes()
    room.run()
    check_ended(room)


def test_newest_link_to_a_neighbour_counts():
    room = Room("star of three", "newest")
    room.run(until=room.has(5))
    room.link(0, 1)
    room.run()
    check_ended(room)


def test_ring_goes_on_over_the_other_links():
    room = Room("ring of four", "detour")
    room.run(until=room.has(6))
    room.cut(0, 1)
    room.run()
    room.time_passes()
    room.time_passes()
    check_ended(room)


def test_lost_frame_is_sent_again_after_a_ping_that_tells_the_length():
    room = Room("star of three", "lost")
    lost: list[Frame] = []

    def lose(_: Seat, reader: Seat, frame: Frame) -> list[Frame]:
        if lost or reader != 2 or not is_entry(frame, 8):
            return [frame]
        due = next_due(room.chain(0).table)
        if due is None or due.seat != 2:
            return [frame]  # only an entry that seat 2 has to answer is lost
        lost.append(frame)
        return []

    room.relay = lose
    room.run()
    check_idle(room)
    room.time_passes()
    room.run()
    check_ended(room)


def is_entry(frame: Frame, least: int) -> bool:
    return frame.kind is Kind.MSG and parse_entry(frame.payload).seq >= least


def test_pings_that_lie_are_answered_with_twice_the_chain_at_most():
    room = Room("star of three", "greedy")
    room.run(until=room.has(9))
    sent: list[Frame] = []
    room.relay = lambda _, to, frame: sent.append(frame) or [] if to == 1 else []
    for _ in range(10):
        room.hear(0, 1, Frame(Kind.PING, pack([0])))
    entries = [frame for frame in sent if frame.kind is Kind.MSG]
    length = len(room.chain(0).entries)
    assert length <= len(entries) <= 2 * length


# --- coming back -----------------------------------------------------------------------------


@on_graphs(["pair", "ring of three", "mesh of four"], back=range(4))
def test_seat_put_back_goes_on_after_the_word_of_every_other_seat(graph, back):
    room = Room(graph, f"back {back}")
    room.run(until=room.has(9 + back))
    room.restart(1, back)
    for other in room.seats:
        if other != 1:
            room.link(other, 1)
    room.run()
    check_ended(room)


def test_restarted_seat_with_one_of_two_words_signs_nothing():
    room = Room("star of three", "one word")
    room.run(until=room.has(6))
    room.restart(1, 2)
    room.relay = lambda author, _, frame: [] if author == 2 else [frame]
    room.link(0, 1)
    room.run()
    own = [entry.id for entry in room.chain(1).entries if entry.seat == 1]
    assert own == [entry.id for entry in room.chain(0).entries if entry.seat == 1]
    check_idle(room)
    assert room.told(1, Unproven) == []
    for _ in range(2):
        for wait in waits(room.states[Seat(1)]):
            if wait.what is Awaited.WORDS:
                room.do(1, TimeUp(wait))
    assert room.told(1, Unproven) == [Unproven(("seat 2",))]
    room.do(1, Concede())
    assert {record.seat for record in room.chain(1).records} <= {0}
    room.relay = lambda _from, _to, frame: [frame]
    room.link(1, 2)
    room.run()
    assert {room.chain(seat).resigned for seat in room.seats} == {1}


# --- offences --------------------------------------------------------------------------------


def test_hub_that_withholds_stops_the_game_and_nobody_is_blamed():
    room = Room("star of three", "withholds")

    def withhold(author: Seat, reader: Seat, frame: Frame) -> list[Frame]:
        return [] if (author, reader) == (0, 2) and is_entry(frame, 6) else [frame]

    room.relay = withhold
    room.run()
    check_idle(room)
    room.link(1, 2)
    room.run()
    room.time_passes()
    room.time_passes()
    check_ended(room)


def begins(entry: Entry, *verbs: str) -> bool:
    match entry.fields[0]:
        case [verb, *_]:
            return verb in verbs
        case _:
            return False


def other_card(chain: Chain, place: int) -> Entry:
    """Return another entry of the seat at ``place``: it chooses its other card."""
    begun = chain.empty
    before = recall_chain(header_of(chain), since(chain, begun)[:place])
    view = before.view
    assert view is not None
    after, _ = before.decide(view.legal_moves()[1])
    return after.entries[-1]


def forking(room: Room, forker: int, deceived: int) -> Callable[..., list[Frame]]:
    """Let ``deceived`` get another choice of ``forker``, and of that seat's later ones none."""
    forked: list[int] = []

    def relay(author: Seat, reader: Seat, frame: Frame) -> list[Frame]:
        if (author, reader) != (forker, deceived) or frame.kind is not Kind.MSG:
            return [frame]
        entry = parse_entry(frame.payload)
        if forked:
            return []
        if entry.seat == forker and begins(entry, "SEAL", "MOVE"):
            forked.append(entry.seq)
            return [Frame(Kind.MSG, other_card(room.chain(forker), entry.seq).encoded)]
        return [frame]

    return relay


@on_graphs(["ring of three", "ring of four", "mesh of four"], forker=range(3))
def test_fork_is_proven_to_every_other_seat_of_a_ring(graph, forker):
    count, _ = GRAPHS[graph]
    room = Room(graph, f"fork {forker}")
    room.relay = forking(room, forker, (forker + 1) % count)
    room.run()
    room.time_passes()
    check_blamed(room, forker, Check.FORK)


def test_fork_of_a_hub_is_proven_once_its_guests_have_a_link_of_their_own():
    room = Room("star of three", "hub")
    room.relay = forking(room, 0, 2)
    room.run()
    check_idle(room)
    room.link(1, 2)
    room.run()
    room.time_passes()
    check_blamed(room, 0, Check.FORK)


@on_graphs(GRAPHS)
def test_refused_entry_is_shown_to_seats_that_are_no_neighbours_of_its_author(graph):
    room = Room(graph, "refused")
    culprit = room.seats[-1]
    seed = room.chain(culprit).secrets.session

    def wrong_state(author: Seat, _: Seat, frame: Frame) -> list[Frame]:
        if author == culprit and frame.kind is Kind.MSG:
            entry = parse_entry(frame.payload)
            if entry.seat == culprit and entry.seq > 6:
                wrong = sign_entry(
                    entry.seq, entry.seat, entry.prev, bytes(16), entry.fields, seed
                )
                return [Frame(Kind.MSG, wrong.encoded)]
        return [frame]

    room.relay = wrong_state
    room.run()
    room.time_passes()
    check_blamed(room, culprit, Check.STATE)


def test_abort_without_evidence_ends_nothing():
    room = Room("line of four", "abort")
    room.run(until=room.has(7))
    state = room.states[Seat(2)]
    assert isinstance(state, Playing)
    chain = state.chain.declare(Abort("E_STATE", bytes(32)))
    room.states[Seat(2)] = replace(state, chain=chain)
    room.run()
    check_ended(room)
    assert all(chain.records[-1] in room.chain(seat).records for seat in room.seats)


# --- words and ends --------------------------------------------------------------------------


@on_graphs(GRAPHS)
def test_resignation_ends_the_game_at_every_seat(graph):
    room = Room(graph, "resigns")
    room.run(until=room.has(7))
    room.do(room.seats[-1], Concede())
    room.run()
    room.time_passes()
    check_ended(room)
    assert {room.chain(seat).resigned for seat in room.seats} == {room.seats[-1]}
    assert verify_transcript(room.chain(0).transcript).verdict is Verdict.RESIGNED


@on_graphs(GRAPHS)
def test_books_of_any_graph_open_once_all_seats_have_offered(graph):
    room = Room(graph, "books", stays=True)
    room.run()
    for seat in room.seats:
        assert room.chain(seat).exposed == set()
        room.do(seat, Propose(Proposal.BOOKS))
        room.run()
    for seat in room.seats:
        names = [offer.name for offer in room.told(seat, Offered)]
        assert sorted(names) == [f"seat {other}" for other in room.seats if other != seat]
        assert room.chain(seat).exposed == {*room.seats}
    assert len(verify_transcript(room.chain(0).transcript).exposed) == len(room.seats)
    for seat in room.seats:
        room.do(seat, Leave())
        room.run()
    check_ended(room)


def open_of(room: Room, seat: int) -> Frame:
    chain = room.chain(seat)
    rid = RosterId(chain.entries[0].prev)
    return Frame(Kind.OPEN, sign_open(rid, Seat(seat), chain.secrets.session).encoded)


@on_graphs(["pair", "star of three"])
def test_a_flood_of_offers_is_one_offer(graph):
    """Offers before the end open no book, and are told once the game is over."""
    room = Room(graph, "flood of offers", stays=True)
    room.run(until=room.has(7))
    for _ in range(100):
        room.hear(0, 1, open_of(room, 1))
    room.do(0, Propose(Proposal.BOOKS))
    assert room.told(0, Offered) == []
    room.run()
    assert [offer.name for offer in room.told(0, Offered)] == ["seat 1"]
    assert room.chain(0).exposed == set()


def test_restarted_seat_is_bound_by_the_offer_that_it_made_before():
    room = Room("star of four", "offered before", stays=True)
    room.run()
    room.do(1, Propose(Proposal.BOOKS))
    room.run()
    room.restart(1)
    room.link(0, 1)
    room.run()
    for seat in (0, 2, 3):
        room.do(seat, Propose(Proposal.BOOKS))
    room.run()
    assert all(room.chain(seat).exposed == {0, 1, 2, 3} for seat in room.seats)


def test_table_waits_for_a_seat_that_leaves():
    room = Room("star of three", "leaves")
    room.run(until=room.has(7))
    room.do(1, Leave())
    room.run()
    assert isinstance(room.states[Seat(1)], SessionOver)
    assert LineChanged(LineDown(LEFT_BY(name="seat 1"), Seat(1)), "seat 1") in room.news[0]
    for seat in (Seat(0), Seat(2)):
        assert isinstance(room.states[seat], Playing)
    room.restart(1)
    room.link(0, 1)
    room.link(1, 2)
    room.run()
    check_ended(room)


@pytest.mark.parametrize("back", [False, True])
def test_game_decided_without_a_seat_is_kept_until_the_seat_has_it(back):
    room = Room("star of three", "leaves", stays=True)
    room.run(until=room.has(7))
    room.do(1, Leave())
    room.run()
    room.do(2, Concede())
    room.run()
    if back:
        room.restart(1)
        room.link(0, 1)
        room.run()
    for seat in (0, 1, 2) if back else (0, 2):
        room.do(seat, Leave())
    room.run()
    ending = room.states[Seat(0)].ending
    assert isinstance(ending, Finished)
    assert ending.seen_off == back


def test_seat_without_neighbours_ends_its_session():
    room = Room("star of three", "hub leaves")
    room.run(until=room.has(7))
    room.do(0, Leave())
    room.run()
    for seat in (Seat(1), Seat(2)):
        state = room.states[seat]
        assert isinstance(state, SessionOver)
        assert state.ending == Interrupted(LEFT_BY(name="seat 0"))
