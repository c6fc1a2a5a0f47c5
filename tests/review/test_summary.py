"""The quick summary of a game agrees with the whole verification."""

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.errors import Check, CheckError, JournalError, TranscriptError
from matcha_p2p.games import find
from matcha_p2p.games.matcha.events import Met
from matcha_p2p.games.matcha.told import told
from matcha_p2p.review.summary import summarize_journal, summarize_transcript
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain, ItemKind
from matcha_p2p.session.storage.journal import Journal, JournalItem
from matcha_p2p.table.step import recall, step
from matcha_p2p.table.table import Greetings, next_due
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.statements import Resign
from tests.cheats.scene import played, sign_body
from tests.games.kashi.table import course
from tests.harness import pair, talk

ACCEPTED = Path(__file__).parents[2] / "protocol" / "vectors" / "accept"
FILES = sorted(
    path
    for path in ACCEPTED.glob("*.matcha")
    if path.stem not in ("nothing-said", "one-greeting", "two-versions")  # nobody has met there
)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_summary_agrees_with_a_verifier(path):
    data = path.read_bytes()
    summary, report = summarize_transcript(data), verify_transcript(data)
    met = next(e for sound in report.accepted for e in told(sound.events) if isinstance(e, Met))
    assert (summary.edition, summary.names) == (met.edition.name, met.names)
    decided = report.verdict in (Verdict.COMPLETE, Verdict.RESIGNED)
    if summary.over or decided:
        assert summary.over
        assert report.result is not None
        assert summary.winners == report.result.winners
        assert summary.conceded == (report.verdict is Verdict.RESIGNED)


def test_all_files_of_a_game_have_one_name_and_other_games_another():
    entries = [entry.encoded for entry in played("long").log]
    whole, part = (encode_archive(part, []) for part in (entries, entries[:20]))
    other = encode_archive([entry.encoded for entry in played("short").log], [])
    assert summarize_transcript(whole).game == summarize_transcript(part).game
    assert summarize_transcript(whole).game != summarize_transcript(other).game


@pytest.mark.parametrize("name", ["\x1b[2J", "a\u202eb", "", "x" * 25, "two  spaces"])
def test_a_name_that_nobody_can_have_is_refused(name):
    with pytest.raises(CheckError):
        summarize_transcript(greeted(name=name))


@pytest.mark.parametrize(
    "changes",
    [{"variant": "\x1b[31m2015"}, {"game": "toy"}, {"seats": 3}, {"variant": "2015"}],
    ids=["variant", "game", "seats", "other-than-the-second-greeting"],
)
def test_unknown_game_is_refused_as_unknown(changes):
    with pytest.raises(CheckError) as refused:
        summarize_transcript(greeted(**changes))
    assert refused.value.check is Check.GAME


@pytest.mark.parametrize("seat", [2, 3])
def test_a_seat_that_a_game_of_two_does_not_have_concedes_nothing(seat):
    scene = played("short")
    session = scene.players[0].secrets.session
    signed = sign_record(scene.table.gid, Seat(seat), scene.log[5].id, Resign(), session)
    data = encode_archive([entry.encoded for entry in scene.log[:8]], [signed.encoded])
    with pytest.raises(CheckError) as refused:
        summarize_transcript(data)
    assert refused.value.check is Check.RECORD


def greeted(**changes) -> bytes:
    """Return a game with a changed first greeting; the summary checks no signature."""
    first, *others = played("short").log[:4]
    greeting: Any = first.fields[0]
    hello = list(greeting)
    places = {"game": 4, "variant": 5, "seats": 6, "name": 8}
    for field, value in changes.items():
        hello[places[field]] = value
    body = pack([first.seq, first.seat, first.prev, first.state, [hello]])
    seed = played("short").players[0].secrets.session
    return encode_archive([sign_body(body, seed), *(entry.encoded for entry in others)], [])


def test_cut_and_altered_files_are_refused_or_read_and_nothing_else():
    whole = (ACCEPTED / "resigned.matcha").read_bytes()
    rng = random.Random(5)
    for _ in range(300):
        data = bytearray(whole[: rng.randrange(len(whole))] if rng.random() < 0.3 else whole)
        for _ in range(rng.randrange(4)):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        with suppress(CheckError, TranscriptError):
            summarize_transcript(bytes(data))


def test_accepted_entry_is_recalled_unchanged():
    state = Greetings(played("hoarding").log[0].prev, find)
    folded = state
    for entry in played("hoarding").log:
        state, _ = step(state, entry)
        folded = recall(folded, entry)
        assert folded == state


def test_impossible_entry_is_not_recalled():
    scene = played("short")
    state, entry = scene.states[20], scene.log[20]
    assert recall(state, entry) == scene.states[21]
    for other in (state._replace(head=bytes(32)), state._replace(length=19), scene.states[21]):
        with pytest.raises(CheckError):
            recall(other, entry)


def test_journal_in_use_tells_the_seat_to_move_and_stays_unchanged(tmp_path):
    host, guest = pair(tmp_path)
    for _ in range(12):
        talk(host, guest, 1)
        for copy in (host, guest):
            before = copy.path.read_bytes()
            pause = summarize_journal(copy.path)
            assert copy.path.read_bytes() == before
            due = next_due(copy.chain.table)
            seat = copy.chain.seat
            assert (pause.seat, pause.due) == (seat, None if due is None else due.seat)
            assert (pause.edition, pause.names) == ("2015", ("Mina", "Taro"))


@pytest.mark.parametrize("seats", [3, 4])
def test_journal_of_many_seats_tells_the_game_the_names_and_how_far(tmp_path, seats):
    party = course(seats, most=seats + 3).party
    secrets = party.players[1].secrets
    chain = Chain.begin(Seat(1), secrets, Binding(party.entries[0].prev), Psk(bytes(32)))
    items = [JournalItem(ItemKind.ENTRY, entry.encoded) for entry in party.entries]
    for count in (seats, len(items)):
        path = tmp_path / f"{count}" / "journal"
        path.parent.mkdir(mode=0o700)
        with Journal.create(path, chain.header) as journal:
            journal.append(items[:count])
        pause = summarize_journal(path)
        names = tuple(f"seat {seat}" for seat in range(seats))
        assert (pause.seat, pause.kind, pause.edition, pause.names) == (
            1,
            "kashi",
            "ichi",
            names,
        )
        assert pause.others == [name for name in names if name != "seat 1"]
        assert pause.begun == int(count > seats)
    due = next_due(party.table)
    assert due is not None
    assert pause.due == due.seat


def test_a_conceded_game_waits_for_nobody(tmp_path):
    host, _ = pair(tmp_path)
    host.declare(Resign())
    assert summarize_journal(host.path).due is None


def test_a_torn_journal_is_read_up_to_the_tear_and_a_damaged_one_is_not(tmp_path):
    host, guest = pair(tmp_path)
    talk(host, guest, 6)
    host.close()
    whole = host.path.read_bytes()
    host.path.write_bytes(whole[:-3])
    assert summarize_journal(host.path).names == ("Mina", "Taro")
    host.path.write_bytes(whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])
    with pytest.raises(JournalError):
        summarize_journal(host.path)
    host.path.unlink()
    with pytest.raises(JournalError):
        summarize_journal(host.path)
