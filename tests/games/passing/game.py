"""The game of passing as one object (``matcha_p2p/games/game.py``)."""

from typing import Final

from matcha_p2p.games.game import Game, late


class PassingGame(Game):
    name = "passing"
    new = late("steps:new_game")
    rules = late("seated")


GAME: Final = PassingGame()
