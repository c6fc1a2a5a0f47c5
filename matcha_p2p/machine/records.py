"""What a record must pass, and what it does to the game (SPEC#records)."""

from collections.abc import Sequence
from typing import assert_never

from matcha_p2p.crypto.ristretto255 import base_mul
from matcha_p2p.errors import Check, ProofError, ProtocolViolationError
from matcha_p2p.machine.table import Table
from matcha_p2p.rules.moves import Seat
from matcha_p2p.rules.phases import Ended
from matcha_p2p.transcript.entry import Entry
from matcha_p2p.transcript.record import Record
from matcha_p2p.wire.records import Abort, Claim, Expose, Resign


def check_record(table: Table, log: Sequence[Entry], record: Record, place: int) -> None:
    """Check that ``record`` is of this game, by its seat, and true where that can be seen.

    log: the entries that have led to ``table``. place: of the record among all items.

    Raises:
        ProtocolViolationError: E_RECORD for another game, a signature that does not hold or a
            head that is no entry of ``log``; E_EXPOSE. ``seat`` is None for E_RECORD: whoever
            cuts entries off a chain can make a good record name an unknown one.
    """
    author: Seat | None = None
    try:
        _check_author(table, record)
        _check_head(log, record)
        author = record.seat
        _check_statement(table, record)
    except ProofError as error:
        raise ProtocolViolationError(error.check, author, place, str(error)) from None


def _check_author(table: Table, record: Record) -> None:
    if record.gid != table.gid:
        raise ProofError(Check.RECORD, "the record is of another game")
    try:
        record.signed.check(table.hellos[record.seat].session_key)
    except ProofError:
        raise ProofError(Check.RECORD, "the seat has not signed this record") from None


def _check_head(log: Sequence[Entry], record: Record) -> None:
    if all(entry.id != record.head for entry in log):
        raise ProofError(Check.RECORD, "the record's head is no entry of this game")


def _check_statement(table: Table, record: Record) -> None:
    """Check the one statement that can be false: the others are the author's word alone."""
    match record.statement:
        case Expose(secret):
            if base_mul(secret) != table.hellos[record.seat].game_key:
                raise ProofError(Check.EXPOSE, "the key exposed is not that of the seat")
        case Resign() | Claim() | Abort():
            pass
        case _:
            assert_never(record.statement)


def resigned(table: Table, log: Sequence[Entry], records: Sequence[Record]) -> Seat | None:
    """Return the seat whose resignation ends the game, or None.

    A resignation counts while the chain, as far as it has come, decides nothing. If both seats
    have resigned, the one that had seen less of the chain was first; seat 0 if they had seen
    the same. So it does not matter in which order the two reached somebody.
    """
    if isinstance(table.game.phase, Ended):
        return None
    place = {entry.id: entry.seq for entry in log}
    given_up = [
        (place[record.head], record.seat) for record in records if record.statement == Resign()
    ]
    return min(given_up)[1] if given_up else None


def alike(record: Record, other: Record) -> bool:
    """Tell whether one seat has made both, and both are of one kind."""
    same_kind = type(record.statement) is type(other.statement)
    return same_kind and record.seat == other.seat


def exposed(records: Sequence[Record]) -> tuple[int | None, int | None]:
    """Return for each seat its game key, if it has made its cards an open book."""
    keys: list[int | None] = [None, None]
    for record in records:
        match record.statement:
            case Expose(secret):
                keys[record.seat] = secret
            case _:
                pass
    return keys[0], keys[1]
