"""The last round of a set, solved.

At the beginning of round 3 every deal that fits the public knowledge counts as equally likely.
The rounds before give a guess about hands. The solution uses the guess only as far as a wrong
guess costs next to nothing. Cards that match neither mat are treated as alike; only the worth
of a card kept for the next set is ignored. The solution follows from public knowledge, so both
seats share the solution, and it is computed once a round.
"""

import functools
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from matcha_p2p.games.matcha.bots.solving import endings, sequence_form
from matcha_p2p.games.matcha.bots.solving.course import NOWHERE, Course, History
from matcha_p2p.games.matcha.bots.solving.masks import BLANK, CARDS, award, mat_of
from matcha_p2p.games.matcha.bots.solving.tells import Past, Weights, past_of, weights_of
from matcha_p2p.games.matcha.bots.valuation.keeping import strength
from matcha_p2p.games.matcha.bots.valuation.verdicts import PAIR, verdicts_after
from matcha_p2p.games.matcha.rules.cards import FACES, Face
from matcha_p2p.games.matcha.rules.judgement import JudgedMove, Judgement
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, PASS, Move, Pass, Play
from matcha_p2p.games.matcha.rules.observation import Observation, check_decision
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite

LaidPair: TypeAlias = tuple[int, int]
"""The cards of a player on the number mat and on the suit mat, 0 for no card."""
InformationSet: TypeAlias = tuple[endings.Type, History, LaidPair]
"""A player's knowledge at a decision: its type, the history, its cards on the two mats."""
Option: TypeAlias = tuple[int, int]
"""A place and a card for it, or NOWHERE and 0."""
Weigh: TypeAlias = Callable[[endings.Endgame, Past], Weights]
"""Returns the factors by which a past changes the probability of the types of an ending."""
Solver: TypeAlias = Callable[
    [tuple[sequence_form.Side, sequence_form.Side], int, float], sequence_form.Solved
]
"""Solves as ``solve`` does."""

_PLAYS: Final = 75_000
"""The most ways to play a round, all deals together, that are solved."""
_WORK: Final = 800_000
"""The most work of the solver, all iterations together, which bounds the time of the solver.

A payoff counts 1, a sequence _SEQUENCE.
"""
_SEQUENCE: Final = 3
"""The work of a sequence, in payoffs."""
_WORK_IN_ALL: Final = 600_000
"""The most work with the plans that suit the past, which are left out if it is too little."""
_AGAINST_BOTH: Final = 4
"""How many times the usual work an iteration takes against an opponent who knows more."""
_FEWEST: Final = 8
_MOST: Final = 40
"""The bounds of the number of iterations; in between, _WORK decides."""
_ENOUGH: Final = 0.0005
"""The solver stops early once the best responses of both seats gain at most this sum."""
_GIVEN_AWAY: Final = 0.0048
"""The most gain of a best response, averaged over both seats, if the past tells nothing."""
_UNREACHED: Final = 1e-6
_SOLVED: Final = 0.005
"""The error of a value: how much more or less another solution leaves, mostly."""
_LEFT_OUT: Final = 0.02
"""The error of a value if lone cards are left out of the solution."""
_RARE: Final = 0.02
"""A choice less likely than this part of the likeliest choice is noise of the solution."""


@dataclass(frozen=True, slots=True)
class _Live:
    """A way in which a player has come to a public point.

    hand: the live cards still held. blanks: how many blanks are still held.
    """

    type: endings.Type
    sequence: int
    hand: int
    blanks: int
    laid: LaidPair = (0, 0)

    def options(self, course: Course, seat: Seat) -> list[Option]:
        """Return the player's options, the pass last."""
        cards = (*CARDS[self.hand], BLANK) if self.blanks else CARDS[self.hand]
        lays = [(place, card) for place in course.free(seat) for card in cards]
        return [*lays, (NOWHERE, 0)]

    def after(self, option: Option, sequence: int) -> "_Live":
        """Return the way after ``option``."""
        place, card = option
        if place == NOWHERE:
            return _Live(self.type, sequence, self.hand, self.blanks, self.laid)
        laid = (self.laid[0], card) if place else (card, self.laid[1])
        if card == BLANK:
            return _Live(self.type, sequence, self.hand, self.blanks - 1, laid)
        return _Live(self.type, sequence, self.hand ^ card, self.blanks, laid)


