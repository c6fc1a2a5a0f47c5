"""Round 2 of a set solved, where all cards of round 1 were turned up.

Each seat holds three of eight unknown cards then, and every deal counts as equally likely. What
an end of round 2 is worth is what round 3 is worth by its own solution. That is done in C, by
round2.c; here is what goes in, and what to make of what comes out. The solution follows from
what is public, so both seats share it, and it is found once a round.
"""

import ctypes
import functools
from array import array
from collections import Counter
from collections.abc import Iterator
from ctypes import Structure
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final, TypeAlias, TypeVar

from matcha_p2p.bots.solving import tells
from matcha_p2p.bots.solving.course import NOWHERE, Course
from matcha_p2p.bots.solving.endings import Ending, Type, types_of
from matcha_p2p.bots.solving.masks import ZEROS, award, bits_of, mat_of, pack_tokens
from matcha_p2p.bots.solving.native import library
from matcha_p2p.bots.solving.round3 import Advice
from matcha_p2p.bots.solving.stages import STAGES, Stage, first_stages
from matcha_p2p.bots.solving.tells import Past, Weights
from matcha_p2p.bots.valuation.verdicts import GOES_ON, PAIR, verdicts_after
from matcha_p2p.rules.cards import DECK, Face
from matcha_p2p.rules.edition import Edition
from matcha_p2p.rules.game import Game
from matcha_p2p.rules.history import Round
from matcha_p2p.rules.moves import MATS_OF_ROUND, PASS, Play
from matcha_p2p.rules.observation import Observation
from matcha_p2p.rules.seats import SEATS, Seat, opposite

UNKNOWN: Final = 8
HELD: Final = 3
_MATS: Final = (*MATS_OF_ROUND[1], *MATS_OF_ROUND[2])
_OUTCOMES: Final = 5  # of a mat
_ITERATIONS: Final = (40, 8)
"""Of CFR+, in round 2 and in round 3 after each of its ends."""
_ROOM: Final = 20_000
"""So many numbers a plan has at most."""
_ANYTHING: Final = 0.02
"""How often a player is thought to do anything at all."""

K = TypeVar("K")

Hand: TypeAlias = tuple[int, ...]
"""Cards by their numbers among the unknown ones, rising."""
Laying: TypeAlias = tuple[int, ...]
"""The slots of a hand from which the cards on the mats came, that of the number mat first."""
History: TypeAlias = tuple[int, ...]
"""The place of each decision in the round so far."""

HANDS: Final[list[Hand]] = sorted(
    combinations(range(UNKNOWN), HELD), key=lambda hand: sum(1 << card for card in hand)
)
"""What a seat may hold, in the order of C."""


@dataclass(frozen=True, slots=True)
class Middle:
    """What is public as round 2 begins, all cards of round 1 turned up.

    mats: the faces on those of rounds 2 and 3. unknown: the eight faces that are not public, in
    the order of the deck. tokens: packed.
    """

    edition: Edition
    comparing: bool
    last: bool
    dealer: Seat
    mats: tuple[Face, ...]
    unknown: tuple[Face, ...]
    tokens: tuple[int, int]


class _Task(Structure):
    _fields_ = (
        ("stages", ctypes.POINTER(Stage)),
        ("first_stages", ctypes.c_int32 * 36),
        ("iterations", ctypes.c_int32 * 2),
        ("outcomes", ctypes.c_uint8 * (UNKNOWN + 1) * (UNKNOWN + 1) * 4),
        ("within", ctypes.c_float * _OUTCOMES**2),
        ("at_end", ctypes.c_float * _OUTCOMES**2 * _OUTCOMES**2),
    )


def middle_of(
    edition: Edition,
    *,
    comparing: bool,
    last: bool,
    dealer: Seat,
    table: tuple[Face, ...],
    first: Round,
) -> Middle | None:
    """Return what is public after round 1, or None if not all of its cards were turned up.

    first: round 1, resolved.
    """
    if not all(resolution.revealed for resolution in first.resolutions):
        return None
    hidden = Counter(DECK)
    hidden.subtract(table)
    hidden.subtract(card for it in first.resolutions for card in it.cards if card is not None)
    unknown = [face for face in dict.fromkeys(DECK) for _ in range(hidden[face])]
    return Middle(
        edition=edition,
        comparing=comparing,
        last=last,
        dealer=dealer,
        mats=tuple(table[mat] for mat in _MATS),
        unknown=tuple(unknown),
        tokens=(pack_tokens(first.tokens[0]), pack_tokens(first.tokens[1])),
    )


