"""The last round of a set, solved.

At the beginning of round 3 every deal that agrees with what is public counts as equally likely.
What the rounds before tell about hands is a guess: the solution leans on it as far as that
gives away next to nothing if the guess is wrong. Cards that match neither mat are treated as
alike, which ignores only what a card left over may be worth in the next set. The solution
follows from what is public, so both seats share it, and it is found once a round.
"""

import functools
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from matcha_p2p.games.matcha.bots.solving.course import NOWHERE, Course, History
from matcha_p2p.games.matcha.bots.solving.endings import (
    Endgame,
    Type,
    chances_of,
    ending_of,
    plays,
    types_of,
)
from matcha_p2p.games.matcha.bots.solving.masks import BLANK, CARDS, award, mat_of
from matcha_p2p.games.matcha.bots.solving.sequence_form import (
    DecisionBlock,
    Plan,
    Side,
    Solved,
    best_response,
    responses,
    solve,
)
from matcha_p2p.games.matcha.bots.solving.tells import Past, Weights, past_of, weights_of
from matcha_p2p.games.matcha.bots.valuation.keeping import strength
from matcha_p2p.games.matcha.bots.valuation.verdicts import PAIR, verdicts_after
from matcha_p2p.games.matcha.rules.cards import FACES, Face
from matcha_p2p.games.matcha.rules.judgement import JudgedMove, Judgement
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, PASS, Move, Pass, Play
from matcha_p2p.games.matcha.rules.observation import Observation, check_decision
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite

LaidPair: TypeAlias = tuple[int, int]
"""The cards of a player on the number mat and on the suit mat, 0 for none."""
InformationSet: TypeAlias = tuple[Type, History, LaidPair]
"""What a player knows as it decides: its type, the history, its cards on the two mats."""
Option: TypeAlias = tuple[int, int]
"""A place and a card for it, or NOWHERE and 0."""
Weigh: TypeAlias = Callable[[Endgame, Past], Weights]
"""Returns in what proportion a past makes the types of an ending more likely than others."""
Solver: TypeAlias = Callable[[tuple[Side, Side], int, float], Solved]
"""Does what ``solve`` does."""

_PLAYS: Final = 75_000
"""The most ways to play a round, all deals together, that are solved."""
_WORK: Final = 800_000
"""The most work of the solver, all iterations together, which bounds its time: a payoff counts
1, a sequence _SEQUENCE."""
_SEQUENCE: Final = 3
"""A sequence costs as much as so many payoffs."""
_WORK_IN_ALL: Final = 600_000
"""The same with what suits the past, which is left out if this does not suffice."""
_AGAINST_BOTH: Final = 4
"""So many times the work is an iteration of both seats against one who knows more."""
_FEWEST: Final = 8
_MOST: Final = 40
"""Bounds of the number of iterations; between them it is what _WORK allows."""
_ENOUGH: Final = 0.0005
"""The solver stops early once the best responses of both together gain no more than this."""
_GIVEN_AWAY: Final = 0.0048
"""What a best response may gain on average of both seats if the past tells nothing."""
_UNREACHED: Final = 1e-6
_SOLVED: Final = 0.005
"""The error of a value: how much more or less another solution leaves, mostly."""
_LEFT_OUT: Final = 0.02
"""The same where lone cards are left out of the solution."""
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
    laid: LaidPair = (0, 0)

    def options(self, course: Course, seat: Seat) -> list[Option]:
        """Return what it can do, its pass last."""
        cards = (*CARDS[self.hand], BLANK) if self.blanks else CARDS[self.hand]
        lays = [(place, card) for place in course.free(seat) for card in cards]
        return [*lays, (NOWHERE, 0)]

    def after(self, option: Option, sequence: int) -> "_Live":
        """Return it after that option."""
        place, card = option
        if place == NOWHERE:
            return _Live(self.type, sequence, self.hand, self.blanks, self.laid)
        laid = (self.laid[0], card) if place else (card, self.laid[1])
        if card == BLANK:
            return _Live(self.type, sequence, self.hand, self.blanks - 1, laid)
        return _Live(self.type, sequence, self.hand ^ card, self.blanks, laid)


Lives: TypeAlias = tuple[list[_Live], list[_Live]]


