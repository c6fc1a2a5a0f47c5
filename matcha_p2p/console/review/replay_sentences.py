"""The sentences of a replay's screen that all games share."""

from typing import Final

from matcha_p2p.language import Sentence

# The step and the view share a line of 60 cells.

AS_SEAT: Final = Sentence("Step {number} of {count}, as {name} saw it.")
AS_BOTH: Final = Sentence("Step {number} of {count}, with all cards that the file shows.")
AS_PUBLIC: Final = Sentence("Step {number} of {count}, as an onlooker saw it.")

MISTAKE: Final = Sentence("Step {number} of {count}. {mistake}")
READING: Final = Sentence("Step {number} of {count}. The game is being read.")
JUDGING: Final = Sentence(
    "Step {number} of {count}. Judged {judged} of {all}; mistakes so far: {found}."
)
JUDGED: Final = Sentence("Step {number} of {count}. Judged; mistakes: {found}.")
FLAWLESS: Final = Sentence("Step {number} of {count}. Judged: no mistake to step to.")

KEYS_JUDGED: Final = Sentence("arrows go  Space play  v view  a analysis  ? help  q leave")
KEYS_MISTAKES: Final = Sentence("arrows go  v view  a next  A before  ? help  q leave")
KEYS: Final = Sentence("arrows go  Space play  v view  ? help  q leave")

STEPS: Final = Sentence(
    "Right or Enter: next step. Left: previous step. Home, End: the first, the last."
)
BY_ITSELF: Final = Sentence("Space: the game plays by itself; any key stops it.")
JUDGES: Final = Sentence(
    "a: the analysis, which judges the game; then on to the next mistake, with both moves on "
    "the board. Shift-A: the mistake before."
)
LEAVE: Final = Sentence("q, Esc or F10: leave. Ctrl-L: draw the screen again.")
VALID: Final = Sentence("Valid: every message, signature and proof in the file is checked.")
