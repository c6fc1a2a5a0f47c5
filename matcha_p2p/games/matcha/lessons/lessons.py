"""The text of the tutorial: the first set of a game against a patient master.

Tests compare the statements about cards and tokens with the rules. The outcome of a move is
not written here: the rules compute it.
"""

from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.matcha.rules.cards import Hands
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.moves import PASS, Move, Pass, Play
from matcha_p2p.games.matcha.rules.notation import faces, parse_move
from matcha_p2p.language import Sentence

EDITION: Final = EDITION_2015
MASTER: Final = Sentence("Rikyu")
TABLE: Final = faces("B2 T3 W3 B1 S4 W4")
HANDS: Final[Hands] = (faces("Z S1 T1 Z S2"), faces("T2 T4 B3 W2 W1"))
"""Of the student, who leads, and of the master."""


@dataclass(frozen=True, slots=True)
class SetLesson:
    """A move to make.

    says: before the move; {name} of the master, {count} tokens alike that win, {lay} and
    {skip} of MoveHints. wanted: the moves that will do. again: said after a move outside
    ``wanted``. talk: the master's words after the move, or None. replies: the master's moves.
    """

    says: Sentence
    wanted: frozenset[Move]
    again: Sentence
    talk: Sentence | None
    replies: tuple[Play | Pass, ...]


@dataclass(frozen=True, slots=True)
class MoveHints:
    """How to lay a card and how to pass, in the keys of a front end."""

    lay: Sentence
    skip: Sentence


ON_SCREEN: Final = MoveHints(
    Sentence("Press 5, then a, then Enter."), Sentence("Press p, then Enter.")
)
BY_LINE: Final = MoveHints(Sentence("Type 5 a, then y."), Sentence("Type p, then y."))


def _moves(*texts: str) -> frozenset[Move]:
    return frozenset(map(parse_move, texts))


NUMBER_MAT: Final = SetLesson(
    Sentence(
        "Welcome! Six cards lie on the mats a to f; a and b are played now. Mat a asks for "
        "the number 2, mat b for a leaf. One token of each of the five kinds wins, or {count} "
        "of one kind. Your fifth card, a scoop, has the number: lay it on mat a. {lay}"
    ),
    _moves("5a"),
    Sentence("The rules allow that move, but first let us try mat a: lay card 5 there."),
    None,
    (Play(0, 0),),
)
SUIT_MAT: Final = SetLesson(
    Sentence(
        "{name} has a card on mat a too, so both will be opened. If both have the 2, the "
        "better suit wins: leaf beats bowl and water, but scoop beats leaf. Mat b asks for a "
        "leaf; there the better number wins. Your leaf 1 beats a 4, though no other number. "
        "Try it: card 3 on mat b."
    ),
    _moves("3b"),
    Sentence("The rules allow that move, but only a leaf matches mat b: lay card 3 there."),
    None,
    (Play(1, 1),),
)
BLUFF: Final = SetLesson(
    Sentence(
        "Scoop beat leaf, and 1 beat 4. You took a bowl and a leaf, the suits of the mats' "
        "own cards. Now for a whisk: it goes to a card that does not match, against one that "
        "does. A zero never matches. Lay a zero on mat c, and hope to be caught."
    ),
    _moves("1c", "4c"),
    Sentence(
        "The rules allow that move, but you need a whisk: lay one of your zeros on mat c."
    ),
    Sentence("You would not bluff me, would you?"),
    (Play(2, 2),),
)
SKIP: Final = SetLesson(
    Sentence(
        "Mat d asks for a bowl. You have no such card, and need no more bowl tokens. With "
        "five cards for six mats, one mat is always left out. If you pass, you have no more "
        "turns in this round. Save your two cards: pass. {skip}"
    ),
    _moves("p"),
    Sentence(
        "The rules allow that move, but you will need both cards in the last round: pass."
    ),
    None,
    (Play(3, 3),),
)
ALONE: Final = SetLesson(
    Sentence(
        "Your bluff was called, and you took the whisk. {name} was alone on mat d and took "
        "its token, and that card stays unseen: did it match? Now you lack scoop and water. "
        "Mat e shows a scoop, but asks for a 4, and you have none. Bluff: lay your other zero "
        "on mat e."
    ),
    _moves("1e", "4e"),
    Sentence("The rules allow that move, but the scoop is on mat e: lay your zero there."),
    Sentence("Another whisk for you? I think not."),
    (PASS,),
)
FREE: Final = SetLesson(
    Sentence(
        "{name} did not dare to call you, and has no more turns in this round. Your zero will "
        "take the scoop of mat e, unseen. Nobody can call your last card either: lay card 2 on "
        "mat f, for the water token."
    ),
    _moves("2f"),
    Sentence("The rules allow that move, but the water token is on mat f: lay card 2 there."),
    None,
    (),
)

LESSONS: Final = (NUMBER_MAT, SUIT_MAT, BLUFF, SKIP, ALONE, FREE)
END: Final = Sentence(
    "You have all five kinds! That is the game: where to match, where to bluff, and which "
    "mat to leave to the other player. The rules tell the rest, ties and the other edition "
    "too. Now try a bot: bots bluff as well."
)
