"""Two sessions over a link in memory: what they tell, how they end, and in which order."""

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from trio.testing import memory_stream_pair

from matcha_p2p import afterwards
from matcha_p2p.bots import BOTS
from matcha_p2p.errors import Check, JournalError, LinkError
from matcha_p2p.machine.events import GameEnded, Placed
from matcha_p2p.review.verify import Verdict, verify_transcript
from matcha_p2p.rules.edition import EDITION_2015, EDITION_2020
from matcha_p2p.rules.phases import How
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.journal import Journal
from matcha_p2p.session.line import Line, LineDialled
from matcha_p2p.session.news import (
    LEFT,
    YOU_LEFT,
    Choice,
    Concede,
    Declined,
    DiskFailed,
    Ending,
    Exposed,
    Finished,
    Front,
    HandSeen,
    Interrupted,
    Leave,
    LineChanged,
    MoveDue,
    News,
    PhraseHeard,
    TalkHeard,
    Terms,
    Told,
    Violated,
    gathered,
)
from matcha_p2p.session.session import Session
from matcha_p2p.transcript.entry import Entry, sign_entry
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link, initiate, respond
from matcha_p2p.wire.talk import Phrase, Say
from tests.duel import secrets_of

PSK = bytes(32)


class Seat:
    """One seat of a game under test: a bot, unless ``answers`` says otherwise."""

    def __init__(self, number: int, folder: Path, terms: Terms) -> None:
        self.number = number
        self.folder = folder
        self.terms = terms
        self.news: list[News] = []
        self.ending: Ending | None = None
        self.chain: Chain
        self.script: dict[int, list[Choice]] = {}  # what to send before the n-th move
        self.at_end: list[Choice] = []

    def tell(self, move_number: int, *choices: Choice) -> "Seat":
        self.script[move_number] = list(choices)
        return self

    async def play(self, link: Link) -> None:
        rng = random.Random(self.number)
        self.chain = Chain.create(
            self.folder / f"{self.number}" / "journal",
            self.number,
            secrets_of("session", self.number),
            link.binding,
            PSK,
        )
        links, found = trio.open_memory_channel[Link](1)
        await links.send(link)
        await links.aclose()
        news, heard = trio.open_memory_channel[News](0)
        decide, choices = trio.open_memory_channel[Choice](16)

        async def front() -> None:
            moves = 0
            async for piece in heard:
                self.news.append(piece)
                if isinstance(piece, Told) and isinstance(piece.event, GameEnded):
                    for choice in self.at_end:
                        await decide.send(choice)
                if isinstance(piece, MoveDue):
                    scripted = self.script.get(moves, [])
                    moves += 1
                    for choice in scripted:
                        await decide.send(choice)
                    if Concede() not in scripted and Leave() not in scripted:
                        await decide.send(BOTS["uniform"].choose(piece.observation, rng))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(front)
            line = Line(found)
            async with gathered(line, choices) as inbox:
                front = Front(news, inbox)
                self.ending = await Session(line, self.chain, self.terms, front).run()
            nursery.cancel_scope.cancel()
        self.chain.close()

    def told(self, kind: type) -> list[News]:
        return [p for p in self.news if isinstance(p, kind)] + [
            p.event for p in self.news if isinstance(p, Told) and isinstance(p.event, kind)
        ]


async def links(
    pair: Callable[[], tuple[trio.abc.Stream, trio.abc.Stream]] = memory_stream_pair,
) -> tuple[Link, Link]:
    ends = pair()
    made: dict[int, Link] = {}

    async def answer() -> None:
        made[0] = await respond(ends[0], PSK)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        made[1] = await initiate(ends[1], PSK)
    return made[0], made[1]


async def game(host: Seat, guest: Seat) -> None:
    both = await links()
    async with trio.open_nursery() as nursery:
        for seat, link in zip((host, guest), both, strict=True):
            nursery.start_soon(seat.play, link)


def seats(
    folder: Path, edition=EDITION_2020, wanted=None, books=(False, False)
) -> tuple[Seat, Seat]:
    host = Seat(0, folder, Terms("Mina", edition, books[0]))
    return host, Seat(1, folder, Terms("Taro", wanted, books[1]))


