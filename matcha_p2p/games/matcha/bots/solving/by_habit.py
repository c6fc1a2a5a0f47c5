"""The moves of a seat in round 2 that plays by habit, not by reason (tells.py)."""

from dataclasses import dataclass

from matcha_p2p.games.matcha.bots.solving.course import NOWHERE
from matcha_p2p.games.matcha.bots.solving.middle import HANDS, DecisionPoint, Middle, points
from matcha_p2p.games.matcha.bots.solving.tells import PublicState, doing, done_so, turned_up
from matcha_p2p.games.matcha.rules.history import Turn
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, PASS, Play
from matcha_p2p.games.matcha.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Habit:
    """One seat's habits in a round 2.

    plan: the probabilities of the seat's moves, in the order of C; 0 where the opponent
    decides. tendency: the factor by which the seat's moves in round 1 raise the probability of
    each hand; 1 on average.
    """

    plan: list[float]
    tendency: list[float]


def habit_of(middle: Middle, seat: Seat) -> Habit:
    """Return the habits of ``seat``."""
    past = middle.past
    known = points(past.edition.turns, past.dealer)
    plan: list[float] = []
    for history, point in known.items():
        if point.seat == seat:
            authors = (known[history[:at]].seat for at in range(len(history)))
            turns = map(_turn, authors, history)
            tokens = past.rounds[0].tokens
            scene = PublicState(past, 2, tuple(turns), tokens, point.course.cards, seat)
            plan += _chances(middle, scene, point)
        else:
            plan += [0.0] * (len(HANDS) * sum(len(moves) for moves, _ in point.moves.values()))
    return Habit(plan, _tendency(middle, seat))


def _turn(seat: Seat, place: int) -> Turn:
    """Return a turn at a place; the slot of its card does not matter."""
    return Turn(seat, PASS if place == NOWHERE else Play(MATS_OF_ROUND[1][place], 0))


def _chances(middle: Middle, scene: PublicState, point: DecisionPoint) -> list[float]:
    """Return how likely each move at a point is, by move and hand."""
    faces = [face.index for face in middle.unknown]
    liking = doing(scene, faces)
    found: list[float] = []
    for moves, _ in point.moves.values():
        weights = [
            [
                liking(place, None if slot is None else faces[hand[slot]])
                for place, slot in moves
            ]
            for hand in HANDS
        ]
        totals = [sum(row) for row in weights]
        for column in zip(*weights, strict=True):
            found += [it / total for it, total in zip(column, totals, strict=True)]
    return found


def _tendency(middle: Middle, seat: Seat) -> list[float]:
    chance = done_so(middle.past, seat)
    opened = {slot: face.index for slot, face in turned_up(middle.past.rounds)[seat].items()}
    held = [slot for slot in range(5) if slot not in opened]
    faces = [face.index for face in middle.unknown]
    cards = [opened.get(slot, 0) for slot in range(5)]
    found: list[float] = []
    for hand in HANDS:
        for slot, card in zip(held, hand, strict=True):
            cards[slot] = faces[card]
        found.append(chance(cards))
    mean = sum(found) / len(found)
    return [it / mean for it in found]
