"""Several files of one game, judged together (SPEC#comparing)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

from game import Game
from records import EXCLUDING, excluded


@dataclass(frozen=True)
class Conviction:
    """By which check, and at which entry, the files at ``places`` convict a seat."""

    places: list[int]
    check: str
    entry: int
    seat: int


def compare(games: list[Game]) -> list[Conviction]:
    """Return each seat that files of one game convict: where, and by which check."""
    places: dict[bytes, list[int]] = {}
    for place, game in enumerate(games):
        if len(game.chain) >= 2:
            places.setdefault(game.gid, []).append(place)
    found = []
    for group in places.values():
        convicted = set()
        for entry, check, seat in sorted(_breaches([games[place] for place in group])):
            if seat not in convicted:
                convicted.add(seat)
                found.append(Conviction(group, check, entry, seat))
    return found


def _breaches(games: list[Game]) -> Iterator[tuple[int, str, int]]:
    """Yield entry, check and seat of all that excludes each other in files of one game."""
    for one, other in combinations([game.chain for game in games], 2):
        for at, (ours, theirs) in enumerate(zip(one, other, strict=False)):
            if ours.id != theirs.id:
                yield at, "E_FORK", ours.seat
                break
    for game, author in product(games, games):
        for statement in author.statements:
            if (n := excluded(game.chain, statement)) is not None:
                yield n, EXCLUDING[statement.kind], statement.seat
