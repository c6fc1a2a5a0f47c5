"""The question for an analysis."""

from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple, TypeAlias

from matcha_p2p.games.tichu.rules.actions import TichuMove
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import Ask
from matcha_p2p.seats import Seat

Exchanged: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""What a seat has given in a round, by receiver, and received, by giver; () if unknown."""


@dataclass(frozen=True, slots=True)
class Analyse:
    """The person asks for the analysis of a finished game. exchanged: by the round's number."""

    transcript: bytes
    seat: Seat
    exchanged: dict[int, Exchanged]


RoundAnswers: TypeAlias = tuple[tuple[Observation, TichuMove], ...]
"""The decisions of one seat in the tricks of one round, in order."""


@dataclass(frozen=True, slots=True)
class AnalyseRound:
    """The person asks for the analysis of a round that is over. names: by seat."""

    names: tuple[str, ...]
    decided: RoundAnswers


class BetterMove(NamedTuple):
    """A mistake: the view of the seat, and the places of the better cards and of those laid.

    A pass, or no bomb, has no cards.
    """

    seen: Observation
    places: frozenset[int]
    made: frozenset[int]


def recorded(decided: RoundAnswers, seen: Observation, move: TichuMove) -> RoundAnswers:
    """Return ``decided`` with the answer ``move`` in a trick.

    Decisions of an earlier round are dropped. If the person has gone back to an earlier
    decision, this decision and all later ones are dropped too.
    """
    if seen.asked not in (Ask.TURN, Ask.HOLD):
        return decided
    kept = takewhile(
        lambda it: it[0].number == seen.number and it[0].state != seen.state, decided
    )
    return *kept, (seen, move)
