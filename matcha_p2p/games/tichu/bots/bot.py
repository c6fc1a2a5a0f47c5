"""The interface of a bot: a name, and an answer for the Observation of one seat."""

import random
from typing import Protocol

from matcha_p2p.games.tichu.rules.actions import TichuMove
from matcha_p2p.games.tichu.rules.observation import Observation


class Bot(Protocol):
    """A player without memory: the observation is its only knowledge."""

    @property
    def name(self) -> str:
        """Return the name by which players choose this bot."""
        ...

    def choose(self, observation: Observation, rng: random.Random, /) -> TichuMove:
        """Return a legal answer; the seat of ``observation`` is asked.

        rng: the only source of chance, so that a round can be repeated from its seed.
        """
        ...
