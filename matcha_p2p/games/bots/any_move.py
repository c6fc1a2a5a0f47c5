"""The bot of a game without own bots; in Matcha, the measure for all other bots."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.bots.bot import Bot, Bots, Seen
from matcha_p2p.games.game import Move

NAMES: Final = Bots(("random",), ("random",))


@dataclass(frozen=True, slots=True)
class AnyMove:
    """Chooses every legal move with the same chance."""

    name: str = "random"

    def choose(self, seen: Seen, rng: random.Random, /) -> Move:
        """Return any legal move."""
        return rng.choice(seen.legal_moves())


BOTS: Final[Mapping[str, Bot]] = {"random": AnyMove()}
