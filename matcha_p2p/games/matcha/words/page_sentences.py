"""Every sentence of a page of Matcha, by its key."""

from typing import Final

from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.words import captions, game_sentences, words
from matcha_p2p.language import Counted, Sentence
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
}

_FROM_THE_GAME: Final[dict[str, Sentence | Counted]] = {
    "SET": game_sentences.SET,
    "ZEROS_MET_1": game_sentences.ZEROS_MET[1],
    "ZEROS_MET_2": game_sentences.ZEROS_MET[2],
    "MATS_OF_ROUND": game_sentences.MATS_OF_ROUND,
    "DEALT": game_sentences.DEALT,
    "HAND": game_sentences.HAND,
    "SEALED": game_sentences.SEALED,
    "SEALED_CARD": game_sentences.SEALED_CARD,
    "PASSED": game_sentences.PASSED,
    "PASSED_AUTO": game_sentences.PASSED_AUTO,
    "OPENED": game_sentences.OPENED,
    "GAIN": game_sentences.GAIN,
    "GAIN_NOBODY": game_sentences.GAIN_NOBODY,
    "UNOPENED": game_sentences.UNOPENED,
    "EMPTY": game_sentences.EMPTY,
    "HOLDS": game_sentences.HOLDS,
    "NEXT_ROUND": game_sentences.NEXT_ROUND,
    "KEEPS": game_sentences.KEEPS,
    "KEPT": game_sentences.KEPT,
    "WINS": game_sentences.WINS,
    "DRAW": game_sentences.DRAW,
    "FIVE_KINDS": game_sentences.FIVE_KINDS,
    "ALL_KINDS": game_sentences.ALL_KINDS,
    "TIE_BREAK": game_sentences.TIE_BREAK,
    "TIE_BREAK_KINDS": game_sentences.TIE_BREAK_KINDS,
    "FURTHER": game_sentences.FURTHER,
    "LAST_SET": game_sentences.LAST_SET,
    "CONCEDED": game_sentences.CONCEDED,
    "WHY_TITLE": captions.WHY_TITLE,
    "WHY_NOTHING": game_sentences.WHY_NOTHING,
    "WHY_NUMBER": game_sentences.WHY_NUMBER,
    "WHY_SUIT": game_sentences.WHY_SUIT,
    "WHY_BOTH": game_sentences.WHY_BOTH,
    "WHY_SUITS": game_sentences.WHY_SUITS,
    "WHY_NUMBERS": game_sentences.WHY_NUMBERS,
    "WHY_ONE": game_sentences.WHY_ONE,
    "WHY_NEITHER": game_sentences.WHY_NEITHER,
    "WHY_ALONE": game_sentences.WHY_ALONE,
    "WHY_EMPTY": game_sentences.WHY_EMPTY,
    "WHY_KIND": game_sentences.WHY_KIND,
    "LEADS": captions.LEADS,
    "MATCH": captions.VERDICT_MATCH,
    "BLUFF": captions.VERDICT_BLUFF,
    "BEATEN": captions.VERDICT_BEATEN,
    "ZERO": words.ZERO,
    "NONE": sentences.NONE,
    "CARD": words.CARD,
    "HELD": words.HELD,
    "COMMA": sentences.COMMA,
    "NUMBERED": words.NUMBERED,
    "FACE_DOWN": words.FACE_DOWN,
    "MAT_NUMBER": words.MAT_NUMBER,
    "MAT_SUIT": words.MAT_SUIT,
}


def page_texts() -> Texts:
    """Return the sentences of a page, by language and key."""
    said: dict[str, Sentence | Counted] = {**_PAGE, **_FROM_THE_GAME}
    for token in Token:
        said[f"TOKEN_{token.name}"] = words.TOKENS[token]
        said[f"ONE_{token.name}"] = words.ONE_TOKEN[token]
        said[f"SOME_{token.name}"] = words.SOME_TOKENS[token]
        said[f"COUNTED_{token.name}"] = words.COUNTED_TOKENS[token]
    return page_sentences.page_texts(said)
