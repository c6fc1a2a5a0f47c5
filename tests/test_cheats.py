"""Every cheat of the protocol's list is refused at its message, by the peer and by anybody."""

import hashlib

import pytest

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.fork import check_fork
from matcha_p2p.chain.records import check_record
from matcha_p2p.chain.verify import CheckResult, Verdict, verify_transcript
from matcha_p2p.crypto import sigma
from matcha_p2p.crypto.ristretto255 import ORDER
from matcha_p2p.crypto.sponge import H, integers
from matcha_p2p.errors import Check, CheckError
from matcha_p2p.table.seat import follow
from matcha_p2p.table.step import step
from matcha_p2p.transport.framing import FrameDecoder, Kind
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.record import parse_record
from tests.cheats import shuffles
from tests.cheats.catalogue import CHEATS
from tests.cheats.scene import Scene, at, says
from tests.vectors import refused


def receive(scene: Scene, data: bytes) -> None:
    """Do what a peer does with what arrives."""
    for frame in FrameDecoder().feed(data):
        if frame.kind is Kind.MSG:
            entry = parse_entry(frame.payload)
            check_fork(scene.state, scene.log, entry)
            step(scene.state, entry)
        else:
            check_record(scene.table, scene.log, parse_record(frame.payload), len(scene.log))


def beginning(scene: Scene) -> bytes:
    """Return the transcript up to the cheat."""
    return encode_archive([entry.encoded for entry in scene.log], [], scene.state.roster)


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_the_peer_refuses_the_cheat_at_its_message(cheat):
    scene = cheat.row.scene()
    with pytest.raises(CheckError) as caught:
        receive(scene, cheat.make(scene))
    assert caught.value.check is cheat.row.check, caught.value
    assert getattr(caught.value, "seat", None) == (scene.seat if cheat.row.attributed else None)
    assert getattr(caught.value, "entry", len(scene.log)) == len(scene.log)


def test_every_cheat_is_among_the_transcripts_to_refuse():
    """Every verifier judges these transcripts, with the check, the place and the seat."""
    files = {bad.data for bad in refused() if isinstance(bad.tail, str) or bad.tail[1] < 10**6}
    for cheat in CHEATS:
        scene = cheat.row.scene()
        assert beginning(scene) + cheat.make(scene) in files, cheat


ONE_OF_EACH_CHECK = {cheat.row.check: cheat for cheat in CHEATS}.values()


@pytest.mark.parametrize("cheat", ONE_OF_EACH_CHECK, ids=str)
def test_anybody_refuses_the_transcript_that_ends_with_the_cheat(cheat):
    scene = cheat.row.scene()
    before = beginning(scene)
    report = verify_transcript(before + cheat.make(scene))
    assert verify_transcript(before).valid
    assert report.verdict is (
        Verdict.FORK if cheat.row.check is Check.FORK else Verdict.INVALID
    )
    assert report.failure.check is cheat.row.check, report.failure
    assert report.failure.entry == len(scene.log) == len(report.accepted)
    assert report.failure.seat == (scene.seat if cheat.row.attributed else None)
    assert report.checks()[cheat.row.check] is CheckResult.FAILED


def test_the_catalogue_has_every_cheat_that_needs_no_resume():
    assert {cheat.row.number for cheat in CHEATS} == {*range(1, 44), 47, 48, 49, 50}


def test_after_a_restored_backup_no_two_proofs_share_a_nonce(monkeypatch):
    """Row 46: from two proofs of one key with one nonce anybody could compute the key."""
    used = []
    true_prove = sigma.prove

    def prove(relation, sid, witness, random):
        (nonce,) = integers(
            random("nonce", sid + hashlib.sha512(relation.encoding).digest(), 48), ORDER
        )
        used.append(nonce)
        return true_prove(relation, sid, witness, random)

    scene = at(says("SHARE strip"))()
    monkeypatch.setattr(sigma, "prove", prove)
    for head in (scene.table.head, H("the head of a chain that was forgotten")):
        entry, *_ = follow(scene.player, scene.table._replace(head=head))
        assert entry.prev == head
    assert len(set(used)) == 2


@pytest.mark.parametrize(("mix", "broken"), [(shuffles.SCALED, 0), (shuffles.STOCHASTIC, 1)])
def test_a_matrix_that_is_no_permutation_breaks_one_equation_alone(mix, broken):
    """E1 or E2: all the others hold for the witness of the cheat."""
    statement, witness, *_ = shuffles.mixing(shuffles.FIRST(), mix, shuffles.argument)
    pairs = zip(statement.image, statement.map(witness), strict=True)
    assert [place for place, (left, right) in enumerate(pairs) if left != right] == [broken]


def test_no_two_cheats_have_one_name():
    names = [str(cheat) for cheat in CHEATS]
    assert len(names) == len(set(names))
