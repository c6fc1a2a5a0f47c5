"""How a game of Tichu has ended, after the names of the winners."""

from typing import Final

from matcha_p2p.games.game import RESIGNED
from matcha_p2p.language import Sentence

__all__ = ["HOWS"]

HOWS: Final = {
    "points": Sentence("by points"),
    "foul": Sentence("by a foul"),
    RESIGNED: Sentence("by conceding"),
}
