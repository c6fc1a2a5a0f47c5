"""Solves small two-player zero-sum games of imperfect information in sequence form.

A sequence of a player is all that it has done on the way to a point of the game; a plan gives
each sequence the probability that the player alone contributes to it. Sequence 0 is to have
done nothing. The plans come from predictive CFR+: regrets are never negative, each player
answers the other's newest plan and expects the last gains once more; later plans weigh more.

Source: von Stengel, Efficient computation of behavior strategies, Games Econ. Behav. 14 (1996);
Farina, Kroer, Sandholm, Faster game solving via predictive Blackwell approachability, AAAI
(2021).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from operator import itemgetter, mul
from typing import Final, TypeAlias, cast

Plan: TypeAlias = Sequence[float]
Row: TypeAlias = tuple[int, Callable[[Plan], tuple[float, ...]], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Decision:
    """A point at which a player knows the same: after ``parent`` it chooses one of the others.

    The sequences that the choice leads to are first..stop - 1.
    """

    parent: int
    first: int
    stop: int


@dataclass(slots=True)
class Side:
    """One player: decisions, earlier ones first, and what it gains.

    payoffs: for each sequence after which the game can end, by the other's sequence.
    """

    decisions: list[Decision] = field(default_factory=list[Decision])
    payoffs: dict[int, dict[int, float]] = field(default_factory=dict[int, dict[int, float]])
    sequences: int = 1

    def decide(self, parent: int, choices: int) -> int:
        """Add a decision between so many choices; return the sequence of the first."""
        first = self.sequences
        self.sequences += choices
        self.decisions.append(Decision(parent, first, self.sequences))
        return first

    def gain(self, own: int, other: int, payoff: float) -> None:
        """Add what the player gains where both sequences meet, times the chance of that."""
        row = self.payoffs.setdefault(own, {})
        row[other] = row.get(other, 0.0) + payoff


class _Learner:
    """One player's regrets, and the plan that follows from them."""

    def __init__(self, side: Side) -> None:
        self._decisions: Final = side.decisions
        self._rows: Final = _rows(side)
        self._regrets: Final = [0.0] * side.sequences
        self._chosen: Final = [1.0] * side.sequences
        for decision in side.decisions:
            count = decision.stop - decision.first
            self._chosen[decision.first : decision.stop] = repeat(1 / count, count)
        self.plan: Final = [1.0] * side.sequences
        self.total: Final = [0.0] * side.sequences
        self._follow()

    def improve(self, other: Plan, weight: float) -> None:
        """Answer the other's plan, and add the new plan to the total with that weight."""
        gains = _gains(self._rows, other, len(self.plan))
        for decision in reversed(self._decisions):
            first, stop = decision.first, decision.stop
            value = sum(map(mul, self._chosen[first:stop], gains[first:stop]))
            gains[decision.parent] += value
            instant = [gain - value for gain in gains[first:stop]]
            regrets = [
                regret if (regret := old + new) > 0 else 0.0
                for old, new in zip(self._regrets[first:stop], instant, strict=True)
            ]
            self._regrets[first:stop] = regrets
            predicted = [
                regret if (regret := old + new) > 0 else 0.0
                for old, new in zip(regrets, instant, strict=True)
            ]
            total = sum(predicted)
            if total > 0:
                self._chosen[first:stop] = map(mul, predicted, repeat(1 / total))
            else:
                self._chosen[first:stop] = repeat(1 / (stop - first), stop - first)
        self._follow()
        self.total[:] = [
            old + weight * new for old, new in zip(self.total, self.plan, strict=True)
        ]

    def _follow(self) -> None:
        plan, chosen = self.plan, self._chosen
        for decision in self._decisions:
            first, stop = decision.first, decision.stop
            plan[first:stop] = map(mul, repeat(plan[decision.parent]), chosen[first:stop])


def solve(sides: tuple[Side, Side], iterations: int) -> tuple[Plan, Plan]:
    """Return a plan of each player that is near an equilibrium: the averages, not scaled."""
    first, second = _Learner(sides[0]), _Learner(sides[1])
    for number in range(1, iterations + 1):
        first.improve(second.plan, number**2)
        second.improve(first.plan, number**2)
    return first.total, second.total


def best_response(side: Side, other: Plan) -> float:
    """Return the most that ``side`` can gain against the plan ``other``, scaled or not."""
    scaled = [weight / other[0] for weight in other]
    gains = _gains(_rows(side), scaled, side.sequences)
    for decision in reversed(side.decisions):
        gains[decision.parent] += max(gains[decision.first : decision.stop])
    return gains[0]


def values(side: Side, own: Plan, other: Plan) -> list[float]:
    """Return what each sequence of ``side`` gains if both go on by their plans.

    Where the own plan never comes to a decision, all choices there count alike.
    """
    gains = _gains(_rows(side), [weight / other[0] for weight in other], side.sequences)
    for decision in reversed(side.decisions):
        chosen = own[decision.first : decision.stop]
        total = sum(chosen)
        weights = [w / total for w in chosen] if total else [1 / len(chosen)] * len(chosen)
        following = gains[decision.first : decision.stop]
        gains[decision.parent] += sum(map(mul, weights, following))
    return gains


def _rows(side: Side) -> list[Row]:
    """Return the payoffs as a getter of what the other contributes, and factors for it."""
    rows: list[Row] = []
    for own, row in side.payoffs.items():
        others, factors = (*row, 0), (*row.values(), 0.0)  # a getter of one gives no tuple
        getter = cast("Callable[[Plan], tuple[float, ...]]", itemgetter(*others))
        rows.append((own, getter, factors))
    return rows


def _gains(rows: Sequence[Row], other: Plan, sequences: int) -> list[float]:
    gains = [0.0] * sequences
    for own, getter, factors in rows:
        gains[own] = sum(map(mul, getter(other), factors))
    return gains
