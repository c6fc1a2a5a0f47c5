"""Quick phrases: sent as numbers, and read by each player in the player's own language."""

from typing import Final

from matcha_p2p.language import Sentence
from matcha_p2p.narration.sentences import listed
from matcha_p2p.wire.talk import Phrase, Say
from matcha_p2p.wire.text import number_in

PHRASES: Final = {
    1: Sentence("I have it."),
    2: Sentence("Nothing here."),
    3: Sentence("You would not dare."),
    4: Sentence("Are you sure?"),
    5: Sentence("Well played."),
    6: Sentence("Good luck."),
    7: Sentence("One moment, please."),
    8: Sentence("Shall we play again?"),
    9: Sentence("Thank you for the game."),
}
"""The phrase of each number (PEER#phrases). Like all talk, a phrase may be a lie."""

REACTIONS: Final = {"f6": 5, "f7": 4, "f8": 3, "f9": 9}
"""The phrases that one key says at a table, by the name of the key."""

LISTED: Final = Sentence("{number}: {phrase}")
MEANS: Final = Sentence("   Enter says: {phrase}")
PHRASES_HELP: Final = Sentence(
    "/ and a number, then Enter: a phrase, which others read in their own language."
)
REACTIONS_HELP: Final = Sentence("One key says a phrase at once: {keys}.")
REACTION: Final = Sentence("{key} {phrase}")
SAY_WHICH: Final = Sentence("Which phrase? Type phrase and a number; phrases lists them.")


def phrase_of(typed: str) -> int | None:
    """Return the number of the phrase named ``typed``, or None."""
    number = number_in(typed)
    return number if number in PHRASES else None


def words_of(said: Say | Phrase) -> str:
    """Return the words of ``said`` in the reader's language."""
    return said.text if isinstance(said, Say) else PHRASES[said.number]()


def reactions_help() -> str:
    """Return the keys that say a phrase at once, in a sentence."""
    keys = (
        REACTION(key=key.upper(), phrase=PHRASES[number]().rstrip(".。"))
        for key, number in REACTIONS.items()
    )
    return REACTIONS_HELP(keys=listed(keys))


def phrases_help() -> tuple[str, ...]:
    """Return the help on phrases: how to say them, the single keys, and all phrases."""
    return PHRASES_HELP(), reactions_help(), *phrase_list()


def phrase_list() -> tuple[str, ...]:
    """Return all phrases, one a line."""
    return tuple(LISTED(number=number, phrase=phrase()) for number, phrase in PHRASES.items())
