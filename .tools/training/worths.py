"""How far values of moves in round 2 are from the truth.

    python -m training.worths --decisions 14 --seed w2

Decisions come from games of two bots, where all cards of round 1 were turned up. The truth
about a move is what an exact best response wins after it, over rounds 2 and 3. In round 2 the
other seat plays by its plan, in round 3 by the solution. The values of the plan and of the
search are compared with the truth. The program prints each decision, and at the end, for both:
the root of the mean square error, and the part of the values within two stated errors.
"""

import argparse
import json
import random
from collections import defaultdict
from itertools import islice
from math import sqrt
from statistics import fmean

from matcha_p2p.games.matcha.bots.judge import estimated
from matcha_p2p.games.matcha.bots.solving import fast_form, round2
from matcha_p2p.games.matcha.bots.solving.course import NOWHERE
from matcha_p2p.games.matcha.bots.solving.middle import HANDS, middle_at
from matcha_p2p.games.matcha.bots.solving.round2 import plan_of, weights_of
from matcha_p2p.games.matcha.replay.analyse import ITERATIONS
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.rules.seats import opposite
from tests.games.matcha.bots.positions import observations
from training.rounds import DEALS, BestResponse, Position, State


def decisions(edition, seed, bots):
    """Yield (position as round 2 begins, a decision in it), one of each game at most."""
    number = 0
    while True:
        number += 1
        found, position = [], None
        for seen in observations(edition, f"{seed} {number}", bots=bots):
            game = seen.game
            if not isinstance(game.phase, Placing) or len(game.rounds) != 2:
                continue
            if not game.rounds[-1].turns:
                middle = middle_at(game)
                position = middle and Position(game, middle.unknown)
            if position and len(seen.legal_moves()) > 1:
                found.append((position, seen))
        if found:
            yield random.Random(f"{seed} {number}").choice(found)


def truth(position, seen, solved):
    """Return by move what a best response wins after it; None if the other never comes here.

    solved: the rounds 3 that were solved already.
    """
    seat, other = seen.seat, opposite(seen.seat)
    plan, game = plan_of(middle_at(seen.game)), seen.game
    known = round2._known_to(seen, plan_of)
    hand = HANDS[known.hand]
    laid = [None, None]
    for place, slot in enumerate(game.rounds[-1].laid[seat]):
        if slot is not None:
            laid[place] = hand[known.slots.index(slot)]
    state = State(hand, tuple(laid))
    ends = ends_of(position, plan, other)
    response = BestResponse(position, seat, ends, (weights_of, fast_form.solve), solved)
    authors = [plan._points[known.history[:at]].seat for at in range(len(known.history))]
    history = tuple(zip(authors, known.history, strict=True))
    met = sum(
        chance
        for at, _, chance in plan.reached(other, known.history)
        if not set(HANDS[at]) & set(hand)
    )
    if met < 1e-6:
        return None
    found = {}
    for move in seen.legal_moves():
        place, card = NOWHERE, None
        if isinstance(move, Play):
            place, card = move.mat % 2, hand[known.slots.index(move.slot)]
        after = state.after(place, card)
        worth = response._at((*history, (seat, place)), [after])[after]
        found[move] = worth / (met / DEALS)
    return found


def ends_of(position, plan, seat):
    """Return by history the states in which ``seat`` ends round 2 by a plan, and how likely."""
    ends = {}

    def go(history):
        game = position.after(history)
        if len(game.rounds) == 2 and isinstance(game.phase, Placing):
            for where in position.places(game):
                go((*history, (game.phase.to_move, where)))
            return
        states = ends[history] = defaultdict(float)
        places = tuple(where for _, where in history)
        lain = [where for author, where in history if author == seat and where != NOWHERE]
        for at, laying, chance in plan.reached(seat, places):
            cards = [HANDS[at][slot] for slot in laying]
            by_place = dict(zip(sorted(lain), cards, strict=True))
            states[State(HANDS[at], (by_place.get(0), by_place.get(1)))] += chance

    go(())
    return ends


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decisions", type=int, default=14, help="of each edition")
    parser.add_argument("--bots", nargs=2, default=("greedy", "uniform"))
    parser.add_argument("--seed", default="w1")
    options = parser.parse_args()
    for name, edition in EDITIONS.items():
        found = {"plan": [], "search": []}
        asked = decisions(edition, options.seed, options.bots)
        for position, seen in islice(asked, options.decisions):
            true, planned = truth(position, seen, {}), round2.judged(seen)
            if true is None or planned is None:
                continue
            said = {"plan": planned, "search": estimated(seen, ITERATIONS).moves}
            for method, judged in said.items():
                values = [(true[it.move], it.value, it.error) for it in judged]
                print(json.dumps({"edition": name, method: values}), flush=True)
                found[method] += values
        for method, values in found.items():
            off = sqrt(fmean((value - true) ** 2 for true, value, _ in values))
            covered = fmean(abs(value - true) <= 2 * error for true, value, error in values)
            figures = {
                "values": len(values),
                "off": round(off, 4),
                "covered": round(covered, 3),
            }
            print(json.dumps({"edition": name, method: figures}), flush=True)


if __name__ == "__main__":
    main()
