"""A machine: a disk, an address, and a supervisor that restarts the program."""
# ruff: noqa: ARG002 -- what stands in for Home and Output has their signatures

import math
import random
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from ipaddress import IPv4Address
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import trio

from matcha_p2p.app.command.outcomes import CommandError, Exit, NotBegunError
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.game import claim
from matcha_p2p.app.game.resume import ResumeWish, resume
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.table import play_at_table
from matcha_p2p.errors import HomeError, JournalError, MatchaError
from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.narration.news import Choose, News
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.line import Connection
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.news import (
    Concede,
    GameEvent,
    LineChanged,
    MakeMove,
    MoveDue,
    TakenUp,
    Terms,
)
from matcha_p2p.session.reconnect import Place
from matcha_p2p.session.storage.journal import MARK
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.talk import Farewell, PeerAddresses, encode_farewell, encode_way
from tests.simulator.disk import FS, Died, Disk, DiskPath
from tests.simulator.hub_vices import hub_vices
from tests.simulator.plan import Death, Plan
from tests.simulator.roster import ready
from tests.simulator.vices import VICES
from tests.simulator.wire import Door, End

if TYPE_CHECKING:
    from matcha_p2p.store.home import Home
    from tests.simulator.world import World

PORT = 4717
_PATIENCE = 100.0
"""Seconds that a player waits for a cheat."""

_ROOT = "/unfinished"
_MARKS = "/marks"
_BEGUN = 3
"""Parts of a journal with both greetings: what is before commit 0, the header, a commit."""
_SIGTERM = 15
_SENT = 2
"""Points from the judgement of a frame until the frame is on its way."""

PROGRAM: ContextVar["Program"] = ContextVar("PROGRAM")
"""Whose code is running."""


class Program:
    """One run of the command on a machine, until the end or a death."""

    def __init__(self, machine: "Machine") -> None:
        self.machine = machine
        self.seat = machine.seat
        self.address = machine.address
        self.dead = False
        self.ends: list[End] = []
        self.listeners: list[Door] = []
        self.lines: list[Connection] = []
        self.ledger: Ledger | None = None
        self.scope = trio.CancelScope()
        self.told_to_leave = trio.Event()
        self.disk_failures = machine.disk.failures

    def point(self, name: str) -> None:
        """Pass a step visible outside; at the step of the planned death, die."""
        if self.dead:
            raise Died
        machine = self.machine
        machine.points += 1
        machine.world.note(f"{self.seat} {machine.points} {name}")
        death = machine.deadly.pop(machine.points, None)
        if death is not None:
            self.die(death)
            raise Died

    def words(self, frame: Frame, to: int) -> list[Frame]:
        """Return the frames that the player's program says to a seat instead of ``frame``."""
        machine, plan = self.machine, self.machine.world.plan
        if plan.vice is None or not plan.is_vicious(self.seat) or self.ledger is None:
            return [frame]
        chain, vice = self.ledger.chain, plan.vice[1]
        if vice in VICES:
            return VICES[vice](chain, frame, machine.rng, machine.memory)
        return machine.hub_vices[vice](chain, frame, to)

    def sending(self, frame: Frame) -> None:
        self.machine.parted |= frame == Frame(Kind.BYE, encode_farewell(Farewell.DONE))
        if self.machine.world.plan.is_vicious(self.seat):
            return
        self.machine.world.auditor.sends(self, frame)
        death = self.machine.dies_sending
        if death is not None and _is_of(self.seat, frame):
            self.machine.deadly[self.machine.points + _SENT] = death
            self.machine.dies_sending = None

    def hearing(self, frame: Frame) -> None:
        self.machine.world.note(f"{self.seat} hears {frame.kind.name}")
        self.machine.world.auditor.hears(self, frame)

    def die(self, death: Death) -> None:
        """Stop at once; the system hangs up for us, unless it goes down too."""
        if self.dead:
            return
        self.dead = True
        self.machine.world.note(f"{self.seat} dies {death}")
        self.machine.death = replace(death, moves=death.moves and self.machine.knows_the_way)
        self.scope.cancel()
        if death.power:
            self.machine.disk.lose_power()
        self._let_go(vanish=death.power)

    def end(self) -> None:
        """Let the system close all files left open by the ended program."""
        self.dead = True
        self._let_go(vanish=False)

    def _let_go(self, *, vanish: bool) -> None:
        FS.release(self)
        for door in self.listeners:
            door.close()
        for end in self.ends:
            if vanish:
                end.vanish()
            else:
                end.close()


