"""The bot that plays by chance: what all others are measured by."""

import random
from dataclasses import dataclass

from matcha_p2p.games.tichu.rules.actions import (
    AnswerGrand,
    GiveCards,
    GiveTrick,
    TichuMove,
)
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import Ask


@dataclass(frozen=True, slots=True)
class Uniform:
    """Choose every legal answer but calls, which it would lose, with the same chance."""

    name: str = "uniform"

    def choose(self, observation: Observation, rng: random.Random) -> TichuMove:
        """Return any legal answer but a call."""
        if observation.asked is Ask.PUSH:  # thousands of ways to give: draw one, list none
            first, second, third = rng.sample(sorted(observation.held), 3)
            return GiveCards((first, second, third))
        legal = observation.legal_moves()
        return rng.choice([move for move in legal if not _is_call(move)])


def _is_call(move: TichuMove) -> bool:
    match move:
        case AnswerGrand(called):
            return called
        case GiveTrick():
            return False
        case _:
            return move.tichu
