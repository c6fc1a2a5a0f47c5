"""The bot that does not always look: a part of its moves are random moves."""

import random
from dataclasses import dataclass

from matcha_p2p.games.matcha.bots.bot import Bot
from matcha_p2p.games.matcha.rules.moves import Move
from matcha_p2p.games.matcha.rules.observation import Observation


@dataclass(frozen=True, slots=True)
class Careless:
    """Choose as ``bot`` does, but in ``part`` of the cases, 0..1, a legal move by chance."""

    name: str
    bot: Bot
    part: float

    def choose(self, observation: Observation, rng: random.Random) -> Move:
        """Return a legal move."""
        if rng.random() < self.part:
            return rng.choice(observation.legal_moves())
        return self.bot.choose(observation, rng)
