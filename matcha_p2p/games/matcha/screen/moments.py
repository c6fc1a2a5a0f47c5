"""The part of an event now being shown: a moment, beside the game's present state."""

import enum
from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.matcha.rules.seats import Seat

MOST_DOTS: Final = 3


class Turned(enum.IntEnum):
    """How far a card has been turned up."""

    BACK = 0
    NARROW = 1
    EDGE = 2
    FACE = 3


class Caption(enum.Enum):
    """The text beside the cards of a mat that is being judged."""

    NOTHING = enum.auto()
    VERDICT = enum.auto()
    GAIN = enum.auto()


@dataclass(frozen=True, slots=True)
class Laying:
    """``seat`` lays a card at ``mat``; ``part`` of 3 parts is visible."""

    seat: Seat
    mat: int
    part: int


@dataclass(frozen=True, slots=True)
class Moment:
    """The light and the motion on the table.

    mat: the mat in the light, with all other mats in the shade; None for no mat. turned: how
    far each seat's card at ``mat`` is turned up. said: the text beside the cards. flash:
    whether their gains stand out now. laying: a card on its way. dealt:
    how many cards of the table and of the own hand are in sight while both are dealt; None
    for all. lit: how many of the winning
    tokens are lit; None for all. dots: the dots after the sentence that the other player is to
    move. waited: seconds of waiting so far.
    """

    mat: int | None = None
    turned: tuple[Turned, Turned] = (Turned.FACE, Turned.FACE)
    said: Caption = Caption.GAIN
    flash: bool = False
    laying: Laying | None = None
    dealt: tuple[int, int] | None = None
    lit: int | None = None
    dots: int = 0
    waited: int = 0

    def hides(self, mat: int) -> bool:
        """Tell whether the outcome of ``mat`` is still hidden."""
        return mat == self.mat and self.said is not Caption.GAIN

    @property
    def runs(self) -> bool:
        """Whether a past event is being shown."""
        parts = (self.mat, self.laying, self.dealt, self.lit)
        return any(part is not None for part in parts)


STILL: Final = Moment()
"""No motion."""
