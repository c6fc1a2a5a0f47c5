"""Games in a simulated world: nothing is lost, nothing forks, and planted mistakes are found.

Each test runs in its own processes, with a quick group in the place of ristretto255.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulator.mistakes import MISTAKES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


def simulate(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the simulator in one process: other tests run at the same time."""
    return subprocess.run(
        [sys.executable, "-m", "tests.simulation", "--processes", "1", *words],
        cwd=ROOT,
        env=os.environ | env,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "words",
    [
        ("--games", "100"),
        ("--kind", "vicious", "--games", "40"),
        ("--kind", "resigning", "--games", "60"),
        ("--kind", "table", "--games", "25"),
        ("--kind", "hub", "--games", "25"),
        ("--points", "--every", "17"),
        ("--pairs", "30"),
    ],
    ids=[
        "any-faults",
        "a-cheat",
        "given-up",
        "two-to-four-seats",
        "a-cheat-between-others",
        "every-crash-point",
        "crash-pairs",
    ],
)
def test_no_game_is_lost_or_forks(words):
    """Without a finding; after a finding, the output has the command that replays the game."""
    done = simulate(*words)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_planted_mistake_is_found():
    """If a game hides its mistake, the output has the command to find another game."""
    done = simulate("--mistakes")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" --mistake ") == len(MISTAKES)


def test_the_same_games_without_the_mistakes_show_none():
    done = simulate(*{mistake.seed for mistake in MISTAKES.values()})
    assert done.returncode == 0, done.stdout + done.stderr


def test_games_that_once_showed_a_fault_of_ours_show_none():
    """Records before their entries, crossing goodbyes, both ends waiting to be read."""
    done = simulate("163", "181", "245", "376", "383", "989")
    assert done.returncode == 0, done.stdout + done.stderr


def test_games_that_were_once_judged_wrongly_show_no_fault():
    """Findings of the auditor or the simulated machine; in the order of the seeds.

    An entry lost with a backup may have been the only copy. A seat that falls back to a backup
    after the goodbyes is alone. A seat that announced a lost entry may convict itself. A player
    who insists on an older copy is told of the next. A mark may fail to be written, in a
    restored folder too. Two machines that are seldom up meet late. A seat with the end of a
    game in a transcript need not wait for a cheat.
    """
    seeds = ("413958", "518618", "900740", "901936", "904695", "1009264", "vicious 785")
    done = simulate(*seeds)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("seed", ["7", "24", "crash 0:60p 1:77k"])
def test_a_seed_is_one_story(seed):
    """In any order of sets in the interpreter."""
    first, again = (simulate("--seed", seed, PYTHONHASHSEED=number) for number in ("1", "2"))
    assert first.stdout == again.stdout
    assert first.returncode == 0


def test_a_finding_comes_with_the_line_that_replays_it():
    told = simulate("--games", "1", "--mistake", "send-before-journal")
    assert told.returncode == 1
    line, _ = told.stdout.splitlines()
    command, _, why = line.partition("   # ")
    assert command == "python -m tests.simulation --seed 0 --mistake send-before-journal"
    again = simulate(*command.split()[3:])
    assert again.returncode == 1
    assert why in again.stdout
    assert simulate("--find", "send-before-journal").stdout == f"{line}\n"