@pytest.mark.parametrize("edition", [EDITION_2015, EDITION_2020])
async def test_two_sessions_play_a_whole_game(tmp_path, edition):
    host, guest = seats(tmp_path, edition)
    await game(host, guest)
    assert isinstance(host.ending, Finished)
    assert host.ending == guest.ending
    assert host.chain.transcript() == guest.chain.transcript()
    report = verify_transcript(host.chain.transcript())
    assert report.verdict.value == "COMPLETE"


async def test_both_are_told_the_same_and_see_their_own_hands(tmp_path):
    host, guest = seats(tmp_path)
    await game(host, guest)
    events = [[p for p in seat.news if isinstance(p, Told)] for seat in (host, guest)]
    assert events[0] == events[1]
    hands = [seat.told(HandSeen) for seat in (host, guest)]
    assert len(hands[0]) == len(hands[1]) > 0
    assert hands[0] != hands[1]


async def test_what_is_sent_is_in_the_journal_before(tmp_path, monkeypatch):
    log: list[tuple[str, bytes]] = []
    append, send = Journal.append, Link.send

    def written(self, records):
        append(self, records)
        log.extend(("journal", record.body) for record in records)

    async def sent(self, frame: Frame):
        if frame.kind in (Kind.MSG, Kind.REC):
            log.append(("link", frame.payload))
        await send(self, frame)

    monkeypatch.setattr(Journal, "append", written)
    monkeypatch.setattr(Link, "send", sent)
    host, guest = seats(tmp_path)
    await game(host, guest)
    visible = [body for place, body in log if place == "link"]
    assert len(visible) == len(host.chain.entries)
    for body in visible:
        assert log.index(("journal", body)) < log.index(("link", body))


async def test_nothing_is_sent_after_the_disk_has_failed(tmp_path, monkeypatch):
    host, guest = seats(tmp_path)
    append, send = Journal.append, Link.send
    failed_at: list[int] = []
    sent: list[Frame] = []

    def failing(self, records):
        if len(sent) > 12:
            failed_at.append(len(sent))
            raise JournalError("The disk is full.")
        append(self, records)

    async def counted(self, frame: Frame):
        if frame.kind in (Kind.MSG, Kind.REC):
            sent.append(frame)
        await send(self, frame)

    monkeypatch.setattr(Journal, "append", failing)
    monkeypatch.setattr(Link, "send", counted)
    await game(host, guest)
    assert DiskFailed("The disk is full.") in (host.ending, guest.ending)
    assert failed_at[0] == len(sent)


async def test_a_guest_who_wants_another_edition_declines(tmp_path):
    host, guest = seats(tmp_path, EDITION_2015, EDITION_2020)
    await game(host, guest)
    assert isinstance(host.ending, Declined)
    assert isinstance(guest.ending, Declined)
    assert "2015" in guest.ending.why
    assert "2020" in guest.ending.why


async def test_a_resignation_ends_the_game_for_both(tmp_path):
    host, guest = seats(tmp_path)
    guest.tell(2, Concede())
    await game(host, guest)
    for seat in (host, guest):
        assert isinstance(seat.ending, Finished)
        assert (seat.ending.ended.ended.winner, seat.ending.ended.ended.how) == (
            0,
            How.RESIGNED,
        )
        assert len(seat.told(GameEnded)) == 1
    assert verify_transcript(host.chain.transcript()).verdict.value == "RESIGNED"


async def test_who_leaves_interrupts_the_game_for_both(tmp_path):
    host, guest = seats(tmp_path)
    host.tell(1, Leave())
    await game(host, guest)
    assert isinstance(host.ending, Interrupted)
    assert guest.ending == Interrupted("The other player has left the game.")


async def test_who_leaves_as_soon_as_the_game_is_decided_has_all_of_it(tmp_path):
    """Both still have to sign the result, and do so first."""
    both = seats(tmp_path)
    for seat in both:
        seat.terms = replace(seat.terms, stays=True)
        seat.at_end = [Leave()]
    await game(*both)
    for seat in both:
        assert isinstance(seat.ending, Finished)
        assert verify_transcript(seat.chain.transcript()).verdict is Verdict.COMPLETE


