"""What a finished game looks like once its decisions have been judged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from matcha_p2p.rules.judgement import Decision, Judgement
from matcha_p2p.rules.seats import SEATS, Seat

MISTAKE: Final = 0.05
BLUNDER: Final = 0.10
"""A decision that gives away at least this much of the chance to win is called a blunder."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision, and what its moves were worth."""

    decision: Decision
    judgement: Judgement

    @property
    def seat(self) -> Seat:
        """Return who decided."""
        return self.decision.observation.seat

    @property
    def round(self) -> tuple[int, int]:
        """Return the numbers of the set and of the round."""
        game = self.decision.observation.game
        return game.number, len(game.rounds)

    @property
    def loss(self) -> float:
        """Return what the move gave away of the chance to win."""
        return self.judgement.loss(self.decision.made)

    @property
    def gap(self) -> float:
        """Return by how much the move seems worse than the best one; it can be mere error."""
        return self.judgement.gap(self.decision.made)

    @property
    def value(self) -> float:
        """Return the chance to win of the seat that moved, after its move."""
        return self.judgement.of(self.decision.made).value


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How well a seat has decided.

    accuracy: 100 less what it gave away on average in percent of a game, small gaps included:
    over many decisions their errors cancel out. mistakes, blunders: losses beyond any error.
    """

    accuracy: float
    count: int
    mistakes: int
    blunders: int


@dataclass(frozen=True, slots=True)
class Chance:
    """A seat's chance to win, 0..1, before the first judged decision of a round.

    by: the seat that decides; the chance is what that seat could know.
    """

    round: tuple[int, int]
    by: Seat
    value: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """The decisions of a game whose cards are known, in order, and the first of them judged.

    reading: whether the decisions are still being looked for.
    """

    names: tuple[str, str]
    decisions: tuple[Decision, ...] = ()
    judged: tuple[Judged, ...] = ()
    reading: bool = False

    @property
    def done(self) -> bool:
        """Whether all are judged."""
        return len(self.judged) == len(self.decisions)

    def of(self, seat: Seat) -> tuple[Judged, ...]:
        """Return what is judged of one seat."""
        return tuple(it for it in self.judged if it.seat == seat)

    def accuracies(self) -> list[tuple[Seat, Accuracy]]:
        """Return how well each seat has decided; only seats of which a decision is judged."""
        return [(seat, accuracy_of(own)) for seat in SEATS if (own := self.of(seat))]

    def chances(self, seat: Seat) -> list[Chance]:
        """Return the chance of ``seat``, round by round, as far as it has been judged.

        Where both decided in a round, the seat's own knowledge counts.
        """
        found: dict[tuple[int, int], Chance] = {}
        for it in self.judged:
            own = it.seat == seat
            best = it.judgement.moves[0].value
            chance = Chance(it.round, it.seat, best if own else 1 - best)
            known = found.get(it.round)
            if known is None or (own and known.by != seat):
                found[it.round] = chance
        return [found[place] for place in sorted(found)]

    def with_judged(self, judged: Judged) -> "Analysis":
        """Return the analysis with the next decision judged."""
        return replace(self, judged=(*self.judged, judged))


def accuracy_of(judged: Sequence[Judged]) -> Accuracy:
    """Return how well these decisions, at least one, were made."""
    losses = [it.loss for it in judged]
    return Accuracy(
        100 * (1 - sum(it.gap for it in judged) / len(losses)),
        len(losses),
        sum(MISTAKE < loss <= BLUNDER for loss in losses),
        sum(loss > BLUNDER for loss in losses),
    )