class Round3:
    """The game that round 3 is, for both seats."""

    def __init__(self, ending: Endgame, *, reaching: bool = False) -> None:
        """Build it: the more cards are live and in hands, the larger it is.

        reaching: whether every end counts as won by seat 0; then values are the probabilities
        of coming there.
        """
        self._reaching: Final = reaching
        self.decided = True  # whether each end decides the game, so that nothing is estimated
        self.ending: Final = ending
        self._mats: Final = (mat_of(4, ending.mats[0]), mat_of(5, ending.mats[1]))
        self._verdicts: Final = verdicts_after(
            ending.edition,
            comparing=ending.comparing,
            last=ending.last,
            next_dealer=opposite(ending.dealer),
        )
        self._judged: Final[dict[LaidPair, _Judged]] = {}
        self.sides: Final = (Side(), Side())
        self.points: Final[dict[InformationSet, tuple[slice, list[Option]]]] = {}
        self._types: Final[tuple[list[Type], list[Type]]] = ([(0, 0)], [(0, 0)])  # by sequence
        types = [types_of(ending, seat) for seat in SEATS]
        self._chances: Final = chances_of(ending, types[0], types[1])
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
        """Return what an iteration of a solver costs, in payoffs."""
        sequences = sum(side.sequences for side in self.sides)
        return self.payoffs + _SEQUENCE * sequences

    def weighed(self, weights: Weights) -> tuple[Side, Side]:
        """Return both sides where types are so much more or less likely; each has decisions."""
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
            Side(first.decisions, payoffs, first.sequences),
            Side(second.decisions, {}, second.sequences),
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
        """Add what each two ways to come here are worth together."""
        seconds: dict[Type, list[tuple[int, LaidPair]]] = {}
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
        """Return what the round is worth to seat 0 with these cards on the mats."""
        if self._reaching:
            return 1.0
        tokens = list(self.ending.tokens)
        for mat, one, other in zip(self._mats, first, second, strict=True):
            award(mat, one, other, tokens)
        pair = tokens[0] << PAIR | tokens[1]
        self.decided = self.decided and self._verdicts.decides(pair)
        return self._verdicts[pair]


class _Judged(dict[LaidPair, float]):
    """The verdicts on what seat 0 has laid, by what the other has, as they are asked for."""

    def __init__(self, played: Round3, first: LaidPair) -> None:
        super().__init__()
        self._played: Final = played
        self._first: Final = first

    def __missing__(self, second: LaidPair) -> float:
        """Return the verdict where the other has laid ``second``."""
        verdict = self[second] = self._played.verdict(self._first, second)
        return verdict


@dataclass(frozen=True, slots=True)
class Solution:
    """Round 3 with a plan for both seats."""

    round: Round3
    plans: tuple[Plan, Plan]


