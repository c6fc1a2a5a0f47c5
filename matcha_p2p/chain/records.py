"""Records: checks, contradictions with entries, and the end of a game (SPEC#records)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from matcha_p2p.crypto.ristretto255 import base_mul
from matcha_p2p.errors import Check, ProofError, ProtocolViolationError
from matcha_p2p.seats import Seat
from matcha_p2p.table.game import Game, OfTeams
from matcha_p2p.table.table import Table, next_due
from matcha_p2p.wire import statements
from matcha_p2p.wire.entry import Entry
from matcha_p2p.wire.record import Record


def check_record(table: Table, log: Sequence[Entry], record: Record, place: int) -> None:
    """Check the game, the author and the statement of ``record``.

    log: the entries before ``table``. place: the record's, among all items.

    Raises:
        ProtocolViolationError: E_RECORD for another game, a signature that does not hold or a
            head that is no entry of ``log``; E_EXPOSE, E_RESIGN, E_SYNC. ``seat`` is None for
            E_RECORD. For if somebody cuts entries off a chain, a good record names an unknown
            entry, and the author is not to blame.
    """
    author: Seat | None = None
    try:
        check_subject(table, log, record)
        _check_author(table, record)
        author = record.seat
        _check_key(table, record)
        check_not_contradicted(log, record)
    except ProofError as error:
        raise ProtocolViolationError(error.check, author, place, str(error)) from None


def check_subject(table: Table, log: Sequence[Entry], record: Record) -> None:
    """Check that ``record`` names the game of ``table`` and an entry of ``log``.

    The head of a SYNC may be an entry that has not come yet.

    Raises:
        ProofError: E_RECORD; also for a RESIGN of one seat in a game of teams, or of a team in
            another game.
    """
    if record.gid != table.gid:
        raise ProofError(Check.RECORD, "the record is of another game")
    known = any(entry.id == record.head for entry in log)
    if not known and not isinstance(record.statement, statements.Sync):
        raise ProofError(Check.RECORD, "the record's head is no entry of this game")
    match record.statement:
        case statements.Resign():
            fits = not isinstance(table.game, OfTeams)
        case statements.ResignOffer() | statements.ResignTogether():
            fits = isinstance(table.game, OfTeams)
        case _:
            fits = True
    if not fits:
        raise ProofError(Check.RECORD, "a team resigns with both, a single player alone")


def _check_author(table: Table, record: Record) -> None:
    try:
        record.signed.check(table.hellos[record.seat].session_key)
    except (ProofError, IndexError):
        raise ProofError(Check.RECORD, "the seat has not signed this record") from None


def _check_key(table: Table, record: Record) -> None:
    match record.statement:
        case statements.Expose(secret):
            if base_mul(secret) != table.hellos[record.seat].game_key:
                raise ProofError(Check.EXPOSE, "the key exposed is not that of the seat")
        case _:
            pass


def check_not_contradicted(log: Sequence[Entry], record: Record) -> None:
    """Check that no entry by the author of ``record`` contradicts ``record``.

    Record and entry together convince anybody, in either order of signing.

    Raises:
        ProofError: E_RESIGN, E_SYNC.
    """
    if contradicting(log, record) is None:
        return
    match record.statement:
        case statements.Resign() | statements.ResignTogether():
            raise ProofError(Check.RESIGN, "the seat goes on after it has resigned")
        case _:
            raise ProofError(Check.SYNC, "the seat has announced another chain")


def contradicting(log: Sequence[Entry], record: Record) -> Entry | None:
    """Return the first entry of ``log`` by the author that contradicts ``record``, or None.

    A RESIGN is contradicted by an entry of the author after the head. An entry of RESULT alone
    does not count: it is the author's signature under a game that another seat decided. An
    offer to resign with the partner binds nobody.
    A SYNC names an entry at a place. It is contradicted by an entry of the author at or after
    this place, on a chain with another entry at this place.
    """
    own = (entry for entry in log if entry.seat == record.seat)
    match record.statement:
        case statements.Resign() | statements.ResignTogether():
            begin = next((e.seq + 1 for e in log if e.id == record.head), len(log))
            return next((e for e in own if e.seq >= begin and not _is_result_alone(e)), None)
        case statements.Sync(length) if (
            length <= len(log) and log[length - 1].id != record.head
        ):
            return next((entry for entry in own if entry.seq >= length - 1), None)
        case (
            statements.Sync()
            | statements.ResignOffer()
            | statements.Claim()
            | statements.Abort()
            | statements.Expose()
        ):
            return None
        case _:
            assert_never(record.statement)


def _is_result_alone(entry: Entry) -> bool:
    match entry.fields:
        case (["RESULT", *_],):
            return True
        case _:
            return False


def resigned(table: Table, log: Sequence[Entry], records: Sequence[Record]) -> Seat | None:
    """Return the seat whose resignation ends the game, or None.

    A resignation counts only while the chain decides no result.
    """
    decided = table.game.result() is not None
    return None if decided else first_to_resign(table.game, log, records)


def first_to_resign(game: Game, log: Sequence[Entry], records: Sequence[Record]) -> Seat | None:
    """Return the first seat whose resignation counts, or None.

    Of several seats, the seat with the shortest chain at the time is first, then the lowest
    seat. So the order of arrival of the resignations does not matter. A team resigns with the
    record that agrees while an offer is open.
    """
    place = {entry.id: entry.seq for entry in log}
    given_up = [
        (place.get(record.head, len(log)), record.seat)
        for record in records
        if record.statement == statements.Resign() or _agrees(game, log, records, record)
    ]
    return min(given_up)[1] if given_up else None


def _agrees(
    game: Game, log: Sequence[Entry], records: Sequence[Record], record: Record
) -> bool:
    """Tell whether ``record`` agrees to resign, while an offer of the partner was open.

    Any open offer will do: a seat can sign an offer twice, and each copy may hold another.
    """
    agrees = isinstance(record.statement, statements.ResignTogether)
    if not agrees or not isinstance(game, OfTeams):
        return False
    seen = next((log[: entry.seq + 1] for entry in log if entry.id == record.head), log)
    return any(open_offers(seen, records, game.partner(record.seat)))


def open_offers(
    log: Sequence[Entry], records: Sequence[Record], seat: Seat
) -> Iterator[Record]:
    """Yield the offers of ``seat`` to resign that are open after the entries ``log``.

    An offer is open from its head to the next entry of its author.
    """
    made = [r for r in records if r.seat == seat and r.statement == statements.ResignOffer()]
    if made:
        last = max((entry.seq for entry in log if entry.seat == seat), default=0)
        known = {entry.id for entry in log[last:]}
        yield from (record for record in made if record.head in known)


def waiting(table: Table, log: Sequence[Entry], records: Sequence[Record]) -> Seat | None:
    """Return the seat that has to send an entry to this copy of the game, or None.

    Usually the seat that has to speak is returned. But if exactly one seat has announced, by
    SYNC, a missing entry or resignation, the copy waits for this seat.
    """
    due = next_due(table)
    if due is None:
        return None
    announced = {record.seat for record in records if not is_shown(log, records, record)}
    return announced.pop() if len(announced) == 1 else due.seat


def is_shown(log: Sequence[Entry], records: Sequence[Record], record: Record) -> bool:
    """Tell whether the entry and the resignation announced by a SYNC are here.

    The entry is looked for in ``log``, a RESIGN of another seat among ``records``. Any record
    but a SYNC announces nothing, and counts as shown.
    """
    match record.statement:
        case statements.Sync(resigned=True) if not has_other_resigned(records, record.seat):
            return False
        case statements.Sync(length):
            return length <= len(log) and log[length - 1].id == record.head
        case _:
            return True


def has_resigned(records: Sequence[Record], seat: Seat) -> bool:
    """Tell whether ``records`` have a RESIGN that binds ``seat``."""
    return any(record.seat == seat for record in records if gives_up(record))


def has_other_resigned(records: Sequence[Record], seat: Seat) -> bool:
    """Tell whether ``records`` have a RESIGN that binds a seat other than ``seat``."""
    return any(record.seat != seat for record in records if gives_up(record))


def gives_up(record: Record) -> bool:
    """Tell whether ``record`` is a RESIGN that binds its author: any but an offer."""
    return isinstance(record.statement, statements.GivesUp)


def alike(record: Record, other: Record) -> bool:
    """Tell whether both records are of equal kind and by the same seat."""
    same_kind = type(record.statement) is type(other.statement)
    return same_kind and record.seat == other.seat


def exposed(records: Sequence[Record]) -> Mapping[Seat, int]:
    """Return the game keys of the seats that have exposed their cards, by seat."""
    return {
        record.seat: record.statement.secret
        for record in records
        if isinstance(record.statement, statements.Expose)
    }
