"""Files of one game; each file leaves out the evidence against its owner."""

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from pathlib import Path

import pytest

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.compare import Copy, contradictions, copy_of
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.errors import Check
from matcha_p2p.games.matcha.rules.moves import PASS
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.table.seat import decide
from matcha_p2p.transport.framing import Frame, Kind, encode_frame
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.entry import Entry
from matcha_p2p.wire.names import EntryId
from matcha_p2p.wire.record import Record, sign_record
from matcha_p2p.wire.roster import Roster
from matcha_p2p.wire.statements import Resign, Statement, Sync
from tests.cheats import chain as cheats
from tests.cheats.records import own_last
from tests.cheats.scene import GAMES, Scene, parted, passing, played
from tests.duel import next_entry
from tests.judges import compared, ours
from tests.processes import clean_run

pytestmark = pytest.mark.slow

HOST, GUEST = SEATS
LINK = b"l" * 32


@cache
def rosters() -> dict[bytes, Roster]:
    """Return the rosters of the whole games, by id."""
    each = [played(game).states[0].roster for game in GAMES]
    return {roster.id: roster for roster in each}


def file(entries: Sequence[Entry], *records: Record) -> bytes:
    said = [each.encoded for each in entries], [each.encoded for each in records]
    return encode_archive(*said, rosters()[entries[0].prev])


def said(scene: Scene, seat: Seat, statement: Statement, head: EntryId) -> Record:
    session = scene.players[seat].secrets.session
    return sign_record(scene.table.gid, seat, head, statement, session)


@pytest.fixture
def short() -> Scene:
    return played("short")


def test_copies_of_several_games_are_told_apart(short):
    other = played("racing")
    files = file(short.log), file(other.log), file(short.log[:9]), b"", file(short.log[:1])
    assert compared(*files) == []


def test_a_fork_shows_only_in_both_files():
    """A seat passed in the first copy, and laid a card in the second."""
    scene = cheats.PLAY()
    assert scene.honest is not None
    passed, _, _ = decide(scene.player, scene.table, PASS)
    laid = file((*scene.log, scene.honest))
    other = file((*scene.log, passed))
    assert verify_transcript(laid).valid
    assert verify_transcript(other).valid
    assert compared(laid, other) == [((0, 1), "E_FORK", len(scene.log), scene.seat)]


def test_resignation_left_out_of_one_copy_convicts_the_seat_that_went_on(short):
    """The cheat keeps a file with its deciding move, and leaves the resignation out."""
    cheat, end = short.log[-2].seat, len(short.log) - 2
    resigned = file(short.log[:end], said(short, cheat, Resign(), short.log[end - 1].id))
    won = file(short.log)
    assert verify_transcript(resigned).verdict is Verdict.RESIGNED
    assert verify_transcript(won).verdict is Verdict.COMPLETE
    assert compared(resigned, won) == [((0, 1), "E_RESIGN", end, cheat)]


def test_a_resignation_that_was_crossed_convicts_nobody(short):
    loser = short.log[-1].seat
    head = short.log[-3].id
    resigned = file(short.log[:-2], said(short, loser, Resign(), head))
    assert compared(file(short.log), resigned) == []


def test_sync_kept_in_one_copy_convicts_the_signer_of_another_chain(short):
    scene = cheats.PLAY()
    length = own_last(scene)
    lie = said(scene, scene.seat, Sync(length, LINK), b"h" * 32)
    kept = file(scene.log[: length - 1], lie)
    assert verify_transcript(kept).waiting == scene.seat
    found = ((0, 1), "E_SYNC", length - 1, scene.seat)
    assert compared(kept, file(scene.log)) == [found]


def test_sound_part_of_an_invalid_file_counts(short):
    cheat, end = short.log[-2].seat, len(short.log) - 2
    resigned = file(short.log[:end], said(short, cheat, Resign(), short.log[end - 1].id))
    spoilt = file(short.log) + b"\x00\x02\x01x"
    assert compared(resigned, spoilt) == [((0, 1), "E_RESIGN", end, cheat)]


def test_two_seats_that_fork_at_two_places_are_both_convicted(short):
    """Also if the file of the fork further on is named first."""
    files = file(short.log), file(parted("short", 6).entries), file(parted("short", 5).entries)
    for order in permutations(files):
        assert compared(*order) == [((0, 1, 2), "E_FORK", 5, 0), ((0, 1, 2), "E_FORK", 6, 1)]


def test_records_that_fill_a_file_hide_no_conviction(short):
    """The records are too many for one file, so the comparison keeps them apart."""
    cheat, end = short.log[-2].seat, len(short.log) - 2
    head = short.log[end - 1].id
    resigned = copy_of(
        verify_transcript(file(short.log[:end], said(short, cheat, Resign(), head)))
    )
    claims = tuple(
        pack([pack(["CLAIM", short.table.gid, cheat, head, [seconds, 0]]), bytes(64)])
        for seconds in range(65_500)
    )
    gid, rid = short.table.gid, short.states[0].roster.id
    full = Copy(gid, rid, tuple(entry.encoded for entry in short.log), claims)
    (found,) = contradictions([full, resigned])
    assert (found.check, found.entry, found.seat) == (Check.RESIGN, end, cheat)


