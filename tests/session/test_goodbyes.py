"""Once our HELLO is out, nothing unsigned ends or forgets a game (PEER#goodbyes).

Each goodbye comes to the host and to a guest at each of the first entries. The seat keeps the
game and says who left, and the game goes on.
"""

from pathlib import Path
from typing import Any

import pytest

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.game.play import FinishedGames, open_unfinished
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.errors import Check
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import Arrived, LineDown
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.news import LEFT_BY, LineChanged, left_the_lobby
from matcha_p2p.session.reconnect import Place
from matcha_p2p.session.series import Series
from matcha_p2p.session.step.state import Greeting, HangUp, Playing, SessionOver, Tell
from matcha_p2p.session.step.step import step
from matcha_p2p.store.home import Home
from matcha_p2p.table.seat import Offer, greet, take_seat
from matcha_p2p.table.table import Greetings
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.entry import sign_entry
from matcha_p2p.wire.talk import Farewell, encode_farewell
from tests.games.toy.steps import Toy
from tests.session.room import GRAPHS, Room, know_toy

GOODBYES = {farewell.name: encode_farewell(farewell) for farewell in Farewell}
GOODBYES["unreadable"] = b"?"

each_goodbye = pytest.mark.parametrize("goodbye", GOODBYES)
each_moment = pytest.mark.parametrize("entries", range(1, 10))
each_reason_once = pytest.mark.parametrize(
    ("entries", "goodbye"),
    [(2, reason) for reason in GOODBYES]
    + [(entries, reason) for entries in (1, *range(3, 10)) for reason in ("LATER", "DONE")],
)
host_and_guest = pytest.mark.parametrize("seat", [0, 1])
each_table = pytest.mark.parametrize("graph", ["pair", "star of three"])


@pytest.fixture(autouse=True)
def known(monkeypatch):
    know_toy(monkeypatch)


def begun(graph: str, seat: int, entries: int) -> Room:
    """Return a room where ``seat`` has so many entries, or one more: its own."""
    room = Room(graph, "goodbye", stays=True)
    room.run(until=lambda: len(room.chain(seat).entries) >= entries)
    return room


def goodbye_to(room: Room, seat: int, payload: bytes) -> Arrived:
    """Return the goodbye of a neighbour to ``seat``."""
    return heard(room, seat, Frame(Kind.BYE, payload))


def heard(room: Room, seat: int, frame: Frame) -> Arrived:
    """Return ``frame`` as ``seat`` hears it, of the host or of the first guest."""
    return Arrived(room.bindings(seat)[Seat(1 if seat == 0 else 0)], frame)


def conclude(state: SessionOver, room: Room, folder: Path) -> tuple[Home, CommandError]:
    """End the command of a seat; return its home and the error that its person reads."""
    home, terms = Home.find(folder), room.terms[state.chain.seat]
    no_front_end: Any = None
    setup = SeatSetup(terms, no_front_end, home, Output(facts=False))
    ledger = Ledger(home.new_journal(), state.chain.empty, home.marks)
    ledger.become(state.chain)
    finished = FinishedGames(setup)
    series = Series(ledger, terms, Place((), None), finished.store)
    with pytest.raises(CommandError) as told:
        finished.conclude(series, state.ending, [])
    ledger.close()
    return home, told.value


@each_table
@host_and_guest
@each_reason_once
def test_goodbye_forgets_no_game_in_which_our_greeting_is_out(
    graph, seat, entries, goodbye, tmp_path
):
    room = begun(graph, seat, entries)
    before = room.states[Seat(seat)]
    if len(before.chain.entries) <= seat:  # our greeting is not out
        return
    state, effects = step(before, goodbye_to(room, seat, GOODBYES[goodbye]))
    if isinstance(before, Playing) and goodbye == "DONE":  # has no effect
        assert (state, effects) == (before, ())
        return
    number = 1 if seat == 0 else 0
    name = f"seat {number}"
    match state:
        case SessionOver(chain):
            home, error = conclude(state, room, tmp_path)
            why = error.fields["why"]
            assert (error.exit_code, str(why).startswith(name)) == (Exit.INTERRUPTED, True)
            kept = open_unfinished(home, None)
            assert kept.chain.entries == chain.entries == before.chain.entries
            kept.close()
        case Greeting():  # the line tells the end of the link
            (why,) = (effect.why for effect in effects if isinstance(effect, HangUp))
            assert why == left_the_lobby(name, GOODBYES[goodbye])
        case _:
            told = [effect.news for effect in effects if isinstance(effect, Tell)]
            assert told == [LineChanged(LineDown(LEFT_BY(name=name), Seat(number)), name)]


@each_table
@each_goodbye
def test_guest_that_has_signed_nothing_forgets_the_roster(graph, goodbye, tmp_path):
    room = Room(graph, "goodbye", stays=True)
    state, _ = step(room.states[Seat(1)], goodbye_to(room, 1, GOODBYES[goodbye]))
    assert isinstance(state, SessionOver)
    home, error = conclude(state, room, tmp_path)
    assert error.code == "not-begun"
    assert not list(home.unfinished.glob("*"))


@each_table
@host_and_guest
@each_moment
def test_game_goes_on_after_a_goodbye(graph, seat, entries):
    room = begun(graph, seat, entries)
    room.do(seat, goodbye_to(room, seat, GOODBYES["NAME"]))
    for other in room.seats:
        room.restart(other)
    for one, other in GRAPHS[graph][1]:
        room.link(one, other)
    room.run()
    assert all(room.chain(each).finished for each in room.seats)


def other_name(room: Room) -> bytes:
    """Return the greeting of seat 1 under a name that the roster does not have."""
    state = room.chain(0).state
    assert isinstance(state, Greetings)
    player = take_seat(Seat(1), state.head, room.chain(1).secrets)
    return greet(player, state, Offer(Toy(3), "somebody else")).encoded


def second_greeting(room: Room) -> bytes:
    """Return another greeting of seat 1 for the same place."""
    first, seed = room.chain(0).entries[1], room.chain(1).secrets.session
    return sign_entry(1, Seat(1), first.prev, bytes(16), first.fields, seed).encoded


@pytest.mark.parametrize(
    ("entries", "breach", "check"),
    [(1, other_name, Check.ROSTER), (2, second_greeting, Check.FORK)],
)
def test_refused_greeting_of_a_table_leaves_the_evidence(entries, breach, check, tmp_path):
    room = begun("star of three", 0, entries)
    room.do(0, heard(room, 0, Frame(Kind.MSG, breach(room))))
    room.run()
    room.time_passes()
    state = room.states[Seat(0)]
    assert isinstance(state, SessionOver)
    room.restart(0)
    state = room.states[Seat(0)]  # after a crash, too
    assert isinstance(state, SessionOver)
    home, error = conclude(state, room, tmp_path)
    assert (error.exit_code, error.code) == (Exit.VIOLATED, "peer-proof")
    assert error.fields["name"] == "seat 1"
    (evidence,) = home.games.glob("*.dispute")
    failure = verify_transcript(evidence.read_bytes()).failure
    assert failure is not None
    assert (failure.check, failure.seat) == (check, 1)
