"""The measure of rounds 2 and 3: no player does better than the best response."""

import random
from dataclasses import replace
from itertools import islice
from statistics import fmean

import pytest
from training.rounds import BestResponse, played_out, positions

from matcha_p2p.games.matcha.bots.strong import Thinker
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.game import place, reveal
from matcha_p2p.games.matcha.rules.observation import observe
from matcha_p2p.games.matcha.rules.phases import Ended, Revealing
from matcha_p2p.games.matcha.rules.seats import SEATS, opposite

QUICK = Thinker("quick", 12, exact=True)
DEALS = 150


def won_by_seat_0(position, bots, rng):
    """Deal, and play the set to its end; return 1, 0.5 or 0."""
    cards = rng.sample(range(8), 6)
    faces = [position.faces(seat, cards[3 * seat : 3 * seat + 3]) for seat in SEATS]
    game = position.game
    while not isinstance(game.phase, Ended):
        if isinstance(game.phase, Revealing):
            for seat in SEATS:
                running = game.rounds[-1]
                due = {mat: running.slot_at(seat, mat) for mat in game.phase.due[seat]}
                game = reveal(game, seat, {mat: faces[seat][slot] for mat, slot in due.items()})
            continue
        seat = game.phase.to_move
        game = place(game, bots[seat].choose(observe(game, seat, faces[seat]), rng))
    return 0.5 if game.phase.winner is None else float(game.phase.winner == 0)


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 4])
def test_a_best_response_does_as_well_as_the_bot_itself(number):
    (position,) = islice(positions("rounds", "greedy"), number, number + 1)
    rng = random.Random(number)
    seats = (QUICK, QUICK)
    mean = sum(won_by_seat_0(position, seats, rng) for _ in range(DEALS)) / DEALS
    solved = {}
    ends = [played_out(position, QUICK, seat, "x") for seat in SEATS]
    best = [
        BestResponse(position, seat, ends[opposite(seat)], (), solved).value() for seat in SEATS
    ]
    assert all(-1e-9 <= value <= 1 + 1e-9 for value in best)
    assert best[0] + best[1] >= 1 - 1e-9
    noise = 3 * 0.5 / DEALS**0.5
    assert best[0] >= mean - noise
    assert best[1] >= 1 - mean - noise


def test_any_set_counts_where_no_set_is_the_last():
    found = islice(positions("rounds", "greedy", EDITIONS["2015"]), 5)
    assert len({position.game.number for position in found}) > 1


def test_the_hand_that_was_held_explains_the_moves_better_than_others():
    better = []
    for position in islice(positions("rounds", "greedy", asked=20), 12):
        ranges = position.ranges[position.game.phase.to_move]
        better.append(ranges[0, 1, 2] / fmean(ranges.values()))  # what the observer held
    assert fmean(better) > 1.2


@pytest.mark.slow
def test_ranges_count_as_parts_of_their_sum():
    (position,) = islice(positions("rounds", "greedy"), 1)
    solved = {}
    values = []
    for by in (0.5, 3.0):
        flat = {state.hand: by for state in position.states()}
        ranged = replace(position, ranges=(flat, flat))
        ends = played_out(ranged, QUICK, 1, "x")
        values.append(BestResponse(ranged, 0, ends, (), solved).value())
    assert values[0] == pytest.approx(values[1])
    assert 0 < values[0] < 1
