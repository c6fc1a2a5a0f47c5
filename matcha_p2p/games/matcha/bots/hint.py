"""A hint in practice."""

from typing import Final

from matcha_p2p.games.matcha.bots.judge import judge
from matcha_p2p.games.matcha.bots.valuation.keeping import kept
from matcha_p2p.games.matcha.rules.judgement import JudgedMove, Judgement
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Keeping

_ITERATIONS: Final = 3000
"""Iterations of the search."""


def advise(observation: Observation) -> Judgement:
    """Return the strong bot's judgement of the moves; for cards to keep, only its choice."""
    if isinstance(observation.game.phase, Keeping):
        return Judgement((JudgedMove(kept(observation), 0.5, 0.5),), exact=False)
    return judge(observation, _ITERATIONS)
