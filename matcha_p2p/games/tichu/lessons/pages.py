"""The rules of Tichu as pages, in our own words."""

from typing import Final

from matcha_p2p.language import Sentence

__all__ = ["paragraphs", "tips", "titles"]

ABOUT_TITLE: Final = Sentence("TICHU IN SHORT")
ABOUT: Final = Sentence(
    "Four players in two teams get rid of their cards; partners sit opposite each other. "
    "Rounds are played until a team has 1000 points or more and leads."
)
CARDS_TITLE: Final = Sentence("THE 56 CARDS")
CARDS: Final = Sentence(
    "Four suits, star ✦, jade ◉, pagoda ⌂ and sword ⍏, have the numbers 2 to 10, then J, Q, K "
    "and A. Four cards have no suit: the Mah Jong (1), the Dog, the Phoenix (Phx) and the "
    "Dragon (Drg)."
)
POINTS: Final = Sentence(
    "Each 5 counts 5 points, each 10 and each K 10, the Dragon 25, the Phoenix 25 less. All "
    "other cards count nothing."
)
BEFORE_TITLE: Final = Sentence("BEFORE THE FIRST TRICK")
GRAND: Final = Sentence(
    "After eight of your 14 cards you may call Grand Tichu: 200 points if you are out first, "
    "200 less if not. All four are asked in turn and hear each other's answers."
)
EXCHANGE: Final = Sentence(
    "Then each player gives one card to each other player. Nobody sees a card received before "
    "all have given."
)
CALL: Final = Sentence(
    "With 14 cards in hand you may call Tichu when you are asked for anything: 100 points in "
    "the same way. One call a round is all you have."
)
FIRST: Final = Sentence("The holder of the Mah Jong leads, with any cards.")
KINDS_TITLE: Final = Sentence("WHAT CAN BE LAID")
KINDS: Final = Sentence(
    "Lay a single card, a pair, a triple, or a full house of a triple and a pair. Stairs are "
    "two or more pairs in a row; a straight is five or more numbers in a row."
)
BOMBS: Final = Sentence(
    "Four cards of one number are a bomb, and so is a straight in one suit, which beats every "
    "four. A longer one beats a shorter one."
)
TURN_TITLE: Final = Sentence("A TRICK")
FOLLOW: Final = Sentence(
    "In your turn pass, or lay the same kind with the same number of cards, but higher. Full "
    "houses are compared by their triples. If you have passed, you may still lay later."
)
OUT_OF_TURN: Final = Sentence(
    "A bomb beats everything but a higher bomb, also out of turn: before each turn, and before "
    "a trick is taken, the others with four cards or more are asked. The player after the "
    "bomber goes on."
)
TAKING: Final = Sentence(
    "When all others pass in a row, the last who has laid takes the trick and leads; if that "
    "player is out, the next one leads."
)
SPECIAL_TITLE: Final = Sentence("THE FOUR SPECIAL CARDS")
MAH_JONG: Final = Sentence(
    "- The Mah Jong is the 1. With it you may wish for a number: in their turns players must "
    "lay a card of that number if any combination allows it, until somebody has."
)
DOG: Final = Sentence("- The Dog is led alone, and gives the lead to your partner.")
PHOENIX: Final = Sentence(
    "- The Phoenix stands for a number from 2 to 14 that you name, but not in a bomb. Alone it "
    "is half above the card that lies, or 1.5 at a lead; it never beats the Dragon."
)
DRAGON: Final = Sentence(
    "- The Dragon is the highest single card. If it wins a trick, you give that trick to an "
    "opponent of your choice."
)
END_TITLE: Final = Sentence("THE END OF A ROUND")
END: Final = Sentence(
    "A round ends when both players of a team are out. If they are first and second, their "
    "team gets 200 points and no cards are counted."
)
COUNTING: Final = Sentence(
    "Otherwise the last player gives the cards in hand to the other team and the tricks to "
    "whoever was out first; then the points of the tricks count. Calls count in every round."
)
AUDIT: Final = Sentence(
    "After each round all hands are opened. A player who has passed over a wish, or has hidden "
    "the Mah Jong, ends the game."
)

_CHAPTERS: Final = (
    (ABOUT_TITLE, (ABOUT,)),
    (CARDS_TITLE, (CARDS, POINTS)),
    (BEFORE_TITLE, (GRAND, EXCHANGE, CALL, FIRST)),
    (KINDS_TITLE, (KINDS, BOMBS)),
    (TURN_TITLE, (FOLLOW, OUT_OF_TURN, TAKING)),
    (SPECIAL_TITLE, (MAH_JONG, DOG, PHOENIX, DRAGON)),
    (END_TITLE, (END, COUNTING, AUDIT)),
)
_TIPS: Final = (POINTS, BOMBS, FOLLOW, MAH_JONG, DOG, PHOENIX, DRAGON, END)


def paragraphs(_variant: str) -> tuple[str, ...]:
    """Return the rules paragraph by paragraph, "" between chapters."""
    lines: list[str] = []
    for title, sentences in _CHAPTERS:
        lines += [title(), *(sentence() for sentence in sentences), ""]
    return tuple(lines[:-1])


def titles(_variant: str) -> frozenset[str]:
    """Return which of the paragraphs are titles."""
    return frozenset(title() for title, _ in _CHAPTERS)


def tips(_variant: str) -> tuple[str, ...]:
    """Return rules, each understood by itself."""
    return tuple(tip().removeprefix("- ") for tip in _TIPS)
