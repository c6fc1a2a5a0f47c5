"""Splits a hand into plays, so that the fewest leads are needed to get rid of it.

A part that wins its trick brings the lead back, so it costs less than a whole lead.
"""

import itertools
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from matcha_p2p.games.tichu.bots.solving.core import cards, core
from matcha_p2p.games.tichu.rules import cards as card_rules
from matcha_p2p.games.tichu.rules.combinations import SHORTEST, Combination, Shape, combination
from matcha_p2p.games.tichu.rules.moves import Play

_Group: TypeAlias = tuple[Shape, int, int]
"""Cards that are together: their shape, lowest number, and how many numbers they have."""

_REMEMBERED: Final = 1 << 16
"""The number of hands that are remembered."""
_LEAD: Final = 1000
_MANY: Final = 10**9
_SIZES: Final = {Shape.SINGLE: 1, Shape.PAIR: 2, Shape.TRIPLE: 3, Shape.FOUR: 4}
_GROUPS: Final[tuple[tuple[tuple[int, int, Shape | None], ...], ...]] = (
    (),
    ((0, 0, Shape.SINGLE),),
    ((1, 0, None),),
    ((0, 1, None), (1, 0, Shape.SINGLE)),
    ((0, 0, Shape.FOUR), (2, 0, None)),
    (),
)
"""How cards of one number are grouped, by how many are left; of five, one is elsewhere.

Each way: the number of pairs, of triples, and the part that stays alone.
"""
_SAVED: Final = {
    Shape.SINGLE: (0,) * 12 + (60, 180, 480),
    Shape.PAIR: (0,) * 11 + (60, 120, 260, 520),
    Shape.TRIPLE: (0,) * 9 + (100, 150, 200, 300, 450, 600),
    Shape.FULL_HOUSE: (100,) * 7 + (150, 200, 300, 350, 400, 500, 600, 650),
    Shape.STAIRS: (150,) * 9 + (200, 250, 300, 400, 500, 600),
    Shape.STRAIGHT: (100,) * 9 + (150, 200, 250, 350, 450, 600),
    Shape.FOUR: (850,) * 15,
    Shape.FLUSH: (900,) * 15,
}
"""What part of a lead is saved by each kind, by the number that decides: a higher one wins."""
_SAVED_BY: Final = {card_rules.DRAGON: 900, card_rules.PHOENIX: 550, card_rules.DOG: 300}
_COSTS: Final = {
    kind: tuple(
        _LEAD - part + (card_rules.ACE - number) * (6 if kind is Shape.SINGLE else 3)
        for number, part in enumerate(saved)
    )
    for kind, saved in _SAVED.items()
}
"""What a part of each kind costs, by the number that decides; a lower one costs more."""
_LEAST: Final = min(_COSTS[Shape.FULL_HOUSE])
"""What pairs and triples cost at least, however they are joined."""