def middle_at(game: Game) -> Middle | None:
    """Return the same of a running game."""
    return middle_of(
        game.edition,
        comparing=game.comparing,
        last=game.number == game.edition.sets,
        dealer=game.dealer,
        table=game.table,
        first=game.rounds[0],
    )


class Plan:
    """How likely each move is in round 2, for both seats."""

    def __init__(self, middle: Middle, chances: "array[float]") -> None:
        """Take what C has written: chances by point, move and hand."""
        self.middle: Final = middle
        self._chances: Final = chances
        self._points: Final = _points(middle.edition.turns, middle.dealer)

    def moves(
        self, history: History, hand: int, laying: Laying
    ) -> list[tuple[int, int | None, float]]:
        """Return what a seat may do: the place, the slot of the card, and how likely it is.

        hand: by its number in HANDS.
        """
        moves, first = self._points[history][laying]
        return [
            (place, slot, self._chances[first + at * len(HANDS) + hand])
            for at, (place, slot) in enumerate(moves)
        ]

    def reached(self, seat: Seat, history: History) -> Iterator[tuple[int, Laying, float]]:
        """Yield each hand, what it has laid, and how likely ``seat`` comes here with it."""
        course = Course(self.middle.edition.turns, self.middle.dealer, (HELD, HELD))
        made: list[tuple[History, int]] = []  # its decisions: what was before, and where
        for at, place in enumerate(history):
            if course.to_move == seat:
                made.append((history[:at], place))
            course = course.after(place)
        for hand in range(len(HANDS)):
            ways: dict[Laying, float] = {(): 1.0}
            for before, place in made:
                ways = {
                    _with(laying, place, slot): chance * likely
                    for laying, chance in ways.items()
                    for where, slot, likely in self.moves(before, hand, laying)
                    if where == place
                }
            for laying, chance in ways.items():
                yield hand, laying, chance


def _with(laying: Laying, place: int, slot: int | None) -> Laying:
    """Return the slots once another card is laid; what lies already is at the other place."""
    if slot is None:
        return laying
    return (*laying, slot) if place else (slot, *laying)


_Point: TypeAlias = dict[Laying, tuple[list[tuple[int, int | None]], int]]


@functools.cache  # two editions, two dealers
def _points(limit: int | None, dealer: Seat) -> dict[History, _Point]:
    """Return by history and laying the moves, and where their chances begin, as in C."""
    found: dict[History, _Point] = {}
    written = 0

    def grow(course: Course, history: History) -> None:
        nonlocal written
        seat = course.to_move
        if seat is None:
            return
        free, lain = course.free(seat), len(course.laid[seat])
        point = found[history] = {}
        for laying in product(range(HELD), repeat=lain):
            moves: list[tuple[int, int | None]] = [
                (place, slot) for place in free for slot in range(HELD) if slot not in laying
            ]
            point[laying] = ([*moves, (NOWHERE, None)], written)
            written += (len(moves) + 1) * len(HANDS)
        for place in (*free, NOWHERE):
            grow(course.after(place), (*history, place))

    grow(Course(limit, dealer, (HELD, HELD)), ())
    return found


@functools.lru_cache(maxsize=1)  # both seats ask in turn
def plan_of(middle: Middle) -> Plan:
    """Return the solution.

    Raises:
        BotError: its library cannot be loaded.
        MemoryError: it takes some 5 MB.
    """
    plan = (ctypes.c_float * _ROOM)()
    count = library("round2").round2_plan(ctypes.byref(_task_of(middle)), plan, _ROOM)
    if not count:
        raise MemoryError
    return Plan(middle, array("f", plan[:count]))


