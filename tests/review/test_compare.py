"""Files of one game, each of which leaves out what speaks against its owner."""

from pathlib import Path

import pytest

from matcha_p2p.errors import Check
from matcha_p2p.player.reply import decide
from matcha_p2p.review.compare import contradictions, copy_of
from matcha_p2p.review.verify import Verdict, verify_transcript
from matcha_p2p.rules.moves import PASS
from matcha_p2p.rules.seats import Seat
from matcha_p2p.transcript.archive import encode_archive
from matcha_p2p.transcript.entry import Entry
from matcha_p2p.transcript.names import EntryId
from matcha_p2p.transcript.record import Record, sign_record
from matcha_p2p.wire.records import Resign, Statement, Sync
from tests.cheats import chain as cheats
from tests.cheats.records import own_last
from tests.cheats.scene import Scene, played
from tests.judges import VERIFIER
from tests.processes import clean_run

pytestmark = pytest.mark.slow

LINK = b"l" * 32


def compared(*files: bytes) -> list[tuple[tuple[int, ...], str, Seat | None]]:
    """Return what both implementations find: which files, by which check, and whom."""
    reports = [verify_transcript(file) for file in files]
    ours = [
        (found.copies, found.failure.check.value, found.failure.seat)
        for found in contradictions(list(map(copy_of, reports)))
    ]
    theirs = [
        (tuple(places), verdict.check, verdict.seat)
        for places, verdict in VERIFIER["main"].compare(list(files))
    ]
    assert sorted(ours) == sorted(theirs)
    return ours


def file(entries: tuple[Entry, ...], *records: Record) -> bytes:
    return encode_archive([e.encoded for e in entries], [r.encoded for r in records])


def said(scene: Scene, seat: Seat, statement: Statement, head: EntryId) -> Record:
    session = scene.players[seat].secrets.session
    return sign_record(scene.table.gid, seat, head, statement, session)


@pytest.fixture
def short() -> Scene:
    return played("short")


def test_copies_of_which_one_is_shorter_exclude_nothing(short):
    assert compared(file(short.log), file(short.log[:20]), file(short.log[:2])) == []


def test_copies_of_several_games_are_told_apart(short):
    other = played("racing")
    files = file(short.log), file(other.log), file(short.log[:9]), b"", file(short.log[:1])
    assert compared(*files) == []


def test_a_fork_shows_only_in_both_files():
    """A seat has passed in one copy, and laid a card in the other."""
    scene = cheats.PLAY()
    assert scene.honest is not None
    passed, _, _ = decide(scene.player, scene.table, PASS)
    laid = file((*scene.log, scene.honest))
    other = file((*scene.log, passed))
    assert verify_transcript(laid).valid
    assert verify_transcript(other).valid
    assert compared(laid, other) == [((0, 1), "E_FORK", scene.seat)]


def test_a_resignation_that_one_copy_leaves_out_convicts_who_went_on(short):
    """The cheat keeps a file in which its move decides the game, and no resignation."""
    cheat, end = short.log[-2].seat, len(short.log) - 2
    resigned = file(short.log[:end], said(short, cheat, Resign(), short.log[end - 1].id))
    won = file(short.log)
    assert verify_transcript(resigned).verdict is Verdict.RESIGNED
    assert verify_transcript(won).verdict is Verdict.COMPLETE
    assert compared(resigned, won) == [((0, 1), "E_RESIGN", cheat)]
    (found,) = contradictions([copy_of(verify_transcript(data)) for data in (resigned, won)])
    assert verify_transcript(found.evidence).failure.check is Check.RESIGN


def test_a_resignation_that_was_crossed_convicts_nobody(short):
    loser = short.log[-1].seat
    head = short.log[-3].id
    resigned = file(short.log[:-2], said(short, loser, Resign(), head))
    assert compared(file(short.log), resigned) == []


def test_a_sync_that_one_copy_keeps_convicts_who_signed_another_chain(short):
    scene = cheats.PLAY()
    length = own_last(scene)
    lie = said(scene, scene.seat, Sync(length, LINK), b"h" * 32)
    kept = file(scene.log[: length - 1], lie)
    assert verify_transcript(kept).waiting == scene.seat
    assert compared(kept, file(scene.log)) == [((0, 1), "E_SYNC", scene.seat)]


def test_of_a_file_that_is_not_valid_the_sound_part_counts(short):
    cheat, end = short.log[-2].seat, len(short.log) - 2
    resigned = file(short.log[:end], said(short, cheat, Resign(), short.log[end - 1].id))
    spoilt = file(short.log) + b"\x00\x02\x01x"
    assert compared(resigned, spoilt) == [((0, 1), "E_RESIGN", cheat)]


def each_file(folder: Path, *contents: bytes) -> list[str]:
    paths = [folder / f"{number}.matcha" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    return [str(path) for path in paths]


def test_the_command_says_so_and_ends_with_1(tmp_path, short):
    cheat, end = short.log[-2].seat, len(short.log) - 2
    resigned = file(short.log[:end], said(short, cheat, Resign(), short.log[end - 1].id))
    files = each_file(tmp_path, resigned, file(short.log))
    code, stdout, _ = clean_run(tmp_path / "home", "verify", *files)
    assert code == 1
    assert "contradict each other" in stdout
    assert f"Seat {cheat} has signed both" in stdout
    code, stdout, _ = clean_run(tmp_path / "home", "verify", "--json", *files)
    assert '"event":"contradiction"' in stdout
    for name in files:
        assert clean_run(tmp_path / "home", "verify", name)[0] == 0
