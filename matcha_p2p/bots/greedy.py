"""The bot that plays the card with the best prospects now and plans no further.

For every mat it counts which of the cards it has not seen match there and which of those beat
its own, guesses from that what the opponent has laid or will lay, and weighs tokens by how near
they bring either player to winning: so it blocks, and goes for whisks, where that pays.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from operator import sub
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
from matcha_p2p.rules.game import Game, free_mats, is_out
from matcha_p2p.rules.moves import MATS_OF_ROUND, Keep, Move
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
        scores = _scores(observation)
        best = max(scores)
        moves = zip(observation.legal_moves(), scores, strict=True)
        return rng.choice([move for move, score in moves if score == best])


def _scores(observation: Observation) -> list[float]:
    """Return the expected gain of each legal move, in their order; that of the pass is 0."""
    game, seat = observation.game, observation.seat
    running = game.rounds[-1]
    cards = [observation.hand[slot].index for slot in sorted(game.hands[seat])]
    first = MATS_OF_ROUND[running.number - 1][0]
    gains = _gains(observation, cards, first)
    columns = zip(*gains[2:], strict=True)  # what each card may gain in later rounds
    prices = [_SAVING * max(column) for column in columns] or [0.0] * len(cards)
    scores: list[float] = []
    for mat in free_mats(running, seat):
        scores += map(sub, gains[mat - first], prices)
    return [*scores, 0.0]


def _gains(observation: Observation, cards: Sequence[int], first: int) -> list[list[float]]:
    """Return what a card may gain at a mat, against leaving the mat to the opponent.

    By mat, from ``first``, that of the running round, to 5, then by card. cards: the indices of
    the faces in the hand. It is one loop without calls, as games of bots wait for it most.

    own, own_whisk, other, other_whisk: what a token of the table card's suit and a whisk are
    worth to this seat and to the opponent, whose gain is counted against it. rivals: the unseen
    cards that match. laid, matched: how likely the opponent has a card at the mat in the end,
    and how likely that one matches.
    """
    game, opponent = observation.game, opposite(observation.seat)
    owns = worths(game.edition, game.tokens[observation.seat])
    others = worths(game.edition, game.tokens[opponent])
    own_whisk, other_whisk = owns[Token.WHISK], others[Token.WHISK]
    opened = _opened(game, opponent)
    seen = 0
    for face in (*game.table, *observation.hand, *opened):
        seen |= 1 << face.index
    unseen, chances = _NON_ZERO & ~seen, _MATCHED[18 - 6 - 5 - len(opened)]
    turns = game.rounds[-1].turns
    covered = game.rounds[-1].laid[opponent]
    later = _WILL_LAY if game.hands[opponent] else 0.0
    now = 0.0 if is_out(game.edition, turns, opponent) else later
    gains: list[list[float]] = []
    for mat in range(first, 6):
        laid = later if mat > first + 1 else now if covered[mat % 2] is None else 1.0
        shown = game.table[mat].index
        suit = shown // 4  # a table card is never a zero
        own, other = owns[suit], others[suit]
        matching = _MATCHING[mat][shown]
        rivals = unseen & matching
        count = rivals.bit_count()
        matched = chances[count]
        alone = (1 - laid) * own
        bluff = alone + laid * (matched * (own_whisk - other) + other)
        row = [bluff] * len(cards)
        for place, card in enumerate(cards):
            if matching >> card & 1:
                lost = (rivals & _BEATING[mat][card]).bit_count() / (count or 1)
                both = (1 - lost) * own - lost * other
                contested = matched * both + (1 - matched) * (own - other_whisk)
                row[place] = alone + laid * (contested + other)
        gains.append(row)
    return gains


def _opened(game: Game, seat: Seat) -> list[Face]:
    """Return the cards that ``seat`` has had to turn up in this set."""
    return [
        card
        for resolved in game.rounds
        for resolution in resolved.resolutions
        if (card := resolution.cards[seat]) is not None
    ]
