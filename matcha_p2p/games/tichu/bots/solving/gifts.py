"""The cards to give away, and who holds them then."""

import itertools
from collections.abc import Collection
from typing import Final

from matcha_p2p.games.tichu.bots.solving.core import cards, core
from matcha_p2p.games.tichu.bots.solving.hand import cost
from matcha_p2p.games.tichu.rules.cards import DOG, DRAGON, MAH_JONG, NUMBERS, PHOENIX
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import seat_after
from matcha_p2p.seats import Seat

_GIVEN: Final[dict[int, int]] = dict(
    zip((MAH_JONG, DOG, PHOENIX, DRAGON), (8, 4, 30, 20), strict=True)
)
"""How high the special cards count among gifts."""
_HEIGHT: Final = 60
"""What a card one number higher is worth, in thousandths of a lead."""


def gifts(hand: Collection[int]) -> tuple[int, int, int]:
    """Return the cards for the next seat, the partner and the seat before.

    The enemies get low cards that the hand does not need, and the partner gets a high one.
    """
    fast = core()
    if fast is not None:
        return fast.gifts(cards(hand))
    rest = sorted(hand)
    given: list[int] = []
    for sign in (1, 1, -1):
        worst = min(rest, key=lambda face: _price(rest, face, sign))
        rest.remove(worst)
        given.append(worst)
    return given[0], given[2], given[1]


def _price(hand: Collection[int], face: int, sign: int) -> int:
    height = _GIVEN.get(face, NUMBERS[face])
    return cost([each for each in hand if each != face]) + sign * _HEIGHT * height


def holders(observation: Observation) -> dict[int, Seat]:
    """Return who holds each card that the seat has given away and not seen since."""
    seen = {*itertools.chain(*observation.state.won), *observation.state.pile}
    return {
        face: seat_after(observation.seat, steps)
        for steps, face in enumerate(observation.given, 1)
        if face not in seen
    }
