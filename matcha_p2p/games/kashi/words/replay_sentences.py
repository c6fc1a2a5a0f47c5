"""The sentences of the replay's screen besides the course of the game."""

from typing import Final

from matcha_p2p.console.review import replay_sentences
from matcha_p2p.language import Sentence

POSITION: Final = Sentence("Step {number} of {count}, {name} in front.")
KEYS: Final = Sentence("PgDn, PgUp turn  s, S round  n settlement  d decision")
HELP: Final = (
    replay_sentences.STEPS,
    replay_sentences.BY_ITSELF,
    Sentence("PgDn, PgUp: the next and the previous turn. s, Shift-S: the same by round."),
    Sentence(
        "n: on to the next settlement. d: on to the next decision of the player in front."
    ),
    Sentence("v: another player in front. @ is this player; lit goods are lacking."),
    Sentence("F2: the rules. F4: the whole game so far."),
    replay_sentences.JUDGES,
    Sentence(
        "A mistake loses points of the lead at the end, on average, if all play on as the bot "
        "club does. Judging takes about a second for each turn."
    ),
    replay_sentences.LEAVE,
    replay_sentences.VALID,
)