def _task_of(middle: Middle) -> _Task:
    edition, dealer = middle.edition, middle.dealer
    task = _Task(
        stages=STAGES,
        first_stages=first_stages(edition.turns, dealer),
        iterations=_ITERATIONS,
    )
    cards = [*bits_of(middle.unknown, ZEROS), 0]
    gains: list[list[tuple[int, int]]] = []
    for at, (mat, shown) in enumerate(zip(_MATS, middle.mats, strict=True)):
        known: dict[tuple[int, int], int] = {}
        for (one, first), (two, second) in product(enumerate(cards), repeat=2):
            tokens = [0, 0]
            award(mat_of(mat, shown), first, second, tokens)
            number = known.setdefault((tokens[0], tokens[1]), len(known))
            task.outcomes[at][one][two] = number
        gains.append([*known])
    within = verdicts_after(edition, comparing=middle.comparing, last=False, next_dealer=None)
    at_end = verdicts_after(
        edition, comparing=middle.comparing, last=middle.last, next_dealer=opposite(dealer)
    )
    for outcome, before in _after(middle.tokens, gains[:2]):
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
    """Return what the solution says in round 2, or None if there is none.

    Raises:
        BotError: its library cannot be loaded.
        MemoryError: it takes some 5 MB.
    """
    game, seat = observation.game, observation.seat
    middle = middle_at(game)
    if middle is None:
        return None
    running = game.rounds[-1]
    laid = [slot for slot in running.laid[seat] if slot is not None]
    numbers = _numbered(
        middle, {slot: observation.hand[slot] for slot in (*game.hands[seat], *laid)}
    )
    slots = sorted(numbers, key=numbers.__getitem__)
    hand = HANDS.index(tuple(numbers[slot] for slot in slots))
    history = _history(running)
    moves = plan_of(middle).moves(history, hand, tuple(slots.index(slot) for slot in laid))
    return Advice(
        [
            PASS if slot is None else Play(MATS_OF_ROUND[1][place], slots[slot])
            for place, slot, _ in moves
        ],
        [chance for *_, chance in moves],
    )


def _numbered(middle: Middle, faces: dict[K, Face]) -> dict[K, int]:
    """Return the numbers of cards among the unknown ones, each another."""
    free = list(range(UNKNOWN))
    found: dict[K, int] = {}
    for key, face in faces.items():
        found[key] = next(number for number in free if middle.unknown[number] is face)
        free.remove(found[key])
    return found


def _history(played: Round) -> History:
    return tuple(
        turn.move.mat % 2 if isinstance(turn.move, Play) else NOWHERE
        for turn in played.turns
        if not turn.auto
    )


def weights_of(ending: Ending, past: Past) -> Weights:
    """Return how much more or less likely round 2 makes the types of round 3.

    By the solution if both played by it, else by habits, which know round 1 as well.
    """
    middle = middle_of(
        past.edition,
        comparing=ending.comparing,
        last=past.last,
        dealer=past.dealer,
        table=past.table,
        first=past.rounds[0],
    )
    if middle is None:
        return tells.weights_of(ending, past)
    plan = plan_of(middle)
    return _weights(ending, past, plan, SEATS[0]), _weights(ending, past, plan, SEATS[1])


def _weights(ending: Ending, past: Past, plan: Plan, seat: Seat) -> dict[Type, float]:
    """Return them for one seat: how likely its cards lead here, on average of each type."""
    played = past.rounds[1]
    shown = {
        (owner, resolution.mat % 2): card
        for resolution in played.resolutions
        for owner, card in zip(SEATS, resolution.cards, strict=True)
        if card is not None
    }
    numbers = _numbered(plan.middle, shown)
    others = {number for (owner, _), number in numbers.items() if owner != seat}
    places = [at for at, slot in enumerate(played.laid[seat]) if slot is not None]
    bits = [1 << face.index & ending.live for face in plan.middle.unknown]
    chances: dict[Type, list[float]] = {kind: [] for kind in types_of(ending, seat)}
    for at, laying, chance in plan.reached(seat, _history(played)):
        hand = HANDS[at]
        lain = dict(zip(places, (hand[slot] for slot in laying), strict=True))
        turned_up = {place: it for place, it in lain.items() if (seat, place) in numbers}
        if others.isdisjoint(hand) and all(
            numbers[seat, place] == it for place, it in turned_up.items()
        ):
            left = sum(bits[it] for it in hand if it not in lain.values())
            lone = sum(bits[it] for place, it in lain.items() if place not in turned_up)
            chances[left, lone].append(chance)
    means = {kind: sum(each) / max(1, len(each)) for kind, each in chances.items()}
    anything = _ANYTHING * sum(means.values()) / len(means) or 1.0
    return {kind: (1 - _ANYTHING) * mean + anything for kind, mean in means.items()}
