"""The bot that plays as club does, and late in a round tries what its moves lead to.

It deals the unseen cards at random in ways that agree with its gifts and with calls, and plays
each way out for each move.
"""

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.tichu.bots.answers import HOLD, PASS, Move
from matcha_p2p.games.tichu.bots.club import Club, gain, laid
from matcha_p2p.games.tichu.bots.endings import play_out
from matcha_p2p.games.tichu.bots.hand import cost
from matcha_p2p.games.tichu.bots.observation import FaceView
from matcha_p2p.games.tichu.rules.moves import legal_plays, may_pass
from matcha_p2p.games.tichu.rules.round import SEATS, Ask

_CLUB: Final = Club()
_TRIES: Final = 3
"""How many ways to deal are drawn where somebody has called; the caller has the best hand."""


@dataclass(frozen=True, slots=True)
class Keen:
    """Search when all hands have at most ``cards`` together.

    worlds: how many ways to deal. moves: how many plays are tried. caution: another
    move must gain more over club's than so many standard errors.
    """

    name: str = "keen"
    cards: int = 28
    worlds: int = 16
    moves: int = 6
    caution: float = 1.0

    def choose(self, observation: FaceView, rng: random.Random) -> Move:
        """Return a legal answer."""
        usual = _CLUB.choose(observation, rng)
        held = sum(map(len, observation.state.held))
        if observation.ask not in (Ask.TURN, Ask.HOLD) or held > self.cards:
            return usual
        tried = _candidates(observation, usual, self.moves)
        if len(tried) == 1:
            return usual
        worlds = [_dealt(observation, rng) for _ in range(self.worlds)]
        state, seat = observation.state, observation.seat
        usually = [play_out(state, seat, hands, usual) for hands in worlds]
        best, most = usual, 0.0
        for move in tried[1:]:
            gained = [
                play_out(state, seat, hands, move) - points
                for hands, points in zip(worlds, usually, strict=True)
            ]
            surplus = _surplus(gained, self.caution)
            if surplus > most:
                best, most = move, surplus
        return best


def _surplus(gained: Sequence[int], caution: float) -> float:
    """Return the mean of what a move gains, less ``caution`` of its standard errors."""
    error = statistics.stdev(gained) / math.sqrt(len(gained))
    return statistics.fmean(gained) - caution * error


def _candidates(observation: FaceView, usual: Move, most: int) -> list[Move]:
    """Return the moves to try: the usual one first, then those after which least is left."""
    state, hand = observation.state, observation.hand
    plays = sorted(legal_plays(state, hand), key=lambda play: -gain(hand, play))
    moves = [usual, *(laid(observation, play) for play in plays[:most])]
    if observation.ask is Ask.HOLD:
        moves.append(HOLD)
    elif may_pass(state, hand):
        moves.append(PASS)
    return list(dict.fromkeys(moves))


def _dealt(observation: FaceView, rng: random.Random) -> Sequence[Sequence[int]]:
    """Return hands that agree with all that the seat knows."""
    state = observation.state
    callers = [
        seat
        for seat in SEATS
        if state.calls[seat] and not state.out and seat != observation.seat
    ]
    dealt = [_deal(observation, rng) for _ in range(_TRIES if callers else 1)]
    return min(dealt, key=lambda hands: sum(cost(hands[seat]) for seat in callers))


def _deal(observation: FaceView, rng: random.Random) -> list[list[int]]:
    holders = observation.held_by_others()
    unseen = [face for face in observation.unseen() if face not in holders]
    rng.shuffle(unseen)
    hands: list[list[int]] = [[], [], [], []]
    hands[observation.seat] = list(observation.hand)
    for face, seat in holders.items():
        hands[seat].append(face)
    for seat in SEATS:
        missing = len(observation.state.held[seat]) - len(hands[seat])
        hands[seat] += unseen[:missing]
        del unseen[:missing]
    return hands
