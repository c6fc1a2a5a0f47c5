"""Monte Carlo tree search over information sets, for the rounds before the last of a set.

Each iteration deals the unseen cards anew and walks down one tree. A position of the tree is
the knowledge of its player: two deals that look alike to the player to move share their
statistics. The walk takes the move with the best upper confidence bound, adds one position,
and plays the set to its end in a cheap way. The tokens then give an estimate of the next sets.

Source: Cowling, Powley, Whitehouse, Information Set Monte Carlo Tree Search, IEEE T-CIAIG 4
(2012); the bound is UCB1 (Auer and others 2002).
"""

import functools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Final, TypeAlias

from matcha_p2p.games.matcha.bots.solving import masks
from matcha_p2p.games.matcha.bots.solving.course import NOWHERE, Course, running_course
from matcha_p2p.games.matcha.bots.valuation.verdicts import GOES_ON, PAIR, verdicts_after
from matcha_p2p.games.matcha.rules.moves import PASS, Move, Play
from matcha_p2p.games.matcha.rules.observation import Observation, unseen
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite

EXPLORATION: Final = 0.7
"""The distance of a move's bound above its mean."""
MATCHING: Final = 0.75
"""How often a playout lays a matching card, if the hand has a matching card."""

LaidCards: TypeAlias = list[int]
"""The cards of the running round on both mats, those of seat 0 first; 0 is no card."""
Deal: TypeAlias = tuple[tuple[int, int], tuple[int, int, int, int]]
"""The cards in both hands, and the cards laid."""


@dataclass(frozen=True, slots=True)
class SearchedMove:
    """The findings of the search about a move.

    value: the chance to win, 0..1. visits: how often the search tried the move.
    """

    move: Move
    value: float
    visits: int

    @property
    def error(self) -> float:
        """Return the standard error of the value, at most."""
        return 0.5 / math.sqrt(max(1, self.visits))


class _Position:
    """The statistics of moves at one information set: deals that look alike to the player."""

    __slots__ = ("cards", "count", "places", "totals", "untried", "visits")

    def __init__(self, free: tuple[int, ...], hand: int) -> None:
        moves = [(place, card) for place in free for card in masks.CARDS[hand]]
        moves.append((NOWHERE, 0))
        self.places: Final = [place for place, _ in moves]
        self.cards: Final = [card for _, card in moves]
        self.visits: Final = [0] * len(moves)
        self.totals: Final = [0.0] * len(moves)
        self.untried: Final = list(range(len(moves)))
        self.count = 0

    def best(self, reach: Sequence[float]) -> int:
        """Return the move with the best upper confidence bound.

        reach: for each number of visits, the distance of a move's bound above its mean, before
        it is multiplied by the factor that grows with the visits of the position.
        """
        self.count += 1
        factor = math.sqrt(math.log(self.count))
        bounds = [
            total / visits + factor * reach[visits]
            for total, visits in zip(self.totals, self.visits, strict=True)
        ]
        return bounds.index(max(bounds))


class _Stage:
    """A public point of a round with its derived facts, one stage for each course."""

    __slots__ = ("course", "following", "free", "open", "seat")

    def __init__(self, course: Course) -> None:
        self.course: Final = course
        self.seat: Final = course.to_move
        self.free: Final = () if self.seat is None else course.free(self.seat)
        self.open: Final = _open_places(course)
        self.following: Final[dict[int, _Stage]] = {}

    def after(self, place: int) -> "_Stage":
        """Return the stage after the seat to move lays a card at ``place``, or passes."""
        following = self.following.get(place)
        if following is None:
            following = self.following[place] = stage_of(self.course.after(place))
        return following


@functools.cache  # some hundred in an edition
def stage_of(course: Course) -> _Stage:
    """Return the stage of ``course``."""
    return _Stage(course)


@functools.cache
def _first_stage(limit: int | None, dealer: Seat, first: int, second: int) -> _Stage:
    return stage_of(Course(limit, dealer, (first, second)))


def _open_places(course: Course) -> list[tuple[int, ...]]:
    """Return the sets of places in LaidCards where cards may still be laid this round."""
    ways: list[list[int]] = [[]]
    for seat in SEATS:
        free = [2 * seat + place for place in course.free(seat)]
        chosen = [list(places) for places in combinations(free, course.left(seat))]
        ways = [[*way, *places] for way in ways for places in chosen]
    return [tuple(way) for way in ways]


