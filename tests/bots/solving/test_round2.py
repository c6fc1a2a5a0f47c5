"""Rounds solved for training: against the solution that plays, and against themselves."""

from itertools import islice

import numpy as np
import pytest

from matcha_p2p.bots.solving.course import NOWHERE, NUMBER_MAT
from matcha_p2p.bots.solving.endings import ending_of
from matcha_p2p.rules.phases import Ended
from matcha_p2p.rules.seats import SEATS, opposite
from tests.training.features import (
    ACTION_INPUTS,
    HISTORIES,
    INPUTS,
    MATS,
    NUMBERS,
    OUTCOMES,
    Outlook,
    moves,
)
from tests.training.features import switches as switched
from tests.training.plans import Kind
from tests.training.round2 import Table, _round3, solved
from tests.training.rounds import UNKNOWN, BestResponse, Solved, positions

NEAR = 0.002  # of a chance to win


@pytest.fixture(scope="module")
def position():
    (found,) = islice(positions("rounds"), 6, 7)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("shown", [(0, 1), (5, 2), (3, 7)])
def test_round_3_is_worth_what_its_solution_says(position, shown):
    first = position.game.dealer
    history = (
        (first, NUMBER_MAT),
        (opposite(first), NUMBER_MAT),
        (first, NOWHERE),
        (opposite(first), NOWHERE),
    )
    response = BestResponse(position, 0, {}, {})
    game = response._shown(position.after(history), [NUMBER_MAT], [(it,) for it in shown])
    assert not isinstance(game.phase, Ended)
    ending = ending_of(game)
    known = Solved(ending)
    best = sum(known.best(0, kind, row) for kind, row in known.chances.items())
    table, kinds = Table(position), (Kind(UNKNOWN - 2, 2, 0),) * 2
    rest = np.array([[it for it in range(UNKNOWN) if it not in shown]])
    laid = [(np.array([it]), np.array([-1])) for it in shown]
    values = _round3(table, kinds, rest, table.begun + table.gained(2, laid), 30)[0]
    assert values.sum() / 90 == pytest.approx(best, abs=NEAR)  # C(6, 2) * C(4, 2) deals


@pytest.mark.slow
def test_nobody_gains_by_leaving_the_solution_of_round_2(position):
    rounds = solved(position)
    plans = rounds.averages()
    gains = [float(rounds.best(seat, plans)[0]) for seat in SEATS]
    value = float(rounds.values().sum())
    assert -0.5 <= value <= 0.5
    assert value - 1e-6 <= gains[0] <= value + NEAR
    assert -value - 1e-6 <= gains[1] <= -value + NEAR


@pytest.mark.parametrize("seat", SEATS)
def test_a_network_is_told_each_thing_about_a_decision_in_its_place(position, seat):
    outlook = Outlook(position, seat)
    hand = outlook.bits[:3]
    on, standing = switched(outlook, (), hand, (0, 0))
    assert len(outlook.worth) == NUMBERS
    assert all(NUMBERS <= at < INPUTS for at in on)
    assert on[0] == NUMBERS + HISTORIES[()]
    led = moves((0, 1), hand, (0, 0), standing)
    assert [action for action, _ in led] == list(range(7))
    assert all(0 <= at < ACTION_INPUTS for _, which in led for at in which)
    both = [Outlook(position, it).worth[0] for it in SEATS]
    assert both[0] == pytest.approx(-both[1])


def test_a_network_is_told_how_much_a_mat_decides_as_a_part_of_all(position):
    outlook = Outlook(position, 0)
    added = np.array(outlook.worth[1:])
    split = np.split(added, range(OUTCOMES, NUMBERS - 1, OUTCOMES))
    size = sum(float((it**2).mean()) for it in split[: len(MATS)])
    size += sum(
        float((added[at : at + OUTCOMES**2] ** 2).mean())
        for at in range(len(MATS) * OUTCOMES, NUMBERS - 1, OUTCOMES**2)
    )
    assert size == pytest.approx(1)
    assert outlook.alone.sum(axis=1) == pytest.approx(0, abs=1e-9)
