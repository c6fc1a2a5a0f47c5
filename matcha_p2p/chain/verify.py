"""Verifies a whole game of any kind from the file alone (SPEC#verdicts).

The players' own machine, ``step``, checks the entries.
"""

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from matcha_p2p.chain.archive import parse_archive
from matcha_p2p.chain.fork import check_fork
from matcha_p2p.chain.records import Log, Statements, awaited, check_record
from matcha_p2p.errors import (
    Check,
    CheckError,
    ProofError,
    ProtocolViolationError,
    TranscriptError,
)
from matcha_p2p.games import find, game_of
from matcha_p2p.games.game import End
from matcha_p2p.language import sentence_of
from matcha_p2p.seats import Seat
from matcha_p2p.table.game import Find
from matcha_p2p.table.step import TableEvent, step
from matcha_p2p.table.table import Greetings, State, Table, next_due
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.encoding import Value
from matcha_p2p.wire.entry import Entry, parse_entry
from matcha_p2p.wire.record import Record, parse_record
from matcha_p2p.wire.roster import parse_roster
from matcha_p2p.wire.statements import Expose, Resign, ResignTogether, Sync


class Verdict(enum.Enum):
    """The verdict on a transcript (SPEC#verdicts)."""

    COMPLETE = "COMPLETE"  # all seats have signed the result
    DECIDED = "DECIDED"  # the chain fixes the result; a signature of it is missing
    RESIGNED = "RESIGNED"
    UNFINISHED = "UNFINISHED"
    INVALID = "INVALID"
    FORK = "FORK"  # a seat has signed two entries for one place


class CheckResult(enum.Enum):
    """The outcome of a check in a transcript."""

    PASSED = "passed"  # the check was applied, and held each time
    FAILED = "failed"
    NOT_REACHED = "not reached"


