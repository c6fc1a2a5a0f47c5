"""A file's verdict for a stranger without other knowledge."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matcha_p2p.chain.archive import MAGIC, encode_archive
from matcha_p2p.chain.verify import (
    CheckResult,
    Report,
    Verdict,
    Verification,
    verified_transcript,
    verify_transcript,
)
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, CheckError, ProtocolViolationError, TranscriptError
from matcha_p2p.games.matcha.rules.phases import Ended, How
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.transport.framing import Frame, Kind, encode_frame
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.statements import Abort, Claim, Expose, Resign, Statement, Sync
from tests.cheats.scene import Scene, at, played, says

PLAYING = at(says("MOVE"), "short")


def stated(scene: Scene, seat: Seat, statement: Statement, head: int = -1) -> bytes:
    seed = scene.players[seat].secrets.session
    gid = scene.table.gid
    return sign_record(gid, seat, scene.log[head].id, statement, seed).encoded


def file(scene: Scene, *records: bytes, end: int | None = None) -> bytes:
    """Return the file of a scene's first entries and some records."""
    entries = [entry.encoded for entry in scene.log[:end]]
    return encode_archive(entries, records, scene.states[0].roster)


def begun(scene: Scene) -> Verification:
    """Return a verification that has the roster of ``scene``."""
    verification = Verification()
    verification.take(Frame(Kind.ROSTER, scene.states[0].roster.encoded))
    return verification


def results(report: Report, result: CheckResult) -> set[Check]:
    return {check for check, found in report.checks().items() if found is result}


@pytest.mark.parametrize("game", ["hoarding", "racing", "short", "passing"])
def test_a_whole_game_is_complete(game):
    scene = played(game)
    report = verify_transcript(file(scene))
    assert (report.verdict, report.valid, report.failure) == (Verdict.COMPLETE, True, None)
    assert [sound.entry for sound in report.accepted] == list(scene.log)
    assert tuple(sound.state for sound in report.accepted) == scene.states[1:]
    assert report.accepted[-1].state.owing == ()
    assert report.result.ended == scene.table.game.state.phase
    assert report.result.tokens == scene.table.game.state.tokens
    assert (report.waiting, report.records, report.exposed) == (None, (), {})


def test_nobody_wins_a_draw():
    assert verify_transcript(file(played("passing"))).result.ended == Ended(None, How.DRAW)


def test_a_decided_game_has_its_result_before_the_loser_signs_it():
    scene = played("short")
    whole = verify_transcript(file(scene))
    decided = verify_transcript(file(scene, end=-1))
    assert (decided.verdict, decided.result) == (Verdict.DECIDED, whole.result)


@pytest.mark.parametrize("missing", [1, 3, 200])
def test_before_a_cut_everything_is_sound(missing):
    scene = PLAYING()
    report = verify_transcript(file(scene)[:-missing])
    assert (report.verdict, report.valid) == (Verdict.INVALID, False)
    assert [sound.entry for sound in report.accepted] == list(scene.log[:-1])
    assert (report.failure.check, report.failure.seat) == (Check.ENCODING, None)
    assert report.failure.entry == len(scene.log) - 1
    assert "cut short" in report.failure.sentence
    assert (report.result, report.waiting) == (None, None)


def test_foreign_file_is_named_as_foreign():
    report = verify_transcript(b"GIF89a")
    assert (report.verdict, report.failure.entry) == (Verdict.INVALID, 0)
    assert report.failure.sentence == "This is not a matcha transcript."


# --- changed files -------------------------------------------------------------------------


@settings(derandomize=True, max_examples=200)
@given(st.binary(max_size=200))
def test_any_bytes_get_a_verdict(data):
    assert not verify_transcript(data).valid
    assert not verify_transcript(MAGIC + data).valid
    framed = MAGIC + encode_frame(Frame(Kind.MSG, data)) + encode_frame(Frame(Kind.REC, data))
    assert verify_transcript(framed).failure.entry == 0


# --- records -------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_a_resignation_ends_the_game(seat):
    scene = PLAYING()
    report = verify_transcript(file(scene, stated(scene, seat, Resign())))
    assert (report.verdict, report.waiting) == (Verdict.RESIGNED, None)
    assert report.result.ended == Ended(1 - seat, How.RESIGNED)
    assert report.result.tokens == scene.table.game.state.tokens


