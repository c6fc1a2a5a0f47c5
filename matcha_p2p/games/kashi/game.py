"""Kashi-ichi as one object: the board, the levels of the bots, and the places of the parts."""

from typing import ClassVar, Final

from matcha_p2p.games.game import RESIGNED, WholeGame, late
from matcha_p2p.games.kashi.words.game_sentences import SETTLED
from matcha_p2p.language import Sentence

BOARD: Final = Sentence("The board of this program")
SHIPPED: Final = Sentence("A board and orders of our own, for three or four.")


class GameOfKashi(WholeGame):
    """Kashi-ichi."""

    name = "kashi"
    number = 3
    title = "Kashi-ichi"
    entry = Sentence("Kashi-ichi: a market of sweets, for three or four")
    tables = (3, 4)
    variants = ("ichi",)
    landmarks: ClassVar = {"areas-settled": SETTLED}
    endings: ClassVar = {
        "settled": Sentence("after the last settlement"),
        RESIGNED: Sentence("by conceding"),
    }
    level_names: ClassVar = {
        "beginner": Sentence("beginner: walks and lays shops at random"),
        "club": Sentence("club: takes the order with the most points for an action point"),
        "keen": Sentence("keen: tries several turns, and plays on after each in its head"),
    }

    text = late("review.export:text_of")
    log = late("rules.log:play_log")
    boards = late("boards")

    def label(self, variant: str) -> str:
        """Return whose board the only variant has."""
        del variant
        return BOARD()

    def described(self, variant: str) -> str:
        """Return where the board of the only variant comes from."""
        del variant
        return SHIPPED()


GAME: Final = GameOfKashi()