@dataclass(frozen=True, slots=True)
class Failure:
    """The first bad item, and ``check``, the first check that the item fails.

    seat: the signer of the item, or None if no signature proves the signer. entry: the item's
    place in the file, from 0; records count after entries. sentence: the text for people.
    """

    check: Check
    entry: int
    seat: Seat | None
    sentence: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """A sound entry, the state after the entry, and the events."""

    entry: Entry
    state: State
    events: tuple[TableEvent, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The report on a file. ``accepted`` and ``records`` hold the sound items.

    result: the result of a decided or resigned game. If a game is COMPLETE before the failure,
    its result stands: nobody can take it back. waiting: the seat that has to speak, or to
    send an announced entry; None if the game waits for no seat. exposed: the game keys of the
    seats whose cards are an open book. A CLAIM or ABORT among ``records`` proves only its
    author.
    """

    verdict: Verdict
    failure: Failure | None
    accepted: tuple[Accepted, ...]
    records: tuple[Record, ...]
    result: End | None
    waiting: Seat | None
    exposed: Mapping[Seat, int]

    @property
    def game(self) -> str | None:
        """The name of the game; None while nobody has greeted."""
        return self.accepted[0].state.hellos[0].game if self.accepted else None

    @property
    def valid(self) -> bool:
        """Whether everything in the file is sound."""
        return self.failure is None

    def checks(self) -> dict[Check, CheckResult]:
        """Return for each check, by number, whether it was applied and held."""
        called_for = {check for sound in self.accepted for check in _of_entry(sound.entry)}
        called_for |= {check for record in self.records for check in _of_record(record)}
        results = {
            check: CheckResult.PASSED if check in called_for else CheckResult.NOT_REACHED
            for check in Check
        }
        if self.failure is not None:
            results[self.failure.check] = CheckResult.FAILED
        return results


_EVERY_ENTRY: Final = frozenset(
    {
        Check.LIMIT,
        Check.ENCODING,
        Check.CHAIN,
        Check.SIG,
        Check.FORK,
        Check.TURN,
        Check.GRAMMAR,
        Check.STATE,
    }
)
_EVERY_RECORD: Final = frozenset({Check.LIMIT, Check.ENCODING, Check.RECORD})
_GROUP: Final = frozenset({Check.POINT, Check.SCALAR})
_CALLED_FOR: Final[dict[str, frozenset[Check]]] = {
    "HELLO": _GROUP
    | {Check.VERSION, Check.GAME, Check.TEXT, Check.KEY, Check.POP, Check.ROSTER},
    "COIN": frozenset({Check.COIN}),
    "SHUF": _GROUP | {Check.SHUFFLE},
    "SHARE": _GROUP | {Check.SHARE, Check.CARD},
    "MOVE": frozenset({Check.RULE}),
    "SEAL": frozenset(),
    "UNSEAL": frozenset({Check.SEAL, Check.RULE}),
    "RESULT": frozenset({Check.RESULT}),
}

HowEnded: TypeAlias = Callable[[Table, Seat | None], End | None]
"""Returns how a game has ended, or None while the game is undecided (``Rules.ended``)."""

ReportProgress: TypeAlias = Callable[[int], None]
"""Called before each item with the number of items found sound."""


def _ended(table: Table, resigned: Seat | None) -> End | None:
    """Return how a game of the registry has ended."""
    return game_of(table.game.name).rules.ended(table, resigned)


def _no_progress(_: int) -> None:
    """Report no progress."""


def verified_transcript(data: bytes, progress: ReportProgress = _no_progress) -> Report:
    """Return the report on the file ``data``, or raise if an item is not sound.

    Raises:
        TranscriptError: the transcript is not valid.
    """
    report = verify_transcript(data, progress)
    if report.failure is not None:
        raise TranscriptError(
            "The transcript is not valid from entry {entry} on: {why}",
            entry=report.failure.entry,
            why=report.failure.sentence,
        )
    return report


def verify_transcript(
    data: bytes,
    progress: ReportProgress = _no_progress,
    verification: "Verification | None" = None,
) -> Report:
    """Verify the file ``data``, any bytes. Only ``progress`` may raise.

    verification: a new one, for a game that the registry does not know.
    Cost: about the cost of playing one seat.
    """
    verification = verification or Verification()
    return verification.report(_read(data, verification, progress))


class Verification:
    """Verifies the items of a game in order of arrival, and holds the sound items.

    Entries come in the order of the chain. An entry may follow a record, as at a watcher. In a
    file this order is refused (``verify_transcript``).

    find, ended: of a game that the registry does not know.
    """

    def __init__(self, find: Find = find, ended: HowEnded = _ended) -> None:
        self._find: Final = find
        self._ended: Final = ended
        self._state: State | None = None  # before the roster
        self._log: Final = Log()
        self._said: Final = Statements(self._log)
        self._accepted: list[Accepted] = []
        self._records: list[Record] = []

    @property
    def entries(self) -> int:
        """How many entries are sound."""
        return len(self._log)

    @property
    def records(self) -> int:
        """How many records are sound."""
        return len(self._records)

    def take(self, frame: Frame) -> None:
        """Verify the next item: an entry (kind MSG), a record (kind REC), first the roster.

        Cost: up to 0.1 s.

        Raises:
            CheckError: the item is not sound; nothing has changed.
        """
        if frame.kind is Kind.ROSTER:
            self._state = Greetings.of_roster(parse_roster(frame.payload), self._find)
            return
        if frame.kind is Kind.REC:
            self._take_record(parse_record(frame.payload))
            return
        entry = parse_entry(frame.payload)
        state = self._state
        if state is None:
            raise CheckError(Check.ENCODING, "a game begins with its roster")
        check_fork(state, self._log, entry)
        self._state, events = step(state, entry)
        self._log.append(entry)
        self._said.grow(entry)
        self._accepted.append(Accepted(entry, self._state, events))

    def _take_record(self, record: Record) -> None:
        match self._state:
            case Table() as table:
                check_record(table, self._log, record, self.entries + self.records)
            case _:
                raise ProofError(
                    Check.RECORD, "a record before all seats have greeted each other"
                )
        self._records.append(record)
        self._said.take(table.game, record)

    def report(self, failure: Failure | None = None) -> Report:
        """Return the report on the items so far. failure: the next item's, or None."""
        accepted, records = tuple(self._accepted), tuple(self._records)
        keys = dict(self._said.exposed)
        verdict, result = self._judge()
        if failure is not None:
            stands = result if verdict is Verdict.COMPLETE else None
            verdict = Verdict.FORK if failure.check is Check.FORK else Verdict.INVALID
            return Report(verdict, failure, accepted, records, stands, None, keys)
        seat = None if verdict is Verdict.RESIGNED else self._awaited()
        return Report(verdict, None, accepted, records, result, seat, keys)

    def _judge(self) -> tuple[Verdict, End | None]:
        match self._state:
            case Table() as table:
                pass
            case _:
                return Verdict.UNFINISHED, None
        decided = table.game.result() is not None
        resignation = None if decided else self._said.first_to_resign
        if resignation is not None:
            after = (sound.state for sound in self._accepted[resignation.place :])
            then = next(state for state in after if isinstance(state, Table))
            return Verdict.RESIGNED, self._ended(then, resignation.seat)
        end = self._ended(table, None)
        if end is None:
            return Verdict.UNFINISHED, None
        return (Verdict.DECIDED if table.owing else Verdict.COMPLETE), end

    def _awaited(self) -> Seat | None:
        match self._state:
            case None:
                return Seat(0)
            case Table() as table:
                return awaited(table, self._said)
            case state:
                due = next_due(state)
                return None if due is None else due.seat


def _read(data: bytes, verification: Verification, progress: ReportProgress) -> Failure | None:
    """Let ``verification`` take each item; return the first failure, or None."""

    def failure(check: Check, seat: Seat | None, sentence: str) -> Failure:
        return Failure(check, verification.entries + verification.records, seat, sentence)

    try:
        for frame in parse_archive(data):
            progress(verification.entries + verification.records)
            verification.take(frame)
    except ProtocolViolationError as error:
        return failure(
            error.check, None if error.seat is None else Seat(error.seat), str(error)
        )
    except CheckError as error:
        return failure(error.check, None, str(error))
    except TranscriptError as error:
        return failure(Check.ENCODING, None, sentence_of(error))
    return None


def _of_entry(entry: Entry) -> frozenset[Check]:
    """Return the checks applied to a sound ``entry``."""
    return _EVERY_ENTRY.union(*map(_of_action, entry.fields))


def _of_action(action: Value) -> frozenset[Check]:
    verb, *_, last = cast("list[Value]", action)
    called_for = _CALLED_FOR[str(verb)]
    match verb, last:
        case "HELLO", bytes(certificate) if certificate:
            return called_for | {Check.CERT}
        case "MOVE" | "UNSEAL", bytes(backs) if backs:
            return called_for | {Check.BACK}
        case _:
            return called_for


def _of_record(record: Record) -> frozenset[Check]:
    match record.statement:
        case Expose():
            return _EVERY_RECORD | {Check.SCALAR, Check.EXPOSE}
        case Resign() | ResignTogether():
            return _EVERY_RECORD | {Check.RESIGN}
        case Sync():
            return _EVERY_RECORD | {Check.SYNC}
        case _:
            return _EVERY_RECORD
