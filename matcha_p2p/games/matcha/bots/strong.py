"""The bots that think: a search for rounds 1 and 2 of a set, and the solution of round 3."""

import enum
import random
from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.matcha.bots.solving.round3 import advice
from matcha_p2p.games.matcha.bots.solving.search import Search, SearchedMove
from matcha_p2p.games.matcha.bots.valuation.keeping import kept
from matcha_p2p.games.matcha.rules.cards import DEMANDS, matches
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, Move, Play
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Keeping


class Temper(enum.Enum):
    """A bot's liking for laying cards that do not match, if the lay costs little.

    The value, a part of a game, is added to the worth of the card.
    """

    CAREFUL = -0.03
    PLAIN = 0.0
    BOLD = 0.03


_SERIOUS: Final = 0.2
"""A temper chooses among moves with at least this part of the best move's visits, 0..1."""


@dataclass(frozen=True, slots=True)
class Thinker:
    """A bot that searches; if ``exact``, the bot plays round 3 by its solution.

    iterations: the cost of a move; the search stops after exactly as many, without a clock.
    """

    name: str
    iterations: int
    exact: bool
    temper: Temper = Temper.PLAIN

    def choose(self, observation: Observation, rng: random.Random) -> Move:
        """Return a good move."""
        legal = observation.legal_moves()
        if len(legal) == 1:
            return legal[0]
        if isinstance(observation.game.phase, Keeping):
            return kept(observation)
        if self.exact and len(observation.game.rounds) == len(MATS_OF_ROUND):
            plan = advice(observation)
            if plan is not None:
                return plan.sample(rng)
        found = Search(observation, rng).run(self.iterations)
        return preferred(observation, found, self.temper)


def preferred(observation: Observation, found: list[SearchedMove], temper: Temper) -> Move:
    """Return the most visited move, or a serious move that the temper likes better."""
    if temper is Temper.PLAIN:
        return found[0].move
    serious = [it for it in found if it.visits >= _SERIOUS * found[0].visits]

    def liked(choice: SearchedMove) -> float:
        liking: float = temper.value
        return choice.value + liking * _is_bluff(observation, choice.move)

    return max(serious, key=liked).move


def _is_bluff(observation: Observation, move: Move) -> bool:
    match move:
        case Play(mat, slot):
            shown = observation.game.table[mat]
            return not matches(DEMANDS[mat], shown, observation.hand[slot])
        case _:
            return False
