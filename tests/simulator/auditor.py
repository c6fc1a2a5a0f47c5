"""Watches what leaves each machine and what is on its disk.

It knows nothing of how that came about: neither of links nor of what a session remembers.
"""

from typing import TYPE_CHECKING

from matcha_p2p.review.verify import verify_transcript
from matcha_p2p.session.chain import Chain
from matcha_p2p.transcript.archive import parse_archive
from matcha_p2p.transcript.entry import parse_entry
from matcha_p2p.transcript.record import parse_record
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.messages import Result
from matcha_p2p.wire.records import Abort
from tests.simulator.disk import Disk

if TYPE_CHECKING:
    from tests.simulator.machine import Program
    from tests.simulator.world import World


class Auditor:
    """Judges one game; what it finds goes to ``world.find``."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._chains: dict[int, Chain] = {}
        self._sent: dict[tuple[int, int], bytes] = {}
        self._gone: set[bytes] = set()
        self._coins: dict[bytes, tuple[object, ...]] = {}
        self.entries = 0

    def opens(self, chain: Chain) -> None:
        """Take note of the copy of the game that a program works on."""
        self._chains[chain.seat] = chain

    def sends(self, program: "Program", frame: Frame) -> None:
        """Judge a frame that leaves a machine."""
        if frame.kind not in (Kind.MSG, Kind.REC):
            return
        machine = program.machine
        if machine.disk.failures > program.disk_failures:
            self._find(program, frame, "after its disk has failed")
        if frame.kind is Kind.REC:
            self._durable(program, frame)
            if isinstance(parse_record(frame.payload).statement, Abort):
                self._find(program, frame, "to accuse who is honest")
            self._world.near_end()
            return
        entry = parse_entry(frame.payload)
        self.entries += 1
        if entry.seat == program.seat:
            self._durable(program, frame)
            self._once(program, (entry.seat, entry.seq), frame.payload)
        if any(isinstance(action, Result) for action in entry.actions()):
            self._world.near_end()
        self._agree()

    def _durable(self, program: "Program", frame: Frame) -> None:
        if not program.machine.disk.holds(frame.payload):
            self._find(program, frame, "before it is durable")

    def _find(self, program: "Program", frame: Frame, when: str) -> None:
        self._world.find(f"seat {program.seat} sends {frame.kind.name} {when}")

    def _once(self, program: "Program", place: tuple[int, int], payload: bytes) -> None:
        """Judge an entry against what its author has sent at this height before.

        A seat put back to a backup may make another one if the peer has not got the first.
        """
        first = self._sent.get(place, payload)
        seat, height = place
        forgivable = program.machine.restored and not self._has(1 - seat, first)
        if first != payload and not forgivable:
            self._world.find(f"seat {seat} sends two entries {height}")
        self._sent[place] = payload

    def _has(self, seat: int, payload: bytes) -> bool:
        chain = self._chains.get(seat)
        return chain is not None and any(entry.encoded == payload for entry in chain.entries)

    def restored(self, seat: int, disk: Disk) -> None:
        """Take note of what a backup lacks and the peer has not got: nobody can give it back.

        The seat decides anew; then even its next entry may be the other seat's.
        """
        for (author, _), payload in self._sent.items():
            if author == seat and not disk.holds(payload) and not self._has(1 - seat, payload):
                self._gone.add(payload)

    def _agree(self) -> None:
        """Judge whether one copy begins with the other."""
        both = [self._chains[seat].entries for seat in self._chains]
        shorter = min(map(len, both))
        if len(both) == 2 and shorter and both[0][shorter - 1].id != both[1][shorter - 1].id:
            self._world.find(f"two histories up to entry {shorter - 1}")

    def draws(self, seat: int, purpose: tuple[object, ...], coins: bytes) -> None:
        """Judge randomness: never the same for two purposes or two histories."""
        if self._coins.setdefault(seat.to_bytes(1, "big") + coins, purpose) != purpose:
            self._world.find(f"seat {seat} uses the same coins twice")

    def begun_on(self, disk: Disk) -> bool:
        """Tell whether ``disk`` has both greetings; a game without them is thrown away."""
        greetings = [self._sent.get((seat, seat)) for seat in (0, 1)]
        return all(greeting is not None and disk.holds(greeting) for greeting in greetings)

    def judge_void(self) -> None:
        """Judge that one side has thrown the game away."""
        if any(height > 2 for _, height in self._sent):
            self._world.find("the game is lost on one side")

    def judge_end(self) -> None:
        """Judge how the game has ended on both machines.

        Who comes back with a backup when the other has gone for good is alone with it.
        """
        if any(machine.too_late for machine in self._world.machines):
            return
        find, machines = self._world.find, self._world.machines
        copies = [machine.transcripts[-1] for machine in machines]
        entries = [
            [frame.payload for frame in parse_archive(copy) if frame.kind is Kind.MSG]
            for copy in copies
        ]
        shorter = min(map(len, entries))
        if entries[0][:shorter] != entries[1][:shorter]:
            find("the transcripts differ")
        reports = [verify_transcript(copy) for copy in copies]
        verdicts = [report.verdict.value for report in reports]
        if verdicts[0] != verdicts[1] or verdicts[0] not in ("COMPLETE", "RESIGNED"):
            find(f"the verdicts are {verdicts}")
        if verdicts[0] == "COMPLETE" and len(entries[0]) != len(entries[1]):
            find("one transcript is longer")
        ends = [report.result and report.result.ended for report in reports]
        if ends[0] != ends[1]:
            find(f"the transcripts say {ends[0]} and {ends[1]}")
        results = [_told(machine.result, verdicts[0]) for machine in machines]
        hurried = any(machine.hurried for machine in machines)
        if results[0] != results[1] and not hurried:
            find(f"the results are {results[0]} and {results[1]}")
        self._nothing_lost(verdicts[0], entries[0][:shorter])

    def _nothing_lost(self, verdict: str, final: list[bytes]) -> None:
        for (seat, height), payload in self._sent.items():
            crossed = verdict == "RESIGNED" and height >= len(final)
            kept = height < len(final) and final[height] == payload
            if not kept and not crossed and payload not in self._gone:
                self._world.find(f"entry {height} of seat {seat} is lost")


def _told(result: dict[str, object] | None, verdict: str) -> object:
    """Return what both players have to be told alike.

    Tokens may still have been won while a resignation was on its way.
    """
    if result is None or verdict != "RESIGNED":
        return result
    return result["winner"], result["how"]
