"""The sentences of a page of Kashi-ichi, by their keys."""

from typing import Final

from matcha_p2p.games.kashi.words import names
from matcha_p2p.language import Counted, Sentence
from matcha_p2p.narration import page_sentences
from matcha_p2p.review.page.build import Texts

MARK: Final = "菓子市"
"""The ornament of a page."""

_PAGE: Final[dict[str, Sentence | Counted]] = {
    "TITLE": Sentence("Kashi-ichi: {names}"),
    "NEXT_REVEAL": Sentence("Next settlement"),
    "SETS": Sentence("Settlements"),
    "BETTER": Sentence(
        "Squares with a dashed edge are the better way, and a triangle with a question mark is "
        "a shop of the better turn."
    ),
    "BETTER_SHOP": Sentence("the better move: a shop"),
    "CHART": Sentence("What each player has"),
    "KEYS": Sentence(
        "Keys: Left and Right move a step, Home and End go to the first and the last step, "
        "Space plays, n goes to the next settlement. On a touch screen, swipe over the board."
    ),
    "BEGIN": Sentence("Beginning"),
    "SETTLEMENT": Sentence("Settlement {number}"),
    "SHOPS_OF": Sentence("{name}, shops: {count}"),
    "ORDERS": Sentence("Open orders"),
    "PLAYER": Sentence("Player"),
    "POINTS": Sentence("points"),
    "GOLD": Sentence("gold"),
    "GOODS": Sentence("goods"),
    "SHOPS": Sentence("shops in hand"),
    "DONE": Sentence("orders"),
}


def page_texts() -> Texts:
    """Return the sentences of a page, by language and key."""
    places = {f"NAME_{name}": shown for name, shown in names.NAMES.items()}
    return page_sentences.page_texts({**_PAGE, **places})
