"""The interface of a bot: a name, and a move for what one seat sees, its Observation."""

import random
from typing import Protocol

from matcha_p2p.games.matcha.rules.moves import Move
from matcha_p2p.games.matcha.rules.observation import Observation


class Bot(Protocol):
    """A player without memory: everything it may use is in the observation."""

    @property
    def name(self) -> str:
        """Return the name by which players choose this bot."""
        ...

    def choose(self, observation: Observation, rng: random.Random, /) -> Move:
        """Return one of ``observation.legal_moves()``, of which there is at least one.

        rng: the only source of chance, so that a game can be repeated from its seed.
        """
        ...
