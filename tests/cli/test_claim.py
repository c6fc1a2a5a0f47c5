"""A player who stays away can be claimed against; whose turn it is, anybody can check."""

from pathlib import Path

import pytest

from matcha_p2p.machine.table import next_due
from matcha_p2p.player.reply import Offer
from matcha_p2p.review.verify import Verdict, verify_transcript
from matcha_p2p.rules.edition import EDITION_2020
from matcha_p2p.session.chain import Chain
from matcha_p2p.wire.records import Claim
from tests.cli.processes import clean_run
from tests.duel import secrets_of


@pytest.fixture
def homes(tmp_path) -> dict[str, Path]:
    """Two homes with a game that is unfinished: one of them has to speak, the other waits."""
    chains = [
        Chain.create(
            tmp_path / str(seat) / "unfinished" / "game" / "journal",
            seat,
            secrets_of("claim", seat),
            bytes(32),
            bytes(32),
        )
        for seat in (0, 1)
    ]
    chains[1].hear(chains[0].greet(Offer(EDITION_2020, "Mina")).encoded)
    chains[0].hear(chains[1].greet(Offer(EDITION_2020, "Taro")).encoded)
    while not (due := next_due(chains[0].table)).decision:
        chains[1 - due.seat].hear(chains[due.seat].follow().encoded)
    for chain in chains:
        chain.settle()
        chain.close()
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
    code, _, stderr = clean_run(homes["speaks"], "claim", "game")
    assert code == 2
    assert "[claim-void]" in stderr
    assert not list(homes["speaks"].glob("games/*"))
