"""Every sentence of a page and of an index of pages, by their keys."""

from collections.abc import Mapping
from typing import Final

from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.words import captions, game_sentences, words
from matcha_p2p.language import LANGUAGES, Counted, Sentence
from matcha_p2p.narration import sentences
from matcha_p2p.narration.breaches import BREACHES

_COMMON: Final[dict[str, Sentence]] = {
    "NOT_RUN": Sentence(
        "This page has not checked its game: its script did not run. Scripts are switched "
        "off here, or the page was altered. Switch scripts on, or ask for the page again."
    ),
    "LANGUAGE": Sentence("Language"),
    "COLOURS": Sentence("Colours"),
    "AS_SYSTEM": Sentence("as the system"),
    "LIGHT": Sentence("light"),
    "DARK": Sentence("dark"),
    "UNOFFICIAL": Sentence(
        "Matcha is a game by David Harding. This page is unofficial and loads nothing from "
        "the internet."
    ),
}

_INDEX: Final[dict[str, Sentence | Counted]] = {
    "INDEX_TITLE": Sentence("Games of Matcha"),
    "FILTERS": Sentence("Which games are listed"),
    "ANY": Sentence("any"),
    "PLAYER": Sentence("Player"),
    "PLAYERS": Sentence("Players"),
    "EDITION": Sentence("Edition"),
    "RESULT": Sentence("Result"),
    "DATE": Sentence("Date"),
    "SET_COUNT": Sentence("Sets"),
    "SCORES": Sentence("Scores"),
    "WON": Sentence("Won"),
    "LOST": Sentence("Lost"),
    "DRAWN": Sentence("Drawn"),
    "WINS_OVER_TIME": Sentence("Games won, over time"),
    "INDEX_COUNT": Counted("{count} game is listed.", "{count} games are listed."),
    "INDEX_WINS": Sentence("{name} won"),
    "INDEX_DECIDED": Sentence("decided"),
    "INDEX_A_DRAW": Sentence("drawn"),
    "INDEX_NOT_OVER": Sentence("unfinished"),
    "INDEX_NOT_VALID": Sentence("not valid"),
    "INDEX_NOTE": Sentence(
        "matcha_p2p verified these games when it wrote this list. Each game's own page "
        "verifies the game again. Names prove nothing: a player can use any name."
    ),
}

_PAGE: Final[dict[str, Sentence]] = {
    # The findings of the check.
    "COULD_NOT": Sentence("This page could not check the game: {why}"),
    "CHECKING": Sentence("The game is being checked: {percent} % so far."),
    "CHECKING_BAR": Sentence("How much of the game is checked"),
    "VALID": Sentence(
        "Every move is checked. Signed messages: {entries}, other statements: {records}, time: "
        "{seconds} s."
    ),
    "INVALID": Sentence("This game is not valid."),
    "BREAKS": Sentence("Item {item} breaks the check {check}: {breach}."),
    "SIGNED": Sentence("{name} (seat {seat}) signed the item."),
    "UNSIGNED": Sentence("No signature shows who sent the item."),
    "SOUND_BEFORE": Sentence("The game is shown up to that item, and is valid so far."),
    "VERDICT_COMPLETE": Sentence("The game is complete; both have signed the result."),
    "VERDICT_DECIDED": Sentence("The game is decided; one player has not signed the result."),
    "VERDICT_RESIGNED": Sentence("The game ended by a signed resignation."),
    "VERDICT_UNFINISHED": Sentence("The game is unfinished."),
    "WAITING": Sentence("The next message is due from {name}."),
    # The replay.
    "TITLE": Sentence("Matcha: {first} and {second}"),
    "TABLE": Sentence("The six mats"),
    "HAND_OF": Sentence("The hand of {name}"),
    "TOKENS_OF": Sentence("Tokens: {tokens}"),
    "CONTROLS": Sentence("The steps of the game"),
    "STEP_SLIDER": Sentence("Step"),
    "STEP": Sentence("Step {number} of {count}"),
    "TO_FIRST": Sentence("To the first step"),
    "STEP_BACK": Sentence("A step back"),
    "STEP_ON": Sentence("A step on"),
    "TO_LAST": Sentence("To the last step"),
    "PLAY": Sentence("Play step by step"),
    "PAUSE": Sentence("Stop playing"),
    "NEXT_REVEAL": Sentence("Next reveal"),
    "SPEED": Sentence("Speed"),
    "SLOW": Sentence("slow"),
    "NORMAL": Sentence("normal"),
    "FAST": Sentence("fast"),
    "VIEW": Sentence("View"),
    "VIEW_BOTH": Sentence("all opened cards"),
    "VIEW_PUBLIC": Sentence("an onlooker"),
    "SETS": Sentence("Sets and rounds"),
    "SET_NUMBER": Sentence("Set {number}"),
    "ROUND_NUMBER": Sentence("The end of round {number}"),
    "THE_END": Sentence("The end of the game"),
    "TOKENS": Sentence("Tokens, round by round"),
    "CHANCES": Sentence("Chances to win, set by set, in percent"),
    "CHANCES_NOTE": Sentence(
        "An estimate: this page computes the chances from the checked tokens at the start of "
        "each set, with what a bot learned from games against itself."
    ),
    "WHOLE": Sentence("The whole game in words"),
    # How to do without the page.
    "HOW_TO_CHECK": Sentence("Check it without this page"),
    "CHECK_1": Sentence(
        "A page can claim anything about itself. Save its transcript, and check it with a "
        "verifier from elsewhere."
    ),
    "SAVE": Sentence("Save the transcript"),
    "CHECK_2": Sentence("With matcha_p2p installed, type this:"),
    "DIGEST": Sentence("SHA-256 of the transcript:"),
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


def page_texts() -> dict[str, dict[str, str | dict[str, str]]]:
    """Return the sentences of a page, by language and key."""
    said: dict[str, Sentence | Counted] = {**_COMMON, **_PAGE, **_FROM_THE_GAME}
    for token in Token:
        said[f"TOKEN_{token.name}"] = words.TOKENS[token]
        said[f"ONE_{token.name}"] = words.ONE_TOKEN[token]
        said[f"SOME_{token.name}"] = words.SOME_TOKENS[token]
        said[f"COUNTED_{token.name}"] = words.COUNTED_TOKENS[token]
    return _texts(
        said | {f"BREACH_{check.value}": breach for check, breach in BREACHES.items()}
    )


def index_texts() -> dict[str, dict[str, str | dict[str, str]]]:
    """Return the sentences of an index, by language and key."""
    return _texts(_COMMON | _INDEX)


def _texts(
    said: Mapping[str, Sentence | Counted],
) -> dict[str, dict[str, str | dict[str, str]]]:
    return {
        language: {key: _text(each, language) for key, each in said.items()}
        for language in LANGUAGES
    }


def _text(said: Sentence | Counted, language: str) -> str | dict[str, str]:
    return said.text_in(language) if isinstance(said, Sentence) else said.forms_in(language)
