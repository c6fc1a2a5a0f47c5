"""The text of the tutorial: the first set of a game against a patient master.

Tests compare the statements about cards and tokens with the rules. The outcome of a move is
not written here: the rules compute it.
"""

from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.matcha.rules.cards import Hands
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.moves import PASS, Pass, Play
from matcha_p2p.games.matcha.rules.notation import faces
from matcha_p2p.language import Sentence
from matcha_p2p.narration.lessons import BY_LINE, ON_SCREEN, Lesson

__all__ = ["BY_LINE", "LESSONS", "ON_SCREEN"]

EDITION: Final = EDITION_2015
MASTER: Final = Sentence("Rikyu")
TABLE: Final = faces("B2 T3 W3 B1 S4 W4")
HANDS: Final[Hands] = (faces("Z S1 T1 Z S2"), faces("T2 T4 B3 W2 W1"))
"""Of the student, who leads, and of the master."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLesson(Lesson):
    """A lesson; in what it says, {name} is the master, and {count} tokens alike win.

    again: said after a move outside ``wanted``. talk: the master's words after the move, or
    None. replies: the master's moves.
    """

    again: Sentence
    talk: Sentence | None = None
    replies: tuple[Play | Pass, ...]


NUMBER_MAT: Final = SetLesson(
    Sentence(
        "Welcome! Six cards lie on the mats a to f; a and b are played now. Mat a asks for "
        "the number 2, mat b for a leaf. One token of each of the five kinds wins, or {count} "
        "of one kind. Your fifth card, a scoop, has the number: lay it on mat a."
    ),
    "5 a Enter",
    ("5 a", "y"),
    ("5a",),
    again=Sentence("The rules allow that move, but first let us try mat a: lay card 5 there."),
    replies=(Play(0, 0),),
)
SUIT_MAT: Final = SetLesson(
    Sentence(
        "{name} has a card on mat a too, so both will be opened. If both have the 2, the "
        "better suit wins: leaf beats bowl and water, but scoop beats leaf. Mat b asks for a "
        "leaf; there the better number wins. Your leaf 1 beats only a 4. Try it: card 3 "
        "on mat b."
    ),
    "3 b Enter",
    ("3 b", "y"),
    ("3b",),
    again=Sentence(
        "The rules allow that move, but only a leaf matches mat b: lay card 3 there."
    ),
    replies=(Play(1, 1),),
)
BLUFF: Final = SetLesson(
    Sentence(
        "Scoop beat leaf, and 1 beat 4. You took a bowl and a leaf, the suits of the mats' "
        "own cards. Now for a whisk: it goes to a card that does not match, against one that "
        "does. A zero never matches. Lay a zero on mat c, and hope to be caught."
    ),
    "1 c Enter",
    ("1 c", "y"),
    ("1c", "4c"),
    again=Sentence(
        "The rules allow that move, but you need a whisk: lay one of your zeros on mat c."
    ),
    talk=Sentence("You would not bluff me, would you?"),
    replies=(Play(2, 2),),
)
SKIP: Final = SetLesson(
    Sentence(
        "Mat d asks for a bowl. You have no such card, and need no more bowl tokens. With "
        "five cards for six mats, one mat is always left out. If you pass, you have no more "
        "turns in this round. Save your two cards: pass."
    ),
    "p",
    ("p", "y"),
    ("p",),
    again=Sentence(
        "The rules allow that move, but you will need both cards in the last round: pass."
    ),
    replies=(Play(3, 3),),
)
ALONE: Final = SetLesson(
    Sentence(
        "Your bluff was called, and you took the whisk. {name} was alone on mat d and took "
        "its token, and that card stays unseen: did it match? Now you lack scoop and water. "
        "Mat e shows a scoop, but asks for a 4, and you have none. Bluff: lay your other zero "
        "on mat e."
    ),
    "4 e Enter",
    ("4 e", "y"),
    ("4e", "1e"),
    again=Sentence(
        "The rules allow that move, but the scoop is on mat e: lay your zero there."
    ),
    talk=Sentence("Another whisk for you? I think not."),
    replies=(PASS,),
)
FREE: Final = SetLesson(
    Sentence(
        "{name} did not dare to call you, and has no more turns in this round. Your zero will "
        "take the scoop of mat e, unseen. Nobody can call your last card either: lay card 2 on "
        "mat f, for the water token."
    ),
    "2 f Enter",
    ("2 f", "y"),
    ("2f",),
    again=Sentence(
        "The rules allow that move, but the water token is on mat f: lay card 2 there."
    ),
    replies=(),
)

LESSONS: Final = (NUMBER_MAT, SUIT_MAT, BLUFF, SKIP, ALONE, FREE)
END: Final = Sentence(
    "You have all five kinds! That is the game: where to match, where to bluff, and which "
    "mat to leave to the other player. The rules tell the rest, ties and the other edition "
    "too. Now try a bot: bots bluff as well."
)
