"""How sure a measured rate or mean is."""

import math
import statistics
from collections.abc import Sequence
from typing import Final

Z: Final = 1.96
"""The 95 % interval reaches so many standard errors to each side."""


def reach(values: Sequence[float]) -> float:
    """Return half of the 95 % interval of the mean of at least two independent values."""
    return Z * statistics.stdev(values) / math.sqrt(len(values))


def rate_interval(rate: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a part of the games won, 0..1.

    Source: Wilson, Probable inference, J. Am. Stat. Assoc. 22 (1927).
    """
    spread = 1 + Z * Z / games
    centre = (rate + Z * Z / (2 * games)) / spread
    variance = rate * (1 - rate) + Z * Z / (4 * games)
    half = Z * math.sqrt(variance / games) / spread
    return centre - half, centre + half
