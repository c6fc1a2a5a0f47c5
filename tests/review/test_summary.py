"""The quick summary of a game agrees with the whole verification."""

import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import filterfalse
from pathlib import Path

import pytest

from matcha_p2p.chain.archive import encode_archive, parse_archive
from matcha_p2p.errors import Check, CheckError, JournalError, TranscriptError, UnknownGameError
from matcha_p2p.games import find
from matcha_p2p.review.summary import summarize_journal, summarize_transcript
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.ledger import ItemKind, header_of
from matcha_p2p.session.storage.journal import Journal, JournalItem
from matcha_p2p.table.step import recall, step
from matcha_p2p.table.table import Greetings, next_due
from matcha_p2p.transport.framing import Kind
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.entry import Entry, parse_entry
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.roster import Roster, parse_roster, sign_roster
from matcha_p2p.wire.statements import Resign
from tests.cheats.scene import Scene, played
from tests.games.kashi.table import course
from tests.harness import pair, talk
from tests.vectors import accepted, of_kashi, of_tichu

ACCEPTED = Path(__file__).parents[2] / "protocol" / "vectors" / "accept"
UNMET = ("nothing-said", "unknown-game", "one-greeting", "two-versions")
"""Files of Matcha in which nobody has met."""
VALID = {
    f"{game} {file.name}": file
    for game, files in (("matcha", accepted()), ("tichu", of_tichu()), ("kashi", of_kashi()))
    for file in files
    if file.expected.check is None and file.name not in UNMET
}
COMPLETE = [name for name, file in VALID.items() if file.expected.verdict == "COMPLETE"]


@pytest.mark.parametrize("name", VALID)
def test_summary_agrees_with_a_verifier(name):
    file = VALID[name]
    summary, expected = summarize_transcript(file.data), file.expected
    assert summary.kind == name.split()[0]
    assert summary.over == (expected.verdict != "UNFINISHED")
    assert summary.winners == (expected.winners or ())
    assert summary.conceded == (expected.verdict == "RESIGNED")


@pytest.mark.parametrize("resigns", [False, True])
@pytest.mark.parametrize("name", COMPLETE)
def test_decided_game_is_over_and_conceded_by_nobody(name, resigns):
    """The file ends where the chain decides the game, and perhaps a seat resigns after that."""
    frames = [*parse_archive(VALID[name].data)]
    roster = [parse_roster(each.payload) for each in frames if each.kind is Kind.ROSTER]
    entries = [parse_entry(each.payload) for each in frames if each.kind is Kind.MSG]
    known = list(filterfalse(is_result, entries))
    resigned = sign_record(entries[0].id, Seat(1), known[-1].id, Resign(), bytes(32))
    data = encode_archive(
        [entry.encoded for entry in known], [resigned.encoded] * resigns, *roster
    )
    summary = summarize_transcript(data)
    assert (summary.over, summary.conceded) == (True, False)
    assert summary.winners == VALID[name].expected.winners


def is_result(entry: Entry) -> bool:
    """Tell whether ``entry`` only signs the result."""
    match entry.fields:
        case (["RESULT", *_],):
            return True
        case _:
            return False


def test_game_is_summed_up_with_its_names_and_edition():
    summary = summarize_transcript((ACCEPTED / "2020-alike.matcha").read_bytes())
    assert (summary.edition, summary.names) == ("2020", ("Mina", "Taro"))


def file_of(
    played_game: str, end: int | None = None, records: Sequence[bytes] = (), **changes: str
) -> bytes:
    """Return the file of the first entries of a game. changes: see ``renamed``."""
    scene = played(played_game)
    entries = [entry.encoded for entry in scene.log[:end]]
    return encode_archive(entries, records, renamed(scene, changes))


def test_all_files_of_a_game_have_one_name_and_other_games_another():
    whole, part, other = file_of("long"), file_of("long", 20), file_of("short")
    assert summarize_transcript(whole).game == summarize_transcript(part).game
    assert summarize_transcript(whole).game != summarize_transcript(other).game


@pytest.mark.parametrize("name", ["\x1b[2J", "a\u202eb", "", "x" * 25, "two  spaces"])
def test_a_name_that_nobody_can_have_is_refused(name):
    with pytest.raises(CheckError):
        summarize_transcript(file_of("short", 4, name=name))


@pytest.mark.parametrize(
    "changes",
    [{"variant": "\x1b[31m2015"}, {"game": "kashi", "variant": ""}],
    ids=["variant", "seats"],
)
def test_unknown_variant_is_refused_as_unknown(changes):
    with pytest.raises(CheckError) as refused:
        summarize_transcript(file_of("short", 4, **changes))
    assert refused.value.check is Check.GAME


def test_game_that_is_not_installed_is_named():
    with pytest.raises(UnknownGameError, match="toy"):
        summarize_transcript(file_of("short", 4, game="toy"))


@pytest.mark.parametrize("seat", [2, 3])
def test_a_seat_that_a_game_of_two_does_not_have_concedes_nothing(seat):
    scene = played("short")
    session = scene.players[0].secrets.session
    signed = sign_record(scene.table.gid, Seat(seat), scene.log[5].id, Resign(), session)
    data = file_of("short", 8, [signed.encoded])
    with pytest.raises(CheckError) as refused:
        summarize_transcript(data)
    assert refused.value.check is Check.RECORD


def renamed(scene: Scene, changes: dict[str, str]) -> Roster:
    """Return the roster of another game or variant, or with another name of seat 0."""
    roster = scene.state.roster
    host, *others = roster.seats
    host = replace(host, name=changes.get("name", host.name))
    game = replace(
        roster.game,
        name=changes.get("game", roster.game.name),
        variant=changes.get("variant", roster.game.variant),
    )
    seed = scene.players[0].secrets.session
    return sign_roster(roster.nonce, game, [host, *others], seed)


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
    state = Greetings.of_roster(played("hoarding").state.roster, find)
    folded = state
    for entry in played("hoarding").log:
        state, _ = step(state, entry)
        folded, _ = recall(folded, entry)
        assert folded == state


def test_impossible_entry_is_not_recalled():
    scene = played("short")
    state, entry = scene.states[20], scene.log[20]
    assert recall(state, entry)[0] == scene.states[21]
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
    chain = Chain.begin(Seat(1), secrets, Psk(bytes(32)), party.state.roster)
    items = [JournalItem(ItemKind.ENTRY, entry.encoded) for entry in party.entries]
    for count in (seats, len(items)):
        path = tmp_path / f"{count}" / "journal"
        path.parent.mkdir(mode=0o700)
        with Journal.create(path, header_of(chain)) as journal:
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
