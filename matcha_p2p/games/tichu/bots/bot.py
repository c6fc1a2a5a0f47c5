"""The interface of a bot: a name, and an answer to what one seat sees."""

import random
from typing import Protocol

from matcha_p2p.games.tichu.bots.answers import Move
from matcha_p2p.games.tichu.bots.observation import FaceView


class Bot(Protocol):
    """A player without memory: everything it may use is in the observation."""

    @property
    def name(self) -> str:
        """Return the name by which players choose this bot."""
        ...

    def choose(self, observation: FaceView, rng: random.Random, /) -> Move:
        """Return one of ``observation.legal_moves()``, of which there is at least one.

        rng: the only source of chance, so that a round can be repeated from its seed.
        """
        ...
