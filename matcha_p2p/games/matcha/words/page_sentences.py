"""Every sentence of a page of Matcha, by its key."""

from typing import Final

from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.words import captions, words
from matcha_p2p.language import Sentence
from matcha_p2p.narration import page_sentences, sentences
from matcha_p2p.review.page.build import Texts

MARK: Final = "抹茶"
"""The ornament of a page."""

_PAGE: Final[dict[str, Sentence]] = {
    "UNOFFICIAL": Sentence(
        "Matcha is a game by David Harding. This page is unofficial and loads nothing from "
        "the internet."
    ),
    "VERDICT_COMPLETE": Sentence("The game is complete; both have signed the result."),
    "VERDICT_DECIDED": Sentence("The game is decided; one player has not signed the result."),
    "TITLE": Sentence("Matcha: {first} and {second}"),
    "TABLE": Sentence("The six mats"),
    "HAND_OF": Sentence("The hand of {name}"),
    "TOKENS_OF": Sentence("Tokens: {tokens}"),
    "NEXT_REVEAL": Sentence("Next reveal"),
    "SETS": Sentence("Sets and rounds"),
    "SET_NUMBER": Sentence("Set {number}"),
    "ROUND_NUMBER": Sentence("The end of round {number}"),
    "BETTER": Sentence("A card with a question mark is the better move."),
    "CHART": Sentence("Tokens, round by round"),
    "KEYS": Sentence(
        "Keys: Left and Right move a step, Home and End go to the first and the last step, "
        "Space plays, n goes to the next reveal, v changes the view. On a touch screen, "
        "swipe over the table."
    ),
    "WHY_TITLE": captions.WHY_TITLE,
    "LEADS": captions.LEADS,
    "MATCH": captions.VERDICT_MATCH,
    "BLUFF": captions.VERDICT_BLUFF,
    "BEATEN": captions.VERDICT_BEATEN,
    "ZERO": words.ZERO,
    "NONE": sentences.NONE,
    "CARD": words.CARD,
    "HELD": words.HELD,
    "COMMA": sentences.COMMA,
    "FACE_DOWN": words.FACE_DOWN,
    "MAT_NUMBER": words.MAT_NUMBER,
    "MAT_SUIT": words.MAT_SUIT,
}


def page_texts() -> Texts:
    """Return the sentences of a page, by language and key."""
    tokens = {f"TOKEN_{token.name}": words.TOKENS[token] for token in Token}
    return page_sentences.page_texts({**_PAGE, **tokens})
