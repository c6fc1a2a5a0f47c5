"""Games that go on after one or both sides have died, between real processes."""

import time
from contextlib import suppress
from pathlib import Path

import pytest

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.errors import JournalError
from matcha_p2p.session.ledger import ItemKind
from matcha_p2p.session.storage import journal
from tests.processes import Matcha, clean_run, host, join

pytestmark = pytest.mark.slow

BOT = ("--play", "club")
TABLE = ("--game", "kashi", "--seats", "4")
"""A table without a clock: where passes take time, programs would wait for minutes."""
TWO_BOTS = "bot club\nbot club\n"


def resume(home: Path, *words: str) -> Matcha:
    return Matcha(home, "resume", "--json", *BOT, *words)


def verdict(peer: Matcha) -> Verdict:
    (path,) = peer.home.glob("games/*.matcha")
    return verify_transcript(path.read_bytes()).verdict


@pytest.mark.parametrize("dying", ["host", "guest"])
def test_killed_program_takes_its_seat_again(tmp_path, dying):
    """The living side finds the peer without typing."""
    with host(tmp_path / "a", *BOT) as first:
        invite = first.until("invite")["invite"]
        with join(tmp_path / "b", invite) as second:
            killed, living = (first, second) if dying == "host" else (second, first)
            living.until("round-resolved")
            killed.process.kill()
            killed.process.wait()
            with resume(killed.home) as again:
                assert again.until("resumed")["seat"] == (0 if dying == "host" else 1)
                assert again.end() == 0
                assert living.end() == 0
    assert verdict(again) is verdict(living) is Verdict.COMPLETE
    assert not list(killed.home.glob("unfinished/*"))
    assert any(fact["state"] == "down" for fact in living.facts("line"))


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_two_sides_started_again_find_each_other(tmp_path, order):
    with host(tmp_path / "a", *BOT) as first:
        invite = first.until("invite")["invite"]
        with join(tmp_path / "b", invite) as second:
            second.until("round-resolved")
            for peer in (first, second):
                peer.process.kill()
                peer.process.wait()
    with resume(tmp_path / order[0]) as one:
        one.until("resumed")
        while order[0] == "b" and one.until("line").get("tries") != 1:
            pass  # the host would leave the dialling to the guest for a while
        with resume(tmp_path / order[1]) as other:
            assert (one.end(), other.end()) == (0, 0)
    assert verdict(one) is verdict(other) is Verdict.COMPLETE


def test_guest_and_host_of_a_table_with_bots_are_killed_and_play_to_the_end(tmp_path):
    """The host's program resumes its two bots too."""
    with host(tmp_path / "a", *TABLE, *BOT) as first:
        invite = first.until("invite")["invite"]
        first.type(TWO_BOTS)
        with join(tmp_path / "b", invite) as guest:
            for _ in range(2):
                guest.until("turn-taken")
            guest.process.kill()
            guest.process.wait()
            assert first.until("line")["seat"] == 3
            with resume(tmp_path / "b") as again:
                assert again.until("resumed")["seat"] == 3
                again.until("turn-taken")
                first.process.kill()
                first.process.wait()
                with resume(tmp_path / "a") as back:
                    assert back.until("resumed")["seat"] == 0
                    assert (back.end(), again.end()) == (0, 0)
    files = [path for home in "ab" for path in (tmp_path / home).glob("games/*.matcha")]
    assert len(files) == 2
    assert len({path.read_bytes() for path in files}) == 1
    assert verify_transcript(files[0].read_bytes()).verdict is Verdict.COMPLETE
    assert not [*tmp_path.glob("*/unfinished/*")]


def has_address(home: Path) -> bool:
    """Return whether a journal of ``home`` says where a seat waits for links."""
    with suppress(JournalError):  # it is being written
        return any(
            item.kind in (ItemKind.OUR_WAY, ItemKind.THEIR_WAY)
            for path in home.glob("unfinished/*/journal")
            for item in journal.read(path)[1]
        )
    return False


@pytest.mark.parametrize("killed", ["a", "b"])
def test_program_that_is_killed_while_a_table_greets_is_resumed(tmp_path, killed):
    """The program is killed as soon as its journal has an address, so about the greetings."""
    with host(tmp_path / "a", *TABLE, *BOT) as first:
        invite = first.until("invite")["invite"]
        first.type(TWO_BOTS)
        with join(tmp_path / "b", invite) as guest:
            dying, living = (first, guest) if killed == "a" else (guest, first)
            while not has_address(tmp_path / killed):
                time.sleep(0.002)
            dying.process.kill()
            dying.process.wait()
            with resume(tmp_path / killed) as again:
                assert again.until("resumed")["seat"] == (0 if killed == "a" else 3)
                assert (again.end(), living.end()) == (0, 0)
    files = [path for home in "ab" for path in (tmp_path / home).glob("games/*.matcha")]
    assert len({path.read_bytes() for path in files}) == 1
    assert verify_transcript(files[0].read_bytes()).verdict is Verdict.COMPLETE


def test_a_game_that_is_being_played_is_not_taken_up_twice(tmp_path):
    with host(tmp_path / "a") as person:
        invite = person.until("invite")["invite"]
        with join(tmp_path / "b", invite):
            person.until("due")
            code, _, stderr = clean_run(tmp_path / "a", "resume", *BOT)
    assert code == 8
    assert "is open in another matcha" in stderr


def test_resume_without_an_unfinished_game_is_refused(tmp_path):
    code, _, stderr = clean_run(tmp_path, "resume")
    assert (code, "There are no unfinished games" in stderr) == (8, True)


def test_an_unknown_game_is_named_and_the_known_ones_listed(tmp_path):
    with host(tmp_path / "a") as person:
        invite = person.until("invite")["invite"]
        with join(tmp_path / "b", invite):
            person.until("due")
            person.process.kill()
            person.process.wait()
    (journal,) = person.unfinished
    code, _, stderr = clean_run(tmp_path / "a", "resume", "nothing")
    assert code == 8
    assert journal.parent.name in stderr
