"""What menus and settings offer of Tichu: the length of a game, and the levels of its bots."""

from collections.abc import Mapping
from typing import Final

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

title: Final = "Tichu"
entry: Final = Sentence("Tichu: two teams of two get rid of their cards")
UP_TO: Final = Sentence("To {target} points")
SINGLE: Final = Sentence("One round")
NAMED: Final = Sentence("Tichu to {target}")
NAMED_ROUND: Final = Sentence("Tichu, one round")
TO_TARGET: Final = Sentence(
    "Rounds are played until a team has {target} points or more, and leads."
)
ONE_ROUND: Final = Sentence("One round decides; after a tie another round is played.")
PLAYS: Final = Sentence(
    "Bombs out of turn are asked for only after a play, and before a trick is taken."
)
EARLY: Final = Sentence("Tichu is called only before the first lead.")
level_names: Final = {
    "beginner": Sentence("beginner: lays any card that is allowed, most of the time"),
    "casual": Sentence("casual: most of the time lays low cards first"),
    "club": Sentence("club: plans its hand, but does not remember cards"),
    "keen": Sentence("keen: remembers cards, and works out the end of a round"),
}
temper_names: Final[Mapping[str, Sentence]] = {}

tables: Final = (4,)
variants: Final = ("1000", "300", "round")


def label(variant: str) -> str:
    """Return the length of the game."""
    return SINGLE() if variant == "round" else UP_TO(target=variant)


def named(variant: str) -> str:
    """Return the game and its length."""
    length = variant.split(maxsplit=1)[0]
    return NAMED_ROUND() if length == "round" else NAMED(target=length)


def described(variant: str) -> str:
    """Return how long a game goes on, and which rules differ from the usual ones."""
    length, *others = variant.split()
    told = [ONE_ROUND() if length == "round" else TO_TARGET(target=length)]
    told += [{"plays": PLAYS, "early": EARLY}[other]() for other in others]
    return " ".join(told)
