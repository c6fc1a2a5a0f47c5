"""Judges a turn: against the turn of keen, by games that bots play to their end."""

import random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from matcha_p2p.games.kashi.bots.arena import step
from matcha_p2p.games.kashi.bots.keen import CLUB, KEEN, Plan
from matcha_p2p.games.kashi.rules.game import take_turn
from matcha_p2p.games.kashi.rules.moves import TurnAction
from matcha_p2p.games.kashi.rules.settlement import score
from matcha_p2p.games.kashi.rules.state import Ended, GameState
from matcha_p2p.seats import Seat

GAMES: Final = 10
"""How many games follow each of the two turns; the orders come alike after both."""
FEW: Final = 5
"""After so many games a turn that has lost less than a mistake is judged no further."""
MISTAKE: Final = 3.0
"""The least loss of a mistake, in points."""
SURE: Final = 2.0
"""How many standard errors a loss has at least."""
_LONGEST: Final = 400
"""The most turns of a game: on an owner's board a game may never end."""


class JudgedTurn(NamedTuple):
    """The turn of the bot keen, and the leads at the end of the game after both turns.

    A lead is a seat's points above the best other seat's, on average. error: the standard error
    of the difference.
    """

    better: Plan
    lead: float
    best: float
    error: float

    @property
    def loss(self) -> float:
        """The points of the lead that the turn gave away."""
        return max(0.0, self.best - self.lead)

    @property
    def is_mistake(self) -> bool:
        """Whether the turn that was made has surely lost points."""
        return self.loss >= MISTAKE and self.loss > SURE * self.error


def judged(game: GameState, seat: Seat, made: tuple[TurnAction, ...]) -> JudgedTurn:
    """Return the worth of a turn of ``seat``; the same when asked again."""
    better = KEEN.plan(game, seat, random.Random(0))
    one, other = take_turn(game, seat, made), take_turn(game, seat, better.actions)
    if one == other:
        return JudgedTurn(better, 0.0, 0.0, 0.0)
    leads: list[int] = []
    best: list[int] = []
    for number in range(GAMES):
        leads.append(_lead(one, seat, number))
        best.append(_lead(other, seat, number))
        if number + 1 == FEW and fmean(best) - fmean(leads) < MISTAKE:
            break
    gains = [more - less for more, less in zip(best, leads, strict=True)]
    return JudgedTurn(better, fmean(leads), fmean(best), stdev(gains) / len(gains) ** 0.5)


def _lead(game: GameState, seat: Seat, number: int) -> int:
    """Return the lead of ``seat`` at the end of the game ``number`` that follows ``game``."""
    over, chance = game, random.Random(number)
    bots = [CLUB] * len(game.players)
    while not isinstance(over.phase, Ended) and over.turns < game.turns + _LONGEST:
        _, over = step(over, bots, chance)
    points = [score(over.board, player).points for player in over.players]
    return points[seat] - max(points[:seat] + points[seat + 1 :])
