"""Round 2 of a set solved, if all cards of round 1 were turned up.

At the beginning every deal counts as equally likely. An end of round 2 is worth the value of
round 3 by its own solution. The opponent is assumed to play by habit in a part of all games,
and otherwise as well as possible. The library round2.c computes the plans; here are its inputs
and the meaning of its outputs. The plans follow from public knowledge, so both seats know the
plans, and each plan is computed once a round.

Source: Johanson, Zinkevich, Bowling, Computing robust counter-strategies, NIPS 2007
(restricted Nash responses: between a best response to habits and a plan that cannot be
exploited).
"""

import ctypes
import functools
from array import array
from collections.abc import Callable, Iterator, Sequence
from ctypes import Array, Structure
from dataclasses import dataclass
from itertools import product
from operator import add
from typing import Final, NamedTuple, TypeVar

from matcha_p2p.games.matcha.bots.solving import middle as middle_game
from matcha_p2p.games.matcha.bots.solving import tells
from matcha_p2p.games.matcha.bots.solving.by_habit import habit_of
from matcha_p2p.games.matcha.bots.solving.course import History
from matcha_p2p.games.matcha.bots.solving.endings import Endgame, Type, types_of
from matcha_p2p.games.matcha.bots.solving.masks import (
    ZEROS,
    award,
    bits_of,
    mat_of,
    pack_tokens,
)
from matcha_p2p.games.matcha.bots.solving.native import library
from matcha_p2p.games.matcha.bots.solving.round3 import Advice
from matcha_p2p.games.matcha.bots.solving.stages import STAGES, Stage, first_stages
from matcha_p2p.games.matcha.bots.solving.tells import Past, Weights
from matcha_p2p.games.matcha.bots.valuation.verdicts import GOES_ON, PAIR, verdicts_after
from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.rules.judgement import JudgedMove
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, PASS, Move, Play
from matcha_p2p.games.matcha.rules.observation import Observation, check_decision
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite

_MATS: Final = (*MATS_OF_ROUND[1], *MATS_OF_ROUND[2])
_OUTCOMES: Final = 5  # of a mat
_ITERATIONS: Final = (40, 8)
"""Of CFR+, in round 2 and in round 3 after each end of round 2."""
_HABITUAL: Final = 0.3
"""The part of all games in which the opponent is assumed to play by habit."""
_ROOM: Final = 20_000
"""The most numbers of a plan."""
_ANYTHING: Final = 0.02
"""How often a player is thought to do anything at all."""
_NOBODY: Final = -1.0
"""In the numbers of C, the value of a move if the opponent's plan never leads to the point."""
_ERROR: Final = 0.01
"""The standard error of a value: a different solution of round 3 has slightly different values.

``.tools/training/worths.py`` measures the error.
"""

K = TypeVar("K")


class _Task(Structure):
    _fields_ = (
        ("stages", ctypes.POINTER(Stage)),
        ("first_stages", ctypes.c_int32 * 36),
        ("iterations", ctypes.c_int32 * 2),
        (
            "outcomes",
            ctypes.c_uint8 * (middle_game.UNKNOWN + 1) * (middle_game.UNKNOWN + 1) * 4,
        ),
        ("within", ctypes.c_float * _OUTCOMES**2),
        ("at_end", ctypes.c_float * _OUTCOMES**2 * _OUTCOMES**2),
        ("part", ctypes.c_float),
        ("habits", ctypes.POINTER(ctypes.c_float)),
        ("tendency", ctypes.POINTER(ctypes.c_float) * 2),
    )


