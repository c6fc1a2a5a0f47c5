"""Play games in a simulated world full of faults, and judge the games.

    python -m tests.simulation                  300 games.
    python -m tests.simulation --games 20000    the long run, on all processors.
    python -m tests.simulation --seed 42        one game, and its story.
    python -m tests.simulation 42 "vicious 3"   these games.
    python -m tests.simulation --mistakes       plant each mistake in a game that shows it.
    python -m tests.simulation --find NAME      look for a game that shows a mistake.
    python -m tests.simulation --points         one game for every point where a seat can die.
    python -m tests.simulation --pairs 1000     games in which both seats die.
    python -m tests.simulation --kind vicious   games in which a seat cheats around the proofs.
    python -m tests.simulation --kind resigning games that are given up while copies differ.
    python -m tests.simulation --kind table     games of two to four seats.
    python -m tests.simulation --kind hub       the same with a seat that cheats the others.
    python -m tests.simulation --cut 8          how long after a cut of 8 s the line is back.

A game with a fault prints the command that replays the game. Exit status: 0 without a fault, or
if every requested mistake is found.
"""

import argparse
import multiprocessing
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING, TypeVar

from tests.simulator import group

if TYPE_CHECKING:
    from tests.simulator.plan import Plan
    from tests.simulator.world import World

T = TypeVar("T")

_KINDS = ("vicious", "resigning", "table", "hub")
"""Families of games with their own way of drawing plans."""

_TABLES = ("table", "hub")
"""The kinds with two to four seats."""

REPORT_EVERY = 1000
"""Games between two reports of progress."""

PATIENCE = 1000
"""Games of each kind in the search for a mistake."""


def main(words: Sequence[str]) -> int:
    asked = _parser().parse_args(words)
    if asked.seed is not None:
        return _tell(asked.seed, asked.mistake)
    if asked.mistakes:
        return _plant(asked.processes)
    if asked.find:
        return _find(asked.find, asked.processes)
    if asked.cut is not None:
        return _cut(asked.cut, asked.games)
    jobs = _jobs(asked)
    start = time.perf_counter()
    faults = entries = 0
    judged = _spread(asked.processes, partial(_judge, asked.mistake), jobs)
    for number, (line, said) in enumerate(judged, 1):
        entries += said
        if number % REPORT_EVERY == 0:
            print(f"{number} games", file=sys.stderr, flush=True)
        if line:
            faults += 1
            print(line, flush=True)
    seconds = time.perf_counter() - start
    print(f"{len(jobs)} games, {entries} entries, {faults} with a fault, {seconds:.0f} s")
    if not faults and entries < _LEAST_ENTRIES * len(jobs):
        print("That is next to nothing: games do not begin, and show nothing.")
        return 1
    return min(faults, 1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("seeds", nargs="*", metavar="SEED")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first game")
    parser.add_argument("--seed")
    parser.add_argument("--mistake", help="to plant")
    parser.add_argument("--mistakes", action="store_true")
    parser.add_argument("--find", metavar="MISTAKE")
    parser.add_argument("--points", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="take one point of so many")
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--kind", choices=_KINDS)
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), help="at a table")
    parser.add_argument(
        "--graph", choices=("star", "ring", "line", "mesh", "direct"), help="of a table"
    )
    parser.add_argument("--cut", type=float, metavar="SECONDS")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    return parser


def _jobs(asked: argparse.Namespace) -> list[str]:
    """Return the seeds of the games; seeds of crash points name the points."""
    if asked.seeds:
        return list(asked.seeds)
    if asked.points:
        return [
            f"crash {seat}:{point}{power}"
            for seat, points in enumerate(_points())
            for point in range(1, points + 1, asked.every)
            for power in ("k", "p")
        ]
    if asked.pairs:
        rng, points = Random(0), _points()
        return [
            "crash"
            + "".join(
                f" {seat}:{rng.randint(1, points[seat])}{rng.choice('kp')}" for seat in (0, 1)
            )
            for _ in range(asked.pairs)
        ]
    seeds = range(asked.first, asked.first + asked.games)
    before = f"{asked.kind} " if asked.kind else ""
    after = f" {asked.seats or 'any'} {asked.graph or 'any'}" if asked.kind in _TABLES else ""
    return [f"{before}{seed}{after}" for seed in seeds]


_LEAST_ENTRIES = 5
"""Of a game, on average over a run; most have about 26."""


def _points() -> list[int]:
    """Return how many points each seat passes in the game of the crash points."""
    return [machine.points for machine in _play("crash").machines]


