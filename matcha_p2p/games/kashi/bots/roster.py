"""All bots by their names."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from matcha_p2p.games.kashi.bots.bot import Bot
from matcha_p2p.games.kashi.bots.careless import careless
from matcha_p2p.games.kashi.bots.keen import CLUB, KEEN
from matcha_p2p.games.kashi.bots.walker import Walker

_BOTS: Final = (Walker("beginner", careless), CLUB, KEEN)
BOTS: Final[Mapping[str, Bot]] = MappingProxyType({bot.name: bot for bot in _BOTS})
"""Each bot by its name, in the order of ``NAMES.names``."""
