"""How a game of Kashi-ichi has ended, after the names of the winners."""

from typing import Final

from matcha_p2p.games.game import RESIGNED
from matcha_p2p.language import Sentence

__all__ = ["HOWS"]

HOWS: Final = {
    "settled": Sentence("after the last settlement"),
    RESIGNED: Sentence("by conceding"),
}