def _plan(seed: str) -> "Plan":
    """Return the plan of ``seed``: a number, or one quiet game with the deaths of its seats.

    ``crash 0:40k 1:52p``: seat 0 is killed at its 40th point, the power of seat 1 fails at 52.
    ``vicious 3``: a seat cheats. ``resigning 3``: a seat gives up. ``table 3 4 star``: four
    seats in a star. ``hub 3 any ring``: three or four seats in a ring, and one cheats.
    """
    from tests.simulator.plan import (
        CrashPoint,
        Death,
        Plan,
        draw,
        draw_resigning,
        draw_vicious,
    )
    from tests.simulator.table_plans import draw_hub, draw_table

    kind, *places = seed.split(" ")
    match kind:
        case "vicious":
            return draw_vicious(seed)
        case "resigning":
            return draw_resigning(seed)
        case "table" | "hub":
            number, seats, graph = [*places, "any", "any"][:3]
            drawn = draw_table if kind == "table" else draw_hub
            count = None if seats == "any" else int(seats)
            return drawn(number, count, None if graph == "any" else graph)
        case "crash":
            pass
        case _:
            return draw(seed)
    faults = []
    for place in places:
        seat, point = place[:-1].split(":")
        death = Death(power=place[-1] == "p", down=0.5)
        faults.append(CrashPoint(int(point), int(seat), death))
    return replace(Plan("crash", slowest=0.01, think=0.1), faults=tuple(faults))


@cache
def _prepare() -> None:
    if "tests.simulator.world" not in sys.modules:
        group.install()


def _judge(mistake: str | None, seed: str) -> tuple[str, int]:
    """Play one game; return the line about a fault, or "", and the number of entries."""
    world = _play(seed, mistake)
    if not world.findings:
        return "", world.auditor.entries
    words = ["python", "-m", "tests.simulation", "--seed", seed]
    words += ["--mistake", mistake] if mistake else []
    return f"{shlex.join(words)}   # {world.findings[0]}", world.auditor.entries


def _play(seed: str, mistake: str | None = None) -> "World":
    _prepare()
    from tests.simulator.mistakes import planted
    from tests.simulator.world import play

    with planted(mistake) if mistake else nullcontext():
        return play(_plan(seed))


def _tell(seed: str, mistake: str | None) -> int:
    world = _play(seed, mistake)
    print("\n".join([str(world.plan), *world.story, *world.findings, world.trace.hexdigest()]))
    return min(len(world.findings), 1)


def _cut(seconds: float, games: int) -> int:
    """Cut the line once in each of ``games``; tell how soon both hear each other again."""
    _prepare()
    from tests.simulator.plan import Blackout, Plan
    from tests.simulator.world import play

    waits = []
    for number in range(games):
        cut = Blackout(3 + 2 * number / games, seconds)
        plan = Plan(f"cut {number}", slowest=0.05, think=5.0, faults=(cut,))
        waits.append(max(play(plan).silence_after(cut.at + cut.seconds)))
    print(f"{games} cuts of {seconds:g} s; the longest wait after: {max(waits):.2f} s")
    return int(max(waits) > 1)


def _plant(processes: int) -> int:
    _prepare()
    from tests.simulator.mistakes import MISTAKES

    stale = 0
    for name, line in zip(MISTAKES, _spread(processes, _show, MISTAKES), strict=True):
        stale += not line
        print(line or _STALE.format(name=name, seed=MISTAKES[name].seed), flush=True)
    return min(stale, 1)


_STALE = """\
{name}: the game {seed!r} shows it no more. Another game is found by
  python -m tests.simulation --find {name}
Put its seed in tests/simulator/mistakes.py."""


def _show(name: str) -> str:
    """Return the line about the way a game shows the mistake ``name``, or ""."""
    _prepare()
    from tests.simulator.mistakes import MISTAKES

    return _judge(name, MISTAKES[name].seed)[0]


def _find(name: str, processes: int) -> int:
    """Print the line of the first game that shows the mistake ``name``."""
    seeds = (
        f"{kind} {seed}" if kind else str(seed)
        for seed in range(PATIENCE)
        for kind in ("", *_KINDS)
    )
    for line, _ in _spread(processes, partial(_judge, name), seeds):
        if line:
            print(line)
            return 0
    print(f"{name}: no game shows it.")
    return 1


def _spread(processes: int, work: Callable[[str], T], jobs: Iterable[str]) -> Iterator[T]:
    """Yield the result of ``work`` for each job, in order, with fresh processes."""
    fresh = multiprocessing.get_context("spawn")
    with fresh.Pool(processes) as pool:
        yield from pool.imap(work, jobs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
