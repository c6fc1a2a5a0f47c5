"""The sentences of the replay's screen besides the course of the game."""

from typing import Final

from matcha_p2p.console.review import replay_sentences
from matcha_p2p.language import Sentence

KEYS: Final = Sentence("PgDn, PgUp trick  s, S round  n points  d decision")
WHY_TITLE: Final = Sentence("How the last round was counted")
NOT_COUNTED: Final = Sentence("No round is over at this step.")
HELP: Final = (
    replay_sentences.STEPS,
    replay_sentences.BY_ITSELF,
    Sentence("PgDn, PgUp: the next and the previous trick. s, Shift-S: the same by round."),
    Sentence(
        "n: on to the points of a round. d: on to the next decision of the player in front."
    ),
    Sentence("v: change the view: all hands, an onlooker's, each player's."),
    Sentence(
        "F2: the rules. F4: the whole game so far. w or F5: how the last round was counted."
    ),
    replay_sentences.JUDGES,
    Sentence(
        "Judged are decisions of rounds that are over. The figures are points, rounded to "
        "tens, by which the own team wins the round on average, if all play on as club "
        "does."
    ),
    replay_sentences.LEAVE,
    replay_sentences.VALID,
    Sentence("All hands lie open once a round is over, from its first lead on."),
)
