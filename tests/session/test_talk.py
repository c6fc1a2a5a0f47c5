"""Talk at a table of three or four seats reaches every seat, once and as its author's."""

import math

import pytest
import trio

from matcha_p2p.games.kashi.words.seat_words import SeatWords
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.seats import MOST_SEATS, Seat
from matcha_p2p.session.connection.changes import Arrived, LineItem, LineUp
from matcha_p2p.session.connection.line import RATES, Connection
from matcha_p2p.session.connection.word_kinds import BY_FRAME
from matcha_p2p.session.news import (
    LineChanged,
    PhraseHeard,
    TalkHeard,
    TalkRecalled,
    Unheard,
)
from matcha_p2p.session.step import step as session
from matcha_p2p.session.step.state import Tell
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.said import SaidWord, author_of, sign_said
from matcha_p2p.wire.talk import Phrase, Say
from tests import harness
from tests.games.toy.telling import ToyWords
from tests.session.room import GRAPHS, Room, know_toy, on_graphs


@pytest.fixture(autouse=True)
def known(monkeypatch):
    know_toy(monkeypatch)


def playing(graph: str, seed: str) -> Room:
    """Return a game whose seats have all greeted and moved."""
    room = Room(graph, seed, stays=True)
    room.run(until=room.has(6))
    return room


def heard(room: Room, seat: int) -> list[TalkHeard]:
    return room.told(seat, TalkHeard)


@on_graphs(GRAPHS, place=range(3))
def test_word_reaches_every_other_seat_once_with_its_name(graph, place):
    room = playing(graph, f"talk {place}")
    speaker = place % len(room.seats)
    room.do(speaker, Say("hello"))
    room.do(speaker, Phrase(4))
    room.do(speaker, Say("again"))
    room.run()
    by = (f"seat {speaker}", Seat(speaker))
    for seat in room.seats:
        others = seat != speaker
        said = [TalkHeard("hello", *by), TalkHeard("again", *by)]
        assert heard(room, seat) == (said if others else [])
        assert room.told(seat, PhraseHeard) == ([PhraseHeard(4, *by)] if others else [])


def test_talk_goes_on_after_the_game():
    room = playing("star of four", "after")
    room.run()
    room.do(3, Say("well played"))
    room.run()
    assert heard(room, 1) == heard(room, 2) == [TalkHeard("well played", "seat 3", Seat(3))]


def test_word_without_a_link_is_told_to_be_unheard():
    room = playing("star of three", "apart")
    room.cut(0, 1)
    room.do(1, Say("lost"))
    assert room.told(1, Unheard) == [Unheard()]
    room.link(0, 1)
    room.run()
    assert heard(room, 0) == heard(room, 2) == []


def test_new_link_says_no_old_words():
    room = playing("star of three", "link")
    room.do(2, Say("once"))
    room.run()
    frames = list[Frame]()

    def watch(_from: Seat, _to: Seat, frame: Frame) -> list[Frame]:
        frames.append(frame)
        return [frame]

    room.relay = watch
    room.cut(0, 1)
    room.link(0, 1)
    room.run()
    assert frames
    assert Kind.TALK not in {frame.kind for frame in frames}
    assert heard(room, 1) == [TalkHeard("once", "seat 2", Seat(2))]


def test_restarted_seat_is_heard_again():
    room = playing("star of three", "restart")
    for word in ("one", "two"):
        room.do(1, Say(word))
    room.run()
    room.restart(1)
    room.link(0, 1)
    room.run()
    room.do(1, Say("three"))
    room.run()
    assert [said.text for said in heard(room, 2)] == ["one", "two", "three"]


def test_earlier_talk_is_told_with_the_names_of_its_authors():
    room = playing("star of three", "recalled")
    spoken = ((Seat(0), Say("hello")), (Seat(2), Phrase(5)), (Seat(1), Say("hi")))
    _, effects = session.take_up(room.chain(1), room.terms[1], spoken)
    (recalled,) = [
        each.news
        for each in effects
        if isinstance(each, Tell) and isinstance(each.news, TalkRecalled)
    ]
    lines = NewsNarrator(SeatWords(Seat(1))).tell(recalled)[1:]
    assert lines == ["seat 0 says: hello", "seat 2 says: Well played.", "You said: hi"]


def test_each_line_that_comes_back_after_a_resume_is_told():
    room = playing("star of three", "taken up")
    narrator = NewsNarrator(ToyWords(Seat(0)))
    narrator.tell(session.taken_up(room.chain(0)))
    told = [
        narrator.tell(LineChanged(LineUp(Binding(bytes(32)), None, Seat(seat)), f"seat {seat}"))
        for seat in (2, 1, 1)
    ]
    assert told == [["seat 2 is connected again."], ["seat 1 is connected again."], []]


