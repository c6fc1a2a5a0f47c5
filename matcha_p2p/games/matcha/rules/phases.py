"""The phases of the game, and the ways to end."""

import enum
from dataclasses import dataclass
from typing import Final, TypeAlias

from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.rules.moves import MatNumber
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat


class How(enum.StrEnum):
    """How a game ended."""

    ALIKE = "alike"  # three or four tokens of one kind (R18), also with all five kinds
    FIVE_KINDS = "five-kinds"  # one of each kind (R18)
    TIE_BREAK = "tie-break"  # both met a condition in one round (R19)
    FURTHER_ROUNDS = "further-rounds"  # a full tie, resolved later (R20)
    LAST_SET = "last-set"  # no set is left (R21)
    DRAW = "draw"
    RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class AwaitingDeal:
    """A new set is to be dealt: the six cards of the table, and the hands."""


@dataclass(frozen=True, slots=True)
class Placing:
    """``to_move`` lays a card or passes."""

    to_move: Seat


@dataclass(frozen=True, slots=True)
class Revealing:
    """The round is over and some mats hold cards of both seats.

    due: for each seat the mats at which the seat has yet to turn up its card, ascending.
    opened: for each seat the cards turned up in this round, in the order of the mats.
    """

    due: tuple[tuple[MatNumber, ...], tuple[MatNumber, ...]]
    opened: tuple[tuple[Face, ...], tuple[Face, ...]]


@dataclass(frozen=True, slots=True)
class Keeping:
    """The set is over, a seat has cards left, and both seats choose cards to keep (R16)."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over; ``winner`` is None in a draw only."""

    winner: Seat | None
    how: How


AWAITING_DEAL: Final = AwaitingDeal()
PLACING: Final = (Placing(SEATS[0]), Placing(SEATS[1]))
KEEPING: Final = Keeping()

GamePhase: TypeAlias = AwaitingDeal | Placing | Revealing | Keeping | Ended
