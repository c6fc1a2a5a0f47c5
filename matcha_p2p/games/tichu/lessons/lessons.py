"""The text of the tutorial: two rounds with a partner, against two opponents.

Cards and answers are written as line mode reads them. The outcome of an answer is not written
here: the rules compute it.
"""

from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.tichu.rules.round import Ask
from matcha_p2p.language import Sentence
from matcha_p2p.narration.lessons import BY_LINE, ON_SCREEN, Lesson

__all__ = ["BY_LINE", "DEALS", "ON_SCREEN"]

VARIANT: Final = "300"
OTHERS: Final = (Sentence("Carl"), Sentence("Bea"), Sentence("Dora"))
"""The names of the next seat, the partner and the seat before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TichuLesson(Lesson):
    """A lesson. ask: the question to the student."""

    ask: Ask


@dataclass(frozen=True, slots=True)
class Deal:
    """A round.

    hands: by seat, as dealt; the student is seat 0. gifts: of each seat, to the seat before,
    the partner and the next seat. rest: the turns after the last lesson.
    """

    hands: tuple[str, str, str, str]
    gifts: tuple[str, str, str, str]
    lessons: tuple[TichuLesson, ...]
    rest: tuple[str, ...]


_ALL_PASS: Final = ("pass", "pass", "pass")

GRAND: Final = TichuLesson(
    Sentence(
        "Welcome! Bea, opposite you, is your partner; Carl on your right and Dora on your left "
        "play against you. All want to lay their 14 cards first. After eight cards Grand Tichu "
        "bets 200 points that you will be out first. This hand is too weak: do not call."
    ),
    "Enter",
    ("no",),
    ("no",),
    ask=Ask.GRAND,
)
EXCHANGE: Final = TichuLesson(
    Sentence(
        "Now give a card to each other player. Opponents get what you do not need, and your "
        "partner gets a good card: the 7 for Dora, the king for Bea, the 8 for Carl. Nobody "
        "sees a gift before all have given."
    ),
    "7 K 8 Enter",
    ("give 7 K 8", "y"),
    ("give K7 RK B8",),
    ask=Ask.PUSH,
)
CALL: Final = TichuLesson(
    Sentence(
        "You got a 6 from Dora, an ace from Bea and a 4 from Carl. The 1 is the Mah Jong: its "
        "holder leads. Before you lay a card you may call Tichu: 100 points if you are out "
        "first, 100 less if not. Not yet: go on without a call."
    ),
    "Enter",
    ("hold",),
    ("hold",),
    ask=Ask.CALL,
)
STRAIGHT: Final = TichuLesson(
    Sentence(
        "A straight is five or more numbers in a row, in any suits: lead 1 2 3 4 5. The Mah "
        "Jong may wish for a number: whoever can must lay it, in turn, until somebody has. "
        "You know that Carl has an 8: wish for it."
    ),
    "1 2 3 4 5 Enter 8",
    ("1 2 3 4 5 wish 8",),
    ("M R2 G3 B4 K5 wish 8",),
    ask=Ask.TURN,
)
PAIR: Final = TichuLesson(
    Sentence(
        "A straight is beaten by a higher one with as many cards, and nobody could: the trick "
        "is yours, and the next lead. Two cards of one number are a pair. Lead the nines; the "
        "others can follow only with a higher pair."
    ),
    "9 9 Enter",
    ("9 9",),
    ("R9 K9",),
    _ALL_PASS,
    ask=Ask.TURN,
)
PASS: Final = TichuLesson(
    Sentence(
        "Carl has laid tens. Two jacks would beat them, but your three jacks are worth more "
        "together. Nobody has to beat anything, and who has passed may still lay later in the "
        "trick: pass."
    ),
    "p",
    ("pass",),
    ("pass",),
    ("RT GT", "pass", "pass"),
    ask=Ask.TURN,
)
DRAGON: Final = TichuLesson(
    Sentence(
        "All have passed, so Carl took the trick, and led. A leader can always lay a wished "
        "card, so he had to lay the 8. A single card is beaten by a higher one, and the ace by "
        "the Dragon alone: lay the Dragon, D."
    ),
    "D Enter",
    ("D",),
    ("D",),
    ("B8", "BQ", "KA"),
    ask=Ask.TURN,
)
GIFT: Final = TichuLesson(
    Sentence(
        "Nothing but a bomb beats the Dragon. But a trick that it wins goes to an opponent, of "
        "your choice, with the 25 points of the Dragon. Give it to either of them."
    ),
    "Enter",
    ("gift left",),
    ("gift left", "gift right"),
    _ALL_PASS,
    ask=Ask.GIFT,
)
FULL_HOUSE: Final = TichuLesson(
    Sentence(
        "The lead is yours all the same. Three cards of one number are a triple. With a pair "
        "of another number they are a full house, and the triple says how high it is. Lead J J "
        "J 6 6."
    ),
    "J J J 6 6 Enter",
    ("J J J 6 6",),
    ("RJ GJ BJ G6 B6",),
    ask=Ask.TURN,
)
OUT: Final = TichuLesson(
    Sentence("One card is left. Lay it, and you are out, before all others."),
    "A Enter",
    ("A",),
    ("GA",),
    _ALL_PASS,
    ask=Ask.TURN,
)
TICHU: Final = TichuLesson(
    Sentence(
        "Dora was last: you get her tricks, being out first, and your team gets her hand. "
        "Tricks count: 5 for a five, 10 for a ten or king, 25 for the Dragon, 25 less for the "
        "Phoenix. In round 2 the gifts are given already. This hand is strong: call Tichu."
    ),
    "Enter t y",
    ("tichu", "y"),
    ("tichu hold",),
    ask=Ask.CALL,
)
PHOENIX: Final = TichuLesson(
    Sentence(
        "Carl led the Mah Jong without a wish, and now an ace lies. In a combination the "
        "Phoenix, P, stands for any number. Alone it is half above the card that lies: it "
        "beats all but the Dragon. Lay the Phoenix."
    ),
    "P Enter",
    ("P",),
    ("P",),
    ("M", "B5", "KA"),
    ask=Ask.TURN,
)
STAIRS: Final = TichuLesson(
    Sentence(
        "The trick is yours. The last kind to learn is stairs: two or more pairs in a row. "
        "Lead 6 6 7 7."
    ),
    "6 6 7 7 Enter",
    ("6 6 7 7",),
    ("G6 B6 R7 K7",),
    _ALL_PASS,
    ask=Ask.TURN,
)
BOMB: Final = TichuLesson(
    Sentence(
        "Carl laid higher stairs, and it is not your turn. But four cards of a number are a "
        "bomb, and so is a straight in one suit. A bomb beats all but a higher bomb, even out "
        "of turn, so you are asked. Lay your kings."
    ),
    "b Enter",
    ("K K K K",),
    ("RK GK BK KK",),
    ("R9 G9 RT GT",),
    ask=Ask.HOLD,
)
DOG: Final = TichuLesson(
    Sentence(
        "The bomb took the trick. The Dog, H, can only be led, alone. Nobody can beat it, and "
        "your partner gets the lead. Lead the Dog."
    ),
    "H Enter",
    ("H",),
    ("H",),
    _ALL_PASS,
    ask=Ask.TURN,
)
ACES: Final = TichuLesson(
    Sentence(
        "Bea leads low, to let you in: that is what partners do. No pair beats two aces. Lay "
        "them, and keep the low threes for the last lead."
    ),
    "A A Enter",
    ("A A",),
    ("RA GA",),
    ("B2 K2", "pass"),
    ask=Ask.TURN,
)
LAST: Final = TichuLesson(
    Sentence("The lead is yours. Lay the threes, and you are out first: Tichu is made."),
    "3 3 Enter",
    ("3 3",),
    ("R3 K3",),
    _ALL_PASS,
    ask=Ask.TURN,
)

DEALS: Final = (
    Deal(
        (
            "D RJ GJ M R9 G3 B8 R2 K5 K9 BJ G6 RK K7",
            "RT GT B3 R4 G4 G5 GQ RQ KJ BK GK B4 K2 K3",
            "RA G2 G7 G9 B2 BQ P K4 BT KT H GA K6 R3",
            "R6 R7 R8 G8 B7 B9 BA K8 KQ KK KA B6 R5 B5",
        ),
        ("K7 RK B8", "B4 K3 K2", "R3 GA K6", "B5 R5 B6"),
        (GRAND, EXCHANGE, CALL, STRAIGHT, PAIR, PASS, DRAGON, GIFT, FULL_HOUSE, OUT),
        _ALL_PASS,
    ),
    Deal(
        (
            "P GK BK KK H G6 K4 R2 B6 K7 RA GA R3 BJ",
            "M G9 RT GT R4 G4 B4 R8 R5 G5 B3 R7 G3 B5",
            "B2 K2 RQ GQ D R6 K6 K8 KJ RJ BT RK KT R9",
            "G7 G8 GJ B7 B9 BQ BA K5 K9 KQ KA K3 G2 B8",
        ),
        ("K4 BJ R2", "R7 G3 B5", "R9 RK KT", "B8 G2 K3"),
        (TICHU, PHOENIX, STAIRS, BOMB, DOG, ACES, LAST),
        ("pass", "RQ GQ", "pass", "pass"),
    ),
)
PLAYED_ON: Final = Sentence(
    "You are out. The others play on until both of one team are out, or three players."
)
"""Said after the last lesson of a round."""
END: Final = Sentence(
    "Both of your team were out first: 200 points without counting cards, and 100 for Tichu. "
    "You win! The rules tell the rest. Now play with bots: partner and opponents are of one "
    "level, and the table shows what fits."
)
