"""The bot of a game without own bots."""

import random
from collections.abc import Mapping
from typing import Final

from matcha_p2p.games.bots.bot import Bot, Seen
from matcha_p2p.games.game import Move

__all__ = ["BOTS", "BOT_NAMES", "LEVELS", "STAND_INS", "TEMPERS", "THINKERS", "see_it_loads"]

LEVELS: Final = ("random",)
STAND_INS: Final[Mapping[str, str]] = {}
TEMPERS: Final[Mapping[str, tuple[str, ...]]] = {}
BOT_NAMES: Final = LEVELS
THINKERS: Final[tuple[str, ...]] = ()


class AnyMove:
    """Makes any legal move."""

    name = "random"

    def choose(self, seen: Seen, rng: random.Random, /) -> Move:
        """Return any legal move."""
        return rng.choice(seen.legal_moves())


def see_it_loads(name: str) -> None:
    """Do nothing: the bot needs only Python."""
    del name


BOTS: Final[Mapping[str, Bot]] = {"random": AnyMove()}
