"""Real journals, sockets and processes that are cut, filled up, stopped and killed."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from matcha_p2p.errors import JournalError
from matcha_p2p.session.news import Finished
from matcha_p2p.session.storage.journal import MARK
from tests.faults import killer
from tests.faults.proxy import Proxy, measure, play_through
from tests.harness import Copy, pair, say_next
from tests.processes import Matcha, host, join

pytestmark = pytest.mark.slow

BOT = ("--play", "greedy")

linux = pytest.mark.skipif(sys.platform != "linux", reason="signals, mounts, 127.0.0.2")


@pytest.fixture
def recorded(tmp_path):
    """Return the journal of a game's first entries, its bytes, and those entries."""
    host_copy, guest = pair(tmp_path)
    rng = random.Random(0)
    while len(host_copy.chain.entries) < 24 and not host_copy.chain.finished:
        _, hearer, said = say_next(host_copy, guest, rng)
        hearer.hear(said)
    for copy in (host_copy, guest):
        copy.close()
    entries = [entry.encoded for entry in host_copy.chain.entries]
    return host_copy.path, host_copy.path.read_bytes(), entries


def reopened(path: Path, content: bytes) -> list[bytes] | None:
    """Return the entries of the game that ``content`` holds, or None if it is refused."""
    path.write_bytes(content)
    try:
        copy = Copy.open(path)
    except JournalError:
        return None
    copy.close()
    return [entry.encoded for entry in copy.chain.entries]


def test_a_journal_cut_anywhere_holds_a_beginning_of_the_game_or_nothing(recorded):
    """At both sides of each commit's end, and at one place within it."""
    path, content, entries = recorded
    rng = random.Random(0)
    ends = [place for place in range(len(content)) if content.startswith(MARK, place)]
    lengths = set()
    for start, end in zip(ends, [*ends[1:], len(content)], strict=True):
        for size in (rng.randrange(start, end), end - 1, end):
            found = reopened(path, content[:size])
            assert found is None or found == entries[: len(found)]
            lengths.add(0 if found is None else len(found))
    assert len(entries) in lengths
    assert len(lengths) > 10


def test_a_journal_with_a_flipped_bit_holds_a_beginning_of_the_game_or_nothing(recorded):
    path, content, entries = recorded
    rng = random.Random(1)
    for _ in range(60):
        altered = bytearray(content)
        altered[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        found = reopened(path, bytes(altered))
        assert found is None or found == entries[: len(found)]


@linux
@pytest.mark.parametrize("kind", ["stall", "cut"])
async def test_a_game_goes_on_by_itself_when_the_line_is_back(tmp_path, kind):
    """How soon is told by python -m tests.faults.proxy."""
    assert await measure(tmp_path, 2.0, kind) >= 0


@linux
async def test_altered_bytes_cost_a_connection_and_no_game(tmp_path):
    spoilt = []

    async def trouble(proxy: Proxy) -> None:
        for _ in range(3):  # after both have greeted each other, and in the shortest of games
            await proxy.until_passed(proxy.passed + 4_000)
            proxy.spoil()
            spoilt.append(proxy.passed)

    first, second = await play_through(tmp_path, trouble, think=0.05)
    assert isinstance(first.ending, Finished)
    assert first.transcript == second.transcript
    assert len(set(spoilt)) == 3


@pytest.mark.parametrize(("game", "games"), [("matcha", 3), ("tichu", 1), ("kashi", 1)])
def test_games_of_killed_processes_are_not_lost(tmp_path, game, games):
    kills = 0
    for number in range(games):
        rng = random.Random(f"crashes {number}")
        kills += killer.play(tmp_path / str(number), rng, 2, killer.kill, game)
    assert kills


@linux
def test_a_stopped_process_goes_on_where_it_was(tmp_path):
    with (
        host(tmp_path / "a", *BOT) as first,
        join(tmp_path / "b", first.until("invite")["invite"]) as second,
    ):
        second.until("table-laid")
        second.process.send_signal(signal.SIGSTOP)
        time.sleep(1)
        second.process.send_signal(signal.SIGCONT)
        assert (first.end(), second.end()) == (0, 0)
        assert first.facts("game-ended") == second.facts("game-ended")


@linux
def test_a_full_disk_stops_the_game_and_loses_nothing(tmp_path):
    """The host's disk has room for the first entries; with more room the game goes on."""
    home = tmp_path / "a"
    unfinished = home / "unfinished"
    unfinished.mkdir(parents=True, mode=0o700)
    mount(unfinished, "size=8k,mode=700")  # a whole set takes more
    try:
        with (
            host(home, *BOT) as first,
            join(tmp_path / "b", first.until("invite")["invite"]) as second,
        ):
            assert first.end() == 8
            assert "No space left" in first.stderr
            mount(unfinished, "remount,size=1m")
            with Matcha(home, "resume", "--json", *BOT) as again:
                assert (again.end(), second.end()) == (0, 0)
    finally:
        subprocess.run(["umount", str(unfinished)], check=True)
    copies = [next(place.glob("games/*.matcha")) for place in (home, tmp_path / "b")]
    assert copies[0].read_bytes() == copies[1].read_bytes()


def mount(place: Path, options: str) -> None:
    """Mount a small disk, or skip the test where that is not allowed."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a disk that is full soon")
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"no disk can be mounted here: {done.stderr}")
