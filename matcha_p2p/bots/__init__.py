"""Bots: each sees an Observation and answers with a Move."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from matcha_p2p.bots.bot import Bot
from matcha_p2p.bots.greedy import Greedy
from matcha_p2p.bots.uniform import Uniform

__all__ = ["BOTS", "Bot"]

BOTS: Final[Mapping[str, Bot]] = MappingProxyType(
    {bot.name: bot for bot in (Uniform(), Greedy())}
)
