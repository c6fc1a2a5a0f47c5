"""The sentences of all games: talk, the line, and the other player's program."""

from collections.abc import Iterable
from typing import Final

from matcha_p2p.language import Sentence

COMMA: Final = Sentence(", ")
NONE: Final = Sentence("none")

YOU_SAID: Final = Sentence("You said: {text}")
SAYS: Final = Sentence("{name} says: {text}")
SAID_BEFORE: Final = Sentence("Your talk so far:")
LINE_UP: Final = Sentence("{name} is connected again.")
LINE_QUIET: Final = Sentence("No message from {name} for {seconds} s.")
LINE_DOWN: Final = Sentence(
    "The line to {name} has ended: {why} The game is saved; looking for {name} again."
)
BROKEN: Final = Sentence(
    "{name}'s program broke the protocol: {breach}. The game stops; the proof is saved."
)
BROKEN_AFTERWARDS: Final = Sentence(
    "{name}'s program broke the protocol after the game: {breach}. The result stands; the "
    "proof is saved."
)
BROKEN_OURS: Final = Sentence(
    "Your own program signed two statements that contradict each other. This happens if a "
    "game's folder is replaced by an older copy. The game stops."
)
WITHHELD: Final = Sentence(
    "{name}'s program announced {count} more messages of this game and has not sent them. "
    "Until they arrive, you cannot move."
)
IS_OVER: Final = Sentence("The game with {name} is over.")
UNHEARD: Final = Sentence("{name} is not connected and does not receive this.")
UNPROVEN: Final = Sentence(
    "Your program was started again, and other copies of the game may hold moves of yours that "
    "are lost here. You play on once the programs of these players have answered: {names}."
)
FAR_SEAT_MISSING: Final = Sentence(
    "The game has waited for {name} for {seconds} s. {name} may be thinking. Messages of "
    "{name} reach you only through {ways}."
)
UNGREETED: Final = Sentence(
    "The game has waited for the greeting of {names} for {seconds} s, and begins only then. If "
    "you leave, nothing is lost."
)
YOU_OFFER: Final = Sentence(
    "You offer to concede. A team concedes only with both: your partner can agree until you "
    "play on."
)
PARTNER_OFFERS: Final = Sentence(
    "{name} offers to concede. A team concedes only with both: concede too if you agree, or "
    "play on."
)
OFFERS: Final = Sentence("{name} offers to concede. A team concedes only with both.")
CONCEDES_LATER: Final = Sentence(
    "You concede when {name}'s program is connected and has told how far the game goes."
)


def listed(words: Iterable[str]) -> str:
    """Return ``words`` with commas between, or the word for none."""
    return COMMA().join(words) or NONE()
