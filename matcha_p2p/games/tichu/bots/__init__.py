"""Bots of Tichu: each sees an Observation and answers with a TichuMove.

Four are levels for people. Uniform is a measure for the others. This file has only the names,
so that a command knows the names before the bots are loaded.
"""

from typing import Final

from matcha_p2p.games.bots.bot import Bots

_LEVELS: Final = ("beginner", "casual", "club", "keen")
NAMES: Final = Bots(_LEVELS, (*_LEVELS, "uniform"))
