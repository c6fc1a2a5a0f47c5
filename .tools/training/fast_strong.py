"""The strong bot with its search in C, for reports that ask it many thousand times."""

from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.bots.solving.fast_search import FastSearch
from matcha_p2p.games.matcha.rules.phases import Placing


class FastStrong:
    """Plays rounds 1 and 2 as strong does, and leaves all else to another bot."""

    name = "strong"

    def __init__(self, others="strong"):
        self._others = BOTS[others]

    def choose(self, observation, rng):
        game = observation.game
        early = isinstance(game.phase, Placing) and len(game.rounds) < 3
        if early and len(observation.legal_moves()) > 1:
            found = FastSearch(observation).run(rng, BOTS["strong"].iterations)
            return found[0].move
        return self._others.choose(observation, rng)