def cost_of(made: Combination, faces: Collection[int]) -> int:
    """Return what a part costs, in thousandths of a lead."""
    if len(faces) == 1:
        (face,) = faces
        if face in _SAVED_BY:
            return _LEAD - _SAVED_BY[face]
    return _COSTS[made.kind][made.strength // 2]


def cost(hand: Collection[int]) -> int:
    """Return what the best split of ``hand`` costs, in thousandths of a lead."""
    fast = core()
    if fast is not None:
        return fast.cost(cards(hand))
    found = _best_of(hand)
    if any(kind is Shape.FLUSH for kind, _, _ in found.parts):
        # The Phoenix or another flush may have taken a card of it.
        return sum(cost_of(part.made, part.faces) for part in split(hand))
    return found.cost + sum(
        _LEAD - _SAVED_BY[face] for face in (card_rules.DOG, card_rules.DRAGON) if face in hand
    )


def split(hand: Collection[int]) -> tuple[Play, ...]:
    """Return the parts of ``hand`` that cost least together; each card is in one part."""
    fast = core()
    if fast is not None:
        return fast.split(cards(hand))
    return _split(tuple(sorted(hand)))


@lru_cache(maxsize=_REMEMBERED)
def _split(hand: tuple[int, ...]) -> tuple[Play, ...]:
    found = _best_of(hand)
    return tuple(_laid_out(hand, found.parts, found.wild))


class _Split(NamedTuple):
    """A split of cards of the suits, the Mah Jong and the Phoenix.

    wild: the Phoenix's number, or 0 if it is alone.
    """

    cost: int
    parts: tuple[_Group, ...]
    wild: int


def _best_of(hand: Collection[int]) -> _Split:
    counts = [0] * (card_rules.ACE + SHORTEST)  # a run ends at the first number without cards
    for face in hand:
        counts[card_rules.NUMBERS[face]] += 1
    counts[0] = 0
    return _best(tuple(counts), _flushes(hand), phoenix=card_rules.PHOENIX in hand)


@lru_cache(maxsize=_REMEMBERED)
def _best(
    counts: tuple[int, ...], flushes: frozenset[tuple[int, int]], *, phoenix: bool
) -> _Split:
    search = _Search(list(counts), flushes)
    if phoenix:
        search.most -= _LEAD - _SAVED_BY[card_rules.PHOENIX]
        search.go(1, 0)
        search.most += _LEAD - _SAVED_BY[card_rules.PHOENIX]
        for wild in range(card_rules.LOWEST, card_rules.ACE + 1):
            if _is_of_use(search.counts, wild):
                search.counts[wild] += 1
                search.wild = wild
                search.go(1, 0)
                search.counts[wild] -= 1
    else:
        search.go(1, 0)
    return _Split(search.most, tuple(search.found), search.named)


def _is_of_use(counts: list[int], wild: int) -> bool:
    """Tell whether the Phoenix as ``wild`` can make a pair or more, or a straight."""
    if counts[wild]:
        return True
    low = high = wild
    while counts[low - 1]:
        low -= 1
    while counts[high + 1]:
        high += 1
    return high - low + 1 >= SHORTEST


def _flushes(hand: Collection[int]) -> frozenset[tuple[int, int]]:
    """Return the lowest number and the length of each straight of one suit."""
    found: set[tuple[int, int]] = set()
    run, before = 0, card_rules.MAH_JONG
    for face in sorted(face for face in hand if face < card_rules.MAH_JONG):
        follows = before + 1 == face and card_rules.SUITS[before] == card_rules.SUITS[face]
        run, before = (run + 1 if follows else 1), face
        for size in range(SHORTEST, run + 1):
            found.add((card_rules.NUMBERS[face] - size + 1, size))
    return frozenset(found)


class _Search:
    """The search through all splits of the cards, but for hopeless splits.

    counts: the number of cards of each number. most: a split has to stay below. found: the best
    split. named: the Phoenix's number in the best split. wild: the Phoenix's number in the
    splits searched now, or 0.
    """

    def __init__(self, counts: list[int], flushes: frozenset[tuple[int, int]]) -> None:
        self.counts = counts
        self.flushes = flushes
        self.most = _MANY
        self.wild = 0
        self.found: list[_Group] = []
        self.named = 0
        self._parts: list[_Group] = []
        self._pairs: list[int] = []
        self._triples: list[int] = []

    def go(self, number: int, spent: int) -> None:
        """Split the cards from ``number`` on. spent: by parts but for pairs and triples."""
        counts = self.counts
        while number <= card_rules.ACE and not counts[number]:
            number += 1
        if spent + _LEAST * max(len(self._pairs), len(self._triples)) >= self.most:
            return
        if number > card_rules.ACE:
            self._weigh(spent)
            return
        if all(counts[number + 1 : number + SHORTEST]):
            self._runs(number, spent, Shape.STRAIGHT, 1, SHORTEST)
        if counts[number] > 1 < counts[number + 1]:
            self._runs(number, spent, Shape.STAIRS, 2, 2)
        count, counts[number] = counts[number], 0
        for pairs, triples, alone in _GROUPS[count]:
            self._pairs += (number,) * pairs
            self._triples += (number,) * triples
            if alone is None:
                self.go(number + 1, spent)
            else:
                self._parts.append((alone, number, 1))
                self.go(number + 1, spent + _COSTS[alone][number])
                self._parts.pop()
            del self._pairs[len(self._pairs) - pairs :]
            del self._triples[len(self._triples) - triples :]
        counts[number] = count

    def _runs(self, low: int, spent: int, kind: Shape, copies: int, shortest: int) -> None:
        """Take straights or stairs from ``low`` on, the longest first."""
        counts = self.counts
        end = low
        while counts[end] >= copies:
            counts[end] -= copies
            end += 1
        for length in range(end - low, shortest - 1, -1):
            made = kind
            if kind is Shape.STRAIGHT and (low, length) in self.flushes:
                made = Shape.FLUSH
            self._parts.append((made, low, length))
            self.go(low, spent + _COSTS[made][low + length - 1])
            self._parts.pop()
            counts[low + length - 1] += copies
        for number in range(low, min(end, low + shortest - 1)):
            counts[number] += copies

    def _weigh(self, spent: int) -> None:
        """Put the lowest pairs to the triples, and keep the split if it is the best."""
        pairs, triples = self._pairs, self._triples
        joined = min(len(pairs), len(triples))
        for place, number in enumerate(triples):
            spent += _COSTS[Shape.FULL_HOUSE if place < joined else Shape.TRIPLE][number]
        for number in pairs[joined:]:
            spent += _COSTS[Shape.PAIR][number]
        if spent >= self.most:
            return
        rest = [
            *((Shape.TRIPLE, number, 1) for number in triples),
            *((Shape.PAIR, number, 1) for number in pairs),
        ]
        parts = [*self._parts, *rest]
        if self.wild and not any(_has_room(part, self.wild) for part in parts):
            return
        self.most, self.found, self.named = spent, parts, self.wild


def _has_room(part: _Group, wild: int) -> bool:
    """Tell whether the Phoenix as ``wild`` can be one of the cards."""
    kind, low, length = part
    return kind not in (Shape.SINGLE, Shape.FOUR) and low <= wild < low + length


def _laid_out(hand: tuple[int, ...], parts: Iterable[_Group], wild: int) -> Iterator[Play]:
    """Yield the parts with their faces. Straights are first: they need certain suits."""
    by_number: dict[int, list[int]] = {}
    for face in hand:
        if face < card_rules.DOG:
            by_number.setdefault(card_rules.NUMBERS[face], []).append(face)
    for face in (card_rules.DOG, card_rules.PHOENIX, card_rules.DRAGON):
        if face in hand and not (face == card_rules.PHOENIX and wild):
            yield _play((face,), 0)
    made: dict[Shape, list[tuple[tuple[int, ...], int]]] = {}
    order = sorted(parts, key=lambda part: (part[0] is not Shape.FLUSH, -part[2]))
    for part in order:
        kind, low, length = part
        named = wild if wild and _has_room(part, wild) else 0
        if named:
            wild = 0
        copies = _SIZES.get(kind, 2 if kind is Shape.STAIRS else 1)
        faces: list[int] = []
        suit = _suit_of(by_number, low, length) if kind is Shape.FLUSH and not named else None
        for number in range(low, low + length):
            for _ in range(copies - (number == named)):
                held = by_number[number]
                at = next(
                    (i for i, face in enumerate(held) if card_rules.SUITS[face] == suit), 0
                )
                faces.append(held.pop(at))
        if named:
            faces.append(card_rules.PHOENIX)
        made.setdefault(kind, []).append((tuple(faces), named))
    yield from _joined(made)


def _suit_of(by_number: dict[int, list[int]], low: int, length: int) -> int | None:
    """Return a suit that has all these numbers."""
    for suit in range(4):
        if all(
            any(card_rules.SUITS[face] == suit for face in by_number[number])
            for number in range(low, low + length)
        ):
            return suit
    return None


def _joined(made: dict[Shape, list[tuple[tuple[int, ...], int]]]) -> Iterator[Play]:
    """Yield the plays, the lowest pairs joined to triples as full houses."""
    pairs = sorted(made.pop(Shape.PAIR, []), key=_number_of)
    triples = sorted(made.pop(Shape.TRIPLE, []), key=_number_of)
    for triple, pair in zip(triples, pairs, strict=False):
        yield _play((*triple[0], *pair[0]), triple[1] or pair[1])
    joined = min(len(pairs), len(triples))
    for faces, wild in (*pairs[joined:], *triples[joined:], *itertools.chain(*made.values())):
        yield _play(faces, wild)


def _number_of(cards: tuple[tuple[int, ...], int]) -> int:
    return card_rules.NUMBERS[cards[0][0]]


def _play(faces: tuple[int, ...], wild: int) -> Play:
    return Play(combination(faces, wild, None), faces, wild)
