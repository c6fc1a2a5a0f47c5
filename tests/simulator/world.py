"""One game in one world: two machines, a network, and their faults."""

import hashlib
import random
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import patch

import trio
from trio.testing import MockClock

from matcha_p2p import games, wall_clock
from matcha_p2p.app.game import resume
from matcha_p2p.chain import verify
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import LinkError
from matcha_p2p.seats import Seat
from matcha_p2p.session import chain, ledger, reconnect
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.line import Connection
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.storage import files, journal
from matcha_p2p.table.seat import Player
from matcha_p2p.table.step import step
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.names import Psk
from tests.simulator.auditor import Auditor
from tests.simulator.disk import FS, Died
from tests.simulator.machine import PROGRAM, Machine, Program, open_signal_receiver
from tests.simulator.plan import (
    Backup,
    BadDisk,
    Blackout,
    Crash,
    CrashPoint,
    CrashSending,
    Cut,
    Fault,
    Goodbye,
    Jump,
    Plan,
    Redial,
    Rift,
    Stall,
)
from tests.simulator.wire import Door, End, Network

PATIENCE = 1000.0
"""Seconds after the last fault, or the last start, in which a game has to end.

A seat that has moved dials once in 60 s in the end. The other may be there for 10 s of 25, and
every second dial may be led astray: ten in vain are rare, and no fault.
"""


