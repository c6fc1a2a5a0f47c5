"""The ways in which the unseen cards may be dealt; likely ways come up more often.

A hand is likely if few leads get rid of the hand: gifts have improved the hand, and its owner
has laid the cards that did not fit. A hand is unlikely if its cards and the cards already laid
make better parts together, because players seldom break a part. A caller has a hand that is
worth a call. The partner has more low cards than an enemy: both enemies gave it one.

How likely was fitted to 5,300 turns in 250 rounds of keen: the true hands beside hands dealt at
random. Early in a round a lead more in hand took 2.0 from the logarithm of the odds, a lead
more in the whole hand added 1.3, and a low card of the partner added 0.25.
"""

import random
from collections.abc import Collection
from typing import Final

from matcha_p2p.games.tichu.bots import club
from matcha_p2p.games.tichu.bots.solving.calls import log_odds
from matcha_p2p.games.tichu.bots.solving.core import Dealt, Unseen, core
from matcha_p2p.games.tichu.bots.solving.gifts import holders
from matcha_p2p.games.tichu.bots.solving.hand import cost
from matcha_p2p.games.tichu.rules.cards import LOWEST, NUMBERS
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import SEATS

_HALF: Final = 620
"""A deal with so much more doubt, in thousandths of a lead, is half as likely."""
_LOW: Final = 6
_GIVEN: Final = 220
"""The doubt is so much less for each low card of the partner."""
_BITS: Final = 32
_WORD: Final = (1 << 64) - 1


def worlds_of(
    observation: Observation, count: int, swaps: int, rng: random.Random
) -> list[Dealt]:
    """Return hands of all seats, ``count`` times."""
    unseen = unseen_by(observation)
    return [deal(unseen, swaps, rng.getrandbits(64)) for _ in range(count)]


def unseen_by(observation: Observation) -> Unseen:
    """Return what the seat of ``observation`` knows of all hands."""
    state, seat = observation.state, observation.seat
    known = holders(observation)
    sure: list[list[int]] = [[], [], [], []]
    sure[seat] += observation.held.values()
    for face, holder in known.items():
        sure[holder].append(face)
    laid: list[list[int]] = [[], [], [], []]
    for play in observation.laid:
        laid[play.seat] += play.cards
    return Unseen(
        hidden=tuple(face for face in club.unseen(observation) if face not in known),
        sure=tuple(map(tuple, sure)),
        laid=tuple(map(tuple, laid)),
        missing=tuple(len(state.held[each]) - len(sure[each]) for each in SEATS),
        calls=state.calls,
        seat=seat,
    )


def deal(unseen: Unseen, swaps: int, seed: int) -> Dealt:
    """Return hands of all seats: dealt at random, then made likely. seed: 64 bits.

    So many times two seats may swap a card. They do so if that makes the deal likelier; if it
    makes the deal less likely, they do so as often as the new deal is likely beside the old
    one. Source: Metropolis and others: Equation of State Calculations by Fast Computing
    Machines, 1953.
    """
    fast = core()
    if fast is not None:
        return fast.deal(unseen, swaps, seed)
    deck = _Deck(unseen, seed)
    for _ in range(swaps if deck.owners else 0):
        deck.swap()
    return deck.hands()


def _doubt(unseen: Unseen, seat: int, faces: Collection[int]) -> int:
    """Return how unlikely it is that a seat holds ``faces`` besides those known."""
    held = (*unseen.sure[seat], *faces)
    whole = (*held, *unseen.laid[seat])
    doubt = 2 * cost(held) - cost(whole)
    if seat == (unseen.seat + 2) % 4:
        doubt -= _GIVEN * sum(LOWEST <= NUMBERS[face] <= _LOW for face in faces)
    return doubt + (max(0, -log_odds(whole)) // 28 if unseen.calls[seat] else 0)


class _Deck:
    """The hidden cards that are dealt. owners: the seat that holds each.

    Chance is the same in C: splitmix64. Source: Steele, Lea, Flood: Fast Splittable
    Pseudorandom Number Generators, 2014.
    """

    def __init__(self, unseen: Unseen, seed: int) -> None:
        self.owners: Final = [seat for seat in SEATS for _ in range(unseen.missing[seat])]
        self._unseen: Final = unseen
        self._faces: Final = list(unseen.hidden)
        self._seed = seed
        for place in range(len(self.owners)):
            self._exchange(place, place + self._below(len(self._faces) - place))
        self._doubts: Final = [_doubt(unseen, seat, self._dealt(seat)) for seat in SEATS]

    def hands(self) -> Dealt:
        """Return the hands of all seats, ascending."""
        sure = self._unseen.sure
        return tuple(tuple(sorted((*sure[seat], *self._dealt(seat)))) for seat in SEATS)

    def swap(self) -> None:
        """Let two seats exchange a card by chance, if the new deal is likely enough."""
        places = self._below(len(self.owners)), self._below(len(self.owners))
        one, other = (self.owners[place] for place in places)
        if one == other:
            return
        self._exchange(*places)
        here, there = (_doubt(self._unseen, seat, self._dealt(seat)) for seat in (one, other))
        if here + there - self._doubts[one] - self._doubts[other] > self._patience():
            self._exchange(*places)
        else:
            self._doubts[one], self._doubts[other] = here, there

    def _dealt(self, seat: int) -> tuple[int, ...]:
        """Return the hidden cards that ``seat`` holds now."""
        dealt = zip(self._faces, self.owners, strict=False)
        return tuple(face for face, owner in dealt if owner == seat)

    def _exchange(self, place: int, other: int) -> None:
        faces = self._faces
        faces[place], faces[other] = faces[other], faces[place]

    def _patience(self) -> int:
        """Return the rise of doubt that is accepted this time.

        It is at least so many times ``_HALF`` with the chance of one half to their power.
        """
        drawn = self._word() | 1
        halvings = _BITS + 1 - drawn.bit_length()
        part = (drawn << halvings >> _BITS - 10) & 1023
        return _HALF * (1024 * halvings - part) >> 10

    def _below(self, limit: int) -> int:
        """Return a number from 0 to ``limit`` - 1."""
        return self._word() * limit >> _BITS

    def _word(self) -> int:
        """Return 32 bits by chance."""
        self._seed = (self._seed + 0x9E3779B97F4A7C15) & _WORD
        mixed = self._seed
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
        return (mixed ^ mixed >> 31) >> _BITS
