"""How far round 3 is from solved: ``python -m training.round3 --positions 500``.

Positions come from games of a bot that searches. A bot plays round 3 by a solution. For each
position the program computes an exact best response to this solution, with uniform ranges: the
past tells nothing. It prints the gain of the response, on average and at most, in chances to
win, and the CPU time of the solution. First sets and later sets of each edition have their own
figures.

500 positions of each kind gave these average gains. In 2015: 0.0006 in first sets, 0.0002 in
later sets. In 2020: 0.0009 and 0.0001. No position has a gain above 0.005. Without the past the
average gains are between 0.0001 and 0.0002.
"""

import argparse
import json
import time

from matcha_p2p.games.matcha.bots.solving.course import Course
from matcha_p2p.games.matcha.bots.solving.endings import ending_of
from matcha_p2p.games.matcha.bots.solving.round3 import Round3, solution_of
from matcha_p2p.games.matcha.bots.solving.sequence_form import best_response
from matcha_p2p.games.matcha.bots.solving.tells import past_of
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from tests.games.matcha.bots.positions import endings


def loss(ending, solution):
    """Return the gain of a best response that knows lone cards, on average of both seats."""
    whole = solution.round if solution.round.ending == ending else Round3(ending)
    plans = [lifted(whole, solution, seat) for seat in (0, 1)]
    return sum(best_response(whole.sides[seat], plans[1 - seat]) for seat in (0, 1)) / 2


def lifted(whole, solution, seat):
    """Return the plan for the whole game, from a plan for the game without lone cards."""
    plan = solution.plans[seat]
    if whole is solution.round:
        return plan
    points = {
        sequences.start: (point, sequences)
        for point, (sequences, _) in whole.points.items()
        if to_move(whole.ending, point[1]) == seat
    }
    found = [1.0] * whole.sides[seat].sequences
    for decisions in whole.sides[seat].decisions:
        for at, parent in enumerate(decisions.parents):
            ((hand, lone), history, laid), sequences = points[decisions.first + at]
            known = hand, lone & solution.round.ending.known
            weights = plan[solution.round.points[known, history, laid][0]]
            total = sum(weights)
            found[sequences] = [
                found[parent] * (weight / total if total else 1 / len(weights))
                for weight in weights
            ]
    return found


def to_move(ending, history):
    """Return whose turn it is after the decisions of ``history``."""
    course = Course(ending.edition.turns, ending.dealer, ending.held)
    for place in history:
        course = course.after(place)
    return course.to_move


def measured(edition, positions, first):
    """Return the figures of so many positions, all of first sets or all of later sets."""
    losses, times, coarse, large = [], [], 0, 0
    seed = 0
    while len(losses) + large < positions:
        seed += 1
        for seen in endings(edition, f"report {seed}", 20, bots=("keen", "keen")):
            if (seen.game.number == 1) != first or len(losses) + large == positions:
                continue
            ending = ending_of(seen.game)
            solution_of.cache_clear()
            began = time.process_time()
            solution = solution_of(ending, past_of(seen.game))
            times.append(time.process_time() - began)
            if solution is None:
                large += 1
                continue
            coarse += solution.round.ending != ending
            losses.append(loss(ending, solution))
    times.sort()
    return {
        "positions": len(losses),
        "mean": round(sum(losses) / len(losses), 6),
        "max": round(max(losses), 6),
        "above_half_a_percent": sum(loss > 0.005 for loss in losses),
        "lone_cards_left_out": coarse,
        "too_large": large,
        "ms_mean": round(1000 * sum(times) / len(times), 1),
        "ms_p95": round(1000 * times[len(times) * 95 // 100], 1),
        "ms_max": round(1000 * times[-1], 1),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=500, help="of each kind")
    parser.add_argument("--json", action="store_true", help="one object on one line")
    options = parser.parse_args()
    found = {
        f"{edition.name} {'set 1' if first else 'later sets'}": measured(
            edition, options.positions, first
        )
        for edition in EDITIONS.values()
        for first in (True, False)
    }
    print(json.dumps(found, indent=None if options.json else 2))


if __name__ == "__main__":
    main()
