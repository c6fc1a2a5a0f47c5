"""The ways in which the unseen cards may be dealt; the likelier ones are kept.

A hand is likely if few leads get rid of the hand: gifts have improved the hand, and its owner
has laid the cards that did not fit. A hand is unlikely if its cards and the cards already laid
make better parts together, because players seldom break a part. A caller has a hand that is
worth a call.
"""

import random
from collections.abc import Collection, Sequence
from typing import Final

from matcha_p2p.games.tichu.bots import club
from matcha_p2p.games.tichu.bots.solving.calls import is_worth_tichu
from matcha_p2p.games.tichu.bots.solving.core import Dealt, Unseen, core
from matcha_p2p.games.tichu.bots.solving.gifts import holders
from matcha_p2p.games.tichu.bots.solving.hand import cost
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import SEATS

_REFUSED: Final = 1_000_000
"""The doubt about a caller's hand that is not worth a call: more than any other doubt."""
_WORD: Final = (1 << 64) - 1


def worlds_of(
    observation: Observation, count: int, draws: int, rng: random.Random
) -> list[Dealt]:
    """Return hands of all seats, ``count`` times: each the likeliest of ``draws`` deals."""
    unseen = unseen_by(observation)
    return [deal(unseen, draws, rng.getrandbits(64)) for _ in range(count)]


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
    )


def deal(unseen: Unseen, draws: int, seed: int) -> Dealt:
    """Return the likeliest of so many deals. seed: 64 bits.

    If a seat has called, the draws choose only its hand, the best one. The other hands are then
    drawn once.
    """
    fast = core()
    if fast is not None:
        return fast.deal(unseen, draws, seed)
    deck = _Deck(unseen.hidden, seed)
    callers = [seat for seat in SEATS if unseen.missing[seat] and unseen.calls[seat]]
    others = [seat for seat in SEATS if unseen.missing[seat] and not unseen.calls[seat]]
    hands = [*unseen.sure]
    chosen = [([seat], draws) for seat in callers]
    for seats, ways in (*chosen, (others, 1 if callers else draws)):
        for seat, faces in zip(seats, _likeliest(unseen, deck, seats, ways), strict=True):
            hands[seat] = (*hands[seat], *faces)
    return tuple(tuple(sorted(hand)) for hand in hands)


def _likeliest(unseen: Unseen, deck: "_Deck", seats: Sequence[int], draws: int) -> Dealt:
    """Take the likeliest of so many ways to deal to ``seats`` out of the deck."""
    counts = [unseen.missing[seat] for seat in seats]
    ways = [deck.drawn(counts) for _ in range(draws)]
    best = ways[0]
    if draws > 1:
        best = min(
            ways,
            key=lambda way: sum(
                _doubt(unseen, seat, faces) for seat, faces in zip(seats, way, strict=True)
            ),
        )
    for faces in best:
        deck.take(faces)
    return best


def _doubt(unseen: Unseen, seat: int, faces: Collection[int]) -> int:
    """Return how unlikely it is that a seat holds ``faces`` besides those known."""
    held = (*unseen.sure[seat], *faces)
    whole = (*held, *unseen.laid[seat])
    refused = unseen.calls[seat] and not is_worth_tichu(whole)
    return 2 * cost(held) - cost(whole) + (_REFUSED if refused else 0)


class _Deck:
    """Hidden cards, and chance that is the same in C: splitmix64.

    Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014.
    """

    def __init__(self, faces: Collection[int], seed: int) -> None:
        self._faces: Final = list(faces)
        self._seed = seed

    def drawn(self, counts: Sequence[int]) -> Dealt:
        """Return so many faces for each, and leave the faces in the deck."""
        faces, place = self._faces, 0
        hands: list[tuple[int, ...]] = []
        for count in counts:
            begin = place
            for place in range(begin, begin + count):
                other = place + self._below(len(faces) - place)
                faces[place], faces[other] = faces[other], faces[place]
            place = begin + count
            hands.append(tuple(faces[begin:place]))
        return tuple(hands)

    def take(self, faces: Collection[int]) -> None:
        """Take faces out; the others keep their order."""
        self._faces[:] = [face for face in self._faces if face not in faces]

    def _below(self, limit: int) -> int:
        """Return a number from 0 to ``limit`` - 1."""
        self._seed = (self._seed + 0x9E3779B97F4A7C15) & _WORD
        mixed = self._seed
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
        return ((mixed ^ mixed >> 31) >> 32) * limit >> 32
