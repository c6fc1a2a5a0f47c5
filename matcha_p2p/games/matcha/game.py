"""Matcha as one object: the editions, the levels of the bots, and the places of the parts."""

from typing import ClassVar, Final

from matcha_p2p.games.game import RESIGNED, WholeGame, late
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.language import Sentence

EDITION: Final = Sentence("Edition {edition}")
WINS: Final = Sentence(
    "Edition {edition}: {suits} tokens of one suit, {whisks} whisks, or all five kinds win."
)
OPEN_ENDED: Final = Sentence(
    "A player who passes is out of the round. Cards left over may be kept. Sets go on until "
    "a player wins."
)
LIMITED: Final = Sentence(
    "In a round each of you has {turns} turns. No card is kept. After {sets} sets tokens are "
    "compared: the shorter game."
)


class GameOfMatcha(WholeGame):
    """Matcha."""

    name = "matcha"
    number = 1
    title = "Matcha"
    entry = Sentence("Matcha: tea and bluff, for two")
    tables = (2,)
    variants = tuple(EDITIONS)
    endings: ClassVar = {
        "alike": Sentence("with enough tokens alike"),
        "five-kinds": Sentence("with all five kinds"),
        "tie-break": Sentence("after both met a condition"),
        "further-rounds": Sentence("in further rounds"),
        "last-set": Sentence("after the last set"),
        RESIGNED: Sentence("by conceding"),
        "draw": Sentence("without a winner"),
    }
    level_names: ClassVar = {
        "beginner": Sentence("beginner: often lays a card blindly"),
        "casual": Sentence("casual: most of the time lays cards that match"),
        "club": Sentence("club: weighs every mat, but only one move ahead"),
        "keen": Sentence("keen: plans to the end of the set, quickly"),
        "strong": Sentence("strong: thinks longer, and knows when to bluff"),
        "expert": Sentence("expert: works out how often to bluff"),
    }
    temper_names: ClassVar = {
        "careful": Sentence("careful: bluffs only if the gain is clear"),
        "bold": Sentence("bold: bluffs when it costs little"),
    }

    text = late("review.game_text:text_of")
    sides = late("both_sides")
    network = late("bots.valuation.values:page_network")

    def label(self, variant: str) -> str:
        """Return the name of the edition."""
        return EDITION(edition=variant)

    def named(self, variant: str) -> str:
        """Return the game and the edition."""
        return f"{self.title} {variant}"

    def described(self, variant: str) -> str:
        """Return the winning conditions, and the lengths of a round, a set and the game."""
        edition = EDITIONS[variant]
        wins = WINS(edition=variant, suits=edition.suits_alike, whisks=edition.whisks_alike)
        if edition.turns is None:
            return f"{wins} {OPEN_ENDED()}"
        return f"{wins} {LIMITED(turns=edition.turns, sets=edition.sets)}"


GAME: Final = GameOfMatcha()