class Machine:
    """Where the player of ``seat`` sits."""

    def __init__(self, world: "World", seat: Seat) -> None:
        self.world = world
        self.seat = seat
        self.name = ("Mina", "Taro", "Aya", "Ken")[seat]
        self.rng = random.Random(f"machine {world.plan.seed} {seat}")
        self.disk = Disk(random.Random(f"disk {world.plan.seed} {seat}"))
        self.address = IPv4Address(f"10.0.{seat}.1")
        self.points = 0
        self.deadly: dict[int, Death] = {}
        self.dies_sending: Death | None = None  # as soon as an own entry has gone out
        self.death: Death | None = None
        self.backup: dict[str, bytes] | None = None
        self.restored = False
        self.parted = False  # has told the other that it may go, which then gives nothing back
        self.moved = False
        self.too_late = False  # restored after that, or when the other had gone
        self.program: Program | None = None
        self.transcripts: list[bytes] = []
        self.result: dict[str, object] | None = None
        self.hurried = False  # a signal has ended the last program, and cut its telling short
        self.has_the_end = False  # some other may lack it, as far as the player knows
        self.over = False  # the player has the whole game, and does not come back
        self.void = False  # the game had not begun
        self.is_older = False  # the game's folder was put back, which has to be noticed
        self.insists = False  # its player was told, and goes on all the same, once
        self.memory: dict[str, int] = {}  # of its player's vice
        of_its_own = random.Random(f"vices {world.plan.seed} {seat}")
        self.hub_vices = hub_vices(of_its_own, world.plan)
        self.evidence: list[bytes] = []

    @property
    def unfinished(self) -> list[str]:
        return sorted(name for name in self.disk.names if name.endswith("/journal"))

    @property
    def others(self) -> list["Machine"]:
        """All other machines."""
        return [machine for machine in self.world.machines if machine is not self]

    async def live(self, links: Mapping[int, End], program: Program) -> None:
        """Play the game, and resume after each end of the program.

        links: the first link to each neighbour.
        """
        place = Place((self.address,), PORT)
        host = PeerAddresses((Endpoint(IPv4Address("10.0.0.1"), PORT),))
        sitting = self._sitting()

        async def begin() -> int:
            table = ready(self.world, self.seat, links)
            known = None if self.seat == 0 else host
            return await play_at_table(table, sitting, place, host=known)

        work = begin
        while True:
            pause = await self._run(program, work)
            if pause is None:
                return
            if self.death is not None:
                self.world.stir(pause)
            await trio.sleep(pause)
            program = self._restart()
            work = self._resume

    async def _resume(self) -> int:
        older, self.insists = self.insists, False
        sitting = self._sitting()
        if self.world.plan.claims and self.rng.random() < self.world.plan.claims:
            with suppress(CommandError):  # nothing is due from the other
                claim.run(sitting.out, sitting.home, None)
        return await resume(sitting.home, lambda *_: sitting, None, ResumeWish(older))

    def _restart(self) -> Program:
        death, self.death = self.death, None
        self.disk.mend()
        backup = self.backup
        if death is not None and death.forgets:
            backup = self._without_last(death.forgets)
        if death is not None and death.restore and backup is not None and self._finds(backup):
            self.world.note(f"{self.seat} restored")
            self._put_back(backup, only_the_game=death.folder)
            self.restored = True
            self.has_the_end = False
            self.world.auditor.restored(self.seat, self.disk)
            self.too_late = self.parted or any(machine.over for machine in self.others)
        if death is not None and death.moves:
            self.address = IPv4Address(int(self.address) + 1)
            self.moved = True
        for end in self.world.network.ends:
            if end.owner.seat == self.seat:
                end.mute = False  # the machine answers again, and knows nothing of old links
        return Program(self)

    def _put_back(self, backup: dict[str, bytes], *, only_the_game: bool) -> None:
        if not only_the_game:
            self.is_older = False  # the marks are put back as well
            self.disk.restore(backup)
            return
        name = f"{_ROOT}/game/journal"
        game = {path: content for path, content in backup.items() if path.startswith(_ROOT)}
        self.is_older = game.get(name, b"").count(MARK) < self._marked
        rest = {
            path: bytes(file.content)
            for path, file in self.disk.names.items()
            if not path.startswith(_ROOT)
        }
        self.disk.restore({**rest, **game})

    def _without_last(self, commits: int) -> dict[str, bytes] | None:
        """Return the disk ``commits`` commits ago; None before the beginning of the game."""
        name = f"{_ROOT}/game/journal"
        disk = {path: b for path, b in self.disk.image().items() if path.startswith(_ROOT)}
        kept = disk.get(name, b"").split(MARK)[:-commits]
        return disk | {name: MARK.join(kept)} if len(kept) > _BEGUN else None

    @property
    def _marked(self) -> int:
        """How many commits the journal has had, as far as that is remembered elsewhere."""
        marks = [
            bytes(file.content)
            for name, file in self.disk.names.items()
            if name.startswith(f"{_MARKS}/")
        ]
        return max((int.from_bytes(mark) for mark in marks if len(mark) == 8), default=0)

    @property
    def knows_the_way(self) -> bool:
        """Whether the disk has each neighbour's address; else the machine must not move."""
        return all(map(self.knows_the_way_to, self._neighbours))

    def knows_the_way_to(self, other: "Machine") -> bool:
        """Tell whether the disk has the present address of ``other``."""
        return self.disk.holds(other.way)

    def _finds(self, backup: dict[str, bytes]) -> bool:
        """Whether the addresses in ``backup`` still lead to the neighbours."""
        contents = b"".join(backup.values())
        return not self.moved or all(other.way in contents for other in self._neighbours)

    @property
    def _neighbours(self) -> list["Machine"]:
        return [self.world.machines[seat] for seat in self.world.plan.neighbours(self.seat)]

    @property
    def way(self) -> bytes:
        """Where this machine waits, as a journal holds it."""
        return encode_way(PeerAddresses((Endpoint(self.address, PORT),)))

    async def _run(self, program: Program, work) -> float | None:
        """Run ``work`` to the end; return the seconds until the resume, or None for never."""
        self.program = program
        PROGRAM.set(program)
        try:
            with program.scope:
                return self._ended(await work())
        except MatchaError as error:
            return self._failed(error)
        except BaseExceptionGroup as group:
            others = group.split(Died)[1]
            if others is not None:
                return self._failed(_only(others))
        except Died:
            pass
        finally:
            self.hurried = program.told_to_leave.is_set()
            if not program.dead:
                program.end()
            self.program = None
        assert self.death is not None
        return self.death.down + 0.001

    def _ended(self, code: int) -> float | None:
        self.world.note(f"{self.seat} ends {code}")
        if code == 0 and not self.unfinished:
            self.over = True
            return None
        self.has_the_end = code == 0
        # Players who have all resigned tell each other of two ends.
        if all(
            other.over or (other.has_the_end and other.result == self.result)
            for other in self.others
        ):
            self.over = True
            return None
        return 5 + 20 * self.rng.random()  # "if so, let both of you run matcha resume"

    def _failed(self, error: MatchaError) -> float | None:
        self.world.note(f"{self.seat} fails {error}")
        code = error.exit_code if isinstance(error, CommandError) else None
        match error:
            case MatchaError(code="journal-locked"):  # each player runs one program at a time
                self.world.find(f"seat {self.seat} stops: {error}")
            case NotBegunError() | MatchaError(code="not-begun"):
                self.void = True
            case HomeError(code="game-none"):
                self.over, self.void = bool(self.transcripts), not self.transcripts
            case CommandError() if self._has_done_with_it(code):
                self.over = True
            case CommandError() if code in (Exit.INTERRUPTED, 128 + _SIGTERM, Exit.UNREADABLE):
                return 5 * self.rng.random()
            case JournalError(code="journal-older"):
                self.is_older, self.insists = False, True
                return 5 * self.rng.random()
            case JournalError(code="journal-disk"):
                return 5 * self.rng.random()
            case _:
                self.world.find(f"seat {self.seat} stops: {error}")
        return None

    def _has_done_with_it(self, code: int | None) -> bool:
        """Whether a player has left a cheat, or is found out as the cheat."""
        plan = self.world.plan
        if plan.vice is None or self.death is not None:
            return False
        if plan.is_vicious(self.seat):
            return code == Exit.VIOLATED or all(machine.over for machine in self.others)
        return code == Exit.VIOLATED or bool(self.transcripts)

    def _sitting(self) -> SeatSetup:
        plan = self.world.plan
        edition = plan.edition if self.seat == 0 else None
        patience = math.inf if plan.vice is None else _PATIENCE
        books = plan.books[self.seat]
        seats = len(plan.seats)
        terms = Terms(self.name, plan.game, edition, books, patience=patience, seats=seats)
        return SeatSetup(terms, _Player(self), cast("Home", _Home(self)), _Screen(self))


