"""The bot that plays the card with the best prospects now and plans no further.

For every mat it counts which of the cards it has not seen match there and which of those beat
its own, guesses from that what the opponent has laid or will lay, and weighs tokens by how near
they bring either player to winning: so it blocks, and goes for whisks, where that pays.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from matcha_p2p.bots.valuation.keeping import worth_keeping
from matcha_p2p.bots.valuation.worth import worths
from matcha_p2p.rules.cards import (
    DEMANDS,
    FACES,
    Face,
    Token,
    beats,
    matches,
)
from matcha_p2p.rules.game import Game, is_out
from matcha_p2p.rules.history import mats_of
from matcha_p2p.rules.moves import MATS_OF_ROUND, Keep, Move, Play
from matcha_p2p.rules.observation import Observation
from matcha_p2p.rules.phases import Keeping
from matcha_p2p.rules.seats import Seat, opposite

# How likely the opponent lays a card at a mat where there is none yet.
_WILL_LAY: Final = 0.8
# Among how many cards the opponent looks for one that matches.
_CHOICE: Final = 3
# What part of a card's best prospects in later rounds it costs to play it now.
_SAVING: Final = 0.2

# A set of faces other than the zero is a number: bit 0..15 is the index of a face. By mat and
# index of a face: what matches it there, and what of that beats it.
_MATCHING: Final = tuple(
    tuple(
        sum(1 << card.index for card in FACES[:16] if matches(demand, shown, card))
        for shown in FACES[:16]
    )
    for demand in DEMANDS
)
_NON_ZERO: Final = (1 << 16) - 1
_BEATING: Final = tuple(
    tuple(
        sum(
            1 << other.index
            for other in FACES[:16]
            if matches(demand, card, other) and beats(demand, other, card)
        )
        for card in FACES[:16]
    )
    for demand in DEMANDS
)


class Prospects(NamedTuple):
    """What a card may gain at one mat, against leaving the mat to the opponent.

    matching: the cards that match. own, own_whisk, other, other_whisk: what a token of the
    table card's suit and a whisk are worth to this seat and to the opponent. rivals: the unseen
    cards that match. laid, matched: how likely the opponent has a card here in the end, and how
    likely that one matches.
    """

    mat: int
    matching: int
    own: float
    own_whisk: float
    other: float
    other_whisk: float
    rivals: int
    laid: float
    matched: float

    def of(self, card: Face) -> float:
        """Return the expected gain of laying ``card``, the opponent's counted against it."""
        own, other, matched = self.own, self.other, self.matched
        if not self.matching >> card.index & 1:
            contested = matched * (self.own_whisk - other)
        else:
            stronger = self.rivals & _BEATING[self.mat][card.index]
            lost = stronger.bit_count() / (self.rivals.bit_count() or 1)
            both = (1 - lost) * own - lost * other
            contested = matched * both + (1 - matched) * (own - self.other_whisk)
        return (1 - self.laid) * own + self.laid * (contested + other)


@dataclass(frozen=True, slots=True)
class Greedy:
    """Choose the best single move by expected gain; keep the cards that win most often."""

    name: str = "greedy"

    def choose(self, observation: Observation, rng: random.Random) -> Move:
        """Return the best move, any of them if several are equally good."""
        if isinstance(observation.game.phase, Keeping):
            held = observation.held()
            return Keep(frozenset(slot for slot, card in held if worth_keeping(card)))
        moves = observation.legal_moves()
        scores = _scores(observation, moves)
        best = max(scores)
        return rng.choice(
            [move for move, score in zip(moves, scores, strict=True) if score == best]
        )


def _scores(observation: Observation, moves: Sequence[Move]) -> list[float]:
    """Return the expected gain of each of ``moves``; that of the pass is 0."""
    played = observation.game.rounds[-1].number
    estimate = _Estimate(observation)
    now = {mat: estimate.prospects(mat) for mat in MATS_OF_ROUND[played - 1]}
    later = [estimate.prospects(mat) for mats in MATS_OF_ROUND[played:] for mat in mats]
    price = {
        slot: _SAVING * max([prospects.of(card) for prospects in later], default=0.0)
        for slot, card in observation.held()
    }
    return [
        now[move.mat].of(observation.hand[move.slot]) - price[move.slot]
        if isinstance(move, Play)
        else 0.0
        for move in moves
    ]


class _Estimate:
    """What can be counted once for all mats."""

    def __init__(self, observation: Observation) -> None:
        self._game: Final = observation.game
        self._opponent: Final = opposite(observation.seat)
        self._own: Final = worths(self._game.edition, self._game.tokens[observation.seat])
        self._other: Final = worths(self._game.edition, self._game.tokens[self._opponent])
        opened = _opened(self._game, self._opponent)
        seen = 0
        for face in (*self._game.table, *observation.hand, *opened):
            seen |= 1 << face.index
        self._unseen: Final = _NON_ZERO & ~seen
        self._hidden: Final = 18 - 6 - 5 - len(opened)  # unseen cards, zeros among them
        running = self._game.rounds[-1]
        self._mats: Final = MATS_OF_ROUND[running.number - 1]
        self._covered: Final = mats_of(running.turns, self._opponent)
        holds = bool(self._game.hands[self._opponent])
        stays = holds and not is_out(self._game.edition, running.turns, self._opponent)
        self._will_lay_now: Final = _WILL_LAY if stays else 0.0
        self._will_lay_later: Final = _WILL_LAY if holds else 0.0

    def prospects(self, mat: int) -> Prospects:
        """Return the prospects at ``mat``, of the running round or a later one."""
        shown = self._game.table[mat].index
        suit = shown // 4  # a table card is never a zero
        matching = _MATCHING[mat][shown]
        rivals = self._unseen & matching
        other_kind = 1 - rivals.bit_count() / self._hidden
        return Prospects(
            mat=mat,
            matching=matching,
            own=self._own[suit],
            own_whisk=self._own[Token.WHISK],
            other=self._other[suit],
            other_whisk=self._other[Token.WHISK],
            rivals=rivals,
            laid=self._laid(mat),
            matched=1 - other_kind**_CHOICE,
        )

    def _laid(self, mat: int) -> float:
        """Return how likely the opponent has a card at ``mat`` when it is resolved."""
        if mat in self._covered:
            return 1.0
        return self._will_lay_now if mat in self._mats else self._will_lay_later


def _opened(game: Game, seat: Seat) -> list[Face]:
    """Return the cards that ``seat`` has had to turn up in this set."""
    return [
        card
        for resolved in game.rounds
        for resolution in resolved.resolutions
        if (card := resolution.cards[seat]) is not None
    ]
