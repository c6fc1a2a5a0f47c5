"""All bots by their names."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from matcha_p2p.games.bots.any_move import AnyMove
from matcha_p2p.games.matcha.bots.bot import Bot
from matcha_p2p.games.matcha.bots.expert import Expert
from matcha_p2p.games.matcha.bots.greedy import Greedy
from matcha_p2p.games.matcha.bots.strong import Temper, Thinker
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


_BOTS: Final[tuple[Bot, ...]] = (
    Careless("beginner", Greedy(), 0.8),
    Careless("casual", Greedy(), 0.45),
    Careless("club", Greedy(), 0.15),
    Thinker("keen", 100, exact=False),
    Thinker("keen-careful", 100, exact=False, temper=Temper.CAREFUL),
    Thinker("keen-bold", 100, exact=False, temper=Temper.BOLD),
    Thinker("strong", 3000, exact=True),
    Thinker("strong-careful", 3000, exact=True, temper=Temper.CAREFUL),
    Thinker("strong-bold", 3000, exact=True, temper=Temper.BOLD),
    Expert("expert"),
    Expert("expert-careful", Temper.CAREFUL),
    Expert("expert-bold", Temper.BOLD),
    AnyMove("uniform"),
    Greedy(),
)
BOTS: Final[Mapping[str, Bot]] = MappingProxyType({bot.name: bot for bot in _BOTS})
"""Each bot by its name, in the order of ``NAMES.names``."""
