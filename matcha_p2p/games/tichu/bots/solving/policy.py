"""The policy of club: the part of a hand that it leads, and when it follows."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from matcha_p2p.games.tichu.bots.solving.hand import cost_of
from matcha_p2p.games.tichu.rules.cards import DRAGON
from matcha_p2p.games.tichu.rules.combinations import Combination, Shape
from matcha_p2p.games.tichu.rules.moves import Play

FEW: Final = 3
"""An enemy with so many cards is about to go out."""
_RICH: Final = 20
"""The points of a trick that is worth a bomb."""


class Spot(NamedTuple):
    """A turn, as the seat to move sees the table.

    under: the combination to beat, None at a lead. from_last: the steps from the seat
    to the seat that laid last. sizes: the hand sizes, by steps from the seat. called: by steps,
    whether the call can still be won. points: the points of the trick.
    """

    under: Combination | None
    from_last: int
    sizes: tuple[int, int, int, int]
    called: tuple[bool, ...]
    points: int

    @property
    def is_urgent(self) -> bool:
        """Whether an enemy is about to go out, or has called."""
        least = min(size or FEW + 1 for size in (self.sizes[1], self.sizes[3]))
        return least <= FEW or self.called[1] or self.called[3]


def lead(parts: Sequence[Play], spot: Spot) -> Play:
    """Return the part to lead: the last but one is the strongest, so that the last goes out."""
    usual = [part for part in parts if not part.made.is_bomb] or parts
    if len(parts) == 2:
        return min(usual, key=lambda part: cost_of(part.made, part.faces))
    return min(usual, key=lambda part: _order(part, spot))


def _order(part: Play, spot: Spot) -> int:
    """Return how late a part is led."""
    made = part.made
    if made.kind is Shape.DOG:
        return 100 if not spot.sizes[2] or spot.called[0] else -100 if spot.called[2] else 0
    enemies = (spot.sizes[1], spot.sizes[3])
    if made.size in enemies and made.size <= 2:  # they may be waiting for it
        return 90 - made.strength
    return made.strength - 3 * made.size


def wants(play: Play, gain: int, parts: int, spot: Spot) -> bool:
    """Tell whether to follow with ``play``.

    gain: the thousandths of a lead that the play saves. parts: the number of parts of the hand
    before the play.
    """
    if parts == 1 and gain > 0:
        return True
    if spot.from_last == 2:
        return _wants_from_partner(play, gain, spot)
    needed = 150
    if DRAGON in play.faces and spot.points < 10:
        needed = 0
    if spot.is_urgent:
        needed = -1000
    return gain + 20 * spot.points >= needed


def _wants_from_partner(play: Play, gain: int, spot: Spot) -> bool:
    """Beat the partner only cheaply, and neither a call nor a card that may win the trick."""
    if spot.under is None or spot.called[2]:
        return False
    return gain >= 800 and spot.under.strength <= 20 and play.made.strength <= 24


def wants_bomb(spot: Spot, parts: Sequence[Play]) -> bool:
    """Tell whether an enemy's trick, which nobody else beats, is worth a bomb."""
    if spot.from_last in (0, 2):
        return False
    return spot.is_urgent or spot.points >= _RICH or len(parts) <= 2
