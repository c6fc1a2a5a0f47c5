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
KEYS: Final = Sentence("Left, Right step  n reveal  v view  ? help  w why  q leave")
HELP: Final = (
    (
        Sentence(
            "Right or Enter: a step on. Left: a step back. Home, End: the first, the last."
        ),
        Sentence("PgDn, PgUp: the next and the previous round or set."),
        Sentence("n: on to where cards are turned up and tokens are taken."),
        Sentence(
            "v: as whom you look on: with all that the file opens, as an onlooker, as a player."
        ),
        Sentence(
            "F2: the rules. F4: all that has happened. w or F5: why the last round ended so."
        ),
        Sentence("q, Esc or F10: leave. Ctrl-L: draw anew."),
    ),
    (
        Sentence("Valid: each message, signature and proof in the file has been checked."),
        Sentence("Shaded cells are cards that lie face down for whom you look on as."),
        Sentence("A player's cards are open if the player has opened the book after the game."),
    ),
)
