"""Bots of Kashi-ichi: each sees an Outlook and answers with a Move.

This file has only the names, so that a command knows the names before the bots are loaded.
"""

from typing import Final

from matcha_p2p.games.bots.bot import Bots

_LEVELS: Final = ("beginner", "club", "keen")
NAMES: Final = Bots(_LEVELS, _LEVELS)
