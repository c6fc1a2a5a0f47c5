"""Every sentence of the replay's screen besides the course of the game."""

from typing import Final

from matcha_p2p.language import Sentence

# The step and the view share a line of 60 cells.

TITLE: Final = Sentence("valid: {first} and {second}")
WINDOW: Final = Sentence("matcha: {first} and {second}")
AS_SEAT: Final = Sentence("Step {number} of {count}, as {name} saw it.")
AS_SEAT_CLOSED: Final = Sentence(
    "Step {number} of {count}, as {name} saw it; {name}'s cards are closed."
)
AS_BOTH: Final = Sentence("Step {number} of {count}, with all that the file opens.")
AS_PUBLIC: Final = Sentence("Step {number} of {count}, as an onlooker saw it.")

KEYS_LIVE: Final = Sentence("Left, Right step  Space play  v view  ? help  q leave")
KEYS: Final = Sentence("Arrows step  Space play  v view  a judge  ? help  q leave")
HELP: Final = (
    (
        Sentence(
            "Right or Enter: next step. Left: previous step. Home, End: the first, the last."
        ),
        Sentence("Space: the game plays by itself; any key stops it."),
        Sentence("PgDn, PgUp: the next and the previous round. s, Shift-S: the same by sets."),
        Sentence(
            "n: on to the next cards turned up and tokens taken. d: on to the next decision "
            "of the player in front."
        ),
        Sentence("v: change the view: all that the file opens, an onlooker's, a player's."),
        Sentence(
            "F2: the rules. F4: the whole game so far. w or F5: how the last round was decided."
        ),
        Sentence(
            "a: the analysis of the game: chances round by round, and the value of each "
            "decision whose cards you can see."
        ),
        Sentence("q, Esc or F10: leave. Ctrl-L: draw the screen again."),
    ),
    (
        Sentence("Valid: every message, signature and proof in the file is checked."),
        Sentence("Shaded cells are cards that lie face down in this view."),
        Sentence(
            "A player's cards are open if the player opened the book after the game. If your "
            "home has the key, you see your own cards."
        ),
    ),
)
