"""Bots that choose by chance, always or at times."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.bots.bot import Bot, Bots, Seen
from matcha_p2p.games.game import Move

NAMES: Final = Bots(("random",), ("random",))


@dataclass(frozen=True, slots=True)
class AnyMove:
    """Chooses every legal move with the same chance: the bot of a game without own bots."""

    name: str = "random"

    def choose(self, seen: Seen, rng: random.Random, /) -> Move:
        """Return any legal move."""
        return rng.choice(seen.legal_moves())


@dataclass(frozen=True, slots=True)
class Careless:
    """Chooses as ``bot`` does, but in ``part`` of the cases, 0..1, as ``slip`` does."""

    name: str
    bot: Bot
    part: float
    slip: Bot = AnyMove()

    def choose(self, seen: Seen, rng: random.Random, /) -> Move:
        """Return a legal move."""
        chooser = self.slip if rng.random() < self.part else self.bot
        return chooser.choose(seen, rng)


BOTS: Final[Mapping[str, Bot]] = {"random": AnyMove()}
