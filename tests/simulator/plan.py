"""The faults of a game, all drawn from the game's seed."""

import errno
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from tests.simulator.vices import VICES


@dataclass(frozen=True)
class Cut:
    """At ``at`` s every link between two of the seats ``between`` breaks.

    notices: by seat, whether it hears of the break.
    """

    at: float
    notices: tuple[bool, ...]
    between: tuple[int, ...] = (0, 1)


@dataclass(frozen=True)
class Stall:
    """For ``seconds`` no frame arrives at ``seats``; new links can be made."""

    at: float
    seconds: float
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Rift:
    """For ``seconds`` no frame passes between two seats, and neither can call the other.

    What was sent before arrives late.
    """

    at: float
    seconds: float
    between: tuple[int, int]


@dataclass(frozen=True)
class Blackout:
    """For ``seconds`` no frame arrives anywhere, and no link can be made."""

    at: float
    seconds: float


@dataclass(frozen=True)
class Death:
    """How a program dies. power: the machine dies too. down: seconds until the restart.

    restore: the program comes back with the latest backup. folder: only the game's folder comes
    from the backup. forgets: the backup is instead the present folder of the game without the
    last commits of the journal, so many. moves: the machine comes back at another address.
    """

    power: bool
    down: float
    restore: bool = False
    folder: bool = False
    forgets: int = 0
    moves: bool = False


@dataclass(frozen=True)
class Crash:
    """At ``at`` s the program of ``seat`` dies."""

    at: float
    seat: int
    death: Death


@dataclass(frozen=True)
class CrashSending:
    """After ``at`` s the program of ``seat`` dies as soon as it has sent an entry of its own.

    The entry has gone out to one neighbour.
    """

    at: float
    seat: int
    death: Death


@dataclass(frozen=True)
class CrashPoint:
    """The program of ``seat`` dies at its ``point``-th step visible outside.

    seat: None stands for the seat that says the first word of the end.
    """

    point: int
    seat: int | None
    death: Death


@dataclass(frozen=True)
class Backup:
    """At ``at`` s the files of ``seat`` are copied."""

    at: float
    seat: int


@dataclass(frozen=True)
class BadDisk:
    """At ``at`` s the disk of ``seat`` has ``change`` changes left before one fails."""

    at: float
    seat: int
    change: int
    errno: int


@dataclass(frozen=True)
class Jump:
    """At ``at`` s the clock jumps ahead, as after a sleep."""

    at: float
    seconds: float


@dataclass(frozen=True)
class Goodbye:
    """At ``at`` s the player of ``seat`` leaves, and comes back soon."""

    at: float
    seat: int


@dataclass(frozen=True)
class Redial:
    """At ``at`` s ``seat`` takes the line for quiet, and makes another link beside it."""

    at: float
    seat: int


Fault: TypeAlias = (
    Redial
    | Cut
    | Stall
    | Rift
    | Blackout
    | Crash
    | CrashSending
    | CrashPoint
    | Backup
    | BadDisk
    | Jump
    | Goodbye
)


@dataclass(frozen=True)
class Plan:
    """A game and all its faults.

    slowest: seconds a frame may take. room: frames a link holds until the sender must wait.
    concede: the chance that a player gives up instead of deciding. claims: a returning player
    states first that the other was silent. lossy: the chance that a handshake fails at the last
    flight. busy: seconds a computation may take. last_faults: faults at the first word of the
    end; their times and points count from there. piped: the chance that a dialled link leads to
    the dialling seat's own door. vice: the cheating seat, and how the seat cheats. game: its
    name. edges: the links between the seats. direct: whether guests of a star also look for
    direct links with each other.
    """

    seed: str
    game: str = "matcha"
    edges: tuple[tuple[int, int], ...] = ((0, 1),)
    direct: bool = False
    edition: str | None = "2020"
    bots: tuple[str, str] = ("uniform", "uniform")
    books: tuple[bool, ...] = (False, False)
    think: float = 1.0
    concede: float = 0.0
    claims: float = 0.0
    slowest: float = 0.1
    room: int = 64
    lossy: float = 0.0
    piped: float = 0.0
    busy: float = 0.0
    faults: tuple[Fault, ...] = ()
    last_faults: tuple[Fault, ...] = ()
    vice: tuple[int, str] | None = None

    @property
    def seats(self) -> range:
        """All seats."""
        return range(1 + max(seat for edge in self.edges for seat in edge))

    def neighbours(self, seat: int) -> tuple[int, ...]:
        """Return the seats with links to ``seat``."""
        return tuple(sum(edge) - seat for edge in self.edges if seat in edge)

    @property
    def connected(self) -> bool:
        """Whether links of honest seats alone connect all honest seats."""
        honest = {seat for seat in self.seats if not self.is_vicious(seat)}
        reached: set[int] = set()
        nearest = {min(honest)}
        while nearest:
            reached |= nearest
            beyond = {other for seat in nearest for other in self.neighbours(seat)}
            nearest = beyond & honest - reached
        return reached == honest

    def is_vicious(self, seat: int) -> bool:
        """Tell whether ``seat`` does not keep to the protocol."""
        return self.vice is not None and self.vice[0] == seat


