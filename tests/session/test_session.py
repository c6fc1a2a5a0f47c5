"""Two sessions over a link in memory: their news, their ends, and the order of events."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.errors import Check, JournalError, LinkError
from matcha_p2p.games import find
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.table.events import HandSeen, Placed
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import LineUp
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.news import (
    LEFT_BY,
    YOU_LEFT,
    DiskFailed,
    Exposed,
    Finished,
    GameEvent,
    Interrupted,
    Leave,
    TalkHeard,
    TalkRecalled,
    Terms,
    Violated,
)
from matcha_p2p.session.step import signing
from matcha_p2p.session.step.state import Tell
from matcha_p2p.session.step.step import begin, take_up
from matcha_p2p.session.storage.journal import Journal
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.wire.entry import Entry, sign_entry
from matcha_p2p.wire.talk import Say
from tests.duel import roster_of, secrets_of
from tests.harness import BINDING, PSK, Player, introduced, play

SEED = "session"


def terms(edition="2020", wanted=None, books=(False, False), stays=False):
    return (
        Terms("Mina", "matcha", edition, books[0], stays=stays),
        Terms("Taro", "matcha", wanted, books[1], stays=stays),
    )


async def met(folder: Path, *how, **more) -> tuple[Player, Player, tuple[Link, Link]]:
    """Return both players after their greetings, and the ends of their link."""
    (host, guest), ends = await introduced(folder, terms(*how, **more), SEED)
    return host, guest, ends


@pytest.mark.parametrize("edition", ["2015", "2020"])
async def test_two_sessions_play_a_whole_game(tmp_path, edition):
    host, guest, ends = await met(tmp_path, edition)
    await play((host, guest), ends)
    assert isinstance(host.ending, Finished)
    assert host.ending == guest.ending
    assert host.transcripts == guest.transcripts
    assert verify_transcript(host.transcripts[0]).verdict is Verdict.COMPLETE


def open_to_all(news):
    """Return the news without the card that a player alone sees in its own move."""
    match news.event:
        case Placed() as placed:
            return news._replace(event=replace(placed, card=None))
        case _:
            return news


async def test_both_hear_the_same_news_and_see_their_own_hands(tmp_path):
    host, guest, ends = await met(tmp_path)
    await play((host, guest), ends)
    events = [[p for p in player.news if isinstance(p, GameEvent)] for player in (host, guest)]
    for seat, told in enumerate(events):
        laid = [p.event for p in told if isinstance(p.event, Placed)]
        assert {placed.seat for placed in laid if placed.card is not None} == {seat}
    common = [
        [open_to_all(p) for p in told if not isinstance(p.event, HandSeen)] for told in events
    ]
    assert common[0] == common[1]
    hands = [player.told(HandSeen) for player in (host, guest)]
    assert len(hands[0]) == len(hands[1]) > 0
    assert hands[0] != hands[1]


async def test_sent_or_shown_entry_is_in_the_journal_before(tmp_path, monkeypatch):
    """Also what the peer has said: a move that a person has seen is not taken back."""
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
    host, guest, ends = await met(tmp_path)
    tell = Player._look_on

    async def look_on(self, heard):
        shown, pass_on = trio.open_memory_channel(0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tell, self, pass_on)
            async with shown:
                async for piece in heard:
                    if isinstance(piece, GameEvent) and self is guest:
                        last = self.chain.entries[-1]
                        log.append(("screen", last.encoded))
                    await shown.send(piece)

    monkeypatch.setattr(Player, "_look_on", look_on)
    await play((host, guest), ends)
    visible = [body for place, body in log if place != "journal"]
    assert len(set(visible)) >= len(host.chain.entries)
    held = {entry.encoded for entry in host.chain.entries[:1]}  # before there is a game
    for body in set(visible) - held:
        first = min(
            log.index((place, body)) for place in ("link", "screen") if (place, body) in log
        )
        assert log.index(("journal", body)) < first


async def test_failed_disk_sends_nothing_more(tmp_path, monkeypatch):
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
    host, guest, ends = await met(tmp_path)
    await play((host, guest), ends)
    assert DiskFailed("The disk is full.") in (host.ending, guest.ending)
    assert failed_at[0] == len(sent)


async def test_leaving_interrupts_the_game_for_both(tmp_path):
    host, guest, ends = await met(tmp_path)
    host.answers = {1: (Leave(),)}
    await play((host, guest), ends)
    assert host.ending == Interrupted(YOU_LEFT())
    assert guest.ending == Interrupted(LEFT_BY(name="Mina"))


async def test_player_leaving_after_the_decision_has_the_whole_game(tmp_path):
    """Both still have to sign the result, and do so first."""
    host, guest, ends = await met(tmp_path, stays=True)
    for player in (host, guest):
        player.at_end = (Leave(),)
    await play((host, guest), ends)
    for player in (host, guest):
        assert isinstance(player.ending, Finished)
        assert verify_transcript(player.transcripts[0]).verdict is Verdict.COMPLETE


def test_greeting_says_what_the_roster_lists_though_the_person_has_another_name_now():
    roster = roster_of("names", find("matcha", "2015", 2), ["Mina", "Taro"])
    chain = Chain.begin(SEATS[0], secrets_of("names", 0), Psk(PSK), roster)
    other = Terms("Kiku", "matcha", None, False, identity=bytes(range(32)))
    state, _ = begin(chain, other, LineUp(Binding(BINDING), None, SEATS[1]))
    (hello,) = state.chain.state.hellos
    assert (hello.name, hello.identity) == ("Mina", None)


async def test_talk_arrives_clean_and_is_in_no_transcript(tmp_path):
    host, guest, ends = await met(tmp_path)
    host.answers = {0: (Say("nothing\x1b[2J here \u202e"),)}
    await play((host, guest), ends)
    assert guest.told(TalkHeard) == [
        TalkHeard("nothing\ufffd[2J here \ufffd", "Mina", SEATS[0])
    ]
    assert b"nothing" not in guest.transcripts[0]


async def test_talk_is_told_again_by_the_program_that_takes_the_game_up(tmp_path):
    host, guest, ends = await met(tmp_path)
    host.answers = {0: (Say("nothing here"), Leave())}
    await play((host, guest), ends)
    assert isinstance(host.ending, Interrupted)
    for player in (host, guest):
        player.ledger.close()
        ledger = Ledger.open(player.ledger.path)
        _, effects = take_up(ledger.chain, terms()[0], ledger.talk.spoken)
        ledger.close()
        told = [each.news for each in effects if isinstance(each, Tell)]
        said = ((host.chain.seat, Say("nothing here")),)
        assert TalkRecalled(said, ("Mina", "Taro")) in told


async def test_books_are_opened_only_if_both_want_to_the_loser_first(tmp_path):
    host, guest, ends = await met(tmp_path, books=(True, True))
    await play((host, guest), ends)
    order = [piece.seat for piece in host.told(Exposed)]
    winner = host.ending.ended.ended.winner
    assert order == [0, 1] if winner in (None, 1) else [1, 0]
    assert host.chain.exposed == guest.chain.exposed == {0, 1}
    assert verify_transcript(guest.transcripts[0]).valid


async def test_the_first_wrong_entry_stops_the_game_and_accuses_its_author(
    tmp_path, monkeypatch
):
    """A peer with other rules is refused at the first entry with a different state."""
    with_own = Chain._with_own

    def forged(self, said):
        if self.seat == 1 and said.entry.seq > 8:
            said = said._replace(entry=wrong_state(said.entry))
        return with_own(self, said)

    monkeypatch.setattr(Chain, "_with_own", forged)
    host, guest, ends = await met(tmp_path)
    await play((host, guest), ends)
    assert isinstance(host.ending, Violated)
    assert (host.ending.violation.check, host.ending.violation.seat) == (Check.STATE, 1)
    assert isinstance(guest.ending, Interrupted)
    assert "E_STATE" in guest.ending.why


def wrong_state(entry: Entry) -> Entry:
    seed = secrets_of(SEED, 1).session
    return sign_entry(entry.seq, SEATS[1], entry.prev, bytes(16), entry.fields, seed)


async def test_a_silent_peer_is_given_up(tmp_path, no_threads, autojump_clock):
    """After 45 s without a frame the line counts as lost; trio's clock does the waiting."""
    host, _, ends = await met(tmp_path)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(drain, ends[1])
        await host.run(ends[0])
        nursery.cancel_scope.cancel()
    assert host.ending == Interrupted("No message has come for 45 s.")


