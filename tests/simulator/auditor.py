"""Watches the frames that leave each machine, and the disk of each machine.

The auditor knows nothing of links or of the memory of a session.
"""

from itertools import pairwise
from typing import TYPE_CHECKING

from matcha_p2p.chain.archive import parse_archive
from matcha_p2p.chain.records import is_shown
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.entry import Entry, parse_entry
from matcha_p2p.wire.record import parse_record
from matcha_p2p.wire.statements import Abort, Resign, Sync
from tests.simulator.disk import Disk

if TYPE_CHECKING:
    from tests.simulator.machine import Machine, Program
    from tests.simulator.world import World


class Auditor:
    """Judges one game, and reports each finding to ``world.find``."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._ledgers: dict[int, Ledger] = {}
        self._sent: dict[tuple[int, int], bytes] = {}
        self._gone: set[bytes] = set()
        self._forgetful: set[int] = set()
        self._heard: dict[Program, list[bytes]] = {}
        self._coins: dict[bytes, tuple[object, ...]] = {}
        self.entries = 0

    def opens(self, ledger: Ledger) -> None:
        """Note the copy of the game with which a program works."""
        if self._world.machines[ledger.chain.seat].is_older:
            self._world.find(f"seat {ledger.chain.seat} goes on from an older copy unawares")
        self._ledgers[ledger.chain.seat] = ledger

    def sends(self, program: "Program", frame: Frame) -> None:
        """Judge a frame that leaves a machine."""
        if frame.kind not in (Kind.MSG, Kind.REC):
            return
        machine = program.machine
        failed = machine.disk.failures > program.disk_failures
        if failed and not machine.disk.holds(frame.payload):  # durable ones were on the way
            self._find(program, frame, "after its disk has failed")
        if frame.kind is Kind.REC:
            self._durable(program, frame)
            accuses = isinstance(parse_record(frame.payload).statement, Abort)
            if accuses and self._world.plan.vice is None:
                self._find(program, frame, "to accuse who is honest")
            self._world.near_end(program.seat)
            return
        entry = parse_entry(frame.payload)
        self.entries += 1
        if entry.seat == program.seat:
            self._durable(program, frame)
            self._once(program, (entry.seat, entry.seq), frame.payload)
        if any(isinstance(said, list) and said[0] == "RESULT" for said in entry.fields):
            self._world.near_end(program.seat)
        self._agree()

    def hears(self, program: "Program", frame: Frame) -> None:
        """Judge the order of arrivals: a resignation comes after the entries named in it."""
        heard = self._heard.setdefault(program, [])
        if frame.kind is Kind.MSG:
            heard.append(frame.payload)
        if frame.kind is not Kind.REC or self._world.plan.vice is not None:
            return
        record = parse_record(frame.payload)
        known = [entry.id for entry in self._ledgers[program.seat].chain.entries]
        on_the_way = [parse_entry(payload).id for payload in heard]
        if record.statement == Resign() and record.head not in (*known, *on_the_way):
            self._world.find(f"seat {program.seat} hears a resignation before the rest")

    def shows(self, machine: "Machine") -> None:
        """Judge the news of a player: a crash could take back an entry that is not durable."""
        ledger = self._ledgers[machine.seat]
        last = ledger.chain.entries[-1]
        if machine.program is not None and not machine.disk.holds(last.encoded):
            self._world.find(f"seat {machine.seat} is shown entry {last.seq} too early")

    def _durable(self, program: "Program", frame: Frame) -> None:
        if not program.machine.disk.holds(frame.payload):
            self._find(program, frame, "before it is durable")

    def _find(self, program: "Program", frame: Frame, when: str) -> None:
        self._world.find(f"seat {program.seat} sends {frame.kind.name} {when}")

    def _once(self, program: "Program", place: tuple[int, int], payload: bytes) -> None:
        """Judge an entry against the author's earlier entries at this height.

        A seat put back to a backup may make another entry if the first has not reached any
        other seat.
        """
        first = self._sent.get(place, payload)
        seat, height = place
        forgivable = program.machine.restored and not self._others_have(seat, first)
        if first != payload and not forgivable:
            self._world.find(f"seat {seat} sends two entries {height}")
        self._sent[place] = payload

    def _others_have(self, seat: int, payload: bytes) -> bool:
        """Tell whether a seat other than ``seat`` has the entry or record ``payload``."""
        chains = [ledger.chain for other, ledger in self._ledgers.items() if other != seat]
        entries = {entry.encoded for chain in chains for entry in chain.entries}
        return payload in entries or any(
            payload == record.encoded for chain in chains for record in chain.records
        )

    def restored(self, seat: int, disk: Disk) -> None:
        """Note the entries that neither a backup nor another seat has: they are lost for good.

        The seat decides anew; then even the next entry may belong to another seat. Entries
        announced and not sent count as well.
        """
        chain = self._ledgers[seat].chain
        sent = [payload for (author, _), payload in self._sent.items() if author == seat]
        made = [entry.encoded for entry in chain.entries if entry.seat == seat]
        resigned = [
            record.encoded
            for record in chain.records
            if record.seat == seat and isinstance(record.statement, Resign)
        ]
        gone = {
            payload
            for payload in (*sent, *made, *resigned)
            if not disk.holds(payload) and not self._others_have(seat, payload)
        }
        self._gone |= gone
        if gone:
            self._forgetful.add(seat)

    def awaits_the_lost(self) -> bool:
        """Whether a seat has announced entries that are lost for good.

        Another entry in their place would convict the seat, so the game waits.
        """
        chains = [ledger.chain for ledger in self._ledgers.values()]
        return any(
            isinstance(record.statement, Sync)
            and record.seat in self._forgetful
            and not is_shown(chain.entries, chain.records, record)
            for chain in chains
            for record in chain.records
        )

    def _agree(self) -> None:
        """Judge whether of any two copies one begins with the other."""
        if self._world.plan.vice is not None:
            return
        copies = [ledger.chain.entries for ledger in self._ledgers.values()]
        for one, other in pairwise(sorted(copies, key=len)):
            if one and one[-1].id != other[len(one) - 1].id:
                self._world.find(f"two histories up to entry {len(one) - 1}")

    def draws(self, seat: int, purpose: tuple[object, ...], coins: bytes) -> None:
        """Judge randomness: never the same for two purposes or two histories."""
        if self._coins.setdefault(seat.to_bytes(1, "big") + coins, purpose) != purpose:
            self._world.find(f"seat {seat} uses the same coins twice")

    def waits_for_the_cheat(self, seat: int) -> bool:
        """Tell whether the cheat is to move, by the copy of ``seat``."""
        chain = self._ledgers[seat].chain
        if not chain.met or chain.ended is not None:
            return False
        due = next_due(chain.table)
        return due is not None and self._world.plan.is_vicious(due.seat)

    def begun_on(self, disk: Disk) -> bool:
        """Tell whether ``disk`` has all greetings."""
        greetings = [self._sent.get((seat, seat)) for seat in self._world.plan.seats]
        return all(greeting is not None and disk.holds(greeting) for greeting in greetings)

    def judge_peer_of_cheat(self) -> None:
        """Judge the remains of a game that honest players had with a cheat."""
        for machine in self._world.machines:
            if not self._world.plan.is_vicious(machine.seat):
                self._judge_honest(machine)

    def _judge_honest(self, honest: "Machine") -> None:
        plan = self._world.plan
        assert plan.vice is not None
        cheat, _ = plan.vice
        for evidence in honest.evidence:
            failure = verify_transcript(evidence).failure
            if failure is None or failure.seat != cheat:
                self._world.find(f"the evidence against seat {cheat} is {failure}")
        copies = [verify_transcript(copy) for copy in honest.transcripts]
        ended = any(report.result for report in copies) or not honest.over
        if not honest.evidence and not ended:
            self._world.find(f"seat {honest.seat} has neither a result nor evidence")
        winners = {report.result.winners for report in copies if report.result is not None}
        told = set() if honest.result is None else {_winners_told(honest.result)}
        if len(winners | told) > 1:
            self._world.find(f"seat {honest.seat} is told of the winners {winners | told}")
        taken_back = any(_takes_back(copy, cheat) for copy in honest.transcripts)
        if taken_back and not honest.evidence:
            self._world.find("a resignation is taken back")

    def judge_void(self, seat: int) -> None:
        """Judge that ``seat`` has thrown the game away: it must not have begun."""
        seats = len(self._world.machines)
        if any(author == seat and height >= seats for author, height in self._sent):
            self._world.find(f"the game is lost at seat {seat}")

    def judge_end(self) -> None:
        """Judge the end of the game on all machines.

        If a seat comes back with a backup after another has gone for good, the seat may stay
        alone.
        """
        if any(machine.too_late for machine in self._world.machines):
            return
        if any(machine.evidence for machine in self._world.machines):
            self._world.find("somebody keeps evidence of who is honest")
            return
        find, machines = self._world.find, self._world.machines
        copies = [machine.transcripts[-1] for machine in machines]
        entries = [
            [frame.payload for frame in parse_archive(copy) if frame.kind is Kind.MSG]
            for copy in copies
        ]
        shorter = min(map(len, entries))
        if any(copy[:shorter] != entries[0][:shorter] for copy in entries):
            find("the transcripts differ")
        reports = [verify_transcript(copy) for copy in copies]
        verdicts = [report.verdict.value for report in reports]
        if len({*verdicts}) > 1 or verdicts[0] not in ("COMPLETE", "RESIGNED"):
            find(f"the verdicts are {verdicts}")
        if verdicts[0] == "COMPLETE" and len({*map(len, entries)}) > 1:
            find("one transcript is longer")
        ends = [
            report.result and (report.result.winners, report.result.how) for report in reports
        ]
        if len({*ends}) > 1:
            find(f"the transcripts say {ends}")
        if any(machine.result is None for machine in machines):
            find("a seat is told no result")
        results = [_told(machine.result, verdicts[0]) for machine in machines]
        hurried = any(machine.hurried for machine in machines)
        if any(result != results[0] for result in results) and not hurried:
            find(f"the results are {results}")
        self._nothing_lost(verdicts[0], entries[0][:shorter])

    def _nothing_lost(self, verdict: str, final: list[bytes]) -> None:
        for (seat, height), payload in self._sent.items():
            crossed = verdict == "RESIGNED" and height >= len(final)
            kept = height < len(final) and final[height] == payload
            if not kept and not crossed and payload not in self._gone:
                self._world.find(f"entry {height} of seat {seat} is lost")


def _takes_back(copy: bytes, seat: int) -> bool:
    """Tell whether ``seat`` goes on in a transcript after the entry where it has resigned.

    A RESULT takes nothing back: with the entry of the resignation the game may be decided.
    """
    frames = list(parse_archive(copy))
    entries = [parse_entry(frame.payload) for frame in frames if frame.kind is Kind.MSG]
    records = [parse_record(frame.payload) for frame in frames if frame.kind is Kind.REC]
    heads = {
        record.head
        for record in records
        if record.seat == seat and record.statement == Resign()
    }
    given_up = False
    for entry in entries:
        if given_up and entry.seat == seat and not _is_result(entry):
            return True
        given_up |= entry.id in heads
    return False


def _is_result(entry: Entry) -> bool:
    match entry.fields:
        case (["RESULT", *_],):
            return True
        case _:
            return False


def _winners_told(result: dict[str, object]) -> tuple[object, ...]:
    """Return the winners of whom a player was told; nobody wins a draw."""
    winners = result.get("winners", result.get("winner"))
    match winners:
        case list():
            return tuple(winners)
        case None:
            return ()
        case winner:
            return (winner,)


def _told(result: dict[str, object] | None, verdict: str) -> object:
    """Return the news that both players must hear alike.

    Tokens may still be won while a resignation is on the way.
    """
    if result is None or verdict != "RESIGNED":
        return result
    return _winners_told(result), result["how"]