def draw(seed: str) -> Plan:
    """Return the plan of ``seed``: few kinds of faults, and in some games many of one kind."""
    rng = random.Random(f"plan {seed}")
    think = rng.choice((0.05, 0.5, 2.0))
    kinds = rng.sample(_KINDS, rng.randint(1, 4))
    mortal = rng.randrange(2)
    count = rng.choice((1, 2, 3, 3, 4, 6, 9))
    span = 5 + 20 * think
    faults = []
    for _ in range(count):
        faults += rng.choice(kinds)(rng, span)
    last = rng.choice(
        ([], [_crash_pair], [_crash_point], [_goodbye], [_cut], [_cut, _blackout, _stall])
    )
    last_faults = [fault for kind in last for fault in kind(rng, 3.0)]
    return Plan(
        seed,
        edition=rng.choice(("2015", "2020", "2020")),
        bots=(rng.choice(("uniform", "greedy")), rng.choice(("uniform", "greedy"))),
        books=(rng.random() < 0.3, rng.random() < 0.3),
        think=think,
        concede=rng.choice((0.0, 0.0, 0.0, 0.02, 0.1, 0.4)),
        slowest=rng.choice((0.002, 0.1, 0.5, 2.0)),
        room=rng.choice((1, 3, 64)),
        lossy=rng.choice((0.0, 0.0, 0.1)),
        busy=rng.choice((0.0, 0.05, 0.4)),
        faults=tuple(_curable(faults, mortal)),
        last_faults=tuple(_curable(map(_soon, last_faults), mortal)),
        claims=rng.choice((0.0, 0.5)),
        piped=rng.choice((0.0, 0.0, 0.5)),
    )


def draw_vicious(seed: str) -> Plan:
    """Return the plan of a game with a seat that cheats around the proofs.

    Cuts and crashes are frequent, so that both sides compare their copies. Backups are left
    out: a restored backup looks like cheating.
    """
    rng = random.Random(f"vicious {seed}")
    vice = rng.randrange(2), rng.choice(sorted(VICES))
    span = 30.0
    faults = [fault for kind in (_cut, _cut, _crash, _stall) for fault in kind(rng, span)]
    last_faults = rng.choice(([], _cut(rng, 3.0), _crash_point(rng, 3.0)))
    if vice[1] == "always-tells-more":
        faults, last_faults = map(without_deaths, (faults, last_faults))
    return Plan(
        seed,
        bots=(rng.choice(("uniform", "greedy")), rng.choice(("uniform", "greedy"))),
        think=0.5,
        concede=0.3 if vice[1] == "takes-back" else 0.0,
        slowest=rng.choice((0.002, 0.1)),
        faults=tuple(_curable(faults, 2)),
        last_faults=tuple(last_faults),
        vice=vice,
    )


def draw_resigning(seed: str) -> Plan:
    """Return the plan of a conceded game whose copies are lost and compared.

    In half of the games the resigning seat then loses the resignation and some entries before.
    The seat is a bot, and decides anew before the next frame comes.
    """
    rng = random.Random(seed)
    span = 15.0
    kinds = (_cut, _restore, rng.choice((_cut, _crash, _crash_point, _redial, _stall)))
    faults = [fault for kind in kinds for fault in kind(rng, span)]
    plan = Plan(
        seed,
        bots=("greedy", "greedy"),
        think=0.5,
        concede=rng.choice((0.05, 0.2, 0.5)),
        slowest=rng.choice((0.1, 0.5, 2.0)),
        busy=rng.choice((0.0, 0.4)),
        faults=tuple(_curable(faults, rng.randrange(2))),
        last_faults=tuple(_curable(rng.choice((_cut, _goodbye))(rng, 1.0), 2)),
    )
    if rng.random() < 0.5:
        return plan
    death = Death(power=False, down=rng.random(), restore=True, forgets=rng.randint(1, 4))
    forgotten = CrashPoint(1, None, death)  # the resignation has just gone out
    return replace(plan, think=0.0, faults=tuple(_curable(faults, 2)), last_faults=(forgotten,))


