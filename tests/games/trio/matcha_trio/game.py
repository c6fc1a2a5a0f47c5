"""Trio as an object: the offers in menus and commands, and the places of the parts."""

from typing import ClassVar, Final

from matcha_p2p.games.game import Game, late
from matcha_p2p.language import Sentence


class GameOfTrio(Game):
    """Trio. Without lines and a screen, moves are typed as text."""

    name = "trio"
    number = 128
    title = "Trio"
    entry = Sentence("Trio: eight tricks, for three")
    tables = (3,)
    variants = ("one",)
    level_names: ClassVar = {"thrifty": Sentence("thrifty: takes tricks by low cards")}

    new = late("steps:new_game")
    rules = late("seated:RULES")
    telling = late("seated")
    endings = late("seated:HOWS")
    exchange = late("seated:EXCHANGE")
    bots = late("bots:NAMES")
    roster = late("bots:BOTS")


GAME: Final = GameOfTrio()
