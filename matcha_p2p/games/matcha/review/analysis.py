"""A finished game after its decisions have been judged."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.matcha.rules.judgement import Decision, Judgement
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.review.analysis import GameAnalysis

MISTAKE: Final = 0.05
BLUNDER: Final = 0.10
"""A decision that gives away at least this part of the chance to win is called a blunder."""


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """A decision, and the worth of its moves."""

    decision: Decision
    judgement: Judgement

    @property
    def seat(self) -> Seat:
        """Return the seat that decided."""
        return self.decision.observation.seat

    @property
    def round(self) -> tuple[int, int]:
        """Return the numbers of the set and of the round."""
        game = self.decision.observation.game
        return game.number, len(game.rounds)

    @property
    def loss(self) -> float:
        """Return the chance to win that the move gave away."""
        return self.judgement.loss(self.decision.made)

    @property
    def gap(self) -> float:
        """Return by how much the move seems worse than the best; the gap can be mere error."""
        return self.judgement.gap(self.decision.made)

    @property
    def value(self) -> float:
        """Return the chance to win of the seat that moved, after its move."""
        return self.judgement.of(self.decision.made).value


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The quality of a seat's decisions.

    accuracy: 0..100, on the scale of lichess. mistakes, blunders: losses beyond the error.
    """

    accuracy: float
    count: int
    mistakes: int
    blunders: int


@dataclass(frozen=True, slots=True)
class Chance:
    """A seat's chance to win, 0..1, before the first judged decision of a round.

    by: the seat that decides, with whose knowledge the chance is computed.
    """

    round: tuple[int, int]
    by: Seat
    value: float


@dataclass(frozen=True)
class Analysis(GameAnalysis[Decision, JudgedDecision]):
    """The decisions of the seats with known cards."""

    def of(self, seat: Seat) -> tuple[JudgedDecision, ...]:
        """Return the judged decisions of one seat."""
        return tuple(it for it in self.judged if it.seat == seat)

    def accuracies(self) -> list[tuple[Seat, Accuracy]]:
        """Return the accuracy of each seat that has a judged decision."""
        return [(seat, accuracy_of(own)) for seat in SEATS if (own := self.of(seat))]

    def chances(self, seat: Seat) -> list[Chance]:
        """Return the chance of ``seat``, round by round, as far as judged.

        If both seats decided in a round, the chance by the knowledge of ``seat`` counts.
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

    def facts(self) -> Iterator[tuple[str, Mapping[str, object]]]:
        """Yield how well the seats played, and the chances round by round."""
        for seat, found in self.accuracies():
            fields = {
                "seat": seat,
                "name": self.names[seat],
                "accuracy": found.accuracy,
                "decisions": found.count,
                "mistakes": found.mistakes,
                "blunders": found.blunders,
            }
            yield "accuracy", fields
        for chance in self.chances(SEATS[0]):
            number, played = chance.round
            place = {"set": number, "round": played}
            yield "chance", {**place, "by": chance.by, "value": chance.value}


def accuracy_of(judged: Sequence[JudgedDecision]) -> Accuracy:
    """Return the accuracy of the decisions ``judged``, at least one.

    The accuracy is halfway between the mean of all decisions and their harmonic mean, which a
    few blunders lower far. All gaps count: over many decisions their errors cancel out.

    Source: lichess, https://lichess.org/page/accuracy, whose game accuracy is halfway between
    two such means as well; on lichess, positions with large changes weigh more.
    """
    losses = [it.loss for it in judged]
    each = [_move_accuracy(it.gap) for it in judged]
    harmonic = len(each) / sum(1 / max(1.0, accuracy) for accuracy in each)
    return Accuracy(
        (sum(each) / len(each) + harmonic) / 2,
        len(losses),
        sum(MISTAKE < loss <= BLUNDER for loss in losses),
        sum(loss > BLUNDER for loss in losses),
    )


def _move_accuracy(gap: float) -> float:
    """Return the accuracy of a decision that gives away ``gap`` of the chance to win."""
    return min(100.0, max(0.0, 103.1668 * math.exp(-4.354 * gap) - 3.1669))