def without_deaths(faults: Iterable[Fault]) -> list[Fault]:
    """Return the faults after which no seat waits for whatever a cheat announces."""
    return [fault for fault in faults if not isinstance(fault, Crash | CrashPoint)]


def _curable(faults: Iterable[Fault], seat: int) -> Iterator[Fault]:
    """Yield ``faults``, but ``seat`` alone falls back to a backup, and moves.

    If both did, nothing could help: neither knows what both forgot, or where the other is.
    """
    for fault in faults:
        match fault:
            case Crash(seat=other) | CrashPoint(seat=other) if other != seat:
                yield replace(fault, death=replace(fault.death, restore=False, moves=False))
            case _:
                yield fault


def _death(rng: random.Random) -> Death:
    return Death(
        power=rng.random() < 0.5,
        down=rng.choice((0.0, 0.3, 3.0, 30.0)) * rng.random(),
        moves=rng.random() < 0.1,
    )


def _cut(rng: random.Random, span: float) -> list[Fault]:
    notices = rng.choice(((True, True), (True, False), (False, True), (False, False)))
    return [Cut(span * rng.random(), notices)]


def _stall(rng: random.Random, span: float) -> list[Fault]:
    seats = rng.choice(((0,), (1,), (0, 1)))
    seconds = rng.choice((1, rng.uniform(4, 9), 20, 60))  # after 6 s another link is made
    return [Stall(span * rng.random(), seconds, seats)]


def _blackout(rng: random.Random, span: float) -> list[Fault]:
    return [Blackout(span * rng.random(), rng.choice((1, 8, 20, 60)))]


def _crash(rng: random.Random, span: float) -> list[Fault]:
    return [Crash(span * rng.random(), rng.randrange(2), _death(rng))]


def _crash_point(rng: random.Random, span: float) -> list[Fault]:
    return [CrashPoint(_point(rng), rng.randrange(2), _death(rng))]


def _crash_pair(rng: random.Random, span: float) -> list[Fault]:
    return [CrashPoint(_point(rng), seat, _death(rng)) for seat in (0, 1)]


def _soon(fault: Fault) -> Fault:
    """Return ``fault`` as a last fault: few points are left."""
    return replace(fault, point=fault.point % 16) if isinstance(fault, CrashPoint) else fault


def _point(rng: random.Random) -> int:
    return rng.randint(40, 260)


def _restore(rng: random.Random, span: float) -> list[Fault]:
    first, then = sorted((span * rng.random(), span * rng.random()))
    seat = rng.randrange(2)
    folder = rng.random() < 0.5
    death = Death(power=not folder, down=30 * rng.random() ** 3, restore=True, folder=folder)
    return [Backup(first, seat), Crash(then, seat, death)]


def _bad_disk(rng: random.Random, span: float) -> list[Fault]:
    number = rng.choice((errno.EIO, errno.ENOSPC))
    return [BadDisk(span * rng.random(), rng.randrange(2), rng.randrange(6), number)]


def _jump(rng: random.Random, span: float) -> list[Fault]:
    return [Jump(span * rng.random(), rng.choice((5, 50, 86_400)))]


def _goodbye(rng: random.Random, span: float) -> list[Fault]:
    return [Goodbye(span * rng.random(), rng.randrange(2))]


def _redial(rng: random.Random, span: float) -> list[Fault]:
    start, seat = span * rng.random(), rng.randrange(2)
    return [Redial(start + 3 * rng.random(), seat) for _ in range(rng.randint(1, 4))]


_KINDS = (
    _redial,
    _cut,
    _stall,
    _blackout,
    _crash,
    _crash_point,
    _crash_pair,
    _restore,
    _bad_disk,
    _jump,
    _goodbye,
)
