"""The faults of a game of two to four seats, all drawn from the game's seed."""

import errno
import random
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from tests.simulator import plan as plans
from tests.simulator.plan import Death, Fault, Plan
from tests.simulator.vices import VICES

Edges: TypeAlias = tuple[tuple[int, int], ...]

GRAPHS: dict[tuple[int, str], Edges] = {
    (2, "star"): ((0, 1),),
    (3, "star"): ((0, 1), (0, 2)),
    (3, "line"): ((0, 1), (1, 2)),
    (3, "ring"): ((0, 1), (1, 2), (0, 2)),
    (3, "mesh"): ((0, 1), (1, 2), (0, 2)),
    (4, "star"): ((0, 1), (0, 2), (0, 3)),
    (4, "line"): ((0, 2), (0, 3), (1, 3)),
    (4, "ring"): ((0, 1), (1, 2), (2, 3), (0, 3)),
    (4, "mesh"): ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)),
}
"""The links of a table, by the number of seats and the name of the graph."""

DIRECT = "direct"
"""A star, in which guests also look for direct links with each other."""

SPAN = 12.0
"""Seconds in which the faults come; most games take longer."""


def draw_table(seed: str, number: int | None, graph: str | None) -> Plan:
    """Return the plan of ``seed`` at a table of honest seats."""
    rng = random.Random(f"table {seed}")
    plan = _calm(rng, seed, number, graph)
    disk = rng.choice(plan.seats)
    kinds = rng.sample(_KINDS, rng.randint(1, 4))
    faults = [
        fault
        for _ in range(rng.choice((1, 2, 3, 3, 4, 6, 9)))
        for fault in rng.choice(kinds)(rng, plan, disk)
    ]
    last = rng.choice(((), (_cut,), (_crash_point,), (_crash,), (_goodbye,), (_cut, _stall)))
    ends = [fault for kind in last for fault in kind(rng, plan, disk)]
    return replace(
        plan,
        concede=rng.choice((0.0, 0.0, 0.0, 0.01)),
        room=rng.choice((1, 3, 64, 1000)),
        lossy=rng.choice((0.0, 0.0, 0.1)),
        busy=rng.choice((0.0, 0.0, 0.05)),
        faults=tuple(faults),
        last_faults=tuple(map(_soon, ends)),
    )


def draw_hub(seed: str, number: int | None, graph: str | None) -> Plan:
    """Return the plan of ``seed`` with a cheat that has the most neighbours.

    Backups are left out: a restored backup looks like cheating.
    """
    rng = random.Random(f"hub {seed}")
    plan = _calm(rng, seed, number, graph)
    most = max(len(plan.neighbours(seat)) for seat in plan.seats)
    hub = rng.choice([seat for seat in plan.seats if len(plan.neighbours(seat)) == most])
    kinds = rng.choices((_cut, _crash, _stall), k=rng.randint(0, 3))
    faults = [fault for kind in kinds for fault in kind(rng, plan, -1)]
    vice = rng.choice(("withholds", "replays", "forks", *sorted(VICES)))
    if vice == "always-tells-more":
        faults = plans.without_deaths(faults)
    concede = 0.3 if vice == "takes-back" else 0.0
    return replace(plan, faults=tuple(faults), vice=(hub, vice), concede=concede)


def _calm(rng: random.Random, seed: str, number: int | None, graph: str | None) -> Plan:
    """Return a game without faults."""
    drawn = "star" if graph == DIRECT else graph
    fits = [edges for edges in GRAPHS if number in (None, edges[0])]
    seats, name = rng.choice([key for key in fits if drawn in (None, key[1])])
    often = graph is None and name == "star" and random.Random(f"direct {seed}").random() < 0.5
    slowest = rng.choice((0.002, 0.05, 0.2, 1.0))
    return Plan(
        seed,
        game="toy" if seats == 2 else rng.choice(("toy", "kashi")),
        edges=GRAPHS[seats, name],
        direct=often or graph == DIRECT,
        edition=None,
        books=tuple(rng.random() < 0.3 for _ in range(seats)),
        think=rng.choice((0.02, 0.2)),
        slowest=slowest,
    )


