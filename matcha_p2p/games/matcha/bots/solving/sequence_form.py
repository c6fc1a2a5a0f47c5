"""Solves small two-player zero-sum games of imperfect information in sequence form.

A sequence of a player is the list of its choices on the way to a point of the game. A plan
gives each sequence the probability that the player itself contributes. Sequence 0 is empty.
The plans come from predictive CFR+: regrets are never negative, each player answers the
opponent's newest plan and predicts that the last gains come again, and later plans weigh more.

Source: von Stengel, Efficient computation of behavior strategies, Games Econ. Behav. 14
(1996); Farina, Kroer, Sandholm, Faster game solving via predictive Blackwell approachability,
AAAI (2021).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import add, itemgetter, mul, sub
from typing import Final, NamedTuple, TypeAlias, cast

Plan: TypeAlias = Sequence[float]
LOOK: Final = 8
"""Iterations between two looks at whether the plans are good enough."""

DecisionRow: TypeAlias = tuple[int, Callable[[Plan], tuple[float, ...]], tuple[float, ...]]
Columns: TypeAlias = list[list[float]]


@dataclass(frozen=True, slots=True)
class DecisionBlock:
    """Decisions that all have the same number of choices, stored side by side for speed.

    The decision at place i is taken after the sequence parents[i], and its choice j leads to
    the sequence first + j * len(parents) + i.
    """

    parents: tuple[int, ...]
    first: int
    choices: int

    def sequences(self, at: int) -> slice:
        """Return the sequences after the decision at ``at``."""
        step = len(self.parents)
        return slice(self.first + at, self.first + step * self.choices, step)

    def columns(self) -> list[slice]:
        """Return the sequences of each choice, of all decisions together."""
        step = len(self.parents)
        return [
            slice(self.first + at * step, self.first + (at + 1) * step)
            for at in range(self.choices)
        ]


@dataclass(slots=True)
class Side:
    """A player: the decisions, earlier decisions first, and the gains.

    payoffs: the gains by own sequence and opponent's sequence, where the game can end after
    both.
    """

    decisions: list[DecisionBlock] = field(default_factory=list[DecisionBlock])
    payoffs: dict[int, dict[int, float]] = field(default_factory=dict[int, dict[int, float]])
    sequences: int = 1

    def decide(self, parents: Sequence[int], choices: int) -> DecisionBlock:
        """Add a decision between ``choices`` choices after each of ``parents``."""
        decisions = DecisionBlock(tuple(parents), self.sequences, choices)
        self.sequences += len(parents) * choices
        self.decisions.append(decisions)
        return decisions

    def gain(self, own: int, other: int, payoff: float) -> None:
        """Add the player's gain where both sequences meet, times the chance of the meeting."""
        row = self.payoffs.setdefault(own, {})
        row[other] = row.get(other, 0.0) + payoff

    def mirrored(self) -> dict[int, dict[int, float]]:
        """Return the payoffs of the opponent, who loses the player's gains."""
        payoffs: dict[int, dict[int, float]] = {}
        for own, row in self.payoffs.items():
            for other, payoff in row.items():
                payoffs.setdefault(other, {})[own] = -payoff
        return payoffs


class _Group:
    """The regrets of the decisions of a block, one list for each choice."""

    def __init__(self, decisions: DecisionBlock) -> None:
        self.parents: Final = decisions.parents
        self.columns: Final = decisions.columns()
        self._even: Final = 1 / decisions.choices
        count = len(decisions.parents)
        self.chosen: Columns = [[self._even] * count for _ in self.columns]
        self._regrets: Columns = [[0.0] * count for _ in self.columns]

    def improve(self, gains: list[float]) -> None:
        """Update the regrets by ``gains``; add the new gains of the parents to ``gains``."""
        gained = [gains[column] for column in self.columns]
        values = [0.0] * len(self.parents)
        for chosen, gain in zip(self.chosen, gained, strict=True):
            values = list(map(add, values, map(mul, chosen, gain)))
        for parent, value in zip(self.parents, values, strict=True):
            gains[parent] += value
        predicted: Columns = []
        for at, gain in enumerate(gained):
            instant = list(map(sub, gain, values))
            grown = map(add, self._regrets[at], instant)
            self._regrets[at] = regrets = [it if it > 0 else 0.0 for it in grown]
            predicted.append([it if it > 0 else 0.0 for it in map(add, regrets, instant)])
        totals = predicted[0]
        for more in predicted[1:]:
            totals = list(map(add, totals, more))
        even = self._even
        self.chosen = [
            [part / total if total else even for part, total in zip(parts, totals, strict=True)]
            for parts in predicted
        ]

    def follow(self, plan: list[float]) -> None:
        """Write into ``plan`` how likely each sequence is."""
        reached = [plan[parent] for parent in self.parents]
        for column, chosen in zip(self.columns, self.chosen, strict=True):
            plan[column] = map(mul, reached, chosen)


