"""All bots by their names."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from matcha_p2p.games.bots.any_move import Careless
from matcha_p2p.games.tichu.bots.bot import Bot
from matcha_p2p.games.tichu.bots.club import Club
from matcha_p2p.games.tichu.bots.keen import KEEN
from matcha_p2p.games.tichu.bots.uniform import Uniform

_BOTS: Final[tuple[Bot, ...]] = (
    Careless("beginner", Club(grand=False), 0.6, Uniform()),
    Careless("casual", Club(), 0.3, Uniform()),
    Club(),
    KEEN,
    Uniform(),
)
BOTS: Final[Mapping[str, Bot]] = MappingProxyType({bot.name: bot for bot in _BOTS})
"""Each bot by its name, in the order of ``NAMES.names``."""
