"""The part of Tichu for practice: a hint."""

import random

from matcha_p2p.games.tichu.bots.judgement import Judgement
from matcha_p2p.games.tichu.bots.keen import Keen
from matcha_p2p.games.tichu.rules.observation import Observation


def advise(observation: Observation) -> Judgement:
    """Return keen's judgement of the answers."""
    return Keen().judge(observation, random.Random(0))
