"""A player who stays away can be claimed against; whose turn it is, anybody can check."""

from pathlib import Path

import pytest

from matcha_p2p.machine.table import next_due
from matcha_p2p.review.verify import Verdict, verify_transcript
from matcha_p2p.rules.edition import EDITION_2020
from matcha_p2p.wire.records import Claim
from tests.cli.processes import clean_run
from tests.harness import Copy


@pytest.fixture
def homes(tmp_path) -> dict[str, Path]:
    """Two homes with a game that is unfinished: one of them has to speak, the other waits."""
    copies = [Copy.begin(tmp_path / str(seat) / "unfinished", seat, "claim") for seat in (0, 1)]
    copies[1].hear(copies[0].greet(EDITION_2020))
    copies[0].hear(copies[1].greet(EDITION_2020))
    while not (due := next_due(copies[0].chain.table)).decision:
        copies[1 - due.seat].hear(copies[due.seat].follow())
    for copy in copies:
        copy.close()
    return {"speaks": tmp_path / str(due.seat), "waits": tmp_path / str(1 - due.seat)}


def test_who_waits_can_claim_and_still_resume(homes, tmp_path):
    code, stdout, _ = clean_run(homes["waits"], "claim")
    assert code == 0
    (kept,) = homes["waits"].glob("games/*.matcha")
    assert str(kept) in stdout
    report = verify_transcript(kept.read_bytes())
    (record,) = report.records
    assert report.verdict is Verdict.UNFINISHED
    assert report.waiting == 1 - record.seat
    assert isinstance(record.statement, Claim)
    assert list(homes["waits"].glob("unfinished/*/journal"))
    code, stdout, _ = clean_run(tmp_path, "verify", str(kept))
    assert code == 0
    assert f"Seat {record.seat} claims, and nobody can check" in stdout


def test_who_has_to_speak_cannot_claim(homes):
    code, _, stderr = clean_run(homes["speaks"], "claim")
    assert code == 2
    assert "[claim-void]" in stderr
    assert not list(homes["speaks"].glob("games/*"))
