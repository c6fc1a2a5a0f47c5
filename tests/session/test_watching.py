"""The agreement of all seats about watchers, over lines that may break, and hostile seats."""

from dataclasses import replace

import pytest

from matcha_p2p.seats import Seat
from matcha_p2p.session.news import LetWatch, WatchersCame, WatchingChanged
from matcha_p2p.session.step.state import Apart, Parting, Playing
from matcha_p2p.session.watching import UNWATCHED, Watching
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.admission import WatchWord, sign_watch
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.watching import Admission, Visibility
from tests.session.room import GRAPHS, Room, know_toy

NOTHING, LATER, AT_ONCE = Visibility
HOST = {0: Admission(AT_ONCE, 3)}
GENEROUS = {seat: Admission(AT_ONCE) for seat in range(1, 4)}


@pytest.fixture(autouse=True)
def _toy(monkeypatch):
    know_toy(monkeypatch)


def playing(graph: str, admits: dict[int, Admission], seed: str = "watched") -> Room:
    """Return a table in the midst of a game, with all words delivered."""
    room = Room(graph, seed, stays=True, admits=admits)
    room.most = 0
    room.run()
    return room


def watching(room: Room, seat: int) -> Watching:
    state = room.states[Seat(seat)]
    assert isinstance(state, Playing | Parting)
    return state.watching


def sights(room: Room) -> set[Visibility]:
    """Return what the seats believe that watchers see."""
    return {watching(room, seat).sight for seat in room.seats}


def news(room: Room, seat: int) -> list[Watching]:
    return [piece.now for piece in room.told(seat, WatchingChanged)]


# --- agreement -------------------------------------------------------------------------------


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("least", Visibility)
def test_watchers_see_the_least_that_any_seat_allows(graph, least):
    count = GRAPHS[graph][0]
    room = playing(graph, {**GENEROUS, **HOST, count - 1: Admission(least, 3 * (count == 1))})
    assert sights(room) == {least}
    for seat in room.seats:
        known = watching(room, seat)
        assert (known.most, known.closed) == (3, least is NOTHING)
        assert known.closed_by == (count - 1 if least is NOTHING else None)
        assert news(room, seat)[-1] == known


@pytest.mark.parametrize("host", range(4))
def test_any_seat_may_let_people_watch(host):
    room = playing("line of four", {host: Admission(LATER, 2)})
    room.do(host, WatchersCame(("Ann", "Bo")))
    room.run()
    for seat in room.seats:
        known = watching(room, seat)
        assert known.said[host] == Admission(LATER, 2, ("Ann", "Bo"))
        assert (known.sight, known.names) == (LATER, ("Ann", "Bo"))
        assert known.players == tuple(f"seat {each}" for each in room.seats)


@pytest.mark.parametrize("graph", ["pair", "star of three"])
def test_watcher_that_comes_before_the_greetings_is_told(graph):
    room = Room(graph, "early", stays=True, admits=HOST)
    room.most = 0
    room.do(0, WatchersCame(("Ann",)))
    room.run()
    assert {watching(room, seat).names for seat in room.seats} == {("Ann",)}


@pytest.mark.parametrize("graph", ["star of three", "star of four"])
def test_seat_that_comes_back_before_the_last_greeting_hears_who_watches(graph):
    room = Room(graph, "watched", stays=True, admits={**GENEROUS, **HOST})
    room.run(until=lambda: room.chain(0).met)
    assert not room.chain(1).met
    room.link(0, 1)
    room.most = 0
    room.run()
    assert sights(room) == {Visibility.AT_ONCE}


def test_game_without_cards_has_nothing_to_hold_back():
    said = (Admission(LATER, 1), Admission(AT_ONCE), None)
    unheard = Watching(Seat(0), said, ("Ann", "Bo", "Cy"), is_open=True)
    assert unheard.sight is NOTHING
    assert unheard.hear(Seat(2), Admission(LATER)).sight is AT_ONCE
    assert unheard.hear(Seat(2), Admission(NOTHING)).sight is NOTHING
    assert [watching(tabled(game), 0).is_open for game in ("toy", "kashi")] == [False, True]


