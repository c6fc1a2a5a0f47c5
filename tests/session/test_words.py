"""Restarted seats ask all other seats for their own words, over any connected graph."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from matcha_p2p.crypto.sponge import H
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import Arrived
from matcha_p2p.session.ledger import ItemKind, header_of, recall_chain, since
from matcha_p2p.session.news import Broken, Concede
from matcha_p2p.session.step import links
from matcha_p2p.session.step.links import as_frame, standing
from matcha_p2p.session.step.state import SessionOver
from matcha_p2p.session.words import newest
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.entry import Entry, sign_entry
from matcha_p2p.wire.names import EntryId, RosterId
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.statements import Sync
from matcha_p2p.wire.words import HereWord, Word, parse_here, sign_here
from tests.session.room import GRAPHS, Room, know_toy, on_graphs


@pytest.fixture(autouse=True)
def known(monkeypatch):
    know_toy(monkeypatch)


def come_back(room: Room, graph: str, seat: int, back: int) -> None:
    """Start the program of ``seat`` again, and link it with its neighbours in any order."""
    room.restart(seat, back)
    edges = [edge for edge in GRAPHS[graph][1] if seat in edge]
    for one, other in room.rng.sample(edges, len(edges)):
        room.link(one, other)


def relink(room: Room, graph: str) -> None:
    """Link all neighbours whose link has ended, as their programs do."""
    for one, other in GRAPHS[graph][1]:
        if not (linked(room, one, other) and linked(room, other, one)):
            room.link(one, other)


def linked(room: Room, seat: int, peer: int) -> bool:
    """Return whether ``seat`` has a link to ``peer``, or needs none."""
    state = room.states[Seat(seat)]
    return isinstance(state, SessionOver) or Seat(peer) in standing(state.links)


def finish(room: Room, graph: str) -> None:
    """Go on to the end of the game."""
    for _ in range(4):
        room.run()
        relink(room, graph)
    room.run()
    room.time_passes()
    room.run()


def check_ended(room: Room) -> None:
    """Check that all have the whole game, and blame nobody."""
    assert all(room.chain(seat).finished for seat in room.seats)
    assert not any(room.told(seat, Broken) for seat in room.seats)
    assert len({room.chain(seat).entries[-1].id for seat in room.seats}) == 1


@on_graphs(GRAPHS, back=range(5))
def test_restarted_seat_goes_on_after_the_words_of_all(graph, back):
    room = Room(graph, f"words {back}")
    seat = len(room.seats) - 1
    room.run(until=room.has(11))
    come_back(room, graph, seat, back)
    finish(room, graph)
    check_ended(room)


@on_graphs(GRAPHS)
def test_two_seats_restart_one_after_the_other(graph):
    room = Room(graph, "two")
    room.run(until=room.has(6))
    for seat in room.seats[-2:]:
        come_back(room, graph, seat, 2)
        room.run(until=room.has(8 + 2 * seat))
    finish(room, graph)
    check_ended(room)


@on_graphs(GRAPHS, lost=[False, True])
def test_seat_that_has_announced_lost_entries_signs_no_others(graph, lost):
    """A neighbour alone knows the announcement, and tells it in its HERE."""
    room = Room(graph, "announced")
    room.most = 7
    room.run()
    chain, length = room.chain(1), len(room.chain(1).entries)
    head = H("lost") if lost else chain.entries[-1].id
    sync = Sync(length + lost, Binding(bytes(32)), resigned=False)
    key = chain.secrets.session
    record = sign_record(chain.table.gid, Seat(1), EntryId(head), sync, key)
    room.tell(0, record)
    come_back(room, graph, 1, 0)
    room.run()
    assert room.chain(1).whole is not lost
    assert not any(room.told(seat, Broken) for seat in room.seats)


# --- planted mistakes ------------------------------------------------------------------------


def any_card(view: Any, rng: random.Random) -> Any:
    return rng.choice(view.legal_moves())


def has_chosen(room: Room, seat: Seat) -> bool:
    """Return whether the newest entry of ``seat`` is a choice: another would be a fork."""
    last, _ = newest(seat, room.chain(seat).entries, ())
    match last.fields if last is not None else ():
        case ([str(verb), *_], *_):
            return verb in {"MOVE", "SEAL"}
        case _:
            return False


def run_for(room: Room, frames: int) -> None:
    end = room.frames + frames
    room.run(until=lambda: room.frames >= end)


def convicted(graph: str, seed: int, *, stays: bool = True) -> bool:
    """Play a game with a disk put back, and return whether an honest seat is blamed.

    The links of the older program stay open until they are replaced. stays: whether all seats
    are there when the seat comes back; after their goodbyes it would be alone.
    """
    room = Room(graph, f"forks {seed}", choose=any_card, stays=stays)
    seat = room.rng.choice(room.seats)
    room.run(until=lambda: has_chosen(room, seat))
    run_for(room, room.rng.randint(0, 12))
    room.restart(seat, room.rng.randint(1, 4), cut=False)
    edges = [edge for edge in GRAPHS[graph][1] if seat in edge]
    for one, other in room.rng.sample(edges, len(edges)):
        room.link(one, other)
        run_for(room, room.rng.choice([5, 20, 500]))
    finish(room, graph)
    if any(room.told(seat, Broken) for seat in room.seats):
        return True
    check_ended(room)
    return False


@pytest.mark.slow
@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("seed", range(25))
def test_disk_put_back_convicts_nobody(graph, seed):
    assert not convicted(graph, seed)


@pytest.mark.parametrize(("graph", "seed"), [("star of three", 26), ("line of four", 8)])
def test_program_that_does_not_ask_is_found(graph, seed, monkeypatch):
    """The planted mistake: one word is enough."""

    def one_word(self: Chain, peer: Seat) -> Chain:
        return replace(self, shown=self.shown | {peer}, whole=True)

    monkeypatch.setattr(Chain, "caught_up", one_word)
    assert convicted(graph, seed)


@pytest.mark.parametrize(("graph", "seed"), [("mesh of four", 21)])
def test_old_link_that_still_counts_is_found(graph, seed, monkeypatch):
    """The planted mistake: no fence."""
    monkeypatch.setattr(links, "outdated", lambda _state, _seat: False)
    assert convicted(graph, seed, stays=False)


# --- hostile words ---------------------------------------------------------------------------


def forging(room: Room, forge: Callable[[HereWord, Chain], HereWord]) -> None:
    """Let seat 2, a liar, change the HEREs that it makes."""

    def relay(author: Seat, _: Seat, frame: Frame) -> list[Frame]:
        if author == 2 and frame.kind is Kind.HERE:
            chain = room.chain(2)
            keys = [hello.session_key for hello in chain.table.hellos]
            here = parse_here(frame.payload, RosterId(chain.entries[0].prev), keys)
            if here.seat == 2:
                return [as_frame(forge(here, chain))]
        return [frame]

    room.relay = relay


def signed_again(here: HereWord, chain: Chain, last: Entry | None) -> HereWord:
    """Return the HERE of a liar that shows ``last``."""
    ask, rid = chain.words.asks[here.asker], RosterId(chain.entries[0].prev)
    seed = chain.secrets.session
    return sign_here(rid, here.seat, ask, here.run, (last, here.record), seed)


def forged_entry(here: HereWord, chain: Chain) -> HereWord:
    """Show an entry of the asker that the liar has signed itself."""
    assert here.last is not None
    last = here.last
    forged = sign_entry(
        last.seq + 1, last.seat, last.id, bytes(16), last.fields, chain.secrets.session
    )
    return signed_again(here, chain, forged)


def test_here_with_a_forged_entry_ends_the_link_of_the_liar():
    room = Room("star of three", "forged")
    room.run(until=room.has(8))
    forging(room, forged_entry)
    come_back(room, "star of three", 1, 1)
    room.run()
    assert Seat(2) not in room.bindings(0)
    assert not room.chain(1).whole
    assert not any(room.told(seat, Broken) for seat in room.seats)


def test_liar_that_hides_an_entry_is_outdone_by_an_honest_seat():
    room = Room("ring of three", "hides")
    room.run(until=room.has(9))
    forging(room, lambda here, chain: signed_again(here, chain, None))
    come_back(room, "ring of three", 1, 3)
    finish(room, "ring of three")
    check_ended(room)


def test_here_for_an_earlier_ask_does_not_count():
    room = Room("star of three", "old here")
    room.run(until=room.has(8))
    come_back(room, "star of three", 1, 1)
    room.run(until=lambda: room.chain(1).whole)
    old = next(word for word in room.chain(1).words.all if is_here_of(word, 2))
    forging(room, lambda *_: old)
    room.restart(1, 2)
    room.link(1, 0)
    room.run()
    assert room.chain(1).words.asks[Seat(1)].asked != old.asked
    assert not room.chain(1).whole
    forging(room, lambda here, _: here)
    room.link(0, 2)  # the liar gives its true word at last
    finish(room, "star of three")
    check_ended(room)


def is_here_of(word: Word, seat: int) -> bool:
    return isinstance(word, HereWord) and word.seat == seat


def test_ask_of_an_earlier_run_cuts_no_link_and_is_not_answered():
    room = Room("mesh of four", "old ask")
    room.run(until=room.has(8))
    come_back(room, "mesh of four", 1, 1)
    room.run(until=lambda: room.chain(3).words.run_of(Seat(1)) == 1)
    old = room.chain(3).words.asks[Seat(1)]
    come_back(room, "mesh of four", 1, 0)
    room.run(until=room.has(12))
    links_before, words_before = room.bindings(3), room.chain(3).words
    assert Seat(1) in links_before
    assert words_before.run_of(Seat(1)) == 2
    room.do(3, Arrived(links_before[Seat(0)], as_frame(old)))
    assert room.bindings(3) == links_before
    assert room.chain(3).words == words_before
    finish(room, "mesh of four")
    check_ended(room)


def test_frame_of_an_older_program_ends_its_link_and_does_not_count():
    room = Room("mesh of four", "old link")
    room.run(until=room.has(8))
    old = room.bindings(3)[Seat(1)]
    room.restart(1, 2, cut=False)
    late = room.chain(2)
    room.link(1, 0)
    room.run(until=lambda: room.chain(3).words.run_of(Seat(1)) == 1)
    assert room.bindings(3)[Seat(1)] == old
    length = len(room.chain(3).entries)
    room.do(3, Arrived(old, Frame(Kind.MSG, late.entries[-1].encoded)))
    assert Seat(1) not in room.bindings(3)
    assert len(room.chain(3).entries) == length
    finish(room, "mesh of four")
    check_ended(room)


def test_lost_resignation_comes_back_before_the_seat_goes_on():
    room = Room("star of four", "resigned")
    room.run(until=room.has(9))
    room.do(3, Concede())
    room.run(until=lambda: room.chain(1).resigned is not None)
    room.restart(3, 1)
    assert room.chain(3).records == ()
    room.link(3, 0)
    finish(room, "star of four")
    assert {room.chain(seat).resigned for seat in room.seats} == {3}
    assert not any(room.told(seat, Broken) for seat in room.seats)


# --- runs ------------------------------------------------------------------------------------


def test_run_is_in_the_journal_and_grows_though_the_clock_goes_back():
    room = Room("star of three", "runs")
    room.run(until=room.has(6))
    first = room.chain(1)
    second = recall_chain(header_of(first), since(first, first.empty)).restarted(90, bytes(32))
    assert (second.run, second.whole) == (90, False)
    items = since(second, second.empty)
    assert [item.kind for item in items].count(ItemKind.RUN) == 1
    third = recall_chain(header_of(first), items).restarted(5, bytes(32))
    assert third.run == 91


def test_program_that_meets_its_own_greater_ask_goes_on_from_that_run():
    room = Room("star of three", "own")
    room.run(until=room.has(6))
    first = room.chain(1)
    later = recall_chain(header_of(first), since(first, first.empty)).restarted(90, bytes(32))
    room.restart(1, 0)
    room.link(0, 1)
    room.hear(1, 0, as_frame(later.words.asks[Seat(1)]))
    assert room.chain(1).run == 91
    finish(room, "star of three")
    check_ended(room)
