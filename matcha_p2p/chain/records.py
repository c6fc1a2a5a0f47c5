"""Records: checks, contradictions with entries, and the end of a game (SPEC#records).

A file may hold any number of entries and records. ``Log`` finds an entry without a search, and
``Statements`` adds up the records, each at constant cost.
"""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, assert_never, overload

from matcha_p2p.crypto.ristretto255 import base_mul
from matcha_p2p.errors import Check, ProofError, ProtocolViolationError
from matcha_p2p.seats import Seat
from matcha_p2p.table.game import OfTeams, TableGame
from matcha_p2p.table.step import recall
from matcha_p2p.table.table import Greetings, State, Table, next_due
from matcha_p2p.wire import statements
from matcha_p2p.wire.entry import Entry
from matcha_p2p.wire.names import EntryId
from matcha_p2p.wire.record import Record


class Log(Sequence[Entry]):
    """The entries of a chain, found by id and by author."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries: Final = list[Entry]()
        self._places: Final = dict[EntryId, int]()
        self._own: Final = defaultdict[Seat, list[int]](list)
        for entry in entries:
            self.append(entry)

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> "Log":
        """Return ``entries`` as a log."""
        return entries if isinstance(entries, Log) else cls(entries)

    def append(self, entry: Entry) -> None:
        """Add the next entry."""
        place = len(self._entries)
        self._entries.append(entry)
        self._places.setdefault(entry.id, place)
        self._own[entry.seat].append(place)

    @overload
    def __getitem__(self, place: int) -> Entry: ...
    @overload
    def __getitem__(self, place: slice) -> list[Entry]: ...
    def __getitem__(self, place: int | slice) -> Entry | list[Entry]:
        return self._entries[place]

    def __len__(self) -> int:
        return len(self._entries)

    def place(self, entry: EntryId) -> int | None:
        """Return the place of the entry with this id, or None for an unknown id."""
        return self._places.get(entry)

    def own(self, seat: Seat, begin: int) -> Iterator[Entry]:
        """Yield the entries of ``seat`` from the place ``begin`` on."""
        places = self._own[seat]
        first = bisect_left(places, begin)
        return (self._entries[places[at]] for at in range(first, len(places)))

    def speaks(self, seat: Seat, begin: int, end: int) -> bool:
        """Tell whether ``seat`` has an entry at the places from ``begin`` to before ``end``."""
        places = self._own[seat]
        at = bisect_left(places, begin)
        return at < len(places) and places[at] < end


class Resignation(NamedTuple):
    """A counted RESIGN: the place of the head in the chain, and the author."""

    place: int
    seat: Seat


class Statements:
    """The sum of the records of a game.

    log: grows meanwhile. exposed: the game keys of the seats that have exposed their cards.
    """

    def __init__(self, log: Log) -> None:
        self.exposed: Final = dict[Seat, int]()
        self._log: Final = log
        self._first: Resignation | None = None
        self._given_up: Final = set[Seat]()
        self._offers: Final = defaultdict[Seat, list[int]](list)
        self._agreeing: Final = defaultdict[Seat, list[int]](list)
        self._holding: Final = set[Seat]()  # the seats that tell of a RESIGN
        self._astray: Final = set[Seat]()  # the seats that announce another chain
        self._ahead: Final = defaultdict[Seat, dict[int, set[EntryId]]](dict)

    @classmethod
    def of(
        cls, game: TableGame, log: Sequence[Entry], records: Iterable[Record]
    ) -> "Statements":
        """Return what ``records`` say."""
        statements = cls(Log.of(log))
        for record in records:
            statements.take(game, record)
        return statements

    @property
    def first_to_resign(self) -> Resignation | None:
        """The first counted resignation, or None.

        Of several seats, the seat with the shortest chain at the time is first, then the lowest
        seat. So the order of arrival of the resignations does not matter. A team resigns with
        the record that agrees while an offer is open.
        """
        return self._first

    @property
    def announced(self) -> set[Seat]:
        """The seats whose SYNC tells of an entry or a resignation that has not come."""
        alone = {seat for seat in self._holding if not self._given_up - {seat}}
        return alone | self._astray | {seat for seat, heads in self._ahead.items() if heads}

    def take(self, game: TableGame, record: Record) -> None:
        """Take a record of ``game`` in."""
        seat, known = record.seat, self._log.place(record.head)
        place = len(self._log) if known is None else known
        if gives_up(record):
            self._given_up.add(seat)
        match record.statement:
            case statements.Resign():
                self._resigns(place, seat)
            case statements.ResignOffer() if isinstance(game, OfTeams) and known is not None:
                self._offer(place, seat, game.partner(seat))
            case statements.ResignTogether() if isinstance(game, OfTeams):
                self._agree(place, seat, game.partner(seat))
            case statements.Expose(secret):
                self.exposed[seat] = secret
            case statements.Sync() as sync:
                self._announce(sync, record)
            case _:
                pass

    def grow(self, entry: Entry) -> None:
        """Note that ``entry`` has come, the last of the log."""
        length = len(self._log)
        for seat, heads in self._ahead.items():
            if heads.pop(length, {entry.id}) != {entry.id}:
                self._astray.add(seat)

    def _resigns(self, place: int, seat: Seat) -> None:
        resignation = Resignation(place, seat)
        self._first = min(self._first or resignation, resignation)

    def _offer(self, place: int, seat: Seat, partner: Seat) -> None:
        """Take an offer: open from the head to the next entry of the author.

        Any open offer will do: a seat can sign an offer twice, and each copy may hold another.
        """
        insort(self._offers[seat], place)
        agreed = self._agreeing[partner]
        at = bisect_left(agreed, place)
        if at < len(agreed) and not self._log.speaks(seat, place + 1, agreed[at] + 1):
            self._resigns(agreed[at], partner)

    def _agree(self, place: int, seat: Seat, partner: Seat) -> None:
        insort(self._agreeing[seat], place)
        made = self._offers[partner]
        at = bisect_right(made, place) - 1
        if at >= 0 and not self._log.speaks(partner, made[at] + 1, place + 1):
            self._resigns(place, seat)

    def _announce(self, sync: statements.Sync, record: Record) -> None:
        if sync.resigned:
            self._holding.add(record.seat)
        if sync.length > len(self._log):
            heads = self._ahead[record.seat]
            heads.setdefault(sync.length, set()).add(record.head)
        elif self._log[sync.length - 1].id != record.head:
            self._astray.add(record.seat)


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
    known = Log.of(log).place(record.head) is not None
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
    match record.statement:
        case statements.Resign() | statements.ResignTogether():
            log = Log.of(log)
            known = log.place(record.head)
            own = () if known is None else log.own(record.seat, known + 1)
            return next((entry for entry in own if not _is_result_alone(entry)), None)
        case statements.Sync(length) if (
            length <= len(log) and log[length - 1].id != record.head
        ):
            return next(Log.of(log).own(record.seat, length - 1), None)
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


def resigned(
    table: Table, log: Sequence[Entry], records: Sequence[Record]
) -> Resignation | None:
    """Return the resignation that ends the game, or None.

    A resignation counts only while the chain decides no result.
    """
    decided = table.game.result() is not None
    return None if decided else first_to_resign(table.game, log, records)


def first_to_resign(
    game: TableGame, log: Sequence[Entry], records: Sequence[Record]
) -> Resignation | None:
    """Return the first resignation that counts, or None.

    records: the records of a game whose chain decides no result.
    """
    if not any(map(gives_up, records)):
        return None
    return Statements.of(game, log, records).first_to_resign


def table_then(begin: Greetings, log: Sequence[Entry], resignation: Resignation) -> Table:
    """Return the table at the moment of ``resignation``: this table decides the winners.

    This is the table after the resignation's head. If the head is a greeting, it is the table
    after the last greeting. Later entries may be missing in other copies, so they do not count.
    Signatures and proofs are not checked. begin: before the first entry of ``log``.

    Raises:
        ProofError: E_RECORD: the head is not in ``log``.
        ProtocolViolationError: no game has these entries.
    """
    state: State = begin
    for entry in log:
        state, _ = recall(state, entry)
        if entry.seq >= resignation.place and isinstance(state, Table):
            return state
    raise ProofError(Check.RECORD, "the record's head is no entry of this game")


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


def awaited(table: Table, said: Statements) -> Seat | None:
    """Return the seat that has to send an entry to this copy of the game, or None.

    Usually the seat that has to speak is returned. But if exactly one seat has announced, by
    SYNC, a missing entry or resignation, the copy waits for this seat.
    """
    due, announced = next_due(table), said.announced
    if due is None:
        return None
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
