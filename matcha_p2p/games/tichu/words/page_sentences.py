"""The sentences of a page of Tichu, by their keys."""

from typing import Final

from matcha_p2p.games.tichu.words import captions, card_words
from matcha_p2p.language import Counted, Sentence
from matcha_p2p.narration import page_sentences
from matcha_p2p.review.page.build import Texts

MARK: Final = "Tichu"
"""The ornament of a page."""

_PAGE: Final[dict[str, Sentence | Counted]] = {
    "UNOFFICIAL": Sentence(
        "Tichu is a game by Urs Hostettler. This page is unofficial and loads nothing from "
        "the internet."
    ),
    "TITLE": Sentence("Tichu: {names}"),
    "DRAWN_FROM_CHECK": Sentence(
        "Hands, tricks, calls and points are drawn from this check. The sentences about the "
        "steps, and which cards were gifts, come from the program that wrote the page, and "
        "are not checked."
    ),
    "NEXT_REVEAL": Sentence("End of the trick"),
    "SETS": Sentence("Rounds"),
    "BETTER": Sentence("Lifted cards in a frame are the better play."),
    "CHART": Sentence("Points of each round, and the totals after it"),
    "KEYS": Sentence(
        "Keys: Left and Right move a step, Home and End go to the first and the last step, "
        "Space plays, n goes to the end of the trick, v changes the view. On a touch screen, "
        "swipe over the table."
    ),
    "CARDS": Sentence(
        "The suits are ✦ star, ◉ jade, ⌂ pagoda and ⍏ sword; 1 is the Mah Jong, Phx the "
        "Phoenix, Drg the Dragon."
    ),
    "MARKS": card_words.MARKS,
    "CARD": card_words.CARD,
    "ROUND_NUMBER": Sentence("Round {number}"),
    "ROUND_END": Sentence("The end of round {number}"),
    "HAND_OF": Sentence("The hand of {name}"),
    "GAVE": Sentence(
        "{name} gave {first} to {right}, {second} to {partner} and {third} to {left}."
    ),
    "LAID_BY": Sentence("laid by {name}"),
    "CALLED_100": captions.CALLED[100],
    "CALLED_200": captions.CALLED[200],
    "OUT": captions.OUT,
    "HAND_COUNT": captions.HAND,
    "IN_TRICKS": Sentence("trick points: {points}"),
    "NOTHING_LIES": captions.NOTHING_LIES,
    "TRICK": captions.TRICK,
    "WISH": captions.WISH,
}


def page_texts() -> Texts:
    """Return the sentences of a page, by language and key."""
    return page_sentences.page_texts(_PAGE)