def tabled(game: str) -> Room:
    room = Room("star of three", "cards", stays=True, game=game)
    room.most = 0
    room.run()
    return room


@pytest.mark.parametrize("graph", ["pair", "star of four"])
def test_two_seats_may_both_let_people_watch(graph):
    room = playing(graph, {0: Admission(LATER, 3), 1: Admission(AT_ONCE, 2)})
    for host, name in ((0, "Ann"), (1, "Bo")):
        room.do(host, WatchersCame((name,)))
    room.run()
    for seat in room.seats:
        known = watching(room, seat)
        assert (known.most, known.names, known.sight) == (5, ("Ann", "Bo"), LATER)


@pytest.mark.parametrize("graph", ["pair", "ring of three"])
def test_game_without_watchers_sends_no_word_about_watching(graph):
    kinds = set()

    def note(_from: Seat, _to: Seat, frame: Frame) -> list[Frame]:
        kinds.add(frame.kind)
        return [frame]

    room = Room(graph, "unwatched", admits={1: Admission(NOTHING)})
    room.relay = note
    room.run()
    assert kinds & {Kind.MSG, Kind.WATCH} == {Kind.MSG}
    assert not any(news(room, seat) for seat in room.seats)


def test_until_every_seat_has_spoken_watchers_see_nothing():
    """A slow seat opens nothing, nor does a hub that withholds the word of a seat."""

    def withhold(_from: Seat, _to: Seat, frame: Frame) -> list[Frame]:
        return [] if frame.kind is Kind.WATCH and _from == 3 else [frame]

    room = Room("star of four", "withheld", stays=True, admits={**GENEROUS, **HOST})
    room.most, room.relay = 0, withhold
    room.run()
    assert sights(room) - {watching(room, 3).sight} == {NOTHING}
    assert not watching(room, 0).closed


@pytest.mark.parametrize("graph", ["pair", "star of four", "line of four"])
def test_seat_may_narrow_and_widen_the_sight_during_the_game(graph):
    room = playing(graph, {**GENEROUS, **HOST})
    for sight in (LATER, AT_ONCE, LATER):
        room.do(1, LetWatch(sight))
        room.run()
        assert sights(room) == {sight}


@pytest.mark.parametrize("graph", ["pair", "star of four"])
def test_no_is_final_for_every_seat(graph):
    room = playing(graph, {**GENEROUS, **HOST})
    room.do(1, LetWatch(NOTHING))
    room.do(1, LetWatch(AT_ONCE))
    room.run()
    assert {watching(room, seat).closed_by for seat in room.seats} == {1}
    give(room, 0, 1, word(room, 1, 1, Admission(AT_ONCE), number=99))
    assert watching(room, 0).closed


def test_seat_without_watchers_names_none():
    assert UNWATCHED.seen_by(("Eve",)) == UNWATCHED
    assert UNWATCHED.allow(NOTHING) == UNWATCHED


# --- lines that break ------------------------------------------------------------------------


@pytest.mark.parametrize("graph", ["pair", "star of four"])
def test_change_is_heard_over_a_new_link(graph):
    room = playing(graph, {**GENEROUS, **HOST})
    room.cut(0, 1)
    room.do(1, LetWatch(LATER))
    room.run()
    assert watching(room, 0).sight is AT_ONCE
    room.link(0, 1)
    room.run()
    assert sights(room) == {LATER}


@pytest.mark.parametrize("graph", ["pair", "ring of three", "star of four"])
def test_restarted_guest_may_say_less(graph):
    room = playing(graph, {**GENEROUS, **HOST})
    room.terms[1] = replace(room.terms[1], sight=LATER)
    room.restart(1)
    room.link(0, 1)
    room.run()
    assert sights(room) == {LATER}


@pytest.mark.parametrize("graph", ["pair", "star of four"])
def test_no_of_a_seat_outlives_its_restart(graph):
    room = playing(graph, {**GENEROUS, **HOST})
    room.do(1, LetWatch(NOTHING))
    room.run()
    room.restart(1)
    room.link(0, 1)
    room.run()
    assert all(watching(room, seat).closed_by == 1 for seat in room.seats)
    room.do(1, LetWatch(AT_ONCE))
    assert watching(room, 1).closed


