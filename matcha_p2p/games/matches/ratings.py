"""The ratings of several bots from matches between two at a time."""

import enum
import math
from collections.abc import Mapping
from typing import Final, NamedTuple

from matcha_p2p.games.matches.intervals import Z

_ELO: Final = 400 / math.log(10)
"""Elo points of a factor e in the odds."""

_LEAST: Final = 1e-3
"""The least error of a lead; a bot that plays against itself in mirrored deals has error 0."""


class Unit(enum.Enum):
    """What the strength of a bot is counted in."""

    ELO = "elo"
    POINTS = "points"  # points a round


class Lead(NamedTuple):
    """How far the first bot of a match is ahead, with the standard error."""

    unit: Unit
    value: float
    error: float


class Rating(NamedTuple):
    """How far a bot is ahead of the mean of all bots, and half of the 95 % interval."""

    value: float
    reach: float


def elo_lead(rate: float, error: float, others: int = 1) -> Lead:
    """Return the lead of a bot that wins ``rate`` of the games, 0 < rate < 1.

    error: the standard error of the rate. others: how many equal opponents sit at its table.
    Source: Bradley and Terry, Rank analysis of incomplete block designs, Biometrika 39 (1952);
    for more than two, Luce, Individual choice behavior (1959).
    """
    odds = others * rate / (1 - rate)
    return Lead(Unit.ELO, _ELO * math.log(odds), _ELO * error / (rate * (1 - rate)))


def ratings(bots: int, leads: Mapping[tuple[int, int], Lead]) -> list[Rating]:
    """Return the rating of each bot; all ratings together are 0.

    leads: by the numbers of both bots, 0 to ``bots`` - 1; the matches join all bots. The
    ratings fit the leads by least squares, each lead weighted by its error: a lead of A over B
    and a lead of B over C tell about A and C, too.
    """
    weights = [[1 / bots] * bots for _ in range(bots)]
    sums = [0.0] * bots
    for (first, second), lead in leads.items():
        weight = max(lead.error, _LEAST) ** -2
        for own, other, ahead in ((first, second, lead.value), (second, first, -lead.value)):
            weights[own][own] += weight
            weights[own][other] -= weight
            sums[own] += weight * ahead
    inverse = _inverse(weights)
    return [
        Rating(
            sum(part * each for part, each in zip(row, sums, strict=True)),
            Z * math.sqrt(row[at] - 1 / bots),
        )
        for at, row in enumerate(inverse)
    ]


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """Return the inverse of a positive definite matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(float(at == own) for at in range(size))] for own, row in enumerate(matrix)]
    for at in range(size):
        pivot = rows[at] = [each / rows[at][at] for each in rows[at]]
        for other in range(size):
            if other != at:
                factor = rows[other][at]
                rows[other] = [
                    each - factor * part for each, part in zip(rows[other], pivot, strict=True)
                ]
    return [row[size:] for row in rows]
