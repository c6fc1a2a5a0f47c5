"""The sentences that all games share: talk, the line, and the other player's program."""

from collections.abc import Iterable
from typing import Final

from matcha_p2p.language import Sentence

COMMA: Final = Sentence(", ")
NONE: Final = Sentence("none")

YOU_SAID: Final = Sentence("You said: {text}")
SAYS: Final = Sentence("{name} says: {text}")
SAID_BEFORE: Final = Sentence("What you said to each other before:")
LINE_UP: Final = Sentence("The connection is back; the game goes on.")
LINE_QUIET: Final = Sentence("Nothing has come for {seconds} s.")
LINE_DOWN: Final = Sentence("{why} The game is saved; looking for the other player again.")
BROKEN: Final = Sentence(
    "{name}'s program has broken the protocol: {breach}. The game stops; the evidence is safe."
)
BROKEN_AFTERWARDS: Final = Sentence(
    "{name}'s program has broken the protocol after the game: {breach}. The result stays as it "
    "is; the evidence is safe."
)
BROKEN_OURS: Final = Sentence(
    "Your own program has signed two statements that contradict each other, as happens when a "
    "game's folder is replaced by an older copy. The game stops."
)
WITHHELD: Final = Sentence(
    "{name}'s program announces {count} more messages of this game and does not send them. You"
    " cannot move until it does."
)
UNHEARD: Final = Sentence("{name} is not on the line, and does not hear that.")
CONCEDES_LATER: Final = Sentence(
    "You concede as soon as {name}'s program is connected and has told how far the game goes."
)


def listed(words: Iterable[str]) -> str:
    """Return ``words`` with commas between them, or the word for none if there are none."""
    return COMMA().join(words) or NONE()
