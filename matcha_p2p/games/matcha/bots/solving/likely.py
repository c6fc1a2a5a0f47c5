"""Which deals are likely, by the opponent's moves in the set so far.

A search with equally likely deals believes that the opponent lays a random card as readily as
a matching card. Habits give the probability of the moves for each hand (tells.py).
"""

import random
from dataclasses import replace
from typing import Final

from matcha_p2p.games.matcha.bots.solving.masks import ZEROS, bits_of
from matcha_p2p.games.matcha.bots.solving.search import Deal, deals_of, own_bits
from matcha_p2p.games.matcha.bots.solving.tells import done_so, past_of, turned_up
from matcha_p2p.games.matcha.rules.cards import ZERO
from matcha_p2p.games.matcha.rules.observation import Observation, unseen
from matcha_p2p.games.matcha.rules.seats import opposite

_LOOKED_AT: Final = 1500
"""The most deals to weigh; a move may take a tenth of a second."""
_DRAWN: Final = 4000
"""Deals drawn from the weighed deals, in proportion to their weights."""


def likely_deals(observation: Observation, rng: random.Random) -> list[Deal]:
    """Return possible deals of the hidden cards; a likelier deal comes up more often."""
    dealt = deals_of(observation, own_bits(observation))
    game, other = observation.game, opposite(observation.seat)
    if not any(it.seat == other for played in game.rounds for it in played.turns):
        return dealt
    chance = done_so(replace(past_of(game), rounds=game.rounds), other)
    hand_of = _Hands(observation, rng)
    some = dealt if len(dealt) <= _LOOKED_AT else rng.sample(dealt, _LOOKED_AT)
    return rng.choices(some, [chance(hand_of(deal)) for deal in some], k=_DRAWN)


class _Hands:
    """The five cards of the opponent in a deal: by slot, the index of a face."""

    def __init__(self, observation: Observation, rng: random.Random) -> None:
        game = observation.game
        seat = self._seat = opposite(observation.seat)
        opened = turned_up(game.rounds)[seat]
        running = game.rounds[-1].laid[seat]
        self._opened: Final = {slot: face.index for slot, face in opened.items()}
        self._laid: Final = [(at, slot) for at, slot in enumerate(running) if slot is not None]
        self._held: Final = sorted(game.hands[seat])
        known = {*opened, *self._held, *running}
        self._lone: Final = [slot for slot in range(5) if slot not in known]
        self._unseen: Final = bits_of(unseen(observation), ZEROS)
        self._rng: Final = rng

    def __call__(self, deal: Deal) -> list[int]:
        """Return the cards. A card laid unseen in an earlier round is drawn from the rest."""
        hands, laid = deal
        hand = [self._opened.get(slot, 0) for slot in range(5)]
        left = hands[self._seat]
        for at, slot in self._laid:
            card = laid[2 * self._seat + at]
            hand[slot] = _index(card)
            left |= card
        rest = [card for card in self._unseen if not card & left]
        held = [card for card in self._unseen if card & hands[self._seat]]
        for slots, cards in (
            (self._held, held),
            (self._lone, self._rng.sample(rest, len(self._lone))),
        ):
            for slot, card in zip(slots, cards, strict=True):
                hand[slot] = _index(card)
        return hand


def _index(card: int) -> int:
    return min(card.bit_length() - 1, ZERO.index)
