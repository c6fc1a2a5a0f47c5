"""All bots by their names."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from matcha_p2p.games.bots.any_move import AnyMove, Careless
from matcha_p2p.games.matcha.bots.bot import Bot
from matcha_p2p.games.matcha.bots.expert import Expert
from matcha_p2p.games.matcha.bots.greedy import Greedy
from matcha_p2p.games.matcha.bots.strong import Temper, Thinker

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
