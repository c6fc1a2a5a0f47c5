"""Several files of one game, judged together (SPEC#comparing)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

from records import EXCLUDING, excluded
from table import Table


@dataclass(frozen=True)
class Conviction:
    """The files at ``places`` convict a seat by a check, at an entry."""

    places: list[int]
    check: str
    entry: int
    seat: int


def compare(tables: list[Table]) -> list[Conviction]:
    """Return the convictions by files of one game, with place and check."""
    places: dict[bytes, list[int]] = {}
    for place, table in enumerate(tables):
        if table.gid:
            places.setdefault(table.roster.rid, []).append(place)
    found = []
    for group in places.values():
        convicted = set()
        for entry, check, seat in sorted(_breaches([tables[place] for place in group])):
            if seat not in convicted:
                convicted.add(seat)
                found.append(Conviction(group, check, entry, seat))
    return found


def _breaches(tables: list[Table]) -> Iterator[tuple[int, str, int]]:
    """Yield entry, check and seat of each contradiction between files of one group."""
    for one, other in combinations([table.chain for table in tables], 2):
        for at, (ours, theirs) in enumerate(zip(one, other, strict=False)):
            if ours.id != theirs.id:
                yield at, "E_FORK", ours.seat
                break
    for table, author in product(tables, tables):
        for statement in author.statements if author.gid == table.gid else ():
            if (n := excluded(table, statement)) is not None:
                yield n, EXCLUDING[statement.kind], statement.seat
