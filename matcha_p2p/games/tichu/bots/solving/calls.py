"""Which hands are worth a call.

Source: 10,000 hands after the exchange, in 2,500 rounds of four clubs that never called.
``.tools/training/tichu_calls.py`` repeats the measurement with any number of rounds: of 4,000
other hands, 470 were above one half in its fit, and 296 of them were first.
"""

from collections.abc import Collection
from typing import Final

from matcha_p2p.games.tichu.bots.solving.hand import cost, split
from matcha_p2p.games.tichu.rules import cards

_GRAND: Final = 8
"""At 7, 134 of 255 hands were out first, which is hardly enough; above, 31 of 52 were."""


def is_worth_grand(hand: Collection[int]) -> bool:
    """Tell whether to call Grand Tichu with these eight cards: the best hands alone."""
    return grand_index(hand) >= _GRAND


def grand_index(hand: Collection[int]) -> int:
    """Return the strength of eight cards."""
    aces = sum(cards.NUMBERS[face] == cards.ACE for face in hand)
    return aces + 3 * (cards.DRAGON in hand) + 3 * (cards.PHOENIX in hand)


def log_odds(hand: Collection[int]) -> int:
    """Return 100,000 times the logarithm of the odds that the owner of ``hand`` is out first.

    A logistic regression. saved: the thousandths of leads that are saved by parts that win
    their trick.
    """
    plays = len(split(hand))
    saved = 1000 * plays - cost(hand)
    special = (
        32 * (cards.MAH_JONG in hand) - 156 * (cards.DOG in hand) + 50 * (cards.PHOENIX in hand)
    )
    return 167 * saved + 1000 * (special - 38 * plays - 72)