class _Player:
    """A bot that thinks, may give up, and never decides twice alike."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    async def play(
        self,
        seat: int,
        news: AsyncIterator[News],
        choose: Choose,
    ) -> None:
        rng, plan = self._machine.rng, self._machine.world.plan
        concedes = 0.0 if plan.vice is not None and plan.vice[0] != seat else plan.concede
        async for piece in news:
            if isinstance(piece, GameEvent):
                self._machine.world.auditor.shows(self._machine)
            match piece:
                case MoveDue(observation):
                    await trio.sleep(plan.think * rng.random())
                    if rng.random() < concedes:
                        choose(Concede())
                    choose(MakeMove(_move(plan, seat, observation, rng)))
                case LineChanged() | TakenUp() if rng.random() < concedes:
                    choose(Concede())
                case _:
                    pass


def _is_of(seat: Seat, frame: Frame) -> bool:
    """Tell whether the frame holds an entry of ``seat``."""
    return frame.kind is Kind.MSG and parse_entry(frame.payload).seat == seat


def _move(plan: Plan, seat: int, view: Any, rng: random.Random) -> Any:
    if plan.game == "matcha":
        return BOTS[plan.bots[seat]].choose(view, rng)
    return rng.choice(view.legal_moves())


class _Home:
    """The folders of a player, on the machine's disk; a finished game goes to the auditor."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def command(self, *words: str) -> str:
        return " ".join(words)

    @property
    def marks(self) -> DiskPath:
        return DiskPath(self._machine.disk, _MARKS)

    def new_journal(self) -> DiskPath:
        return DiskPath(self._machine.disk, f"{_ROOT}/game/journal")

    def journals(self, name: str | None) -> list[DiskPath]:
        if not self._machine.unfinished:
            raise self.without_games()
        return [self.new_journal()]

    def without_games(self) -> HomeError:
        return HomeError("No game is unfinished.", code="game-none")

    def forget(self, journal: DiskPath) -> None:
        journal.parent.remove()

    def store_transcript(self, gid: bytes, transcript: bytes, earlier: object = None) -> Path:
        kept = self._machine.transcripts
        if kept and (earlier is not None or transcript.startswith(kept[-1])):
            kept.pop()
        kept.append(transcript)
        return Path("transcript")

    def note_game(self, path: str, seat: int, how: str | None, *_: object) -> None:
        pass  # a convenience, on which nothing depends

    def store_evidence(self, gid: bytes, transcript: bytes) -> str:
        self._machine.evidence.append(transcript)
        return "evidence"


class _Screen(Output):
    """Keeps the player's news of the result."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(facts=True)
        self._machine = machine

    def fact(self, event: str, **fields: object) -> None:
        if event in ("game-ended", "won"):  # "won" is the end of the games of tests
            self._machine.result = fields

    def say(self, sentence: str) -> None:
        pass

    def write(self, text: str) -> None:
        pass


class Signals:
    """Stands in for the signals of trio: SIGTERM, once the program is told to leave."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._caught = False

    def __aiter__(self) -> "Signals":
        return self

    async def __anext__(self) -> int:
        if self._caught:
            await trio.sleep_forever()
        await self._program.told_to_leave.wait()
        self._caught = True
        return _SIGTERM


@contextmanager
def open_signal_receiver(*_: int) -> Iterator[Signals]:
    yield Signals(PROGRAM.get())


def _only(group: BaseExceptionGroup) -> MatchaError:
    """Return the program's only error in ``group``; any other error is a failure."""
    match group.exceptions:
        case (BaseExceptionGroup() as inner,):
            return _only(inner)
        case (MatchaError() as error,):
            return error
        case _:
            raise group
