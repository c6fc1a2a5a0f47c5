"""The bot that does not always look: some of its answers are any answer."""

import random
from dataclasses import dataclass

from matcha_p2p.games.tichu.bots.bot import Bot
from matcha_p2p.games.tichu.bots.uniform import Uniform
from matcha_p2p.games.tichu.rules.actions import AnswerGrand, TichuMove
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import Ask

_UNIFORM = Uniform()


@dataclass(frozen=True, slots=True)
class Careless:
    """Choose as ``bot`` does, but in ``part`` of the cases, 0..1, a legal answer by chance.

    grand: whether it may call Grand Tichu.
    """

    name: str
    bot: Bot
    part: float
    grand: bool = True

    def choose(self, observation: Observation, rng: random.Random) -> TichuMove:
        """Return a legal answer."""
        if observation.asked is Ask.GRAND and not self.grand:
            return AnswerGrand(called=False)
        if rng.random() < self.part:
            return _UNIFORM.choose(observation, rng)
        return self.bot.choose(observation, rng)
