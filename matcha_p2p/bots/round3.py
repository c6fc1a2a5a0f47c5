"""The last round of a set, solved: what both should do if neither has given anything away.

At the beginning of round 3 every deal that agrees with what is public counts as equally likely.
Cards that match neither mat are all alike, blanks, so the type of a player is which of the
others it holds, and which it has laid unseen in this set. That loses nothing but what a card
left over may be worth in the next set. The solution follows from what is public, so both seats
share it, and it is found once a round.
"""

import functools
import math
import random
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from math import factorial
from typing import Final, TypeAlias

from matcha_p2p.bots.course import NOWHERE, Course, running_course
from matcha_p2p.bots.keeping import strength
from matcha_p2p.bots.masks import BLANK, CARDS, mat_of, pack, settle
from matcha_p2p.bots.sequence_form import Plan, Side, solve, values
from matcha_p2p.bots.verdicts import PAIR, verdicts_after
from matcha_p2p.rules.cards import DECK, Face
from matcha_p2p.rules.edition import Edition
from matcha_p2p.rules.game import Game
from matcha_p2p.rules.history import Round, slot_at
from matcha_p2p.rules.judgement import JudgedMove
from matcha_p2p.rules.moves import MATS_OF_ROUND, PASS, Move, Pass, Play
from matcha_p2p.rules.observation import Observation
from matcha_p2p.rules.seats import SEATS, Seat, opposite

Type: TypeAlias = tuple[int, int]
"""The live cards that a player holds as the round begins, and those it has laid before."""
History: TypeAlias = tuple[int, ...]
"""The place of each decision in the round so far."""
Point: TypeAlias = tuple[Type, History, tuple[int, int]]
"""What a player knows as it decides: its type, the history, its cards on the two mats."""
Option: TypeAlias = tuple[int, int]
"""A place and a card for it, or NOWHERE and 0."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What is public as round 3 begins.

    last: of the edition's last set. mats: the faces on the number mat and on the suit mat.
    live: the cards not public that match one of them. blanks: how many others are not public.
    held: how many cards each seat holds. lone: how many each has laid unseen. tokens: packed.
    """

    edition: Edition
    comparing: bool
    last: bool
    dealer: Seat
    mats: tuple[Face, Face]
    live: int
    blanks: int
    held: tuple[int, int]
    lone: tuple[int, int]
    tokens: tuple[int, int]


def ending_of(game: Game) -> Ending:
    """Return what was public as round 3 of ``game``, now running, began."""
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
    return Ending(
        edition=game.edition,
        comparing=game.comparing,
        last=game.number == game.edition.sets,
        dealer=game.dealer,
        mats=mats,
        live=live,
        blanks=hidden.total() - live.bit_count(),
        held=(_held(course, SEATS[0]), _held(course, SEATS[1])),
        lone=(_lone(earlier, SEATS[0]), _lone(earlier, SEATS[1])),
        tokens=(pack(game.tokens[0]), pack(game.tokens[1])),
    )


def _held(course: Course, seat: Seat) -> int:
    return course.cards[seat] + len(course.laid[seat])


def _lone(earlier: tuple[Round, ...], seat: Seat) -> int:
    return sum(
        resolution.slots[seat] is not None and not resolution.revealed
        for played in earlier
        for resolution in played.resolutions
    )


_PAIRS: Final = 120_000
"""The most pairs of plays that a round is built with, possible together or not."""
_WORK: Final = 270_000
"""How many payoffs the solver may look at, all iterations together, which bounds the time."""
_FEWEST: Final = 12
_MOST: Final = 40
"""Iterations: as many as this work allows; with fewer than the fewest it is too large."""
_UNREACHED: Final = 1e-6
_EXACTLY: Final = 0.0025
"""The error of a solution; half of what a best response gains, at most."""
_RARE: Final = 0.02
"""A choice less likely than this part of the likeliest is noise of the solution."""


@dataclass(frozen=True, slots=True)
class _Live:
    """A way in which a player has come to a public point.

    hand: the live cards that it still holds. blanks: how many others.
    """

    type: Type
    sequence: int
    hand: int
    blanks: int
    laid: tuple[int, int] = (0, 0)

    def options(self, course: Course, seat: Seat) -> list[Option]:
        """Return what it can do, its pass last."""
        cards = (*CARDS[self.hand], BLANK) if self.blanks else CARDS[self.hand]
        lays = [(place, card) for place in course.free(seat) for card in cards]
        return [*lays, (NOWHERE, 0)]

    def after(self, option: Option, sequence: int) -> "_Live":
        """Return it after that option."""
        place, card = option
        if place == NOWHERE:
            return replace(self, sequence=sequence)
        laid = (self.laid[0], card) if place else (card, self.laid[1])
        if card == BLANK:
            return replace(self, sequence=sequence, blanks=self.blanks - 1, laid=laid)
        return replace(self, sequence=sequence, hand=self.hand ^ card, laid=laid)


