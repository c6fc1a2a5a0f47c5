"""The bot that plays the card with the best prospects now and plans no further.

For every mat it counts which of the cards it has not seen match there and which of those beat
its own, guesses from that what the opponent has laid or will lay, and weighs tokens by how near
they bring either player to winning: so it blocks, and goes for whisks, where that pays.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

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
from matcha_p2p.rules.history import slots_laid
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


# How likely the opponent lays a matching card, by how many cards are hidden, zeros among them,
# and how many of them match.
_MATCHED: Final = tuple(
    tuple(1 - (1 - matching / hidden) ** _CHOICE for matching in range(5)) if hidden else ()
    for hidden in range(8)
)


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
    slots = sorted(observation.game.hands[observation.seat])
    cards = [observation.hand[slot].index for slot in slots]
    gains = _Estimate(observation).gains
    later = [gains(mat, cards) for mats in MATS_OF_ROUND[played:] for mat in mats]
    prices = [_SAVING * max(column) for column in zip(*later, strict=True)] or [0.0] * len(
        slots
    )
    scores = {
        (mat, slot): gain - price
        for mat in MATS_OF_ROUND[played - 1]
        for slot, gain, price in zip(slots, gains(mat, cards), prices, strict=True)
    }
    return [scores[move.mat, move.slot] if isinstance(move, Play) else 0.0 for move in moves]


class _Estimate:
    """What a card may gain at a mat, against leaving the mat to the opponent."""

    def __init__(self, observation: Observation) -> None:
        """Count once what all mats have in common."""
        game, opponent = observation.game, opposite(observation.seat)
        self._table: Final = game.table
        self._own: Final = worths(game.edition, game.tokens[observation.seat])
        self._other: Final = worths(game.edition, game.tokens[opponent])
        opened = _opened(game, opponent)
        seen = 0
        for face in (*game.table, *observation.hand, *opened):
            seen |= 1 << face.index
        self._unseen: Final = _NON_ZERO & ~seen
        self._matched: Final = _MATCHED[18 - 6 - 5 - len(opened)]
        running = game.rounds[-1]
        self._mats: Final = MATS_OF_ROUND[running.number - 1]
        self._covered: Final = slots_laid(running.turns, opponent)
        holds = bool(game.hands[opponent])
        stays = holds and not is_out(game.edition, running.turns, opponent)
        self._will_lay_now: Final = _WILL_LAY if stays else 0.0
        self._will_lay_later: Final = _WILL_LAY if holds else 0.0

    def gains(self, mat: int, cards: Sequence[int]) -> list[float]:
        """Return the expected gain of laying each card at a mat of this round or a later one.

        cards: their indices. own, own_whisk, other, other_whisk: what a token of the table
        card's suit and a whisk are worth to this seat and to the opponent, whose gain is
        counted against it. rivals: the unseen cards that match. laid, matched: how likely the
        opponent has a card here in the end, and how likely that one matches.
        """
        shown = self._table[mat].index
        suit = shown // 4  # a table card is never a zero
        own, own_whisk = self._own[suit], self._own[Token.WHISK]
        other, other_whisk = self._other[suit], self._other[Token.WHISK]
        matching, beating = _MATCHING[mat][shown], _BEATING[mat]
        rivals = self._unseen & matching
        count = rivals.bit_count()
        laid, matched = self._laid(mat), self._matched[count]
        alone = (1 - laid) * own
        bluff = alone + laid * (matched * (own_whisk - other) + other)
        gains = [bluff] * len(cards)
        for number, card in enumerate(cards):
            if matching >> card & 1:
                lost = (rivals & beating[card]).bit_count() / (count or 1)
                both = (1 - lost) * own - lost * other
                contested = matched * both + (1 - matched) * (own - other_whisk)
                gains[number] = alone + laid * (contested + other)
        return gains

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
