"""The offers of Matcha for menus and settings: its editions and the levels of its bots."""

from typing import Final

from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.language import Sentence

__all__ = [
    "described",
    "entry",
    "label",
    "level_names",
    "named",
    "tables",
    "temper_names",
    "title",
    "variants",
]

title: Final = "Matcha"
entry: Final = Sentence("Matcha: tea and bluff, for two")
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
level_names: Final = {
    "beginner": Sentence("beginner: often lays a card blindly"),
    "casual": Sentence("casual: most of the time lays cards that match"),
    "club": Sentence("club: weighs every mat, but only one move ahead"),
    "keen": Sentence("keen: plans to the end of the set, quickly"),
    "strong": Sentence("strong: thinks longer, and knows when to bluff"),
    "expert": Sentence("expert: works out how often to bluff"),
}
temper_names: Final = {
    "careful": Sentence("careful: bluffs only if the gain is clear"),
    "bold": Sentence("bold: bluffs when it costs little"),
}

tables: Final = (2,)
variants: Final = tuple(EDITIONS)


def label(variant: str) -> str:
    """Return the name of the edition."""
    return EDITION(edition=variant)


def named(variant: str) -> str:
    """Return the game and its edition."""
    return f"{title} {variant}"


def described(variant: str) -> str:
    """Return the winning conditions, and the lengths of a round, a set and the game."""
    edition = EDITIONS[variant]
    wins = WINS(edition=variant, suits=edition.suits_alike, whisks=edition.whisks_alike)
    if edition.turns is None:
        return f"{wins} {OPEN_ENDED()}"
    return f"{wins} {LIMITED(turns=edition.turns, sets=edition.sets)}"