Lives: TypeAlias = tuple[list[_Live], list[_Live]]


class Round3:
    """The game of round 3, for both seats."""

    def __init__(self, ending: endings.Endgame, *, reaching: bool = False) -> None:
        """Build the game; more live cards and more cards in hands make a larger game.

        reaching: whether every end counts as won by seat 0; then values are the probabilities
        of coming to the end.
        """
        self._reaching: Final = reaching
        self.decided = True  # whether each end decides the game, without estimates
        self.ending: Final = ending
        self._mats: Final = (mat_of(4, ending.mats[0]), mat_of(5, ending.mats[1]))
        self._verdicts: Final = verdicts_after(
            ending.edition,
            comparing=ending.comparing,
            last=ending.last,
            next_dealer=opposite(ending.dealer),
        )
        self._judged: Final[dict[LaidPair, _Judged]] = {}
        self.sides: Final = (sequence_form.Side(), sequence_form.Side())
        self.points: Final[dict[InformationSet, tuple[slice, list[Option]]]] = {}
        self._types: Final[tuple[list[endings.Type], list[endings.Type]]] = (
            [(0, 0)],
            [(0, 0)],
        )  # by sequence
        types = [endings.types_of(ending, seat) for seat in SEATS]
        self._chances: Final = endings.chances_of(ending, types[0], types[1])
        lives = tuple(
            [
                _Live(own, 0, own[0], ending.held[seat] - own[0].bit_count())
                for own in types[seat]
            ]
            for seat in SEATS
        )
        course = Course(ending.edition.turns, ending.dealer, ending.held)
        self._grow(course, (), (lives[0], lives[1]))
        self.sides[1].payoffs = self.sides[0].mirrored()

    @property
    def payoffs(self) -> int:
        """Return how many payoffs each iteration of a solver has to look at."""
        return sum(len(row) for row in self.sides[0].payoffs.values())

    @property
    def work(self) -> int:
        """Return the work of an iteration of a solver, in payoffs."""
        sequences = sum(side.sequences for side in self.sides)
        return self.payoffs + _SEQUENCE * sequences

    def weighed(self, weights: Weights) -> tuple[sequence_form.Side, sequence_form.Side]:
        """Return both sides with the probabilities of types changed by ``weights``.

        Each side has decisions.
        """
        total = sum(
            chance * weights[0][own] * weights[1][met]
            for own, row in self._chances.items()
            for met, chance in row.items()
        )
        firsts, seconds = (
            [likely[kind] if at else 0.0 for at, kind in enumerate(types)]
            for likely, types in zip(weights, self._types, strict=True)
        )
        payoffs = {
            own: {
                other: gain * firsts[own] / total * seconds[other]
                for other, gain in row.items()
            }
            for own, row in self.sides[0].payoffs.items()
        }
        first, second = self.sides
        sides = (
            sequence_form.Side(first.decisions, payoffs, first.sequences),
            sequence_form.Side(second.decisions, {}, second.sequences),
        )
        sides[1].payoffs = sides[0].mirrored()
        return sides

    def _grow(self, course: Course, history: History, lives: Lives) -> None:
        seat = course.to_move
        if seat is None:
            self._end(lives)
            return
        alike: dict[int, list[tuple[_Live, list[Option]]]] = {}
        for live in lives[seat]:
            options = live.options(course, seat)
            alike.setdefault(len(options), []).append((live, options))
        branches: dict[int, list[_Live]] = {}
        for count, deciding in alike.items():
            parents = [live.sequence for live, _ in deciding]
            if count == 1:
                branches.setdefault(NOWHERE, []).extend(live for live, _ in deciding)
                continue
            decisions = self.sides[seat].decide(parents, count)
            self._types[seat].extend([live.type for live, _ in deciding] * count)
            for at, (live, options) in enumerate(deciding):
                sequences = decisions.sequences(at)
                self.points[live.type, history, live.laid] = (sequences, options)
                led = range(sequences.start, sequences.stop, sequences.step)
                for option, sequence in zip(options, led, strict=True):
                    branches.setdefault(option[0], []).append(live.after(option, sequence))
        for place, branch in branches.items():
            following = (lives[0], branch) if seat else (branch, lives[1])
            self._grow(course.after(place), (*history, place), following)

    def _end(self, lives: Lives) -> None:
        """Add the payoff of each pair of ways to come here."""
        seconds: dict[endings.Type, list[tuple[int, LaidPair]]] = {}
        for live in lives[1]:
            seconds.setdefault(live.type, []).append((live.sequence, live.laid))
        payoffs = self.sides[0].payoffs
        for live in lives[0]:
            row = payoffs.get(live.sequence, {})
            verdicts = self._verdicts_on(live.laid)
            for met, chance in self._chances.get(live.type, {}).items():
                for sequence, laid in seconds.get(met, ()):
                    verdict = verdicts[laid]
                    if verdict:  # a lost game adds nothing
                        row[sequence] = row.get(sequence, 0.0) + chance * verdict
            if row:
                payoffs[live.sequence] = row

    def _verdicts_on(self, laid: LaidPair) -> "_Judged":
        found = self._judged.get(laid)
        if found is None:
            found = self._judged[laid] = _Judged(self, laid)
        return found

    def verdict(self, first: LaidPair, second: LaidPair) -> float:
        """Return the worth of the round to seat 0 with these cards on the mats."""
        if self._reaching:
            return 1.0
        tokens = list(self.ending.tokens)
        for mat, one, other in zip(self._mats, first, second, strict=True):
            award(mat, one, other, tokens)
        pair = tokens[0] << PAIR | tokens[1]
        self.decided = self.decided and self._verdicts.decides(pair)
        return self._verdicts[pair]