async def test_who_waits_in_vain_for_the_result_to_be_signed_leaves_the_game(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(afterwards, "PARTING_LIMIT", 0.05)
    monkeypatch.setattr(Chain, "finished", False)
    host, guest = seats(tmp_path)
    host.at_end = [Leave()]
    with trio.fail_after(20):
        await game(host, guest)
    assert host.ending == Interrupted(YOU_LEFT())
    assert guest.ending == Interrupted(LEFT())


async def test_talk_arrives_clean_and_is_in_no_transcript(tmp_path):
    host, guest = seats(tmp_path)
    host.tell(0, Say("nothing\x1b[2J here \u202e"))
    await game(host, guest)
    (heard,) = guest.told(TalkHeard)
    assert heard.text == "nothing\ufffd[2J here \ufffd"
    assert b"nothing" not in guest.chain.transcript()


async def test_a_phrase_arrives_as_a_number(tmp_path):
    host, guest = seats(tmp_path)
    host.tell(0, Phrase(4))
    await game(host, guest)
    assert guest.told(PhraseHeard) == [PhraseHeard(4)]


async def test_books_are_opened_only_if_both_want_to_the_loser_first(tmp_path):
    host, guest = seats(tmp_path, books=(True, True))
    await game(host, guest)
    order = [piece.seat for piece in host.told(Exposed)]
    winner = host.ending.ended.ended.winner
    assert order == [0, 1] if winner in (None, 1) else [1, 0]
    assert host.chain.exposed == guest.chain.exposed == {0, 1}
    assert verify_transcript(guest.chain.transcript()).valid


@pytest.mark.parametrize("books", [(True, False), (False, True)])
async def test_one_offer_opens_no_book(tmp_path, books):
    host, guest = seats(tmp_path, books=books)
    await game(host, guest)
    assert isinstance(host.ending, Finished)
    assert isinstance(guest.ending, Finished)
    assert host.chain.exposed == guest.chain.exposed == frozenset()


async def test_a_cut_line_interrupts_the_game(tmp_path):
    host, guest = seats(tmp_path)
    both = await links()

    async def cut() -> None:
        while not host.told(Placed):
            await trio.lowlevel.checkpoint()
        await both[0].aclose()
        await both[1].aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(cut)
        for seat, link in zip((host, guest), both, strict=True):
            nursery.start_soon(seat.play, link)
    assert isinstance(host.ending, Interrupted)
    assert isinstance(guest.ending, Interrupted)


async def test_tries_to_dial_beside_a_link_are_not_told(tmp_path):
    host, guest = seats(tmp_path)
    host.tell(0, LineDialled(1))
    await game(host, guest)
    assert LineChanged(LineDialled(1)) not in host.news


async def test_the_first_wrong_entry_stops_the_game_and_accuses_its_author(
    tmp_path, monkeypatch
):
    """A peer whose rules engine disagrees is refused at its first entry that says so."""
    host, guest = seats(tmp_path)
    commit = Chain._commit

    def forged(self, entry, after, events):
        if self.seat == 1 and entry.seq > 8:
            entry = wrong_state(entry)
        return commit(self, entry, after, events)

    monkeypatch.setattr(Chain, "_commit", forged)
    await game(host, guest)
    assert isinstance(host.ending, Violated)
    assert (host.ending.violation.check, host.ending.violation.seat) == (Check.STATE, 1)
    assert isinstance(guest.ending, Interrupted)
    assert "E_STATE" in guest.ending.why


def wrong_state(entry: Entry) -> Entry:
    seed = secrets_of("session", 1).session
    return sign_entry(entry.seq, 1, entry.prev, bytes(16), entry.actions(), seed)


async def test_a_silent_peer_is_given_up(tmp_path, autojump_clock):
    """After 45 s without a frame the line counts as lost; trio's clock does the waiting."""
    host, _ = seats(tmp_path)
    both = await links()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(drain, both[1])
        await host.play(both[0])
        nursery.cancel_scope.cancel()
    assert host.ending == Interrupted("Nothing has come for 45 s.")


async def drain(link: Link) -> None:
    with suppress(LinkError):
        while True:
            await link.receive()
