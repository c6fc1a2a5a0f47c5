"""Round 2 solved in C agrees with numpy over every hand, and numpy with play of round 3."""

import sys
from collections import defaultdict
from dataclasses import replace
from importlib.util import find_spec
from itertools import combinations, islice, permutations
from statistics import fmean

import numpy as np
import pytest
from training.plans import Kind
from training.round2 import KIND, Table, _round3, solved, valued
from training.rounds import (
    HELD,
    UNKNOWN,
    BestResponse,
    Solved,
    State,
    played_out,
    positions,
)

from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.bots.solving import native, round2
from matcha_p2p.games.matcha.bots.solving.by_habit import habit_of
from matcha_p2p.games.matcha.bots.solving.course import NOWHERE, NUMBER_MAT, SUIT_MAT
from matcha_p2p.games.matcha.bots.solving.endings import ending_of
from matcha_p2p.games.matcha.bots.solving.middle import HANDS, middle_at
from matcha_p2p.games.matcha.bots.solving.round2 import (
    Round2Plan,
    advice,
    judged_plan_of,
    plan_of,
)
from matcha_p2p.games.matcha.bots.solving.tells import past_of
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.phases import Ended, Placing
from matcha_p2p.games.matcha.rules.seats import SEATS, opposite
from tests.compiled import compiled_bots
from tests.games.matcha.bots.positions import observations

pytestmark = pytest.mark.usefixtures("libraries")
both = pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)

NEAR = 0.002  # of a chance to win


@pytest.fixture(scope="module")
def position():
    (found,) = islice(positions("rounds"), 6, 7)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("shown", [(0, 1), (5, 2), (3, 7)])
def test_round_3_is_worth_its_solution(position, shown):
    first = position.game.dealer
    history = (
        (first, NUMBER_MAT),
        (opposite(first), NUMBER_MAT),
        (first, NOWHERE),
        (opposite(first), NOWHERE),
    )
    response = BestResponse(position, 0, {}, (), {})
    game = response._shown(position.after(history), [NUMBER_MAT], [(it,) for it in shown])
    assert not isinstance(game.phase, Ended)
    ending = ending_of(game)
    known = Solved(ending, None, ())
    best = sum(known.best(0, kind, row) for kind, row in known.chances.items())
    table, kinds = Table(position), (Kind(UNKNOWN - 2, 2, 0),) * 2
    rest = np.array([[it for it in range(UNKNOWN) if it not in shown]])
    laid = [(np.array([it]), np.array([-1])) for it in shown]
    values = _round3(table, kinds, rest, table.begun + table.gained(2, laid))[0]
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


@pytest.fixture
def habitual(monkeypatch):
    """Let a test say in how many games the other is thought to play by habit."""

    def so_often(part):
        monkeypatch.setattr(round2, "_HABITUAL", part)
        plan_of.cache_clear()

    yield so_often
    plan_of.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edition", "set_number"), [(EDITIONS["2015"], 2), (EDITIONS["2020"], 1)], ids=EDITIONS
)
def test_c_solves_round_2_as_numpy_does(edition, set_number, habitual):
    """Nobody gains by leaving the plan of C, in the game that numpy makes of round 2."""
    lost, lost_evenly = [], []
    habitual(0.0)
    for found in islice(positions("c", "greedy", edition, set_number), 1):
        middle = middle_at(found.game)
        rounds = valued(replace(found, unknown=middle.unknown))
        plans = plans_by_node(rounds, plan_of(middle))
        lost.append(loss(rounds, plans))
        lost_evenly.append(loss(rounds, {node: node.plan() for node in plans}))
    assert max(lost) < 2 * NEAR
    assert max(lost_evenly) > 20 * NEAR  # by moves that are all alike


@pytest.fixture(scope="module")
def others(tmp_path_factory):
    """Return folders with libraries without vectors, by weak optimisation, and by zig."""
    zig = f"{sys.executable} -m ziglang cc" if find_spec("ziglang") else "cc"
    ways = [("cc", ("-fno-tree-vectorize",)), ("cc", ("-O1",)), (zig, ())]
    folders = []
    with pytest.MonkeyPatch.context() as patch:
        for compiler, options in ways:
            patch.setenv("CC", compiler)
            folders.append(compiled_bots(tmp_path_factory.mktemp("others"), *options))
    return folders


@pytest.mark.slow
@both
def test_every_processor_finds_the_same(edition, others, monkeypatch):
    """To the last bit: also without vectors, with weak optimisation, and by zig."""
    (found,) = islice(positions("same", "greedy", edition, 1), 1)
    plans = [judged_plan_of(middle_at(found.game))]
    for folder in others:
        monkeypatch.setattr(native, "FOLDER", folder)
        native.library.cache_clear()
        judged_plan_of.cache_clear()
        plans.append(judged_plan_of(middle_at(found.game)))
    native.library.cache_clear()
    judged_plan_of.cache_clear()
    first, *rest = plans
    for other in rest:
        assert (other._chances, other._values) == (first._chances, first._values)