# --- hostile seats ---------------------------------------------------------------------------


def word(room: Room, seat: int, signer: int, number: int = 0, text: str = "hello") -> SaidWord:
    rid = RosterId(room.chain(0).entries[0].prev)
    seed = room.chain(signer).secrets.session
    return sign_said(rid, Seat(seat), (0, number), Say(text), seed)


def give(room: Room, reader: int, bearer: int, payload: bytes) -> None:
    room.hear(reader, bearer, Frame(Kind.TALK, payload))


@pytest.mark.parametrize("kept", [1, -1])
def test_unreadable_word_ends_the_link(kept: int):
    room = playing("star of three", "unreadable")
    give(room, 1, 0, word(room, 2, signer=2).encoded[:kept] + b"\0")
    assert heard(room, 1) == []
    assert 0 not in room.bindings(1)


def test_replayed_and_older_words_are_dropped():
    room = playing("star of three", "replay")
    for number in (3, 3, 2, 0):
        give(room, 1, 0, word(room, 2, 2, number, f"number {number}").encoded)
    assert [said.text for said in heard(room, 1)] == ["number 3"]
    assert 0 in room.bindings(1)


def test_own_word_that_comes_back_is_not_told():
    room = playing("ring of three", "own")
    give(room, 1, 0, word(room, 1, 1, 7).encoded)
    assert heard(room, 1) == []


def test_characters_of_a_word_are_made_harmless():
    room = playing("star of three", "harmless")
    give(room, 1, 0, word(room, 2, 2, text="\x1b[2J" + "x" * 500).encoded)
    (said,) = heard(room, 1)
    assert "\x1b" not in said.text
    assert len(said.text) <= 200


async def arrivals(frames: list[Frame], gap: float = 0.0) -> list[tuple[float, Frame]]:
    """Return when each frame of seat 0 is let in, if one is sent every ``gap`` seconds."""
    near, far = await harness.links()
    links, came = trio.open_memory_channel[Link](1)
    await links.send(near)
    line = Connection(came, Seat(0))
    found = list[tuple[float, Frame]]()
    began = trio.current_time()

    async def post(item: LineItem) -> None:
        if isinstance(item, Arrived):
            found.append((trio.current_time() - began, item.frame))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(line.run, post)
        for frame in frames:
            await far.send(frame)
            await trio.sleep(gap)
        with trio.move_on_after(10):
            await trio.sleep(math.inf)
        nursery.cancel_scope.cancel()
    return found


def words_of(room: Room, *authors: int) -> list[Frame]:
    said = [word(room, seat, seat, number) for number, seat in enumerate(authors)]
    return [Frame(Kind.TALK, one.encoded) for one in said]


async def test_flood_of_a_neighbour_is_delayed(autojump_clock):
    room = playing("star of three", "flood")
    _, burst = RATES[Kind.TALK]
    found = await arrivals(words_of(room, *[0] * (burst + 3)))
    assert [round(at) for at, _ in found] == [0] * burst + [1, 2, 3]


async def test_words_of_several_seats_do_not_wait_for_each_other(autojump_clock):
    """The limit is for each author, so a relay can pass on the words of several seats."""
    room = playing("star of three", "flood")
    _, burst = RATES[Kind.TALK]
    sent = words_of(room, *[0, 1, 2] * burst)
    found = await arrivals(sent)
    assert [frame for _, frame in found] == sent
    assert max(at for at, _ in found) < 0.5


@pytest.mark.parametrize("kind", sorted(BY_FRAME))
async def test_flood_that_a_neighbour_relays_delays_no_other_frame(autojump_clock, kind):
    """A table can bring a neighbour the words of a seat on several ways, each at the limit."""
    room = playing("star of three", "flood")
    rate, burst = RATES[kind]
    flood = [Frame(kind, frame.payload) for frame in words_of(room, *[1, 2] * (3 * burst))]
    entry = Frame(Kind.MSG, room.chain(0).entries[0].encoded)
    gap = 1 / (4 * rate)
    found = await arrivals([*flood, entry], gap)
    assert found[-1][1] == entry
    assert found[-1][0] < len(flood) * gap + 0.5
    assert len(found) > 2 * burst


def test_author_of_a_frame_is_read_without_its_signature():
    room = playing("star of three", "author")
    assert author_of(word(room, 2, 1).encoded) == 2
    assert author_of(b"?") is None
    assert author_of(word(room, MOST_SEATS, 1).encoded) is None