class Round2Plan:
    """The probability and the worth of each move in round 2, for both seats."""

    def __init__(
        self, middle: middle_game.Middle, chances: Sequence[float], values: Sequence[float] = ()
    ) -> None:
        """Take the numbers written by C: probabilities and values by point, move and hand."""
        self.middle: Final = middle
        self._chances: Final = chances
        self._values: Final = values
        self._points: Final = middle_game.points(middle.past.edition.turns, middle.past.dealer)

    def moves(
        self, history: History, hand: int, laying: middle_game.SlotsLaid
    ) -> list[tuple[middle_game.SlotMove, float]]:
        """Return a seat's moves with their probabilities. hand: the number in HANDS."""
        return self._asked(self._chances, history, hand, laying)

    def values(
        self, history: History, hand: int, laying: middle_game.SlotsLaid
    ) -> list[tuple[middle_game.SlotMove, float]]:
        """Return a seat's moves, each with the chance to win afterwards, or _NOBODY if unknown.

        The seat goes on as well as possible, and the opponent by the plan.
        """
        return self._asked(self._values, history, hand, laying)

    def _asked(
        self,
        numbers: Sequence[float],
        history: History,
        hand: int,
        laying: middle_game.SlotsLaid,
    ) -> list[tuple[middle_game.SlotMove, float]]:
        moves, first = self._points[history].moves[laying]
        return [
            (choice, numbers[first + at * len(middle_game.HANDS) + hand])
            for at, choice in enumerate(moves)
        ]

    def reached(
        self, seat: Seat, history: History
    ) -> Iterator[tuple[int, middle_game.SlotsLaid, float]]:
        """Yield each hand, its slots laid, and ``seat``'s chance to come here with the hand."""
        made = [  # its decisions: the history before, and the place
            (history[:at], place)
            for at, place in enumerate(history)
            if self._points[history[:at]].seat == seat
        ]
        for hand in range(len(middle_game.HANDS)):
            ways: dict[middle_game.SlotsLaid, float] = {(): 1.0}
            for before, place in made:
                ways = {
                    _with(laying, place, slot): chance * likely
                    for laying, chance in ways.items()
                    for (where, slot), likely in self.moves(before, hand, laying)
                    if where == place
                }
            for laying, chance in ways.items():
                yield hand, laying, chance


def _with(laying: middle_game.SlotsLaid, place: int, slot: int | None) -> middle_game.SlotsLaid:
    """Return the slots once another card is laid; an earlier card lies at the other place."""
    if slot is None:
        return laying
    return (*laying, slot) if place else (slot, *laying)


@functools.lru_cache(maxsize=1)  # both seats ask in turn
def plan_of(middle: middle_game.Middle) -> Round2Plan:
    """Return the plans of both seats.

    Raises:
        BotError: the library cannot be loaded.
        MemoryError: the plans take some 5 MB.
    """
    return _solved(middle, None)


@functools.lru_cache(maxsize=1)  # several decisions of a round are judged
def judged_plan_of(middle: middle_game.Middle) -> Round2Plan:
    """Return the plans of both seats with the worth of each move, which takes twice as long.

    Raises:
        BotError: the library cannot be loaded.
        MemoryError: the plans take some 5 MB.
    """
    return _solved(middle, (ctypes.c_float * _ROOM)())


def _solved(middle: middle_game.Middle, values: "Array[ctypes.c_float] | None") -> Round2Plan:
    """Return the plans. values: room for C to write the worth of each move, or None."""
    task = _task_of(middle)
    habits = [habit_of(middle, seat) for seat in SEATS]
    task.part = _HABITUAL
    moves = [*map(add, habits[0].plan, habits[1].plan)]
    task.habits = (ctypes.c_float * len(moves))(*moves)
    for seat, habit in enumerate(habits):
        task.tendency[seat] = (ctypes.c_float * len(middle_game.HANDS))(*habit.tendency)
    plan = (ctypes.c_float * _ROOM)()
    count = library("round2").round2_plan(ctypes.byref(task), plan, values, _ROOM)
    if not count:
        raise MemoryError
    return Round2Plan(
        middle, array("f", plan[:count]), array("f", values[:count] if values else ())
    )