class World:
    """Everything there is in the game of ``plan``."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.rng = random.Random(f"world {plan.seed}")
        self.network = Network(self.rng, plan.slowest, plan.room)
        self.network.lossy, self.network.piped = plan.lossy, plan.piped
        self.auditor = Auditor(self)
        self.machines = tuple(Machine(self, Seat(seat)) for seat in plan.seats)
        self.psk = Psk(H("test psk", plan.seed.encode()))
        self.clock = MockClock(autojump_threshold=0)
        self.findings: list[str] = []
        self.trace = hashlib.sha256()
        self.story: list[str] = []
        self._scope = trio.CancelScope()
        self._calm_since = 0.0
        self._near_end = trio.Event()
        self._ender: int | None = None

    def note(self, what: str) -> None:
        """Add to the story of this world."""
        self.story.append(f"{trio.current_time():10.3f} {what}")
        self.trace.update(self.story[-1].encode())

    def find(self, what: str) -> None:
        """Take note of a property that does not hold, and end the world."""
        self.findings.append(what)
        self.note(what)
        self.stop()

    def stop(self) -> None:
        """End the world: there is nothing more to judge."""
        self._scope.cancel()

    def stir(self, seconds: float = 0.0) -> None:
        """Put off the time by which the game has to end."""
        self._calm_since = max(self._calm_since, trio.current_time() + seconds)

    def silence_after(self, moment: float) -> list[float]:
        """Return by seat for how many seconds after ``moment`` nothing was heard."""
        times: list[list[float]] = [[] for _ in self.machines]
        for line in self.story:
            time, seat, what, *_ = line.split()
            if what == "hears":
                times[int(seat)].append(float(time) - moment)
        return [min(since for since in heard if since >= 0) for heard in times]

    def near_end(self, seat: int) -> None:
        """Let the last faults come: ``seat`` is saying the first word of the end."""
        if self._ender is None:
            self._ender = seat
            self._near_end.set()

    async def _befall_last(self) -> None:
        await self._near_end.wait()
        now = trio.current_time()
        async with trio.open_nursery() as nursery:
            for fault in self.plan.last_faults:
                if isinstance(fault, CrashPoint):
                    seat = self._ender if fault.seat is None else fault.seat
                    point = self.machines[seat].points + fault.point
                    nursery.start_soon(self._befall, replace(fault, seat=seat, point=point))
                else:
                    nursery.start_soon(self._befall, replace(fault, at=now + fault.at))

    async def run(self) -> None:
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch)
                nursery.start_soon(self._befall_last)
                for fault in self.plan.faults:
                    nursery.start_soon(self._befall, fault)
                await self._play()
                self._judge()
                nursery.cancel_scope.cancel()

    def _judge(self) -> None:
        if self.network.linked_to_themselves:
            self.find("a seat is linked to itself")
        elif any(machine.void for machine in self.machines):
            pass
        elif self.plan.vice is None:
            self.auditor.judge_end()
        else:
            self.auditor.judge_peer_of_cheat()

    async def _play(self) -> None:
        programs = [Program(machine) for machine in self.machines]
        links: list[dict[int, End]] = [{} for _ in programs]
        for one, other in self.plan.edges:
            links[other][one], links[one][other] = self.network.link(
                programs[other], programs[one]
            )
        async with trio.open_nursery() as self._lives:
            for machine in self.machines:
                seat = machine.seat
                self._lives.start_soon(self._live, machine, links[seat], programs[seat])

    async def _live(self, machine: Machine, links: Mapping[int, End], program: Program) -> None:
        await machine.live(links, program)
        if machine.void:
            self.auditor.judge_void(machine.seat)
            self._scope.cancel()  # the others would wait for ever
        if self.plan.vice is not None and all(
            self.plan.is_vicious(other.seat) or other.over or other.void
            for other in self.machines
        ):
            self._lives.cancel_scope.cancel()  # the honest players have done with it

    async def _watch(self) -> None:
        while (  # noqa: ASYNC110 -- the time that is awaited moves
            left := self._calm_since + PATIENCE - trio.current_time()
        ) > 0:
            await trio.sleep(left)
        waiting = [machine for machine in self.machines if not machine.over]
        if self.plan.vice is not None:
            waiting = [machine for machine in waiting if not self._has_done_all(machine)]
        alone = len(waiting) == 1 and waiting[0].restored  # after the end nobody gives back
        alone |= any(machine.too_late for machine in waiting)
        alone |= self.auditor.awaits_the_lost() or self._two_are_lost()
        if waiting and not alone and self.plan.connected:
            self.find(f"stuck: seats {[machine.seat for machine in waiting]} do not end")
        self._scope.cancel()

    def _two_are_lost(self) -> bool:
        """Whether two guests were cut before either said where it waits.

        Each guest knows the host from the invite.
        """
        guests = [edge for edge in self.plan.edges if 0 not in edge]
        pairs = [(self.machines[one], self.machines[other]) for one, other in guests]
        return any(
            not (one.knows_the_way_to(other) or other.knows_the_way_to(one))
            for one, other in pairs
        )

    def _has_done_all(self, machine: Machine) -> bool:
        """Whether nothing is left to do for the player, whose peer cheats, or is the cheat.

        A peer that tells of more entries for ever keeps a game unfinished, but takes nothing:
        who has its end in a transcript need not come back. Who has not must not be without.
        """
        if self.plan.is_vicious(machine.seat) or machine.transcripts:
            return True
        # Seats that have the proof, and have left, tell no more.
        proven = any(
            other.evidence for other in machine.others if not self.plan.is_vicious(other.seat)
        )
        return proven or self.auditor.waits_for_the_cheat(machine.seat)

    async def _befall(self, fault: Fault) -> None:
        if isinstance(fault, CrashPoint):
            self.machines[fault.seat].deadly[fault.point] = fault.death
            return
        self.stir(fault.at)
        await trio.sleep_until(fault.at)
        self.note(str(fault))
        match fault:
            case Cut(notices=notices, between=between):
                self.network.cut(notices, between)
            case Stall(seconds=seconds, seats=seats):
                self.stir(2 * seconds)
                self.network.stall(seconds, seats)
            case Rift(seconds=seconds, between=between):
                self.stir(2 * seconds)
                self.network.rift(seconds, between)
            case CrashSending(seat=seat, death=death):
                self.machines[seat].dies_sending = death
            case Blackout(seconds=seconds):
                self.stir(2 * seconds)
                self.network.black_out(seconds)
            case Jump(seconds=seconds):
                self.stir(seconds)
                self.clock.jump(seconds)
            case _:
                self._befall_machine(fault, self.machines[fault.seat])

    def _befall_machine(self, fault: Fault, machine: Machine) -> None:
        match fault:
            case Crash(death=death):
                if machine.program is not None:
                    machine.program.die(death)
            case Redial():
                for line in () if machine.program is None else machine.program.lines:
                    line._trouble.set()
            case Goodbye():
                if machine.program is not None:
                    machine.program.told_to_leave.set()
            case Backup():
                if self.auditor.begun_on(machine.disk):
                    machine.backup = machine.disk.image()
            case BadDisk(change=change, errno=number):
                machine.disk.error_in, machine.disk.errno = change, number

    async def dial(self, endpoints: Sequence[Endpoint], psk: bytes, limit: float) -> End:
        """Dial for the running program."""
        with trio.move_on_after(limit):
            return await self.network.dial(PROGRAM.get(), endpoints, psk)
        raise LinkError("No answer.")

    def listen(self, port: int) -> Door:
        """Listen for the running program."""
        return self.network.listen(PROGRAM.get(), port)

    async def compute(self, work, *arguments, abandon_on_cancel=False):
        """Stand in for a thread: it takes some time, and is given up only if it may be."""
        program = PROGRAM.get()
        await trio.lowlevel.checkpoint()
        await self._be_busy()
        if program.dead:
            raise Died  # also where a shield keeps what has been cancelled going
        result = work(*arguments)
        await self._be_busy()
        if abandon_on_cancel:
            await trio.lowlevel.checkpoint_if_cancelled()
        return result

    async def _be_busy(self) -> None:
        if self.rng.random() < 0.3 and self.plan.busy:
            with trio.CancelScope(shield=True):
                await trio.sleep(self.plan.busy * self.rng.random())


def play(plan: Plan) -> World:
    """Let the game of ``plan`` happen; return the world as it was at the end."""
    world = World(plan)
    vars(trio._core._run)["_ALLOW_DETERMINISTIC_SCHEDULING"] = True
    trio._core._run._r.seed(plan.seed)
    with ExitStack() as held:
        for place, name, value in _stand_ins(world):
            held.enter_context(patch.object(place, name, value))
        try:
            trio.run(world.run, clock=world.clock)
        except BaseExceptionGroup as error:
            world.findings.append(f"the program fails: {_leaves(error)}")
    return world


def _leaves(error: BaseException) -> list[str]:
    if isinstance(error, BaseExceptionGroup):
        return [text for inner in error.exceptions for text in _leaves(inner)]
    return [repr(error)]


def _stand_ins(world: World):
    """Return what the package's own windows to the outside are replaced by."""
    ledger_init, line_init, random_of = Ledger.__init__, Connection.__init__, Player.random

    def keep(self, *how):
        ledger_init(self, *how)
        PROGRAM.get().ledger = self
        world.auditor.opens(self)

    def start(self, *how, **more):
        line_init(self, *how, **more)
        PROGRAM.get().lines.append(self)

    def draw(player, head):
        inner = random_of(player, head)

        def watched(label, message, n):
            coins = inner(label, message, n)
            world.auditor.draws(player.seat, (head, label, message), coins)
            return coins

        return watched

    async def dial(endpoints, psk, *, timeout, proxy=None):  # noqa: ASYNC109 -- as the real one
        assert proxy is None
        return await world.dial(endpoints, psk, timeout)

    async def listen(port=None, hosts=None, knocks=None):
        await trio.lowlevel.checkpoint()
        return world.listen(port or 4717)

    async def addresses():
        await trio.lowlevel.checkpoint()
        return (PROGRAM.get().machine.address,)

    known = {}

    def step_once(state, entry):
        """``step`` is pure, and a head stands for all of the history before it."""
        key = (state.head, entry.encoded)
        if key not in known:
            known[key] = step(state, entry)
        return known[key]

    FS.program = PROGRAM.get
    clock = SimpleNamespace(time=trio.current_time)
    folders = {**games.FOLDERS, "toy": "tests.games.toy"}
    return (
        (games, "FOLDERS", folders),
        *_graph(world.plan),
        (chain, "step", step_once),
        (verify, "step", step_once),
        (Ledger, "__init__", keep),
        (Connection, "__init__", start),
        (Player, "random", draw),
        (files, "os", FS),
        (files, "fcntl", FS),
        (journal, "os", FS),
        (reconnect, "dial", dial),
        (reconnect, "listen", listen),
        (reconnect, "random", world.rng),
        (resume, "local_addresses", addresses),
        (trio, "open_signal_receiver", open_signal_receiver),
        (ledger, "token_bytes", world.rng.randbytes),
        (wall_clock, "time", clock),
        (trio.to_thread, "run_sync", world.compute),
    )


def _graph(plan: Plan):
    """Return what lets the seats have the links of ``plan``; a program knows stars alone."""

    def neighbours(own):
        return tuple(map(Seat, plan.neighbours(own.seat)))

    known = (Chain, "neighbours", property(neighbours))
    return (known,) if plan.direct else (known, (Chain, "beside", frozenset()))
