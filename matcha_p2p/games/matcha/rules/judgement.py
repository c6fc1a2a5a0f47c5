"""The worth of the moves of a decision: plain values, for coaches, reviews and bots alike."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.rules.moves import Move
from matcha_p2p.games.matcha.rules.observation import Observation


@dataclass(frozen=True, slots=True)
class Decision:
    """A seat's observation, and the move made. At least one other move was legal.

    entries: of a transcript, up to the move.
    """

    observation: Observation
    made: Move
    entries: int


HandsBySet: TypeAlias = Mapping[int, tuple[Face, ...]]
"""The hands of one seat by the number of the set."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move, the chance to win after the move, 0..1, and the standard error of the chance.

    After the move its player goes on as well as possible, and the opponent plays well. The
    worth of tokens after the set counts as known.
    """

    move: Move
    value: float
    error: float

    def is_like(self, other: "JudgedMove") -> bool:
        """Tell whether the values are too close to tell apart: nearer than twice the error."""
        reach = 2 * math.hypot(self.error, other.error)
        return abs(self.value - other.value) <= reach


@dataclass(frozen=True, slots=True)
class Judgement:
    """The moves of one decision, the recommended move first.

    exact: whether each value is computed to the end of the game, over all cards and answers,
    against the solution of round 3; otherwise values are estimates.
    """

    moves: tuple[JudgedMove, ...]
    exact: bool

    def of(self, move: Move) -> JudgedMove:
        """Return the judgement of ``move``, a legal move."""
        return next(judged for judged in self.moves if judged.move == move)

    def gap(self, move: Move) -> float:
        """Return by how much ``move`` seems worse than the best move, 0..1.

        A single gap can be mere error, unlike ``loss``.
        """
        return max(0.0, self.moves[0].value - self.of(move).value)

    def loss(self, move: Move) -> float:
        """Return the chance to win that ``move`` gives away, 0..1; 0 within the error."""
        return 0.0 if self.of(move).is_like(self.moves[0]) else self.gap(move)
