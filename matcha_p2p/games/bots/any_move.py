"""The bot of a game without own bots."""

import random
from collections.abc import Mapping
from typing import Final

from matcha_p2p.games.bots.bot import Bot, Bots, Seen
from matcha_p2p.games.game import Move

NAMES: Final = Bots(("random",), ("random",))


class AnyMove:
    """Makes any legal move."""

    name = "random"

    def choose(self, seen: Seen, rng: random.Random, /) -> Move:
        """Return any legal move."""
        return rng.choice(seen.legal_moves())


BOTS: Final[Mapping[str, Bot]] = {"random": AnyMove()}
