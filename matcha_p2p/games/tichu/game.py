"""Tichu as one object: the lengths, the levels of the bots, and the places of the parts."""

from typing import ClassVar, Final

from matcha_p2p.games.game import RESIGNED, WholeGame, late
from matcha_p2p.language import Sentence

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


COUNTED: Final = Sentence("Round {number}: {points}. Now {totals}.")


class GameOfTichu(WholeGame):
    """Tichu."""

    name = "tichu"
    number = 2
    title = "Tichu"
    entry = Sentence("Tichu: two teams of two get rid of their cards")
    tables = (4,)
    variants = ("1000", "300", "round")
    window = Sentence("Time for a bomb after a play: {seconds} s.")
    landmarks: ClassVar = {"round-counted": COUNTED}
    endings: ClassVar = {
        "points": Sentence("by points"),
        "foul": Sentence("by a foul"),
        RESIGNED: Sentence("by conceding"),
    }
    level_names: ClassVar = {
        "beginner": Sentence("beginner: lays any card that is allowed, most of the time"),
        "casual": Sentence("casual: most of the time lays low cards first"),
        "club": Sentence("club: plans its hand, but does not remember cards"),
        "keen": Sentence("keen: remembers cards, and tries what each move leads to"),
    }

    text = late("review.game_text:text_of")
    log = late("rules.log:play_log")
    undecided = late("answers:undecided")

    def label(self, variant: str) -> str:
        """Return the length of the game."""
        return SINGLE() if variant == "round" else UP_TO(target=variant)

    def named(self, variant: str) -> str:
        """Return the game and the length."""
        length = variant.split(maxsplit=1)[0]
        return NAMED_ROUND() if length == "round" else NAMED(target=length)

    def described(self, variant: str) -> str:
        """Return how long a game goes on, and which rules differ from the usual ones."""
        length, *others = variant.split()
        told = [ONE_ROUND() if length == "round" else TO_TARGET(target=length)]
        told += [{"plays": PLAYS, "early": EARLY}[other]() for other in others]
        return " ".join(told)


GAME: Final = GameOfTichu()