def _task_of(middle: middle_game.Middle) -> _Task:
    past = middle.past
    edition, dealer = past.edition, past.dealer
    task = _Task(
        stages=STAGES,
        first_stages=first_stages(edition.turns, dealer),
        iterations=_ITERATIONS,
    )
    cards = [*bits_of(middle.unknown, ZEROS), 0]
    gains: list[list[tuple[int, int]]] = []
    for at, mat in enumerate(_MATS):
        there = mat_of(mat, past.table[mat])
        known: dict[tuple[int, int], int] = {}
        for (one, own), (two, other) in product(enumerate(cards), repeat=2):
            tokens = [0, 0]
            award(there, own, other, tokens)
            number = known.setdefault((tokens[0], tokens[1]), len(known))
            task.outcomes[at][one][two] = number
        gains.append([*known])
    first, second = map(pack_tokens, past.rounds[0].tokens)
    within = verdicts_after(edition, comparing=middle.comparing, last=False, next_dealer=None)
    at_end = verdicts_after(
        edition, comparing=middle.comparing, last=past.last, next_dealer=opposite(dealer)
    )
    for outcome, before in _after((first, second), gains[:2]):
        task.within[outcome] = verdict = within[before[0] << PAIR | before[1]]
        if verdict == GOES_ON:
            for later, after in _after(before, gains[2:]):
                task.at_end[outcome][later] = at_end[after[0] << PAIR | after[1]]
    return task