async def drain(link: Link) -> None:
    with suppress(LinkError):
        while True:
            await link.receive()


async def test_unattended_seat_waits_for_a_move_for_a_limited_time(
    tmp_path, no_threads, autojump_clock
):
    """The peer's pings do not lengthen the time."""
    first, second = terms()
    (host, guest), ends = await introduced(
        tmp_path, (replace(first, patience=90.0), second), SEED
    )
    guest.bot = None
    begun = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(guest.run, ends[1])
        await host.run(ends[0])
    assert host.ending == Interrupted(f"{second.name} has made no move for 90 s.")
    assert 90 <= trio.current_time() - begun < 110
    assert guest.ending == Interrupted(LEFT_BY(name="Mina"))


async def test_missing_signature_of_the_peer_ends_with_a_decided_game(
    tmp_path, no_threads, autojump_clock, monkeypatch
):
    """The loser's program goes on with its pings, and does not sign."""
    host, guest, ends = await met(tmp_path)
    monkeypatch.setattr(signing, "carry_on", unwilling(signing.carry_on))
    with trio.fail_after(1000):
        await play((host, guest), ends)
    decided = [player for player in (host, guest) if player.chain.ended is not None]
    assert decided
    for player in decided:
        assert isinstance(player.ending, Interrupted)
        assert verify_transcript(player.transcripts[0]).verdict is Verdict.DECIDED


def unwilling(carry_on):
    """Sign no result of a game decided by the other seat."""

    def instead(playing):
        return (playing, ()) if playing.chain.ended is not None else carry_on(playing)

    return instead
