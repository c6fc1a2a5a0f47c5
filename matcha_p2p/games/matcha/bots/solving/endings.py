"""The knowledge at the beginning of round 3 of a set: public, and of each player.

A card that matches neither mat is a blank, and all blanks are alike. All other cards are live.
A player's type is the live cards in its hand and the live cards laid unseen in this set.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import TypeAlias

from matcha_p2p.games.matcha.bots.solving.course import NOWHERE, Course, running_course
from matcha_p2p.games.matcha.bots.solving.masks import CARDS, mat_of, pack_tokens
from matcha_p2p.games.matcha.rules.cards import DECK, Face
from matcha_p2p.games.matcha.rules.edition import Edition
from matcha_p2p.games.matcha.rules.history import Round
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.rules.state import GameState

Type: TypeAlias = tuple[int, int]
"""The live cards in a player's hand as the round begins, and the live cards laid before."""


@dataclass(frozen=True, slots=True)
class Endgame:
    """The public knowledge at the beginning of round 3.

    last: whether the set is the edition's last set. mats: the faces on the number mat and on
    the suit mat. live: the hidden cards that match a mat. blanks: how many hidden cards match
    neither mat. held: how many cards each seat holds. lone: how many cards each seat has laid
    unseen. tokens: packed. known: the live cards that a type names if they were laid unseen; a
    player's knowledge of further laid cards is ignored.
    """

    edition: Edition
    comparing: bool
    last: bool
    dealer: Seat
    mats: tuple[Face, Face]
    live: int
    known: int
    blanks: int
    held: tuple[int, int]
    lone: tuple[int, int]
    tokens: tuple[int, int]


def ending_of(game: GameState) -> Endgame:
    """Return the public knowledge at the beginning of round 3 of ``game``, now running."""
    course = running_course(game)
    earlier = game.rounds[:-1]
    opened = [
        card
        for played in earlier
        for resolution in played.resolutions
        for card in resolution.cards
        if card is not None
    ]
    hidden = Counter(DECK)
    hidden.subtract((*game.table, *opened))
    mats = (game.table[4], game.table[5])
    matching = mat_of(4, mats[0]).matching | mat_of(5, mats[1]).matching
    live = sum(1 << face.index for face in hidden.elements() if matching >> face.index & 1)
    return Endgame(
        edition=game.edition,
        comparing=game.comparing,
        last=game.number == game.edition.sets,
        dealer=game.dealer,
        mats=mats,
        live=live,
        known=live,
        blanks=hidden.total() - live.bit_count(),
        held=(_held(course, SEATS[0]), _held(course, SEATS[1])),
        lone=(_lone(earlier, SEATS[0]), _lone(earlier, SEATS[1])),
        tokens=(pack_tokens(game.tokens[0]), pack_tokens(game.tokens[1])),
    )


def _held(course: Course, seat: Seat) -> int:
    return course.cards[seat] + len(course.laid[seat])


def _lone(earlier: tuple[Round, ...], seat: Seat) -> int:
    return sum(
        resolution.slots[seat] is not None and not resolution.revealed
        for played in earlier
        for resolution in played.resolutions
    )


def types_of(ending: Endgame, seat: Seat) -> list[Type]:
    """Return the types that ``seat`` may have."""
    found: list[Type] = []
    for hand in _subsets(ending.live, ending.held[seat], ending.blanks):
        rest = ending.live ^ hand
        spare = ending.blanks - ending.held[seat] + hand.bit_count()
        spare += (rest & ~ending.known).bit_count()
        lones = _subsets(rest & ending.known, ending.lone[seat], spare)
        found += [(hand, lone) for lone in lones]
    return found


def _subsets(cards: int, size: int, blanks: int) -> list[int]:
    """Return the subsets of ``cards`` that at most ``blanks`` blanks fill up to ``size``."""
    bits = CARDS[cards]
    counts = range(max(0, size - blanks), min(size, len(bits)) + 1)
    return [sum(chosen) for count in counts for chosen in combinations(bits, count)]


def chances_of(
    ending: Endgame, first: list[Type], second: list[Type]
) -> dict[Type, dict[Type, float]]:
    """Return the probability of each possible pair of types."""
    ways: dict[Type, dict[Type, float]] = {}
    for one in first:
        for other in second:
            count = _ways(ending, one, other)
            if count:
                ways.setdefault(one, {})[other] = count
    total = sum(sum(row.values()) for row in ways.values())
    return {
        one: {other: count / total for other, count in row.items()} for one, row in ways.items()
    }


def _ways(ending: Endgame, first: Type, second: Type) -> int:
    """Return in how many ways all other cards can lie around these live cards."""
    piles = (*first, *second)
    placed = 0
    for pile in piles:
        if placed & pile:
            return 0
        placed |= pile
    sizes = (ending.held[0], ending.lone[0], ending.held[1], ending.lone[1])
    needs = [size - pile.bit_count() for size, pile in zip(sizes, piles, strict=True)]
    blanks = ending.blanks - needs[0] - needs[2]
    if blanks < 0:
        return 0
    rest = blanks + (ending.live & ~placed & ~ending.known).bit_count()
    hands = comb(ending.blanks, needs[0]) * comb(ending.blanks - needs[0], needs[2])
    return hands * comb(rest, needs[1]) * comb(max(0, rest - needs[1]), needs[3])


def plays(ending: Endgame) -> int:
    """Return in how many ways round 3 can be played, over all deals of the live cards."""
    course = Course(ending.edition.turns, ending.dealer, ending.held)
    lines = Counter(_lines(course)).items()
    total = 0
    for live, ways in _live_in_hands(ending):
        blanks = [held - cards for held, cards in zip(ending.held, live, strict=True)]
        for laid, count in lines:
            first, second = map(_orders, live, blanks, laid)
            total += ways * count * first * second
    return total


def _lines(course: Course) -> Iterator[tuple[int, int]]:
    """Yield how many cards the seats lay, for each public line of the round."""
    seat = course.to_move
    if seat is None:
        yield len(course.laid[0]), len(course.laid[1])
        return
    for place in (*course.free(seat), NOWHERE):
        yield from _lines(course.after(place))


def _orders(live: int, blanks: int, laid: int) -> int:
    """Return in how many ways ``laid`` cards can be laid in turn; blanks are alike."""
    match laid:
        case 0:
            return 1
        case 1:
            return live + (blanks > 0)
        case _:
            return live * (live - 1) + 2 * live * (blanks > 0) + (blanks > 1)


def _live_in_hands(ending: Endgame) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the live cards in both hands, and the count of pairs of types with such hands."""
    known = ending.known.bit_count()
    others = ending.live.bit_count() - known
    sizes = (*ending.held, *ending.lone)
    for first, second, *lone in product(*(range(min(size, known) + 1) for size in sizes)):
        splits = _ways_to_split(known, first, second, *lone)
        if not splits:
            continue
        unseen = sum(ending.lone) - sum(lone)  # unknown cards
        for more in product(range(others + 1), repeat=2):
            live = first + more[0], second + more[1]
            blanks = ending.blanks - sum(ending.held) + sum(live)
            fits = live[0] <= ending.held[0] and live[1] <= ending.held[1] and blanks >= 0
            if fits and blanks + others - sum(more) >= unseen:
                yield live, splits * _ways_to_split(others, *more)


def _ways_to_split(cards: int, *piles: int) -> int:
    """Return in how many ways piles of these sizes can be made from ``cards`` cards."""
    ways = 1
    for size in piles:
        if size > cards:
            return 0
        ways *= comb(cards, size)
        cards -= size
    return ways
