"""The strongest bot: libraries in C compute at once what takes Python seconds."""

import random
from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.matcha.bots.solving import fast_form, round2, round3
from matcha_p2p.games.matcha.bots.solving.fast_search import FastSearch
from matcha_p2p.games.matcha.bots.solving.likely import likely_deals
from matcha_p2p.games.matcha.bots.solving.round3 import Advice
from matcha_p2p.games.matcha.bots.strong import Temper, preferred
from matcha_p2p.games.matcha.bots.valuation.keeping import kept
from matcha_p2p.games.matcha.rules.moves import Move
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Keeping

_ITERATIONS: Final = 40_000


@dataclass(frozen=True, slots=True)
class Expert:
    """A bot that plays rounds 2 and 3 by their solutions, and searches without a solution."""

    name: str
    temper: Temper = Temper.PLAIN

    def choose(self, observation: Observation, rng: random.Random) -> Move:
        """Return a good move.

        Raises:
            BotError: a library cannot be loaded.
        """
        legal = observation.legal_moves()
        if len(legal) == 1:
            return legal[0]
        if isinstance(observation.game.phase, Keeping):
            return kept(observation)
        plan = self.advice(observation)
        if plan is not None:
            return plan.sample(rng)
        found = FastSearch(observation, likely_deals(observation, rng)).run(rng, _ITERATIONS)
        return preferred(observation, found, self.temper)

    def advice(self, observation: Observation) -> Advice | None:
        """Return the probabilities of moves in a round. If the round is unsolved, return None.

        Raises:
            BotError: a library cannot be loaded.
        """
        match len(observation.game.rounds):
            case 2:
                return round2.advice(observation)
            case 3:
                return round3.advice(observation, round2.weights_of, fast_form.solve)
            case _:
                return None
