"""The bots of Trio (``matcha_p2p/games/bots/bot.py``)."""

import random
from typing import Final

from matcha_p2p.games.bots.bot import Bots

from .seated import View
from .steps import RANKS, best

NAMES: Final = Bots(levels=("thrifty",), names=("thrifty",))


class Thrifty:
    """Takes a trick with the lowest card possible; otherwise lays the lowest card."""

    name = "thrifty"

    def choose(self, seen: View, rng: random.Random, /) -> int:

        def cost(place: int) -> tuple[bool, int]:
            laid = (seen.seat, seen.hand[place])
            return best((*seen.trick, laid)) != laid, laid[1] % RANKS

        return min(seen.held, key=cost)


BOTS: Final = {"thrifty": Thrifty()}
