"""How a game of the toy ends, in sentences (``matcha_p2p/games/game.py``)."""

from typing import Final

from matcha_p2p.games.game import RESIGNED
from matcha_p2p.language import Sentence

HOWS: Final = {
    "highest card": Sentence("with the highest card"),
    RESIGNED: Sentence("since another seat conceded"),
}
