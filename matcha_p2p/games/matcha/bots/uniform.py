"""The bot that plays random legal moves: the measure for all other bots."""

import random
from dataclasses import dataclass

from matcha_p2p.games.matcha.rules.moves import Move
from matcha_p2p.games.matcha.rules.observation import Observation


@dataclass(frozen=True, slots=True)
class Uniform:
    """Choose every legal move, and every set of cards to keep, with the same chance."""

    name: str = "uniform"

    def choose(self, observation: Observation, rng: random.Random) -> Move:
        """Return a random legal move."""
        return rng.choice(observation.legal_moves())
