"""The sentences that pages of all games share, and the sentences of an index of pages."""

from collections.abc import Mapping
from typing import Final

from matcha_p2p.language import LANGUAGES, Counted, Sentence
from matcha_p2p.narration.breaches import BREACHES
from matcha_p2p.review.page.build import Texts

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
    "UNOFFICIAL": Sentence("This page is unofficial and loads nothing from the internet."),
}

_INDEX: Final[dict[str, Sentence | Counted]] = {
    "INDEX_TITLE": Sentence("Games of matcha"),
    "FILTERS": Sentence("Which games are listed"),
    "ANY": Sentence("any"),
    "PLAYER": Sentence("Player"),
    "PLAYERS": Sentence("Players"),
    "EDITION": Sentence("Game"),
    "RESULT": Sentence("Result"),
    "DATE": Sentence("Date"),
    "SET_COUNT": Sentence("Sets or rounds"),
    "SCORES": Sentence("Scores"),
    "WON": Sentence("Won"),
    "LOST": Sentence("Lost"),
    "DRAWN": Sentence("Drawn"),
    "WINS_OVER_TIME": Sentence("Games won, over time"),
    "INDEX_COUNT": Counted("{count} game is listed.", "{count} games are listed."),
    "INDEX_WINS": Sentence("{name} won"),
    "INDEX_TEAM_WINS": Sentence("{names} have won"),
    "INDEX_DECIDED": Sentence("decided"),
    "INDEX_A_DRAW": Sentence("drawn"),
    "INDEX_NOT_OVER": Sentence("unfinished"),
    "INDEX_NOT_VALID": Sentence("not valid"),
    "INDEX_NOTE": Sentence(
        "matcha_p2p verified these games when it wrote this list. Each game's own page "
        "verifies the game again. Names prove nothing: a player can use any name."
    ),
}

_PAGE: Final[dict[str, Sentence | Counted]] = {
    # The findings of the check.
    "COULD_NOT": Sentence("This page could not check the game: {why}"),
    "CHECKING": Sentence("The game is being checked: {percent} % so far."),
    "CHECKING_BAR": Sentence("How much of the game is checked"),
    "VALID": Sentence("Every move is checked."),
    "COUNTS": Sentence(
        "Signed messages: {entries}, other statements: {records}, time: {seconds} s."
    ),
    "INVALID": Sentence("This game is not valid."),
    "BREAKS": Sentence("Item {item} breaks the check {check}: {breach}."),
    "SIGNED": Sentence("{name} (seat {seat}) signed the item."),
    "UNSIGNED": Sentence("No signature shows who sent the item."),
    "SOUND_BEFORE": Sentence("The game is shown up to that item, and is valid so far."),
    "DIFFERS": Sentence(
        "This page is false: its step {number} is not a step of the game that the page has "
        "checked. So the page draws no step."
    ),
    "DRAWN_FROM_CHECK": Sentence(
        "The board and all numbers of the players are drawn from this check. The sentences "
        "about the steps come from the program that wrote the page, and are not checked."
    ),
    "VERDICT_COMPLETE": Sentence("The game is complete; all have signed the result."),
    "VERDICT_DECIDED": Sentence("The game is decided; not all have signed the result."),
    "WINNERS": Counted("Winner: {names}.", "Winners: {names}."),
    "VERDICT_RESIGNED": Sentence("The game ended by a signed resignation."),
    "VERDICT_UNFINISHED": Sentence("The game is unfinished."),
    "WAITING": Sentence("The next message is due from {name}."),
    # The replay.
    "CONTROLS": Sentence("The steps of the game"),
    "STEP_SLIDER": Sentence("Step"),
    "STEP": Sentence("Step {number} of {count}"),
    "TO_FIRST": Sentence("To the first step"),
    "STEP_BACK": Sentence("A step back"),
    "STEP_ON": Sentence("A step on"),
    "TO_LAST": Sentence("To the last step"),
    "PLAY": Sentence("Play step by step"),
    "PAUSE": Sentence("Stop playing"),
    "SPEED": Sentence("Speed"),
    "SLOW": Sentence("slow"),
    "NORMAL": Sentence("normal"),
    "FAST": Sentence("fast"),
    "SOUND": Sentence("Sound of cards"),
    "VIEW": Sentence("View"),
    "VIEW_BOTH": Sentence("all opened cards"),
    "VIEW_PUBLIC": Sentence("an onlooker"),
    "THE_END": Sentence("The end of the game"),
    "NEXT_MISTAKE": Sentence("Next mistake"),
    "MISTAKES": Sentence("Mistakes"),
    "NO_MISTAKES": Sentence("No decision was judged a mistake."),
    "MISTAKE_AT": Sentence("Mistake {number} of {count}"),
    "BETTER_MOVE": Sentence("the better move"),
    "BETTER_PASS": Sentence("better: passing"),
    "MISTAKE_KEY": Sentence("The key a goes to the next mistake, A to the mistake before."),
    "JUDGED": Sentence(
        "matcha_p2p judged the decisions when it wrote this page. The page does not check the "
        "judgements."
    ),
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
    "WHY_TITLE": Sentence("Why"),
}


def page_texts(own: Mapping[str, Sentence | Counted]) -> Texts:
    """Return the sentences of a page. own: the game's sentences, by key.

    Each game has its own TITLE, NEXT_REVEAL, SETS, CHART, BETTER and KEYS. It may have another
    sentence for any other key.
    """
    breaches = {f"BREACH_{check.value}": breach for check, breach in BREACHES.items()}
    return _texts({**_COMMON, **_PAGE, **breaches, **own})


def index_texts() -> Texts:
    """Return the sentences of an index."""
    return _texts(_COMMON | _INDEX)


def _texts(
    said: Mapping[str, Sentence | Counted],
) -> Texts:
    return {
        language: {key: _text(each, language) for key, each in said.items()}
        for language in LANGUAGES
    }


def _text(said: Sentence | Counted, language: str) -> str | dict[str, str]:
    return said.text_in(language) if isinstance(said, Sentence) else said.forms_in(language)