class _Node:
    """A public position: a stage of a round, after the cards turned up before."""

    __slots__ = ("following", "number", "positions", "stage")

    def __init__(self, number: int, stage: _Stage) -> None:
        """Make the node. number: the round's, 0..2."""
        self.number: Final = number
        self.stage: Final = stage
        self.positions: Final[dict[int, _Position]] = {}
        self.following: Final[dict[int, _Node]] = {}

    def after(self, place: int) -> "_Node":
        """Return the node after the seat to move lays a card at ``place``, or passes."""
        following = self.following.get(place)
        if following is None:
            following = _Node(self.number, self.stage.after(place))
            self.following[place] = following
        return following


class Search:
    """The search from one observation, in which its seat is to move."""

    def __init__(self, observation: Observation, rng: random.Random) -> None:
        """Prepare the search. rng: the only source of chance."""
        game = observation.game
        self._observation: Final = observation
        self._random: Final = rng.random
        self._seat: Final = observation.seat
        self._mats: Final = [masks.mat_of(mat, shown) for mat, shown in enumerate(game.table)]
        self._within: Final = verdicts_after(
            game.edition, comparing=game.comparing, last=False, next_dealer=None
        )
        self._at_end: Final = verdicts_after(
            game.edition,
            comparing=game.comparing,
            last=game.number == game.edition.sets,
            next_dealer=opposite(game.dealer),
        )
        self._tokens: Final = (
            masks.pack_tokens(game.tokens[0]),
            masks.pack_tokens(game.tokens[1]),
        )
        self._dealer: Final = game.dealer
        self._limit: Final = game.edition.turns
        course = running_course(game)
        self._root: Final = _Node(game.rounds[-1].number - 1, stage_of(course))
        self._own: Final = own_bits(observation)
        self._deals: Final = deals_of(observation, self._own)
        self._reach: Final = [math.inf]  # of the bound of a move, by its visits
        self._first: int | None = None  # the forced first move of each iteration, or None

    def run(self, iterations: int) -> list[SearchedMove]:
        """Return the findings about each move after ``iterations`` more iterations, best first.

        The number of iterations alone decides when the search stops; no limit of time exists.
        """
        known = len(self._reach)
        self._reach.extend(
            EXPLORATION / math.sqrt(visits) for visits in range(known, known + iterations)
        )
        for _ in range(iterations):
            self._iterate()
        position = self._root_position()
        found = [
            SearchedMove(self._move(place, card), total / max(1, visits), visits)
            for place, card, total, visits in zip(
                position.places, position.cards, position.totals, position.visits, strict=True
            )
        ]
        return sorted(found, key=lambda choice: (-choice.visits, -choice.value))

    def try_out(self, move: Move, iterations: int) -> list[SearchedMove]:
        """Return findings as ``run`` does, but begin each of these iterations with ``move``."""
        position = self._root_position()
        moves = map(self._move, position.places, position.cards)
        same = [at for at, found in enumerate(moves) if self.shows(found) == self.shows(move)]
        self._first = same[0]
        found = self.run(iterations)
        self._first = None
        return found

    def shows(self, move: Move) -> tuple[int, str] | None:
        """Return the place and the card of a move; the two zeros count as one card."""
        if isinstance(move, Play):
            return move.mat, self._observation.hand[move.slot].name
        return None

    def _root_position(self) -> _Position:
        (hands, laid), seat = self._deals[0], self._seat
        return self._root.positions[_key(hands[seat], *laid[2 * seat : 2 * seat + 2])]

    def _move(self, place: int, card: int) -> Move:
        if place == NOWHERE:
            return PASS
        return Play(2 * self._root.number + place, self._own.index(card))

    def _iterate(self) -> None:
        """Walk down from the root, add a position, play on, and note the outcome."""
        deals = self._deals
        dealt, lying = deals[int(self._random() * len(deals))]
        hands, laid, tokens = list(dealt), list(lying), list(self._tokens)
        node = self._root
        path: list[tuple[_Position, int, int]] = []
        verdict = GOES_ON
        known = True
        while known:
            seat = node.stage.seat or 0
            hand = hands[seat]
            key = _key(hand, laid[2 * seat], laid[2 * seat + 1])
            position = node.positions.get(key)
            if position is None:
                position = node.positions[key] = _Position(node.stage.free, hand)
                known = False
            at = self._pick(position) if path or self._first is None else self._first
            path.append((position, at, seat))
            place, card = position.places[at], position.cards[at]
            if card:
                laid[2 * seat + place] = card
                hands[seat] = hand ^ card
            node = node.after(place)
            if node.stage.seat is None:
                verdict = self._resolve(node.number, laid, tokens)
                if verdict != GOES_ON:
                    break
                node = self._next_round(node, laid, hands)
                laid = [0, 0, 0, 0]
        if verdict == GOES_ON:
            verdict = self._play_out(node, hands, laid, tokens)
        _note(path, verdict)

    def _pick(self, position: _Position) -> int:
        untried = position.untried
        if untried:
            position.count += 1
            return untried.pop(int(self._random() * len(untried)))
        return position.best(self._reach)

    def _next_round(self, node: _Node, laid: LaidCards, hands: list[int]) -> _Node:
        """Return the node after the round; each way to turn cards up has its own node."""
        seen = 0
        for place in (0, 1):
            if laid[place] and laid[2 + place]:
                seen |= (laid[place] | laid[2 + place] << 18) << 36 * place
        following = node.following.get(seen)
        if following is None:
            cards = (hands[0].bit_count(), hands[1].bit_count())
            stage = _first_stage(self._limit, self._dealer, *cards)
            following = node.following[seen] = _Node(node.number + 1, stage)
        return following

    def _resolve(self, number: int, laid: LaidCards, tokens: list[int]) -> float:
        """Hand out the tokens of a round, and return the verdict on the tokens."""
        for place in (0, 1):
            masks.award(self._mats[2 * number + place], laid[place], laid[2 + place], tokens)
        verdicts = self._at_end if number == 2 else self._within
        return verdicts[tokens[0] << PAIR | tokens[1]]

    def _play_out(
        self, node: _Node, hands: list[int], laid: LaidCards, tokens: list[int]
    ) -> float:
        """Play the set to its end by simple chance; return the verdict."""
        rolled = self._random
        ways = node.stage.open
        places = ways[0] if len(ways) == 1 else ways[int(rolled() * len(ways))]
        number = node.number
        while True:
            for at in places:
                hand = hands[at >> 1]
                if hand:
                    good = hand & self._mats[2 * number + (at & 1)].matching
                    matching = good and rolled() < MATCHING
                    cards = masks.CARDS[good] if matching else masks.CARDS_OR_NONE[hand]
                    card = cards[int(rolled() * len(cards))]
                    laid[at] = card
                    hands[at >> 1] = hand ^ card
            verdict = self._resolve(number, laid, tokens)
            if verdict != GOES_ON:
                return verdict
            number += 1
            laid = [0, 0, 0, 0]
            places = (0, 1, 2, 3)