def test_claims_are_shown_as_claims():
    scene = PLAYING()
    claims = (
        stated(scene, 0, Claim(90, 1_800_000_000)),
        stated(scene, 1, Abort("E_SIG", H("x"))),
    )
    report = verify_transcript(file(scene, *claims))
    assert (report.verdict, report.waiting) == (Verdict.UNFINISHED, scene.honest.seat)
    assert [record.encoded for record in report.records] == list(claims)
    checks = report.checks()
    assert checks[Check.RECORD] is CheckResult.PASSED
    assert checks[Check.EXPOSE] is CheckResult.NOT_REACHED


def test_a_refused_record_tells_its_place_among_all_items():
    scene = PLAYING()
    verification = begun(scene)
    for entry in scene.log:
        verification.take(Frame(Kind.MSG, entry.encoded))
    verification.take(Frame(Kind.REC, stated(scene, 0, Claim(1, 2))))
    with pytest.raises(ProtocolViolationError) as caught:
        verification.take(Frame(Kind.REC, stated(scene, 1, Expose(7))))
    assert caught.value.entry == len(scene.log) + 1
    assert (verification.entries, verification.records) == (len(scene.log), 1)


def test_a_refused_first_entry_changes_nothing():
    scene = PLAYING()
    verification = begun(scene)
    with pytest.raises(CheckError):
        verification.take(Frame(Kind.MSG, scene.log[1].encoded))
    report = verification.report()
    assert (report.verdict, report.waiting, report.accepted) == (Verdict.UNFINISHED, 0, ())
    verification.take(Frame(Kind.MSG, scene.log[0].encoded))
    assert verification.entries == 1


def test_a_bad_record_is_found_among_good_ones():
    scene = PLAYING()
    good, bad = stated(scene, 0, Claim(1, 2)), stated(scene, 1, Expose(7))
    report = verify_transcript(file(scene, good, bad, good))
    assert (report.failure.check, report.failure.seat) == (Check.EXPOSE, 1)
    assert report.failure.entry == len(scene.log) + 1
    assert [record.encoded for record in report.records] == [good]


# --- checks --------------------------------------------------------------------------------


def test_checks_come_by_number_and_tell_their_occasions():
    scene = played("hoarding")
    report = verify_transcript(file(scene))
    assert list(report.checks()) == list(Check)
    assert results(report, CheckResult.FAILED) == set()
    assert results(report, CheckResult.NOT_REACHED) == {
        Check.CERT,
        Check.RECORD,
        Check.EXPOSE,
        Check.RESIGN,
        Check.SYNC,
    }


def test_keeping_is_not_checked_where_nothing_is_kept():
    checks = verify_transcript(file(played("short"))).checks()
    assert checks[Check.SEAL] is CheckResult.NOT_REACHED


def test_present_certificate_is_checked():
    checks = verify_transcript(file(played("named"))).checks()
    assert checks[Check.CERT] is CheckResult.PASSED


def test_a_choice_to_keep_nothing_names_no_card():
    report = verify_transcript(file(played("racing")))
    kept = [sound for sound in report.accepted if ["MOVE", "keep", b""] in sound.entry.fields]
    checks = replace(report, accepted=tuple(kept[:1])).checks()
    assert checks[Check.RULE] is CheckResult.PASSED
    assert checks[Check.BACK] is CheckResult.NOT_REACHED


@pytest.mark.parametrize(
    ("statement", "check"),
    [
        (Claim(1, 2), None),
        (Resign(), Check.RESIGN),
        (Sync(40, bytes(32)), Check.SYNC),
        (Expose(PLAYING().players[0].x), Check.EXPOSE),
    ],
    ids=lambda value: type(value).__name__,
)
def test_record_passes_the_check_of_its_statement(statement, check):
    scene = PLAYING()
    checks = verify_transcript(file(scene, stated(scene, SEATS[0], statement))).checks()
    assert checks[Check.RECORD] is CheckResult.PASSED
    own = {Check.RESIGN, Check.SYNC, Check.EXPOSE}
    assert {each for each in own if checks[each] is CheckResult.PASSED} == {check} - {None}


def test_the_number_of_sound_items_is_told_before_each_item():
    scene, told = PLAYING(), list[int]()
    claim = stated(scene, SEATS[0], Claim(1, 2))
    data = file(scene, claim, claim)
    assert verified_transcript(data, told.append).valid
    assert told == [0, *range(len(scene.log) + 2)]  # the roster is no item


def test_invalid_transcript_is_no_verified_transcript():
    with pytest.raises(TranscriptError, match="from entry 0 on: This is not a matcha"):
        verified_transcript(b"GIF89a")


def test_file_without_a_roster_passes_no_check():
    report = verify_transcript(MAGIC)
    assert (report.verdict, report.failure.entry) == (Verdict.INVALID, 0)
    assert results(report, CheckResult.NOT_REACHED) == {*Check} - {Check.ENCODING}
