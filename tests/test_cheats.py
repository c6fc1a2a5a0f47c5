"""Every cheat of the protocol's list is refused at its message, by the peer and by anybody."""

import pytest

from matcha_p2p.errors import Check, CheckError
from matcha_p2p.machine.fork import check_fork
from matcha_p2p.machine.records import check_record
from matcha_p2p.machine.step import step
from matcha_p2p.transcript.archive import encode_archive
from matcha_p2p.transcript.entry import parse_entry
from matcha_p2p.transcript.record import parse_record
from matcha_p2p.transport.framing import FrameDecoder, Kind
from matcha_p2p.verify import Standing, Verdict, verify_transcript
from tests.cheats.catalogue import CHEATS
from tests.cheats.scene import Scene


def receive(scene: Scene, data: bytes) -> None:
    """Do what a peer does with what arrives."""
    for frame in FrameDecoder().feed(data):
        if frame.kind is Kind.MSG:
            entry = parse_entry(frame.payload)
            check_fork(scene.state, scene.log, entry)
            step(scene.state, entry)
        else:
            check_record(scene.table, scene.log, parse_record(frame.payload), len(scene.log))


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_the_peer_refuses_the_cheat_at_its_message(cheat):
    scene = cheat.scene()
    with pytest.raises(CheckError) as caught:
        receive(scene, cheat.make(scene))
    assert caught.value.check is cheat.check, caught.value
    assert getattr(caught.value, "seat", None) == (scene.seat if cheat.attributed else None)
    assert getattr(caught.value, "entry", len(scene.log)) == len(scene.log)


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_anybody_refuses_the_transcript_that_ends_with_the_cheat(cheat):
    scene = cheat.scene()
    before = encode_archive([entry.encoded for entry in scene.log], [])
    report = verify_transcript(before + cheat.make(scene))
    assert verify_transcript(before).valid
    assert report.verdict is (Verdict.FORK if cheat.check is Check.FORK else Verdict.INVALID)
    assert report.failure.check is cheat.check, report.failure
    assert report.failure.entry == len(scene.log) == len(report.accepted)
    assert report.failure.seat == (scene.seat if cheat.attributed else None)
    assert report.checks()[cheat.check] is Standing.FAILED


def test_the_catalogue_has_every_cheat_that_needs_no_resume():
    assert {cheat.row for cheat in CHEATS} == {*range(1, 44), 47}


def test_no_two_cheats_have_one_name():
    names = [str(cheat) for cheat in CHEATS]
    assert len(names) == len(set(names))