# --- any files, in any order ---------------------------------------------------------------


@cache
def pool() -> tuple[bytes, ...]:
    """Return files of one game in which both seats contradict themselves in every way."""
    short = played("short")
    files = [
        file(short.log),
        file(short.log[:6], said(short, GUEST, Resign(), short.log[5].id)),
        file(short.log[:7], said(short, HOST, Resign(), short.log[6].id)) + b"\0\0",
    ]
    for places in ((5,), (6,), (7,), (10,), (5, 6), (6, 9)):
        duel = parted("short", *places)
        for _ in range(3):
            entry = next_entry(duel, (passing, passing))
            assert entry is not None
            duel.say(entry)
        files.append(file(duel.entries))
        last = duel.entries[places[0] + 1]
        for seat in SEATS:
            announced = said(short, seat, Sync(last.seq + 1, LINK), last.id)
            files.append(file(short.log[:5], announced))
    return tuple(files)


def groups() -> Iterator[Sequence[bytes]]:
    """Yield all threes of nine files, and groups of any size by chance."""
    yield from combinations(pool()[:9], 3)
    rng = random.Random("groups")
    for _ in range(100):
        yield rng.choices(pool(), k=rng.randint(2, 5))


def test_the_order_of_files_changes_nothing_and_both_implementations_agree():
    met = set()
    for group in groups():
        found = {tuple(each[1:] for each in compared(*order)) for order in permutations(group)}
        assert len(found) == 1
        met |= found
    assert {len(each) for each in met} == {0, 1, 2}
    checks = {check for each in met for check, _, _ in each}
    assert checks == {"E_FORK", "E_RESIGN", "E_SYNC"}


@cache
def convicted(
    roster: Roster, beginning: tuple[bytes, ...], item: Frame
) -> tuple[str, int] | None:
    """Return the check and the seat of a contradiction in a file with ``item`` at the end."""
    found = ours(encode_archive(beginning, [], roster) + encode_frame(item))
    shown = found.check in {"E_FORK", "E_RESIGN", "E_SYNC"} and found.seat is not None
    return (found.check, found.seat) if shown else None


def test_two_files_convict_the_seats_that_one_chain_with_one_more_item_convicts():
    """The place is that of the entry before the item; the lowest place of each seat counts."""
    roster = played("short").states[0].roster
    sound = {data: copy_of(verify_transcript(data)) for data in pool()[:9]}
    for group in combinations(sound, 3):
        copies = [sound[data] for data in group]
        items = {Frame(Kind.MSG, entry) for copy in copies for entry in copy.entries}
        items |= {Frame(Kind.REC, record) for copy in copies for record in copy.records}
        beginnings = {
            copy.entries[:end] for copy in copies for end in range(2, len(copy.entries) + 1)
        }
        breaches = {
            (len(beginning) - 1, *shown)
            for beginning in beginnings
            for item in items
            if (shown := convicted(roster, beginning, item)) is not None
        }
        first: dict[int, tuple[str, int, int]] = {}
        for entry, check, seat in sorted(breaches):
            first.setdefault(seat, (check, entry, seat))
        assert [each[1:] for each in compared(*group)] == list(first.values())


# --- the command ---------------------------------------------------------------------------


def each_file(folder: Path, *contents: bytes) -> list[str]:
    paths = [folder / f"{number}.matcha" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    return [str(path) for path in paths]


def test_command_tells_the_conviction_and_exits_1(tmp_path, short):
    cheat, end = short.log[-2].seat, len(short.log) - 2
    resigned = file(short.log[:end], said(short, cheat, Resign(), short.log[end - 1].id))
    files = each_file(tmp_path, resigned, file(short.log))
    code, stdout, _ = clean_run(tmp_path / "home", "verify", *files)
    assert code == 1
    assert "contradict each other" in stdout
    assert f"Seat {cheat + 1} signed both" in stdout
    for name in files:
        assert clean_run(tmp_path / "home", "verify", name)[0] == 0


def test_command_reports_every_convicted_seat_in_any_order_of_files(tmp_path, short):
    files = each_file(
        tmp_path,
        file(short.log),
        file(parted("short", 6).entries),
        file(parted("short", 5).entries),
    )
    for order in (files, files[::-1]):
        code, stdout, _ = clean_run(tmp_path / "home", "verify", *order)
        assert code == 1
        assert stdout.index("Seat 1 signed both") < stdout.index("Seat 2 signed both")
        _, stdout, _ = clean_run(tmp_path / "home", "verify", "--json", *order)
        facts = [json.loads(line) for line in stdout.splitlines()]
        assert [
            (fact["files"], fact["check"], fact["entry"], fact["seat"])
            for fact in facts
            if fact["event"] == "contradiction"
        ] == [(order, "E_FORK", 5, 0), (order, "E_FORK", 6, 1)]