Lives: TypeAlias = tuple[list[_Live], list[_Live]]


class TooLargeError(Exception):
    """A round has more ways to go on than can be looked at."""


class Round3:
    """The game that round 3 is, for both seats."""

    def __init__(
        self, ending: Ending, limit: float = math.inf, *, reaching: bool = False
    ) -> None:
        """Build it: the more cards are live and in hands, the larger it is.

        limit: how many pairs of plays it may have. reaching: every end counts as won by seat
        0, so that values are the chances to come there.

        Raises:
            TooLargeError: it has more.
        """
        self._limit: Final = limit
        self._reaching: Final = reaching
        self._pairs = 0
        self.ending: Final = ending
        self._mats: Final = (mat_of(4, ending.mats[0]), mat_of(5, ending.mats[1]))
        self._verdicts: Final = verdicts_after(
            ending.edition,
            comparing=ending.comparing,
            last=ending.last,
            next_dealer=opposite(ending.dealer),
        )
        self._judged: Final[dict[tuple[int, int, int, int], float]] = {}
        self.sides: Final = (Side(), Side())
        self.points: Final[dict[Point, tuple[int, list[Option]]]] = {}
        types = [_types(ending, seat) for seat in SEATS]
        self._chances: Final = _chances(ending, types[0], types[1])
        lives = tuple(
            [
                _Live(own, 0, own[0], ending.held[seat] - own[0].bit_count())
                for own in types[seat]
            ]
            for seat in SEATS
        )
        course = Course(ending.edition.turns, ending.dealer, ending.held)
        self._grow(course, (), (lives[0], lives[1]))

    @property
    def payoffs(self) -> int:
        """Return how many payoffs each iteration of a solver has to look at."""
        return sum(len(row) for row in self.sides[0].payoffs.values())

    def _grow(self, course: Course, history: History, lives: Lives) -> None:
        seat = course.to_move
        if seat is None:
            self._end(lives)
            return
        branches: dict[int, list[_Live]] = {}
        for live in lives[seat]:
            options = live.options(course, seat)
            first = live.sequence
            if len(options) > 1:
                first = self.sides[seat].decide(live.sequence, len(options))
                self.points[live.type, history, live.laid] = (first, options)
            for at, option in enumerate(options):
                branches.setdefault(option[0], []).append(live.after(option, first + at))
        for place, branch in branches.items():
            following = (lives[0], branch) if seat else (branch, lives[1])
            self._grow(course.after(place), (*history, place), following)

    def _end(self, lives: Lives) -> None:
        self._pairs += len(lives[0]) * len(lives[1])
        if self._pairs > self._limit:
            raise TooLargeError
        for first in lives[0]:
            chances = self._chances.get(first.type, {})
            for second in lives[1]:
                chance = chances.get(second.type)
                if chance is not None:
                    won = 1.0 if self._reaching else self._verdict(first.laid, second.laid)
                    gain = chance * won
                    self.sides[0].gain(first.sequence, second.sequence, gain)
                    self.sides[1].gain(second.sequence, first.sequence, -gain)

    def _verdict(self, first: tuple[int, int], second: tuple[int, int]) -> float:
        cards = (*first, *second)
        found = self._judged.get(cards)
        if found is None:
            tokens = list(self.ending.tokens)
            for mat, one, other in zip(self._mats, first, second, strict=True):
                settle(mat, one, other, tokens)
            found = self._judged[cards] = self._verdicts[tokens[0] << PAIR | tokens[1]]
        return found


def _types(ending: Ending, seat: Seat) -> list[Type]:
    """Return the types that ``seat`` may have."""
    found: list[Type] = []
    for hand in _subsets(ending.live, ending.held[seat], ending.blanks):
        rest = ending.live ^ hand
        spare = ending.blanks - ending.held[seat] + hand.bit_count()
        found += [(hand, lone) for lone in _subsets(rest, ending.lone[seat], spare)]
    return found


def _subsets(cards: int, size: int, blanks: int) -> list[int]:
    """Return the parts of ``cards`` that make ``size`` cards with at most so many blanks."""
    bits = CARDS[cards]
    counts = range(max(0, size - blanks), min(size, len(bits)) + 1)
    return [sum(chosen) for count in counts for chosen in combinations(bits, count)]


def _chances(
    ending: Ending, first: list[Type], second: list[Type]
) -> dict[Type, dict[Type, float]]:
    """Return how likely each two types are together, where they can be."""
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


def _ways(ending: Ending, first: Type, second: Type) -> int:
    """Return in how many ways the blanks can lie around these live cards."""
    piles = (*first, *second)
    live = 0
    for pile in piles:
        if live & pile:
            return 0
        live |= pile
    sizes = (ending.held[0], ending.lone[0], ending.held[1], ending.lone[1])
    blanks = [size - pile.bit_count() for size, pile in zip(sizes, piles, strict=True)]
    aside = ending.blanks - sum(blanks)
    if aside < 0:
        return 0
    ways = factorial(ending.blanks) // factorial(aside)
    for count in blanks:
        ways //= factorial(count)
    return ways


