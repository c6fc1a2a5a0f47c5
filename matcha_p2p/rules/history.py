"""What has happened in a set: turns, rounds, and what each mat gave."""

from dataclasses import dataclass
from typing import NamedTuple

from matcha_p2p.rules.cards import Face
from matcha_p2p.rules.moves import Pass, Play
from matcha_p2p.rules.scoring import Gain, Tokens
from matcha_p2p.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a round. auto: passed by itself, having nothing to lay (R11)."""

    seat: Seat
    move: Play | Pass
    auto: bool


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a mat gave, each pair by seat.

    cards: the faces if both seats had laid a card there; else (None, None).
    slots: where each card came from, or None if the seat laid nothing.
    revealed: whether the cards were turned up, that is, both seats had one there.
    """

    mat: int
    cards: tuple[Face | None, Face | None]
    slots: tuple[int | None, int | None]
    revealed: bool
    gain: Gain


class Round(NamedTuple):
    """One pair of mats played out.

    number: 1..3. resolutions: empty until the round is resolved, then number mat, suit mat.
    tokens: of each seat after the round, or before it while it is unresolved.
    """

    number: int
    turns: tuple[Turn, ...]
    resolutions: tuple[Resolution, ...]
    tokens: tuple[Tokens, Tokens]


@dataclass(frozen=True, slots=True)
class PastSet:
    """A set that is over, as an onlooker has seen it.

    kept: how many cards each seat kept into it.
    """

    number: int
    dealer: Seat
    table: tuple[Face, ...]
    rounds: tuple[Round, ...]
    kept: tuple[int, int]


def slots_laid(turns: tuple[Turn, ...], seat: Seat) -> dict[int, int]:
    """Return by mat the slot of each card that ``seat`` has laid, in the order of its turns."""
    return {
        turn.move.mat: turn.move.slot
        for turn in turns
        if turn.seat == seat and isinstance(turn.move, Play)
    }


def slot_at(turns: tuple[Turn, ...], seat: Seat, mat: int) -> int | None:
    """Return the slot of the card that ``seat`` has laid at ``mat``, or None."""
    for turn in turns:
        if turn.seat == seat and isinstance(turn.move, Play) and turn.move.mat == mat:
            return turn.move.slot
    return None
