"""The interface of a bot: a name, and a move for the Outlook of one seat."""

import random
from typing import Protocol

from matcha_p2p.games.kashi.rules.moves import Move
from matcha_p2p.games.kashi.rules.outlook import Outlook


class Bot(Protocol):
    """A player without memory: the outlook is its only knowledge."""

    @property
    def name(self) -> str:
        """Return the name by which players choose this bot."""
        ...

    def choose(self, outlook: Outlook, rng: random.Random, /) -> Move:
        """Return a legal move; the seat of ``outlook`` is due.

        rng: the only source of chance, so that a game can be repeated from its seed.
        """
        ...