@dataclass(frozen=True, slots=True)
class Solution:
    """Round 3 with a plan for both seats."""

    round: Round3
    plans: tuple[Plan, Plan]


@functools.lru_cache(maxsize=4)  # both seats ask in turn, and an undo comes back
def solution_of(ending: Ending) -> Solution | None:
    """Return the solution, or None if the round is too large for that.

    Where many cards have been laid unseen, what a player knows by its own is left out.
    """
    for known in (ending, replace(ending, lone=(0, 0))):
        with suppress(TooLargeError):
            game = Round3(known, _PAIRS)
            iterations = _WORK // game.payoffs
            if iterations >= _FEWEST:
                return Solution(game, solve(game.sides, min(_MOST, iterations)))
    return None


@dataclass(frozen=True, slots=True)
class Advice:
    """What the solution says to a seat that is to move: moves and their weights."""

    moves: list[Move]
    weights: list[float]

    def sample(self, rng: random.Random) -> Move:
        """Return a move by its weight, rare ones left out."""
        least = _RARE * max(self.weights)
        weights = [weight if weight >= least else 0.0 for weight in self.weights]
        return rng.choices(self.moves, weights)[0] if any(weights) else rng.choice(self.moves)


def advice(observation: Observation) -> Advice | None:
    """Return what the solution says in round 3, or None if the round is too large for it."""
    ending = ending_of(observation.game)
    solution = solution_of(ending)
    if solution is None:
        return None
    point = point_of(observation, solution.round.ending)
    first, options = solution.round.points[point]
    weights = list(solution.plans[observation.seat][first : first + len(options)])
    return Advice([_move(observation, ending, option) for option in options], weights)


def judged_exactly(observation: Observation) -> tuple[JudgedMove, ...] | None:
    """Return what the moves of round 3 are worth against the solution, best first.

    None if the round is too large for it, or if the solution never lets the other come here.
    """
    ending = ending_of(observation.game)
    solution = solution_of(ending)
    if solution is None:
        return None
    seat, plans = observation.seat, solution.plans
    own, other = plans[seat], plans[opposite(seat)]
    game = solution.round
    reaching = Round3(game.ending, reaching=True)
    first, options = game.points[point_of(observation, game.ending)]
    gains = values(game.sides[seat], own, other)
    reach = values(reaching.sides[seat], own, other)
    if abs(reach[first]) < _UNREACHED:
        return None
    judged: list[JudgedMove] = []
    for at, option in enumerate(options, first):
        won = gains[at] / reach[at]
        value = 1 - won if seat else won
        judged.append(JudgedMove(_move(observation, ending, option), value, _EXACTLY))
    weights = {move.move: own[first + at] for at, move in enumerate(judged)}
    return tuple(sorted(judged, key=lambda it: (-round(it.value, 2), -weights[it.move])))


def point_of(observation: Observation, ending: Ending) -> Point:
    """Return what the seat to move knows.

    ending: as it is solved, with lone cards or without.
    """
    game, seat = observation.game, observation.seat
    turns = game.rounds[-1].turns
    slots = [slot_at(turns, seat, mat) for mat in MATS_OF_ROUND[-1]]
    number, suit = (
        0 if slot is None else _played(observation.hand[slot], ending) for slot in slots
    )
    begun = game.hands[seat].union(slot for slot in slots if slot is not None)
    hand = _live_bits([observation.hand[slot] for slot in begun], ending)
    lone = [
        observation.hand[slot]
        for played in game.rounds[:-1]
        for resolution in played.resolutions
        if (slot := resolution.slots[seat]) is not None and not resolution.revealed
    ]
    history = tuple(_place(turn.move) for turn in turns if not turn.auto)
    known = _live_bits(lone, ending) if ending.lone[seat] else 0
    return (hand, known), history, (number, suit)


def _played(card: Face, ending: Ending) -> int:
    return _live_bits([card], ending) or BLANK


def _live_bits(cards: Iterable[Face], ending: Ending) -> int:
    return sum(1 << card.index for card in cards) & ending.live


def _place(move: Play | Pass) -> int:
    return move.mat % 2 if isinstance(move, Play) else NOWHERE


def _move(observation: Observation, ending: Ending, option: Option) -> Move:
    """Return the move that is meant; of the blanks the one that is worth least later goes."""
    place, card = option
    if place == NOWHERE:
        return PASS
    fitting = [
        (strength(face), slot)
        for slot, face in observation.held()
        if _played(face, ending) == card
    ]
    return Play(MATS_OF_ROUND[-1][place], min(fitting)[1])


def meaning(observation: Observation, ending: Ending, move: Move) -> Option:
    """Return the option of the solved game that a move is; all blanks are one card."""
    match move:
        case Play(mat, slot):
            return mat % 2, _played(observation.hand[slot], ending)
        case _:
            return NOWHERE, 0