@functools.lru_cache(maxsize=1)  # both seats ask in turn
def solution_of(
    ending: Endgame,
    past: Past | None = None,
    weigh: Weigh = weights_of,
    solver: Solver = solve,
) -> Solution | None:
    """Return the solution, or None if the round is too large for that.

    If it is too large with all that players know by the cards they have laid unseen, as much of
    that is kept as can be. past: what the deals are judged by, None if all are equally likely.
    weigh: how they are.
    """
    cards = sorted(CARDS[ending.live], key=lambda bit: strength(FACES[bit.bit_length() - 1]))
    for left_out in range(len(cards) + 1):
        known = replace(ending, known=sum(cards[left_out:]))
        if plays(known) <= _PLAYS:
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
    plans: tuple[Plan, Plan],
    weights: Callable[[], Weights],
    iterations: int,
    solver: Solver = solve,
) -> tuple[Plan, Plan]:
    """Return plans that lose less where the past tells the truth, and little where it does not.

    Best responses to a plan between two gain at most something between, too: so it goes towards
    the plans that suit the past, as far as it may. weights: by the past. iterations: so many
    may be spent on that.
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
    even: tuple[Side, Side], weighed: tuple[Side, Side], iterations: int, solver: Solver
) -> tuple[Plan, Plan]:
    """Return plans that suit the weights, and that do well without them if time allows."""
    safely = min(_MOST, iterations // _AGAINST_BOTH)
    if safely < _FEWEST:
        return solver(weighed, min(_MOST, iterations), _ENOUGH).plans
    return (
        solver(_against_both(even, weighed), safely, _ENOUGH).plans[0],
        solver(_against_both(_turned(even), _turned(weighed)), safely, _ENOUGH).plans[0],
    )


def _against_both(even: tuple[Side, Side], weighed: tuple[Side, Side]) -> tuple[Side, Side]:
    """Return the game in which the weights are right half of the time, as only the other knows.

    So the other has its decisions twice, but for the empty sequence.
    """
    own = Side(even[0].decisions, sequences=even[0].sequences)
    more = even[1].sequences - 1
    again = [
        DecisionBlock(
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
    other = Side([*even[1].decisions, *again], own.mirrored(), even[1].sequences + more)
    return own, other


def _turned(sides: tuple[Side, Side]) -> tuple[Side, Side]:
    return sides[1], sides[0]


def _given_away(sides: tuple[Side, Side], plans: tuple[Plan, Plan]) -> float:
    """Return what best responses gain on average of both seats."""
    return (best_response(sides[0], plans[1]) + best_response(sides[1], plans[0])) / 2


def _between(first: Plan, second: Plan, part: float) -> Plan:
    """Return a plan that is ``second`` for that part of all games, else ``first``."""
    factors = (1 - part) / first[0], part / second[0]
    return [
        factors[0] * one + factors[1] * other for one, other in zip(first, second, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Advice:
    """What the solution says to a seat that is to move: moves and their weights."""

    moves: list[Move]
    weights: list[float]

    def chances(self) -> list[float]:
        """Return how likely each move is made: by its weight, rare ones left out."""
        least = _RARE * max(self.weights)
        weights = [weight if weight >= least else 0.0 for weight in self.weights]
        total = sum(weights)
        return [it / total if total else 1 / len(weights) for it in weights]

    def sample(self, rng: random.Random) -> Move:
        """Return one of the moves by chance."""
        return rng.choices(self.moves, self.chances())[0]


def advice(
    observation: Observation, weigh: Weigh = weights_of, solver: Solver = solve
) -> Advice | None:
    """Return what the solution says in round 3, or None if the round is too large for it.

    weigh: tells how likely the past makes types.

    Raises:
        ValueError: the rules do not lead to ``observation``.
    """
    check_decision(observation)
    ending = ending_of(observation.game)
    solution = solution_of(ending, past_of(observation.game), weigh, solver)
    if solution is None:
        return None
    point = point_of(observation, solution.round.ending)
    sequences, options = solution.round.points[point]
    weights = list(solution.plans[observation.seat][sequences])
    return Advice([_move(observation, ending, option) for option in options], weights)


def judged(observation: Observation) -> Judgement | None:
    """Return what the moves of round 3 are worth against the solution, best first.

    After each the seat goes on as well as it can. None if the round is too large, or if the
    other would never come here by the solution.
    """
    ending = ending_of(observation.game)
    solution = solution_of(ending, past_of(observation.game))
    if solution is None:
        return None
    seat, game = observation.seat, solution.round
    own, other = solution.plans[seat], solution.plans[opposite(seat)]
    reaching = Round3(game.ending, reaching=True)
    sequences, options = game.points[point_of(observation, game.ending)]
    gains = responses(game.sides[seat], other)[sequences]
    reach = responses(reaching.sides[seat], other)[sequences]
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


def point_of(observation: Observation, ending: Endgame) -> InformationSet:
    """Return what the seat to move knows.

    ending: as it is solved, with lone cards or without.
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


def _played(card: Face, ending: Endgame) -> int:
    return _live_bits([card], ending) or BLANK


def _live_bits(cards: Iterable[Face], ending: Endgame) -> int:
    return sum(1 << card.index for card in cards) & ending.live


def _place(move: Play | Pass) -> int:
    return move.mat % 2 if isinstance(move, Play) else NOWHERE


def _move(observation: Observation, ending: Endgame, option: Option) -> Move:
    """Return the move that ``option`` means; a blank is the one that is worth least later."""
    place, card = option
    if place == NOWHERE:
        return PASS
    fitting = [
        (strength(face), slot)
        for slot, face in observation.held()
        if _played(face, ending) == card
    ]
    return Play(MATS_OF_ROUND[-1][place], min(fitting)[1])


def meaning(observation: Observation, ending: Endgame, move: Move) -> Option:
    """Return the option of the solved game that a move is; all blanks are one card."""
    match move:
        case Play(mat, slot):
            return mat % 2, _played(observation.hand[slot], ending)
        case _:
            return NOWHERE, 0
