"""Quick phrases: sent as numbers, and read by each player in the player's own language."""

from typing import Final

from matcha_p2p.language import Sentence
from matcha_p2p.wire.talk import Phrase, Say

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
"""The phrase of each number (SPEC#phrases). Like all talk, a phrase may be a lie."""

LISTED: Final = Sentence("{number}: {phrase}")
MEANS: Final = Sentence("   Enter says: {phrase}")
PHRASES_HELP: Final = Sentence(
    "/ and a number, then Enter: a phrase, which the other player reads in their own language."
)
SAY_WHICH: Final = Sentence("Which phrase? Type phrase and a number; phrases lists them.")


def phrase_of(typed: str) -> int | None:
    """Return the number of the phrase named ``typed``, or None."""
    return int(typed) if typed.isascii() and typed.isdigit() and int(typed) in PHRASES else None


def words_of(said: Say | Phrase) -> str:
    """Return the words of ``said`` in the reader's language."""
    return said.text if isinstance(said, Say) else PHRASES[said.number]()


def phrase_list() -> tuple[str, ...]:
    """Return all phrases, one a line."""
    return tuple(LISTED(number=number, phrase=phrase()) for number, phrase in PHRASES.items())
