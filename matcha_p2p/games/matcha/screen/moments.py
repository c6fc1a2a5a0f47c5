"""What is being shown of something that has happened: a moment, beside the game as it lies."""

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
    """What stands beside the cards of a mat that is being judged."""

    NOTHING = enum.auto()
    VERDICT = enum.auto()
    GAIN = enum.auto()


@dataclass(frozen=True, slots=True)
class Laying:
    """``seat`` lays a card at ``mat``; ``part`` of it, of 3, is there."""

    seat: Seat
    mat: int
    part: int


@dataclass(frozen=True, slots=True)
class Moment:
    """What is in the light.

    mat: all others are in the shade; None for none. turned: how far the cards there are turned
    up, by seat. said: what stands beside them. flash: whether what they gain stands out now.
    laying: a card is on its way. lit: how many of the tokens that win are lit; None for all.
    dots: after the sentence that the other player is to move. waited: seconds for that so far.
    """

    mat: int | None = None
    turned: tuple[Turned, Turned] = (Turned.FACE, Turned.FACE)
    said: Caption = Caption.GAIN
    flash: bool = False
    laying: Laying | None = None
    lit: int | None = None
    dots: int = 0
    waited: int = 0

    def hides(self, mat: int) -> bool:
        """Tell whether what came of ``mat`` is not to be seen yet."""
        return mat == self.mat and self.said is not Caption.GAIN

    @property
    def runs(self) -> bool:
        """Whether something is being shown that has happened."""
        return self.mat is not None or self.laying is not None or self.lit is not None


STILL: Final = Moment()
"""Nothing moves."""