@pytest.mark.parametrize("graph", ["pair", "star of four"])
def test_restarted_host_has_no_watchers_any_more(graph):
    room = playing(graph, {**GENEROUS, **HOST})
    room.do(0, WatchersCame(("Ann",)))
    room.run()
    assert watching(room, 1).names == ("Ann",)
    room.terms[0] = replace(room.terms[0], watchers=0)
    room.restart(0)
    for seat in room.seats[1:]:
        room.link(0, seat)
    room.run()
    for seat in room.seats[1:]:
        assert (watching(room, seat).names, watching(room, seat).most) == ((), 0)


# --- hostile seats ---------------------------------------------------------------------------


def word(
    room: Room, seat: int, signer: int, said: Admission, *, run: int = 0, number: int = 5
) -> WatchWord:
    rid = RosterId(room.chain(0).entries[0].prev)
    seed = room.chain(signer).secrets.session
    return sign_watch(rid, Seat(seat), (run, number), said, seed)


def give(room: Room, reader: int, bearer: int, said: WatchWord) -> None:
    room.hear(reader, bearer, Frame(Kind.WATCH, said.encoded))


@pytest.mark.parametrize("graph", ["pair", "star of four"])
def test_host_that_allows_more_than_a_guest_opens_no_more(graph):
    room = playing(graph, {**GENEROUS, **HOST, 1: Admission(LATER)})
    give(room, 1, 0, word(room, 0, 0, Admission(AT_ONCE, 3, ("Eve",))))
    room.run()
    assert sights(room) == {LATER}
    assert watching(room, 1).names == ("Eve",)


@pytest.mark.parametrize("author", [0, 1, 3])
def test_forged_word_of_another_seat_ends_the_link_and_counts_for_nothing(author):
    room = playing("star of four", {**HOST, 1: Admission(LATER), 2: Admission(LATER)})
    before = watching(room, 2)
    give(room, 2, 0, word(room, author, 2, Admission(AT_ONCE, 3)))
    state = room.states[Seat(2)]
    assert isinstance(state, Playing)
    assert isinstance(state.links[Seat(0)], Apart)
    assert state.watching == before


def test_word_of_another_table_counts_for_nothing():
    here, there = (playing("pair", {**GENEROUS, **HOST}, seed) for seed in ("here", "there"))
    give(here, 0, 1, word(there, 1, 1, Admission(LATER)))
    assert watching(here, 0).sight is AT_ONCE


@pytest.mark.parametrize("graph", ["pair", "star of four"])
def test_replayed_older_word_widens_nothing(graph):
    room = playing(graph, {**GENEROUS, **HOST})
    older = room.chain(0).words.watched[Seat(1)]
    assert older.admission.sight is AT_ONCE
    room.do(1, LetWatch(LATER))
    room.run()
    for again in (older, word(room, 1, 1, Admission(AT_ONCE), number=0)):
        give(room, 0, 1, again)
        room.run()
        assert sights(room) == {LATER}


@pytest.mark.parametrize("graph", ["pair", "star of four"])
def test_word_of_an_earlier_run_widens_nothing(graph):
    room = playing(graph, {**GENEROUS, **HOST})
    room.terms[1] = replace(room.terms[1], sight=LATER)
    room.restart(1)
    room.link(0, 1)
    room.run()
    give(room, 0, 1, word(room, 1, 1, Admission(AT_ONCE), number=2**40))
    assert watching(room, 0).sight is LATER


def test_late_no_counts_though_the_hub_has_withheld_it():
    room = playing("star of four", {**GENEROUS, **HOST})
    no = word(room, 1, 1, Admission(NOTHING), number=1)
    give(room, 0, 1, word(room, 1, 1, Admission(AT_ONCE), number=7))
    give(room, 0, 1, no)
    room.run()
    assert {watching(room, seat).closed_by for seat in (0, 2, 3)} == {1}
