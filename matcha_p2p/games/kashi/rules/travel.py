"""The squares that a person can reach, and their distances (K16 to K20)."""

from collections.abc import Iterator
from functools import lru_cache

from matcha_p2p.games.kashi.board.board import Board


def set_of(squares: tuple[int, ...]) -> int:
    """Return squares as a set."""
    found = 0
    for square in squares:
        found |= 1 << square
    return found


def joined(board: Board, seed: int, ground: int) -> int:
    """Return ``seed`` and the squares of ``ground`` joined to the seed side to side."""
    grown = seed
    while True:
        wider = grown | board.around(grown) & ground
        if wider == grown:
            return grown
        grown = wider


def chains(board: Board, shops: tuple[int, ...]) -> Iterator[int]:
    """Yield each chain (K17) of one owner as a set. shops: the squares of the owner's shops."""
    left = set_of(shops)
    while left:
        chain = joined(board, left & -left, left)
        yield chain
        left &= ~chain


@lru_cache(maxsize=512)
def touched(board: Board, shops: tuple[int, ...]) -> tuple[int, ...]:
    """Return each chain of one owner with its neighbours. shops: of the owner."""
    return tuple(chain | board.around(chain) for chain in chains(board, shops))


def uses(board: Board, shops: tuple[int, ...], square: int) -> int:
    """Return the squares reached from ``square`` by using a chain of one owner (K17, K19)."""
    here = 1 << square
    reached = 0
    for squares in touched(board, shops):
        if squares & here:
            reached |= squares
    return reached & ~(here | board.around(here))


def spread(board: Board, shops: tuple[tuple[int, ...], ...], square: int) -> dict[int, int]:
    """Return the distance of each square. shops: of all owners."""
    used = [squares for own in shops for squares in touched(board, own)]
    found: dict[int, int] = {}
    seen = edge = 1 << square
    far = 0
    while edge:
        rest = edge
        while rest:
            lowest = rest & -rest
            found[lowest.bit_length() - 1] = far
            rest ^= lowest
        wider = board.around(edge)
        for squares in used:
            if squares & edge:
                wider |= squares
        edge = wider & ~seen
        seen |= edge
        far += 1
    return found
