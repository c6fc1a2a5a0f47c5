"""Every sentence of the replay's screen besides the course of the game."""

from typing import Final

from matcha_p2p.language import Sentence

# The step and the view share a line of 60 cells.

TITLE: Final = Sentence("valid: {first} and {second}")
WINDOW: Final = Sentence("matcha: {first} and {second}")
AS_SEAT: Final = Sentence("Step {number} of {count}, as {name} saw it.")
AS_SEAT_CLOSED: Final = Sentence(
    "Step {number} of {count}, as {name} saw it; the cards are not open."
)
AS_BOTH: Final = Sentence("Step {number} of {count}, with all that the file opens.")
AS_PUBLIC: Final = Sentence("Step {number} of {count}, as an onlooker saw it.")

KEYS_LIVE: Final = Sentence("Left, Right step  Space play  v view  ? help  q leave")
KEYS: Final = Sentence("Arrows step  Space play  v view  a judge  ? help  q leave")
HELP: Final = (
    (
        Sentence(
            "Right or Enter: a step on. Left: a step back. Home, End: the first, the last."
        ),
        Sentence("Space: the game goes on by itself, and stops at any key."),
        Sentence("PgDn, PgUp: the next and the previous round. s, Shift-S: the same by sets."),
        Sentence(
            "n: on to where cards are turned up and tokens are taken. d: on to the next "
            "decision of the player in front."
        ),
        Sentence(
            "v: as whom you look on: with all that the file opens, as an onlooker, as a player."
        ),
        Sentence(
            "F2: the rules. F4: all that has happened. w or F5: why the last round ended so."
        ),
        Sentence(
            "a: the analysis of the game: chances round by round, and what each decision whose "
            "cards are open to you was worth."
        ),
        Sentence("q, Esc or F10: leave. Ctrl-L: draw anew."),
    ),
    (
        Sentence("Valid: each message, signature and proof in the file has been checked."),
        Sentence("Shaded cells are cards that lie face down for whom you look on as."),
        Sentence(
            "A player's cards are open if the player has opened the book after the game. Your "
            "own are open to you alone, where your home has kept the key."
        ),
    ),
)