class _Learner:
    """One player's regrets, and the plan that follows from the regrets."""

    def __init__(self, side: Side) -> None:
        self._rows: Final = _rows(side)
        self._groups: Final = [_Group(decisions) for decisions in side.decisions]
        self.plan: Final = [1.0] * side.sequences
        self.total: list[float] = [0.0] * side.sequences
        self._follow()

    def improve(self, other: Plan, weight: float) -> None:
        """Answer the opponent's plan, and add the new plan to the total with ``weight``."""
        gains = _gains(self._rows, other, len(self.plan))
        for group in reversed(self._groups):
            group.improve(gains)
        self._follow()
        self.total = [
            old + weight * new for old, new in zip(self.total, self.plan, strict=True)
        ]

    def best_response(self, other: Plan) -> float:
        """Return the most that the player can gain against the plan ``other``, not scaled."""
        gains = _gains(self._rows, other, len(self.plan))
        for group in reversed(self._groups):
            best = map(max, *(gains[column] for column in group.columns))
            for parent, value in zip(group.parents, best, strict=True):
                gains[parent] += value
        return gains[0] / other[0]

    def _follow(self) -> None:
        for group in self._groups:
            group.follow(self.plan)


class Solved(NamedTuple):
    """A plan of each player, not scaled, and the number of iterations."""

    plans: tuple[Plan, Plan]
    iterations: int


def solve(sides: tuple[Side, Side], iterations: int, enough: float = 0.0) -> Solved:
    """Return plans near an equilibrium: averages in which later plans weigh more.

    iterations: the most iterations. enough: the solver stops earlier, once the best responses
    to both plans together gain at most this value.
    """
    first, second = _Learner(sides[0]), _Learner(sides[1])
    number = 0
    for number in range(1, iterations + 1):
        first.improve(second.plan, number**2)
        second.improve(first.plan, number**2)
        if enough and number % LOOK == 0 and number < iterations:
            gained = first.best_response(second.total) + second.best_response(first.total)
            if gained <= enough:
                break
    return Solved((first.total, second.total), number)


def best_response(side: Side, other: Plan) -> float:
    """Return the most that ``side`` can gain against the plan ``other``, scaled or not."""
    return responses(side, other)[0]


def responses(side: Side, other: Plan) -> list[float]:
    """Return the gain of each sequence of ``side`` if the side goes on as well as possible.

    other: the opponent's plan, scaled or not. The gain of the empty sequence comes first.
    """
    gains = _gains(_rows(side), [weight / other[0] for weight in other], side.sequences)
    for decisions in reversed(side.decisions):
        best = map(max, *(gains[column] for column in decisions.columns()))
        for parent, value in zip(decisions.parents, best, strict=True):
            gains[parent] += value
    return gains


def _rows(side: Side) -> list[DecisionRow]:
    """Return the payoffs as a getter of the opponent's probabilities, and their factors."""
    rows: list[DecisionRow] = []
    for own, row in side.payoffs.items():
        others, factors = (*row, 0), (*row.values(), 0.0)  # a getter of one gives no tuple
        getter = cast("Callable[[Plan], tuple[float, ...]]", itemgetter(*others))
        rows.append((own, getter, factors))
    return rows


def _gains(rows: Sequence[DecisionRow], other: Plan, sequences: int) -> list[float]:
    gains = [0.0] * sequences
    for own, getter, factors in rows:
        gains[own] = sum(map(mul, getter(other), factors))
    return gains
