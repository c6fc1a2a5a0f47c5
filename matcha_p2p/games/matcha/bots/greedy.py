"""The bot that plays the card with the best prospects now and plans no further.

For every mat the bot counts the unseen cards that match and the unseen cards that beat its own
card. From the counts the bot guesses the opponent's cards. A token weighs more, the nearer it
brings either player to winning: so the bot blocks the opponent, and takes whisks if they pay.
"""

import functools
import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress
from operator import sub
from typing import Final, TypeAlias

from matcha_p2p.games.matcha.bots.valuation.keeping import worth_keeping
from matcha_p2p.games.matcha.bots.valuation.worth import worths
from matcha_p2p.games.matcha.rules import cards as card_rules
from matcha_p2p.games.matcha.rules.game import free_mats, is_out
from matcha_p2p.games.matcha.rules.moves import SLOTS, Keep, Move, placements
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Keeping
from matcha_p2p.games.matcha.rules.seats import opposite

# The probability that the opponent lays a card at a mat where the opponent has no card yet.
_WILL_LAY: Final = 0.8
# The number of cards among which the opponent looks for a matching card.
_CHOICE: Final = 3
# The cost of playing a card now, as a part of the card's best prospects in later rounds.
_SAVING: Final = 0.2
# The cost of playing a card that already lies on a mat.
_LAID: Final = math.inf
# The gains of the cards of a hand after round 3.
_NOTHING: Final = (0.0,) * len(SLOTS)

# A set of faces other than the zero is a number: bit 0..15 is the index of a face.
_NON_ZERO: Final = (1 << 16) - 1
# A card that matches at a mat, by its index or slot, and the set of cards that beat the card.
_Fitting: TypeAlias = tuple[int, int]
# A mat: the suit shown, the set of other matching faces, and the matching cards of the hand.
_Mat: TypeAlias = tuple[int, int, list[_Fitting]]


def _matching(
    demand: card_rules.Demand, shown: card_rules.Face
) -> tuple[int, tuple[_Fitting, ...]]:
    """Return the faces that match at the mat of ``shown``: the set, and each by its index."""
    suited = [
        card
        for card in card_rules.FACES[:16]
        if card != shown and card_rules.matches(demand, shown, card)
    ]
    beating = [
        [other for other in suited if card_rules.beats(demand, other, card)] for card in suited
    ]
    indices = [card.index for card in suited]
    return _set_of(suited), tuple(zip(indices, map(_set_of, beating), strict=True))


def _set_of(faces: Iterable[card_rules.Face]) -> int:
    found = 0
    for face in faces:
        found |= 1 << face.index
    return found


# By mat and index of the face shown.
_MATCHING: Final = 3 * tuple(
    tuple(_matching(demand, shown) for shown in card_rules.FACES[:16])
    for demand in card_rules.DEMANDS[:2]
)
_WHISK: Final = int(card_rules.Token.WHISK)

# The probability that the opponent lays a matching card, by the number of hidden cards, zeros
# included, and the number of matching cards among the hidden cards.
_MATCHED: Final = tuple(
    tuple(1 - (1 - matching / hidden) ** _CHOICE for matching in range(5)) if hidden else ()
    for hidden in range(8)
)


@dataclass(frozen=True, slots=True)
class Greedy:
    """Choose the best single move by expected gain; keep the cards that win most often."""

    name: str = "greedy"

    def choose(self, observation: Observation, rng: random.Random) -> Move:
        """Return the best move, a random best move if several are equally good."""
        game, seat = observation.game, observation.seat
        if isinstance(game.phase, Keeping):
            held = observation.held()
            return Keep(frozenset(slot for slot, card in held if worth_keeping(card)))
        free = free_mats(game.rounds[-1], seat)
        scores = _scores(observation, free)
        moves = placements(free, SLOTS)
        return rng.choice([*compress(moves, map(max(scores).__eq__, scores))])


def _scores(observation: Observation, free: tuple[int, ...]) -> list[float]:
    """Return the expected gain of each card of the hand at each free mat, and of the pass.

    By mat, then by slot, the pass last: 0. A card already laid has a gain below all other
    gains.

    free: the mats where the seat has no card.
    """
    gains = _gains(observation)
    held = observation.game.hands[observation.seat]
    # A card played now gains nothing in later rounds.
    later = map(max, *gains[2:]) if len(gains) > 2 else _NOTHING
    prices = [_SAVING * most if slot in held else _LAID for slot, most in enumerate(later)]
    scores: list[float] = []
    for mat in free:
        scores += map(sub, gains[mat % 2], prices)
    scores.append(0.0)
    return scores


def _gains(observation: Observation) -> list[list[float]]:
    """Return each card's gain at each mat, against leaving the mat to the opponent.

    By mat, from the first of the running round to 5, then by slot, laid or not. The function
    is a single loop without calls, because games of bots spend most of their time here.

    own, own_whisk, other, other_whisk: the worth of a token of the table card's suit and of a
    whisk, to this seat and to the opponent. The opponent's gain counts against the seat.
    rivals: the unseen cards that match. laid, matched: the probability that the opponent has a
    card at the mat in the end, and that the card matches. lost: the probability that a
    matching card beats the own card.
    """
    game, seat = observation.game, observation.seat
    opponent = opposite(seat)
    running = game.rounds[-1]
    owns = worths(game.edition, game.tokens[seat])
    others = worths(game.edition, game.tokens[opponent])
    own_whisk, other_whisk = owns[_WHISK], others[_WHISK]
    unseen, mats = _dealt(game.table, observation.hand)
    hidden = 18 - 6 - 5
    for played in game.rounds:
        for resolution in played.resolutions:
            if (card := resolution.cards[opponent]) is not None:
                unseen &= ~(1 << card.index)
                hidden -= 1
    chances = _MATCHED[hidden]
    later = _WILL_LAY if game.hands[opponent] else 0.0
    now = 0.0 if is_out(game.edition, running.turns, opponent) else later
    number_slot, suit_slot = running.laid[opponent]
    laid = now if number_slot is None else 1.0
    following = now if suit_slot is None else 1.0
    gains: list[list[float]] = []
    for suit, matching, fitting in mats[2 * running.number - 2 :]:
        own, other = owns[suit], others[suit]
        rivals = unseen & matching
        count = rivals.bit_count()
        matched = chances[count]
        alone = (1 - laid) * own
        bluff = alone + laid * (matched * (own_whisk - other) + other)
        row = [bluff] * 5
        for slot, better in fitting:
            lost = (rivals & better).bit_count() / (count or 1)
            both = (1 - lost) * own - lost * other
            contested = matched * both + (1 - matched) * (own - other_whisk)
            row[slot] = alone + laid * (contested + other)
        gains.append(row)
        laid, following = following, later
    return gains


@functools.lru_cache(maxsize=8)  # asked for again with each move of a set
def _dealt(table: tuple[card_rules.Face, ...], hand: card_rules.Hand) -> tuple[int, list[_Mat]]:
    """Return the set of faces that lie neither on the table nor in the hand, and the mats."""
    slots = {face.index: slot for slot, face in enumerate(hand)}
    mats: list[_Mat] = []
    for mat, shown in enumerate(table):
        matching, beating = _MATCHING[mat][shown.index]
        fitting = [(slots[index], better) for index, better in beating if index in slots]
        mats.append((shown.index // 4, matching, fitting))  # a table card is never a zero
    return _NON_ZERO & ~_set_of((*table, *hand)), mats
