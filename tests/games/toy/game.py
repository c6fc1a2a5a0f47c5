"""The toy as one object (``matcha_p2p/games/game.py``)."""

from typing import Final

from matcha_p2p.games.game import Game, late
from matcha_p2p.language import Sentence


class ToyGame(Game):
    name = "toy"
    number = 200
    title = "Toy"
    entry = Sentence("Toy")
    tables = (3, 2, 4)
    variants = ("one",)

    new = late("steps:new_game")
    rules = late("seated:RULES")
    telling = late("telling")
    endings = late("words.endings:HOWS")


GAME: Final = ToyGame()
