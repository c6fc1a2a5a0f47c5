"""A player who stays away can be claimed against, and anybody can check the turn."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from matcha_p2p import wall_clock
from matcha_p2p.app.game import play as game
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.games.matcha.rules.edition import EDITION_2020
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.session.storage.journal import Journal, JournalItem
from matcha_p2p.store.home import Home
from matcha_p2p.table.table import next_due
from matcha_p2p.wire.statements import Claim
from tests.harness import Copy, pair, talk
from tests.processes import clean_run

pytestmark = pytest.mark.slow


@pytest.fixture
def homes(tmp_path) -> dict[str, Path]:
    """Return two homes with an unfinished game: a seat has to speak, the other seat waits."""
    copies = [
        Copy.begin(tmp_path / str(seat) / "unfinished", seat, "claim", EDITION_2020)
        for seat in SEATS
    ]
    copies[1].hear(copies[0].greet())
    copies[0].hear(copies[1].greet())
    while not (due := next_due(copies[0].chain.table)).decision:
        copies[1 - due.seat].hear(copies[due.seat].follow())
    for copy in copies:
        copy.close()
    return {"speaks": tmp_path / str(due.seat), "waits": tmp_path / str(1 - due.seat)}


def test_waiting_seat_can_claim_and_still_resume(homes, tmp_path):
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
    code, stdout, _ = clean_run(tmp_path, "verify", "-v", str(kept))
    assert code == 0
    assert f"Seat {record.seat + 1} claims to have waited" in stdout


def test_silence_is_counted_from_the_last_entry_of_the_other(tmp_path, monkeypatch):
    """Not from our own, nor from when a file was changed or the game taken up again."""
    clock = SimpleNamespace(now=1000.5)
    monkeypatch.setattr(wall_clock, "time", SimpleNamespace(time=lambda: clock.now))
    copies = pair(tmp_path)
    clock.now = 2000.5
    talk(*copies, 3)
    due = next_due(copies[0].chain.table).seat
    waits = copies[1 - due]
    clock.now = 4000.5
    waits.hear_record(copies[due].declare(Claim(5, 6)))
    copies[due].close()
    for _ in range(2):
        waits = waits.reopened()
        os.utime(waits.path)
    assert waits.ledger.heard_at == 2000
    clock.now = 5000.5
    assert game.claim_silence(waits.ledger) == 3000
    assert waits.chain.records[-1].statement == Claim(3000, 5000)
    clock.now = 1000.5  # a clock that was set back
    assert game.claim_silence(waits.ledger) == 0
    waits.close()


def test_nobody_owes_a_move_before_all_have_greeted(tmp_path):
    copy = Copy.begin(tmp_path / "unfinished", SEATS[0], "claim")
    copy.greet()
    copy.close()
    code, _, stderr = clean_run(tmp_path, "claim")
    assert code == 2
    assert "no other player owes a move" in stderr


def test_a_later_game_that_is_damaged_is_told(homes):
    """The user may mean the damaged game, so no older game takes its place."""
    path = homes["waits"] / "unfinished" / "9999-12-31-235959-ffffffff" / "journal"
    path.parent.mkdir(mode=0o700)
    path.touch(0o600)
    path.write_bytes(b"garbage")
    code, _, stderr = clean_run(homes["waits"], "claim")
    assert (code, "not a journal" in stderr) == (8, True)


def test_command_to_insist_on_an_older_copy_finds_the_home(homes):
    home = Home.find(homes["waits"])
    (path,) = home.journals(None)
    before = path.read_bytes()
    journal, _ = Journal.open(path, home.marks)
    with journal:
        journal.append([JournalItem(0, b"signed since")])
    path.write_bytes(before)
    code, _, stderr = clean_run(homes["waits"], "claim")
    assert code == 8
    assert f"matcha resume {path.parent.name} --older{home.option}" in " ".join(stderr.split())


def test_seat_to_move_cannot_claim(homes):
    code, _, stderr = clean_run(homes["speaks"], "claim")
    assert code == 2
    assert "no other player owes a move" in stderr
    assert not list(homes["speaks"].glob("games/*"))
