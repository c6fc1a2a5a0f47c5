"""The bot that plays by chance: what all others are measured by."""

import random
from dataclasses import dataclass

from matcha_p2p.games.tichu.bots.answers import GiveFaces, Move, SayGrand, SayTichu
from matcha_p2p.games.tichu.bots.observation import FaceView
from matcha_p2p.games.tichu.rules.round import Ask


@dataclass(frozen=True, slots=True)
class Uniform:
    """Choose every legal answer but calls, which it would lose, with the same chance."""

    name: str = "uniform"

    def choose(self, observation: FaceView, rng: random.Random) -> Move:
        """Return any legal answer but a call."""
        if observation.ask is Ask.PUSH:  # thousands of ways to give: draw one, list none
            first, second, third = rng.sample(observation.hand, 3)
            return GiveFaces((first, second, third))
        legal = observation.legal_moves()
        return rng.choice([move for move in legal if not _is_call(move)])


def _is_call(move: Move) -> bool:
    return isinstance(move, SayTichu) or move == SayGrand(called=True)