@pytest.mark.slow
@both
def test_winnings_grow_with_the_habits_of_the_other(edition, habitual):
    """While habits are assumed seldom, the loss against a seat without habits is smaller."""
    won, lost = defaultdict(float), defaultdict(float)
    for found in islice(positions("habits", "greedy", edition, 1), 4):
        middle, seat = middle_at(found.game), found.game.dealer
        rounds = valued(replace(found, unknown=middle.unknown))
        habit = habit_of(middle, opposite(seat))
        by_habit = plans_by_node(rounds, Round2Plan(middle, habit.plan))
        for part in (0.0, 0.3, 0.9):
            habitual(part)
            plans = plans_by_node(rounds, plan_of(middle))
            lost[part] += float(rounds.best(opposite(seat), plans)[0])
            plans |= {node: by_habit[node] for node in plans if node.seat != seat}
            won[part] += value(rounds, plans, seat, habit.tendency)
    assert won[0.0] < won[0.3] < won[0.9]
    assert won[0.3] - won[0.0] > lost[0.3] - lost[0.0]
    assert won[0.9] - won[0.3] < lost[0.9] - lost[0.3]


def value(rounds, plans, seat, tendency):
    """Return the winnings of ``seat`` above a half, with hands by ``tendency``."""
    for node, plan in plans.items():
        node.total = plan
    values = rounds.values()[0]
    likely = np.array([tendency[HANDS.index(hand)] for hand, _ in KIND.types])
    return -float((values * likely[:, None]).sum()) if seat else float((values * likely).sum())


def loss(rounds, plans):
    return sum(float(rounds.best(seat, plans)[0]) for seat in SEATS) / 2


def plans_by_node(rounds, plan):
    """Return a plan in the form of numpy."""
    found = {}

    def go(node, history):
        if node.seat is None:
            return
        found[node] = np.zeros((1, *node.legal.shape), np.float32)
        layings = KIND.layings(node.content[node.seat])
        for state in range(len(node.legal)):
            hand = HANDS.index(KIND.types[state // len(layings)][0])
            laying = tuple(slot for slot in layings[state % len(layings)] if slot >= 0)
            for (place, slot), chance in plan.moves(history, hand, laying):
                at = -1 if slot is None else node.free.index(place) * HELD + slot
                found[node][0, state, at] = chance
        for place, then in node.after.items():
            go(then, (*history, place))

    go(rounds.root, ())
    return found


@pytest.mark.slow
@both
def test_advised_moves_are_the_legal_moves(edition):
    """Advice exists only if all cards of round 1 were turned up."""
    advised = []
    for seen in observations(edition, "advised", games=8):
        if isinstance(seen.game.phase, Placing) and len(seen.game.rounds) == 2:
            found = advice(seen)
            shown = all(it.revealed for it in seen.game.rounds[0].resolutions)
            assert (found is not None) == shown
            if found is not None:
                assert {*found.moves} == {*seen.legal_moves()}
                assert sum(found.weights) == pytest.approx(1)
                assert sum(found.chances()) == pytest.approx(1)
                advised.append(seen)
    assert len(advised) > 5


@pytest.mark.slow
@pytest.mark.parametrize("contested", [[], [NUMBER_MAT]])
def test_hands_after_round_2_are_weighted_by_the_frequency_of_their_moves(position, contested):
    """Every end of round 2, by a walk through all hands; a type is the mean over its cards."""
    seat = position.game.dealer
    response = BestResponse(position, seat, {}, (), {})
    ends = played_out(position, BOTS["expert"], seat, "x")
    compared = 0
    for history, states in ends.items():
        placed = [[where for one, where in history if one == it] for it in SEATS]
        both = [at for at in (NUMBER_MAT, SUIT_MAT) if all(at in it for it in placed)]
        game = position.after(history)
        if both != contested or isinstance(game.phase, Ended):
            continue
        shown = ((6,) * len(contested), (1,) * len(contested))
        game = response._shown(game, contested, shown)
        if isinstance(game.phase, Ended):
            continue
        ending = ending_of(game)
        lain = [at for at in (NUMBER_MAT, SUIT_MAT) if at in placed[seat]]
        own, theirs = ({*it} for it in (shown[seat], shown[opposite(seat)]))
        live = [1 << face.index & ending.live for face in position.unknown]
        means = defaultdict(list)
        for hand in combinations(range(UNKNOWN), HELD):
            for cards in permutations(hand, len(lain)):
                where = dict(zip(lain, cards, strict=True))
                if theirs.isdisjoint(hand) and own == {where[at] for at in contested}:
                    state = State(hand, (where.get(NUMBER_MAT), where.get(SUIT_MAT)))
                    left = sum(live[it] for it in hand if it not in cards)
                    lone = sum(live[it] for at, it in where.items() if at not in contested)
                    means[left, lone].append(states.get(state, 0.0))
        means = {kind: fmean(each) for kind, each in means.items()}
        found = round2.weights_of(ending, past_of(game))[seat]
        assert {*found} == {*means}
        rest = [found[kind] - 0.98 * mean for kind, mean in means.items()]
        assert max(rest) - min(rest) < 0.02  # rare choices are not made
        compared += max(means.values()) - min(means.values()) > 0.2
    assert compared
