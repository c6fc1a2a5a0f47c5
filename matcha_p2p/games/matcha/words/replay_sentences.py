"""Every sentence of the replay's screen besides the course of the game."""

from typing import Final

from matcha_p2p.console.review import replay_sentences
from matcha_p2p.language import Sentence

# The step and the view share a line of 60 cells.

TITLE: Final = Sentence("valid: {first} and {second}")
AS_SEAT_CLOSED: Final = Sentence(
    "Step {number} of {count}, as {name} saw it; {name}'s cards are closed."
)

KEYS: Final = Sentence("PgDn, PgUp round  s, S set  n tokens  d decision")
HELP: Final = (
    (
        replay_sentences.STEPS,
        replay_sentences.BY_ITSELF,
        Sentence("PgDn, PgUp: the next and the previous round. s, Shift-S: the same by sets."),
        Sentence(
            "n: on to the next cards turned up and tokens taken. d: on to the next decision "
            "of the player in front."
        ),
        Sentence("v: change the view: all that the file opens, an onlooker's, a player's."),
        Sentence(
            "F2: the rules. F4: the whole game so far. w or F5: how the last round was decided."
        ),
        replay_sentences.JUDGES,
        Sentence(
            "Judged are decisions whose cards you can see. Judging takes a moment for each."
        ),
        replay_sentences.LEAVE,
    ),
    (
        replay_sentences.VALID,
        Sentence("Shaded cells are cards that lie face down in this view."),
        Sentence(
            "A player's cards are open if the player opened the book after the game. If your "
            "home has the key, you see your own cards."
        ),
    ),
)
