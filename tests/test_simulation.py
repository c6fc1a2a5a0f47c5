"""Games in a simulated world: nothing is lost, nothing forks, and what could go wrong is found.

Each runs in processes of its own, where a quick group has taken the place of ristretto255.
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
    """Run the simulator in one process: other tests run beside this one."""
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
        ("--points", "--every", "17"),
        ("--pairs", "30"),
    ],
    ids=["any-faults", "a-cheat", "given-up", "every-crash-point", "crash-pairs"],
)
def test_no_game_is_lost_or_forks(words):
    """Without a finding; if there is one, the output has the line that replays it."""
    done = simulate(*words)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_planted_mistake_is_found():
    """If a game shows its mistake no more, the output has the command that finds another."""
    done = simulate("--mistakes")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" --mistake ") == len(MISTAKES)


def test_the_same_games_without_the_mistakes_show_none():
    done = simulate(*{mistake.seed for mistake in MISTAKES.values()})
    assert done.returncode == 0, done.stdout + done.stderr


def test_games_that_once_showed_a_fault_of_ours_show_none():
    """Records before what they name, goodbyes that cross, both ends waiting to be read."""
    done = simulate("163", "181", "245", "376", "383", "989")
    assert done.returncode == 0, done.stdout + done.stderr


def test_games_that_were_once_judged_wrongly_show_no_fault():
    """The finding was the auditor's or the simulated machine's; in the order of the seeds.

    What a backup lacks may have been nowhere else. Whoever falls back to one after the goodbyes
    is alone with it. Whoever has announced what is nowhere any more may convict itself. Who
    insists on one older copy is told of the next. A mark may fail to be written, in a folder
    that was put back as well. Two who are seldom there meet late. Who has the end of a game in
    a transcript need not wait for a cheat to let go of it.
    """
    seeds = ("413958", "518618", "900740", "901936", "904695", "1009264", "vicious 785")
    done = simulate(*seeds)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("seed", ["7", "24", "crash 0:60p 1:77k"])
def test_a_seed_is_one_story(seed):
    """Whatever order the interpreter gives to its sets."""
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