class _Judged(dict[LaidPair, float]):
    """The verdicts on the cards of seat 0, by the cards of seat 1, computed when asked for."""

    def __init__(self, played: Round3, first: LaidPair) -> None:
        super().__init__()
        self._played: Final = played
        self._first: Final = first

    def __missing__(self, second: LaidPair) -> float:
        """Return the verdict if seat 1 has laid ``second``."""
        verdict = self[second] = self._played.verdict(self._first, second)
        return verdict


@dataclass(frozen=True, slots=True)
class Solution:
    """Round 3 with a plan for both seats."""

    round: Round3
    plans: tuple[sequence_form.Plan, sequence_form.Plan]


@functools.lru_cache(maxsize=1)  # both seats ask in turn
def solution_of(
    ending: endings.Endgame,
    past: Past | None = None,
    weigh: Weigh = weights_of,
    solver: Solver = sequence_form.solve,
) -> Solution | None:
    """Return the solution, or None if the round is too large for a solution.

    If the round is too large with the players' knowledge of their unseen cards, the solution
    keeps as much of the knowledge as possible. past: weighs the deals; None if all are equally
    likely. weigh: computes the weights.
    """
    cards = sorted(CARDS[ending.live], key=lambda bit: strength(FACES[bit.bit_length() - 1]))
    for left_out in range(len(cards) + 1):
        known = replace(ending, known=sum(cards[left_out:]))
        if endings.plays(known) <= _PLAYS:
            game = Round3(known)
            iterations = max(_FEWEST, min(_MOST, _WORK // game.work))
            found = solver(game.sides, iterations, _ENOUGH)
            if past is None or left_out or not all(ending.held):
                return Solution(game, found.plans)
            more = _WORK_IN_ALL // game.work - found.iterations
            weights = functools.partial(weigh, ending, past)
            return Solution(game, _leaning(game, found.plans, weights, more, solver))
    return None


def _leaning(
    game: Round3,
    plans: tuple[sequence_form.Plan, sequence_form.Plan],
    weights: Callable[[], Weights],
    iterations: int,
    solver: Solver = sequence_form.solve,
) -> tuple[sequence_form.Plan, sequence_form.Plan]:
    """Return plans that win more if the past tells the truth, and lose little if not.

    Exploitability is convex, so a mixture of two plans stays within the limit. The plans move
    towards the plans that suit the past, as far as the limit allows.

    weights: computes the hands' weights from the past.
    iterations: the most for the plans that suit the past.
    """
    if iterations < _FEWEST:
        return plans
    sides = game.weighed(weights())
    if _given_away(sides, plans) <= _ENOUGH:
        return plans
    suiting = _suiting(game.sides, sides, iterations, solver)
    before, after = _given_away(game.sides, plans), _given_away(game.sides, suiting)
    part = 1.0
    if after > max(before, _GIVEN_AWAY):
        part = max(0.0, (_GIVEN_AWAY - before) / (after - before))
    return _between(plans[0], suiting[0], part), _between(plans[1], suiting[1], part)


def _suiting(
    even: tuple[sequence_form.Side, sequence_form.Side],
    weighed: tuple[sequence_form.Side, sequence_form.Side],
    iterations: int,
    solver: Solver,
) -> tuple[sequence_form.Plan, sequence_form.Plan]:
    """Return plans that suit the weights and, if time allows, do well without the weights."""
    safely = min(_MOST, iterations // _AGAINST_BOTH)
    if safely < _FEWEST:
        return solver(weighed, min(_MOST, iterations), _ENOUGH).plans
    return (
        solver(_against_both(even, weighed), safely, _ENOUGH).plans[0],
        solver(_against_both(_turned(even), _turned(weighed)), safely, _ENOUGH).plans[0],
    )


def _against_both(
    even: tuple[sequence_form.Side, sequence_form.Side],
    weighed: tuple[sequence_form.Side, sequence_form.Side],
) -> tuple[sequence_form.Side, sequence_form.Side]:
    """Return a game whose weights are right half of the time, as only the opponent knows.

    So the opponent has each decision twice, except the empty sequence.
    """
    own = sequence_form.Side(even[0].decisions, sequences=even[0].sequences)
    more = even[1].sequences - 1
    again = [
        sequence_form.DecisionBlock(
            tuple(parent and parent + more for parent in it.parents),
            it.first + more,
            it.choices,
        )
        for it in even[1].decisions
    ]
    for at, row in even[0].payoffs.items():
        leaning = weighed[0].payoffs[at]
        both = {other: gain / 2 for other, gain in row.items()}
        both |= {other + more: gain / 2 for other, gain in leaning.items()}
        own.payoffs[at] = both
    other = sequence_form.Side(
        [*even[1].decisions, *again], own.mirrored(), even[1].sequences + more
    )
    return own, other


def _turned(
    sides: tuple[sequence_form.Side, sequence_form.Side],
) -> tuple[sequence_form.Side, sequence_form.Side]:
    return sides[1], sides[0]


def _given_away(
    sides: tuple[sequence_form.Side, sequence_form.Side],
    plans: tuple[sequence_form.Plan, sequence_form.Plan],
) -> float:
    """Return the gain of best responses, as the average of both seats."""
    return (
        sequence_form.best_response(sides[0], plans[1])
        + sequence_form.best_response(sides[1], plans[0])
    ) / 2


def _between(
    first: sequence_form.Plan, second: sequence_form.Plan, part: float
) -> sequence_form.Plan:
    """Return a plan that is ``second`` in ``part`` of all games, else ``first``."""
    factors = (1 - part) / first[0], part / second[0]
    return [
        factors[0] * one + factors[1] * other for one, other in zip(first, second, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Advice:
    """The advice of the solution to a seat that is to move: moves and their weights."""

    moves: list[Move]
    weights: list[float]

    def chances(self) -> list[float]:
        """Return the probability of each move: by its weight, rare moves left out."""
        least = _RARE * max(self.weights)
        weights = [weight if weight >= least else 0.0 for weight in self.weights]
        total = sum(weights)
        return [it / total if total else 1 / len(weights) for it in weights]

    def sample(self, rng: random.Random) -> Move:
        """Return one of the moves by chance."""
        return rng.choices(self.moves, self.chances())[0]


def advice(
    observation: Observation, weigh: Weigh = weights_of, solver: Solver = sequence_form.solve
) -> Advice | None:
    """Return the advice of the solution in round 3, or None if the round is too large.

    weigh: tells how likely the past makes types.

    Raises:
        ValueError: the rules do not lead to ``observation``.
    """
    check_decision(observation)
    ending = endings.ending_of(observation.game)
    solution = solution_of(ending, past_of(observation.game), weigh, solver)
    if solution is None:
        return None
    point = point_of(observation, solution.round.ending)
    sequences, options = solution.round.points[point]
    weights = list(solution.plans[observation.seat][sequences])
    return Advice([_move(observation, ending, option) for option in options], weights)


def judged(observation: Observation) -> Judgement | None:
    """Return the worth of the moves of round 3 against the solution, best first.

    After each move the seat goes on as well as possible. If the round is too large, or if the
    opponent's plan never leads here, return None.
    """
    ending = endings.ending_of(observation.game)
    solution = solution_of(ending, past_of(observation.game))
    if solution is None:
        return None
    seat, game = observation.seat, solution.round
    own, other = solution.plans[seat], solution.plans[opposite(seat)]
    reaching = Round3(game.ending, reaching=True)
    sequences, options = game.points[point_of(observation, game.ending)]
    gains = sequence_form.responses(game.sides[seat], other)[sequences]
    reach = sequence_form.responses(reaching.sides[seat], other)[sequences]
    if abs(reach[0]) < _UNREACHED:
        return None
    whole = game.ending == ending
    error = _SOLVED if whole else _LEFT_OUT
    found: list[tuple[JudgedMove, float]] = []
    for option, gain, reached, weight in zip(
        options, gains, reach, own[sequences], strict=True
    ):
        won = gain / reached
        value = 1 - won if seat else won
        found.append((JudgedMove(_move(observation, ending, option), value, error), weight))
    found.sort(key=lambda it: (-round(it[0].value, 2), -it[1]))
    return Judgement(tuple(it for it, _ in found), exact=whole and game.decided)


def point_of(observation: Observation, ending: endings.Endgame) -> InformationSet:
    """Return the knowledge of the seat to move.

    ending: the solved ending, with lone cards or without.
    """
    game, seat = observation.game, observation.seat
    slots = game.rounds[-1].laid[seat]
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
    history = tuple(_place(turn.move) for turn in game.rounds[-1].turns if not turn.auto)
    return (hand, _live_bits(lone, ending) & ending.known), history, (number, suit)


def _played(card: Face, ending: endings.Endgame) -> int:
    return _live_bits([card], ending) or BLANK


def _live_bits(cards: Iterable[Face], ending: endings.Endgame) -> int:
    return sum(1 << card.index for card in cards) & ending.live


def _place(move: Play | Pass) -> int:
    return move.mat % 2 if isinstance(move, Play) else NOWHERE


def _move(observation: Observation, ending: endings.Endgame, option: Option) -> Move:
    """Return the move for ``option``; a blank becomes the card that is worth least later."""
    place, card = option
    if place == NOWHERE:
        return PASS
    fitting = [
        (strength(face), slot)
        for slot, face in observation.held()
        if _played(face, ending) == card
    ]
    return Play(MATS_OF_ROUND[-1][place], min(fitting)[1])


def meaning(observation: Observation, ending: endings.Endgame, move: Move) -> Option:
    """Return the option of the solved game for a move; all blanks are one card."""
    match move:
        case Play(mat, slot):
            return mat % 2, _played(observation.hand[slot], ending)
        case _:
            return NOWHERE, 0
