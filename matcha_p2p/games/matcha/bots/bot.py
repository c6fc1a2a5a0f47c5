"""The interface of a bot: a name, and a move for the Observation of one seat."""

import random
from typing import Protocol

from matcha_p2p.games.matcha.rules.moves import Move
from matcha_p2p.games.matcha.rules.observation import Observation


class Bot(Protocol):
    """A player without memory: the observation is its only knowledge."""

    @property
    def name(self) -> str:
        """Return the name by which players choose this bot."""
        ...

    def choose(self, observation: Observation, rng: random.Random, /) -> Move:
        """Return one of ``observation.legal_moves()``; at least one move is legal.

        rng: the only source of chance, so that a game can be repeated from its seed.
        """
        ...
