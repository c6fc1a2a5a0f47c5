"""A player who stays away can be claimed against, and anybody can check the turn."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from matcha_p2p.app.game import play as game
from matcha_p2p.app.game.play import open_unfinished
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.games.matcha.rules.edition import EDITION_2020
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.session import ledger
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.storage.journal import Journal, JournalItem
from matcha_p2p.store.home import Home
from matcha_p2p.table.table import next_due
from matcha_p2p.wire.statements import Claim
from tests.duel import secrets_of
from tests.harness import BINDING, PSK, Copy, pair, talk
from tests.processes import clean_run

pytestmark = pytest.mark.slow


@pytest.fixture
def homes(tmp_path) -> dict[str, Path]:
    """Return two homes with an unfinished game: a seat has to speak, the other seat waits."""
    copies = [Copy.begin(tmp_path / str(seat) / "unfinished", seat, "claim") for seat in SEATS]
    copies[1].hear(copies[0].greet(EDITION_2020))
    copies[0].hear(copies[1].greet(EDITION_2020))
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
    assert f"Seat {record.seat} claims to have waited" in stdout


def test_silence_is_counted_from_the_last_entry_of_the_other(tmp_path, monkeypatch):
    """Not from our own, nor from when a file was changed or the game taken up again."""
    clock = SimpleNamespace(now=1000.5)
    for module in (ledger, game):
        monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: clock.now))
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


def leave_unbegun(home: Path) -> Path:
    """Leave the journal of a later game, as a crash does before the first entry."""
    path = home / "unfinished" / "9999-12-31-235959-ffffffff" / "journal"
    Journal.create(
        path, Chain.begin(SEATS[0], secrets_of("later", 0), BINDING, PSK).header
    ).close()
    return path


def test_a_later_game_that_never_began_hides_no_other(homes):
    home = homes["waits"]
    leave_unbegun(home)
    assert clean_run(home, "claim")[0] == 0
    code, _, stderr = clean_run(home, "claim", "9999-12-31-235959-ffffffff")
    assert code == 8
    assert "had not begun" in stderr
    found = open_unfinished(Home.find(home), None)
    found.close()
    assert found.chain.met


def test_claim_without_a_begun_game_is_refused(tmp_path):
    leave_unbegun(tmp_path)
    for command in ("claim", "resume"):
        code, _, stderr = clean_run(tmp_path, command)
        assert (code, "There are no unfinished games" in stderr) == (8, True)


def test_a_later_game_that_is_damaged_is_told(homes):
    """The user may mean the damaged game, so no older game takes its place."""
    path = leave_unbegun(homes["waits"])
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
    assert f"matcha resume {path.parent.name}{home.option} --older" in " ".join(stderr.split())


def test_seat_to_move_cannot_claim(homes):
    code, _, stderr = clean_run(homes["speaks"], "claim")
    assert code == 2
    assert "owes no move" in stderr
    assert not list(homes["speaks"].glob("games/*"))
