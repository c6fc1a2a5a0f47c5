"""The moves of a seat: play, pass and keep. All moves are made once, here."""

import functools
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from matcha_p2p.games.plain import number

Slot: TypeAlias = Annotated[int, number(0, 4)]
"""A place in a hand."""
MatNumber: TypeAlias = Annotated[int, number(0, 5)]
SLOTS: Final = frozenset(range(5))
MATS_OF_ROUND: Final = ((0, 1), (2, 3), (4, 5))


@dataclass(frozen=True, slots=True)
class Play:
    """Lay the card of ``slot`` 0..4 face down at ``mat`` 0..5."""

    mat: int
    slot: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Lay no card."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Take the cards left over in ``slots`` into the next set, and no other card."""

    slots: frozenset[int]


Move: TypeAlias = Play | Pass | Keep

PASS: Final = Pass()
_PLAYS: Final = tuple(tuple(Play(mat, slot) for slot in range(5)) for mat in range(6))


@functools.cache  # 3 pairs of mats, 4 subsets of each, 32 hands
def placements(mats: tuple[int, ...], hand: frozenset[int]) -> tuple[Play | Pass, ...]:
    """Return every way to lay a card of ``hand`` at one of the free ``mats``, and the pass.

    Ordered by mat, then by slot; the pass comes last.
    """
    return (*(_PLAYS[mat][slot] for mat in mats for slot in sorted(hand)), PASS)


@functools.cache  # 32 hands
def subsets(hand: frozenset[int]) -> tuple[Keep, ...]:
    """Return every choice of cards to keep from ``hand``, in binary order of its slots."""
    slots = sorted(hand)
    return tuple(
        Keep(frozenset(slot for bit, slot in enumerate(slots) if choice >> bit & 1))
        for choice in range(1 << len(slots))
    )