Kind: TypeAlias = Callable[[random.Random, Plan, int], list[Fault]]
"""Draws faults. The last argument is the seat whose disk may be put back, or -1."""


def _at(rng: random.Random) -> float:
    return SPAN * rng.random() ** 2


def _death(rng: random.Random, seat: int, disk: int) -> Death:
    down = rng.choice((0.0, 0.3, 3.0, 20.0)) * rng.random()
    forgets = rng.randint(1, 4) if seat == disk and rng.random() < 0.7 else 0
    return Death(rng.random() < 0.5, down, restore=bool(forgets), forgets=forgets)


def _cut(rng: random.Random, plan: Plan, _: int) -> list[Fault]:
    """Cut one link, or all links."""
    notices = tuple(rng.random() < 0.5 for _ in plan.seats)
    between = rng.choice((*plan.edges, tuple(plan.seats)))
    return [plans.Cut(_at(rng), notices, between)]


def _stall(rng: random.Random, plan: Plan, _: int) -> list[Fault]:
    seats = rng.sample(plan.seats, rng.randint(1, 2))
    return [plans.Stall(_at(rng), rng.choice((1, 8, 60)), tuple(seats))]


def _crash(rng: random.Random, plan: Plan, disk: int) -> list[Fault]:
    seat = rng.choice(plan.seats)
    return [plans.Crash(_at(rng), seat, _death(rng, seat, disk))]


def _crash_point(rng: random.Random, plan: Plan, disk: int) -> list[Fault]:
    seat = rng.choice(plan.seats)
    return [plans.CrashPoint(rng.randint(1, 1000), seat, _death(rng, seat, disk))]


def _put_back(rng: random.Random, _: Plan, disk: int) -> list[Fault]:
    return [plans.Crash(_at(rng), disk, _death(rng, disk, disk))]


def _forgotten_entry(rng: random.Random, plan: Plan, disk: int) -> list[Fault]:
    """Let a neighbour alone be sent an entry, which its author then forgets.

    The neighbour may get the entry late, and be the last to be called again.
    """
    at, seconds = _at(rng), rng.choice((2.0, 4.0, 8.0))
    down = rng.choice((0.0, 0.0, 1.0))
    death = Death(rng.random() < 0.5, down, restore=True, forgets=rng.choice((1, 1, 2, 4)))
    edges = [edge for edge in plan.edges if disk in edge]
    late = [edge for edge in edges if edge == edges[0] or rng.random() < 0.3]
    rifts = [plans.Rift(at - 0.1, seconds, edge) for edge in late if rng.random() < 0.8]
    return [plans.CrashSending(at, disk, death), *rifts]


def _bad_disk(rng: random.Random, plan: Plan, _: int) -> list[Fault]:
    number = rng.choice((errno.EIO, errno.ENOSPC))
    return [plans.BadDisk(_at(rng), rng.choice(plan.seats), rng.randrange(6), number)]


def _goodbye(rng: random.Random, plan: Plan, _: int) -> list[Fault]:
    return [plans.Goodbye(_at(rng), rng.choice(plan.seats))]


def _redial(rng: random.Random, plan: Plan, _: int) -> list[Fault]:
    return [plans.Redial(_at(rng), rng.choice(plan.seats)) for _ in range(rng.randint(1, 4))]


_KINDS: tuple[Kind, ...] = (
    _cut,
    _stall,
    _crash,
    _crash,
    _crash_point,
    _put_back,
    _forgotten_entry,
    _forgotten_entry,
    _bad_disk,
    _goodbye,
    _redial,
)


def _soon(fault: Fault) -> Fault:
    """Return ``fault`` as a last fault, in the moments after the first word of the end."""
    match fault:
        case plans.CrashPoint():
            return replace(fault, point=fault.point % 40)
        case _:
            return replace(fault, at=fault.at / 4)
