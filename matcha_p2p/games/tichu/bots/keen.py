"""The bot that plays as club does, unless it has found out that another move leads to more.

It deals the unseen cards in likely ways (``dealing``), and plays each way out for each move.
"""

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.tichu.bots import club
from matcha_p2p.games.tichu.bots.dealing import worlds_of
from matcha_p2p.games.tichu.bots.judgement import JudgedMove, Judgement
from matcha_p2p.games.tichu.bots.solving.core import core
from matcha_p2p.games.tichu.bots.solving.endings import play_out
from matcha_p2p.games.tichu.rules.actions import TichuMove
from matcha_p2p.games.tichu.rules.moves import Play, legal_plays, may_pass
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import Ask

_CLUB: Final = club.Club(least=-22_000)
"""Keen is out first more often than the odds of club's hands tell.

In 400 rounds of keen without calls, 240 hands had odds above this bound: 0.3 a round and team,
and 59 % of them were first, and 46 % of those with odds from -0.5 to 0. Playouts with the call
and without foretold the first seat less well than the odds: log loss 0.468 against 0.461.
"""


@dataclass(frozen=True, slots=True)
class Keen:
    """Try moves when all hands have at most ``cards`` together.

    worlds: how many ways to deal. swaps: how many swaps of cards make each way likely.
    moves: how many plays are tried. caution: another move must gain more over club's than
    so many standard errors.
    """

    name: str = "keen"
    cards: int = 28
    worlds: int = 16
    swaps: int = 12
    moves: int = 6
    caution: float = 1.0

    def choose(self, observation: Observation, rng: random.Random) -> TichuMove:
        """Return a legal answer."""
        return self.judge(observation, rng).moves[0].move

    def judges(self, observation: Observation) -> bool:
        """Tell whether plays are tried here, and not only club asked."""
        held = sum(map(len, observation.state.held))
        return observation.asked in (Ask.TURN, Ask.HOLD) and held <= self.cards

    def judge(
        self, observation: Observation, rng: random.Random, also: tuple[Play | None, ...] = ()
    ) -> Judgement:
        """Return the answers that were tried; only club's answer if none was.

        also: what is tried besides. None is to pass or to hold.
        """
        if not self.judges(observation):
            return Judgement((JudgedMove(_CLUB.choose(observation, rng), None),))
        tried = list(dict.fromkeys([*_candidates(observation, self.moves), *also]))
        if len(tried) == 1:
            return Judgement((JudgedMove(club.answer(observation, tried[0]), None),))
        worlds = worlds_of(observation, self.worlds, self.swaps, rng)
        state, seat, wish = observation.state, observation.seat, club.wish_of(observation)
        ends = play_out(state, seat, worlds, tried, wish)
        best = max(range(len(tried)), key=lambda at: _surplus(ends[at], ends[0], self.caution))
        judged = [
            JudgedMove(
                club.answer(observation, play),
                statistics.fmean(points),
                _error(_gained(points, ends[best])),
            )
            for play, points in zip(tried, ends, strict=True)
        ]
        return Judgement((judged.pop(best), *judged))


KEEN: Final = (
    Keen() if core() is None else Keen(cards=56, worlds=96, swaps=120, moves=8, caution=1.5)
)
"""Keen as it plays, advises and judges on this machine.

Without the compiled core a move early in a round would take seconds, so only its end is tried.
Early in a round the playouts differ much by chance, which needs many of them, and caution. In
400 mirrored deals this keen was 11.6 ± 7.8 points a round ahead of the keen that kept the
likeliest of 16 deals and asked for three errors. In 1,500 decisions the same playouts with the
true hands gave 3 ± 5 points less than keen had judged, and 14 ± 5 less with those deals.
"""


def _surplus(points: Sequence[int], usual: Sequence[int], caution: float) -> float:
    """Return the mean of what a move gains, less ``caution`` of its standard errors."""
    gained = _gained(points, usual)
    return statistics.fmean(gained) - caution * _error(gained)


def _gained(points: Sequence[int], usual: Sequence[int]) -> list[int]:
    return [one - other for one, other in zip(points, usual, strict=True)]


def _error(gained: Sequence[int]) -> float:
    """Return the standard error of the mean."""
    return statistics.stdev(gained) / math.sqrt(len(gained))


def _candidates(observation: Observation, most: int) -> list[Play | None]:
    """Return what to try: club's choice first, then plays after which least is left.

    None is to pass or to hold.
    """
    state, hand = observation.state, observation.held.values()
    plays = sorted(legal_plays(state, hand), key=lambda play: -club.gain(hand, play))
    tried = [club.planned(observation), *plays[:most]]
    if observation.asked is Ask.HOLD or may_pass(state, hand):
        tried.append(None)
    return list(dict.fromkeys(tried))