def _key(hand: int, number_card: int, suit_card: int) -> int:
    """Return one number for a player's hand and cards laid in this round."""
    return hand | number_card << 18 | suit_card << 36


def _note(path: list[tuple[_Position, int, int]], verdict: float) -> None:
    for position, at, seat in path:
        position.visits[at] += 1
        position.totals[at] += 1 - verdict if seat else verdict


def own_bits(observation: Observation) -> list[int]:
    """Return the bit of each slot's card; a single zero is the second zero."""
    single = sum(face.suit is None for face in observation.hand) == 1
    return masks.bits_of(observation.hand, masks.ZEROS[1:] if single else masks.ZEROS)


def deals_of(observation: Observation, own: list[int]) -> list[Deal]:
    """Return every possible deal of the opponent's cards, all equally likely."""
    game, seat = observation.game, observation.seat
    lying = game.rounds[-1].laid
    held = sum(own[slot] for slot in game.hands[seat])
    mine = [0 if slot is None else own[slot] for slot in lying[seat]]
    hidden = masks.bits_of(unseen(observation), masks.ZEROS)
    count = sum(slot is not None for slot in lying[opposite(seat)])
    deals: list[Deal] = []
    for laid, theirs in _splits(hidden, count, len(game.hands[opposite(seat)])):
        cards = iter(laid)
        other = [0 if slot is None else next(cards) for slot in lying[opposite(seat)]]
        first, second = ((mine, other), (other, mine))[seat]
        hands = (theirs, held) if seat else (held, theirs)
        deals.append((hands, (first[0], first[1], second[0], second[1])))
    return deals


def _splits(unseen: list[int], laid: int, held: int) -> list[tuple[tuple[int, ...], int]]:
    """Return each way to lay ``laid`` of the unseen cards in order and hold ``held`` more."""
    splits: list[tuple[tuple[int, ...], int]] = []
    for lying in permutations(unseen, laid):
        rest = [card for card in unseen if card not in lying]
        splits += [_renamed(lying, sum(hand)) for hand in combinations(rest, held)]
    return splits


def _renamed(lying: tuple[int, ...], hand: int) -> tuple[tuple[int, ...], int]:
    """Call a single zero the first zero, so that like positions are equal."""
    first, second = masks.ZEROS
    if (hand | sum(lying)) & (first | second) != second:
        return lying, hand
    if hand & second:
        return lying, hand ^ second | first
    return tuple(first if card == second else card for card in lying), hand
