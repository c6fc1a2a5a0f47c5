"""Compares files of one game: has a seat signed contradicting statements? (SPEC#comparing).

A player can remove evidence against that player from a copy. So the signed entries and records
of all copies count together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from matcha_p2p.chain.records import Log, contradicting, gives_up
from matcha_p2p.chain.verify import Report
from matcha_p2p.errors import Check
from matcha_p2p.seats import Seat
from matcha_p2p.table.table import Table
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.record import parse_record

_ORDER: Final = (Check.FORK, Check.RESIGN, Check.SYNC)
_Breach: TypeAlias = tuple[int, int, Seat]
"""The places of a contradicting entry and of the failed check, and the guilty seat."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Copies of one game by which ``seat`` is convicted.

    copies: all copies of the game, by place among the compared files. entry: the place in the
    chain of the first entry that contradicts another signature of ``seat``.
    """

    copies: tuple[int, ...]
    check: Check
    entry: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class Copy:
    """The sound part of a file.

    gid: the game's id. group: the roster's id. Both are None if the greetings are incomplete.
    Files of a group are judged together. The last seat could greet two halves of a table in two
    ways: then each half has a gid of its own, and only the roster shows that both halves were
    one table.
    """

    gid: bytes | None
    group: bytes | None
    entries: tuple[bytes, ...]
    records: tuple[bytes, ...]


def copy_of(report: Report) -> Copy:
    """Return the sound part of the file of ``report``."""
    state = report.accepted[-1].state if report.accepted else None
    table = state if isinstance(state, Table) else None
    return Copy(
        None if table is None else table.gid,
        None if table is None else table.roster.id,
        tuple(sound.entry.encoded for sound in report.accepted),
        tuple(record.encoded for record in report.records),
    )


def contradictions(copies: Sequence[Copy]) -> Iterator[Contradiction]:
    """Yield one contradiction for each seat that ``copies`` convict.

    The group of the first copy comes first; within a group the contradiction at the lowest
    place. The order of the copies of a group does not matter.
    """
    groups: dict[bytes, list[int]] = {}
    for place, copy in enumerate(copies):
        if copy.group is not None:
            groups.setdefault(copy.group, []).append(place)
    for places in groups.values():
        for entry, check, seat in _convicting([copies[place] for place in places]):
            yield Contradiction(tuple(places), _ORDER[check], entry, seat)


def _convicting(copies: Sequence[Copy]) -> list[_Breach]:
    """Return the first breach of each guilty seat."""
    first: dict[Seat, _Breach] = {}
    for breach in sorted(_breaches(copies)):
        first.setdefault(breach[2], breach)
    return list(first.values())


def _breaches(copies: Sequence[Copy]) -> Iterator[_Breach]:
    """Yield each fork, and of each chain the first entry that contradicts a record."""
    chains = {copy.entries: (copy.gid, Log(map(parse_entry, copy.entries))) for copy in copies}
    records = [parse_record(record) for record in {r for copy in copies for r in copy.records}]
    known: dict[bytes, bytes] = {}  # after an entry only one seat may speak
    for gid, chain in chains.values():
        for entry in chain:
            if known.setdefault(entry.prev, entry.id) != entry.id:
                yield entry.seq, _ORDER.index(Check.FORK), entry.seat
        for record in records:
            breach = contradicting(chain, record) if record.gid == gid else None
            if breach is not None:
                check = Check.RESIGN if gives_up(record) else Check.SYNC
                yield breach.seq, _ORDER.index(check), breach.seat