def _after(
    tokens: tuple[int, int], gains: list[list[tuple[int, int]]]
) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the number of each outcome of a round, and the tokens of both seats then."""
    for (one, number), (two, suit) in product(*map(enumerate, gains)):
        both = tokens[0] + number[0] + suit[0], tokens[1] + number[1] + suit[1]
        yield _OUTCOMES * one + two, both


def advice(observation: Observation) -> Advice | None:
    """Return the advice of the solution in round 2. If round 2 is unsolved, return None.

    Raises:
        BotError: the library cannot be loaded.
        MemoryError: the plans take some 5 MB.
        ValueError: the rules do not lead to ``observation``.
    """
    known = _known_to(observation, plan_of)
    if known is None:
        return None
    moves = known.plan.moves(known.history, known.hand, known.laying)
    return Advice([known.move(choice) for choice, _ in moves], [chance for _, chance in moves])


def judged(observation: Observation) -> tuple[JudgedMove, ...] | None:
    """Return the worth of the moves of round 2 against the opponent's plan, best first.

    If round 2 is unsolved, or the opponent's plan hardly leads here, return None.

    Raises:
        BotError: the library cannot be loaded.
        MemoryError: the plans take some 5 MB.
        ValueError: the rules do not lead to ``observation``.
    """
    known = _known_to(observation, judged_plan_of)
    if known is None:
        return None
    point = known.history, known.hand, known.laying
    worth, chances = known.plan.values(*point), known.plan.moves(*point)
    if worth[0][1] == _NOBODY:
        return None
    found = [
        (JudgedMove(known.move(choice), min(1.0, max(0.0, value)), _ERROR), chance)
        for (choice, value), (_, chance) in zip(worth, chances, strict=True)
    ]
    found.sort(key=lambda it: (-round(it[0].value, 2), -it[1]))
    return tuple(it for it, _ in found)


@dataclass(frozen=True, slots=True)
class _Known:
    """A decision of round 2 in the terms of a plan.

    slots: the slots of the hand's cards, in the order of the hand.
    """

    plan: Round2Plan
    history: History
    hand: int
    laying: middle_game.SlotsLaid
    slots: list[int]

    def move(self, choice: middle_game.SlotMove) -> Move:
        """Return the move for a choice."""
        place, slot = choice
        return PASS if slot is None else Play(MATS_OF_ROUND[1][place], self.slots[slot])


def _known_to(
    observation: Observation, planned: Callable[[middle_game.Middle], Round2Plan]
) -> _Known | None:
    """Return the decision of the seat to move. If round 2 is unsolved, return None.

    planned: finds the plan.
    """
    check_decision(observation)
    game, seat = observation.game, observation.seat
    middle = middle_game.middle_at(game)
    if middle is None:
        return None
    running = game.rounds[-1]
    laid = [slot for slot in running.laid[seat] if slot is not None]
    own = {slot: observation.hand[slot] for slot in (*game.hands[seat], *laid)}
    numbers = _numbered(middle, own)
    slots = sorted(numbers, key=numbers.__getitem__)
    hand = middle_game.HANDS.index(tuple(numbers[slot] for slot in slots))
    laying = tuple(slots.index(slot) for slot in laid)
    return _Known(planned(middle), middle_game.history_of(running), hand, laying, slots)


def _numbered(middle: middle_game.Middle, faces: dict[K, Face]) -> dict[K, int]:
    """Return a different number among the unknown cards for each of ``faces``."""
    free = list(range(middle_game.UNKNOWN))
    found: dict[K, int] = {}
    for key, face in faces.items():
        found[key] = next(number for number in free if middle.unknown[number] is face)
        free.remove(found[key])
    return found


def weights_of(ending: Endgame, past: Past) -> Weights:
    """Return the factors by which round 2 changes the probability of the types of round 3.

    If round 2 is solved, the factors come from the plans; else from habits, which know round 1
    as well.
    """
    middle = middle_game.middle_of(past, comparing=ending.comparing)
    if middle is None:
        return tells.weights_of(ending, past)
    plan = plan_of(middle)
    return _weights(ending, past, plan, SEATS[0]), _weights(ending, past, plan, SEATS[1])


def _weights(ending: Endgame, past: Past, plan: Round2Plan, seat: Seat) -> dict[Type, float]:
    """Return the factors of one seat: by type, the mean chance that its cards lead here."""
    played = past.rounds[1]
    shown = {
        (owner, resolution.mat % 2): card
        for resolution in played.resolutions
        for owner, card in zip(SEATS, resolution.cards, strict=True)
        if card is not None
    }
    numbers = _numbered(plan.middle, shown)
    own = {place: it for (owner, place), it in numbers.items() if owner == seat}
    others = {number for (owner, _), number in numbers.items() if owner != seat}
    places = tuple(at for at, slot in enumerate(played.laid[seat]) if slot is not None)
    ways = _ways(plan, seat, middle_game.history_of(played), places, tuple(own))
    bits = [1 << face.index & ending.live for face in plan.middle.unknown]
    chances: dict[Type, list[float]] = {kind: [] for kind in types_of(ending, seat)}
    for way in ways[tuple(own.values())]:
        if others.isdisjoint(way.left + way.lone):
            kind = sum(bits[it] for it in way.left), sum(bits[it] for it in way.lone)
            chances[kind].append(way.chance)
    means = {kind: sum(each) / max(1, len(each)) for kind, each in chances.items()}
    anything = _ANYTHING * sum(means.values()) / len(means) or 1.0
    return {kind: (1 - _ANYTHING) * mean + anything for kind, mean in means.items()}


class _Way(NamedTuple):
    """A way of a seat through round 2: the cards still held, and those that lie face down."""

    left: middle_game.UnknownCards
    lone: middle_game.UnknownCards
    chance: float


@functools.lru_cache(maxsize=100)  # the tools of training look at all ends of a round
def _ways(
    plan: Round2Plan,
    seat: Seat,
    history: History,
    places: tuple[int, ...],
    shown: tuple[int, ...],
) -> dict[middle_game.UnknownCards, list[_Way]]:
    """Return a seat's ways to an end of round 2, by its cards turned up.

    places: where the seat has laid cards. shown: the places of its cards turned up.
    """
    found: dict[middle_game.UnknownCards, list[_Way]] = {}
    for at, laying, chance in plan.reached(seat, history):
        hand = middle_game.HANDS[at]
        lain = dict(zip(places, (hand[slot] for slot in laying), strict=True))
        left = tuple(it for it in hand if it not in lain.values())
        turned_up = tuple(lain.pop(place) for place in shown)
        found.setdefault(turned_up, []).append(_Way(left, tuple(lain.values()), chance))
    return found
