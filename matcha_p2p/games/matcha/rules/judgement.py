"""What the moves of a decision are worth: plain values, for coaches, reviews and bots alike."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.rules.moves import Move
from matcha_p2p.games.matcha.rules.observation import Observation


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat saw, and the move that it made. There was at least one other."""

    observation: Observation
    made: Move


HandsBySet: TypeAlias = Mapping[int, tuple[Face, ...]]
"""The hands of one seat by the number of the set."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move, the chance to win after it, 0..1, and the standard error of that.

    After the move its player goes on as well as it can, and the other plays well. What tokens
    are worth once the set is over counts as known.
    """

    move: Move
    value: float
    error: float

    def is_like(self, other: "JudgedMove") -> bool:
        """Tell whether the two cannot be told apart: they are nearer than twice the error."""
        reach = 2 * math.hypot(self.error, other.error)
        return abs(self.value - other.value) <= reach


@dataclass(frozen=True, slots=True)
class Judgement:
    """The moves of one decision, the recommended one first.

    exact: whether each value is computed to the end of the game, over all cards and answers,
    against the solution of round 3; otherwise values are estimates.
    """

    moves: tuple[JudgedMove, ...]
    exact: bool

    def of(self, move: Move) -> JudgedMove:
        """Return what is known of ``move``, one of the legal ones."""
        return next(judged for judged in self.moves if judged.move == move)

    def gap(self, move: Move) -> float:
        """Return by how much ``move`` seems worse than the best one, 0..1.

        A single gap can be mere error, unlike ``loss``.
        """
        return max(0.0, self.moves[0].value - self.of(move).value)

    def loss(self, move: Move) -> float:
        """Return the chance to win that ``move`` gives away, 0..1; 0 within the error."""
        return 0.0 if self.of(move).is_like(self.moves[0]) else self.gap(move)
