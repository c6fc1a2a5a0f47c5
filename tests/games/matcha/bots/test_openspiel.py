"""Matcha as a game of OpenSpiel: its own test of games, and its solvers beside ours."""

import random
from collections import Counter

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

from open_spiel.python import policy as policies
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
from training.openspiel import MatchaGame, MatchaState, action_of

from matcha_p2p.games.matcha.bots.solving.endings import ending_of
from matcha_p2p.games.matcha.bots.solving.round3 import Round3, advice, solution_of
from matcha_p2p.games.matcha.bots.solving.sequence_form import best_response, solve
from matcha_p2p.games.matcha.bots.solving.tells import past_of
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.observation import Observation, observe
from matcha_p2p.games.matcha.rules.phases import Placing
from tests.games.matcha.bots.positions import endings
from tests.games.matcha.bots.unmerged import deals_of, worth

YEARS = tuple(map(int, EDITIONS))


class Position(MatchaState):
    """Round 3 from its beginning to its end: a deal by chance, then the moves."""

    def __init__(self, spiel, game, deals):
        super().__init__(spiel, game, ((), ()))
        self.deals = deals
        self.earlier = (((), ()),) * len(game.past)

    @property
    def over(self):
        placing = isinstance(self.game.phase, Placing)
        return not placing or len(self.game.rounds) != 3

    def current_player(self):
        if not self.hands[0]:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.over else super().current_player()

    def is_terminal(self):
        return bool(self.hands[0]) and self.over

    def returns(self):
        won = 2 * worth(self.game) - 1 if self.is_terminal() else 0.0
        return [won, -won]

    def chance_outcomes(self):
        total = self.deals.total()
        return [(at, ways / total) for at, ways in enumerate(self.deals.values())]

    def _apply_action(self, action):
        if self.hands[0]:
            super()._apply_action(action)
        else:
            self.hands = list(self.deals)[action]

    def _action_to_string(self, player, action):
        return f"{player}: {action}"


class PositionGame(MatchaGame):
    """The game of one position. ``seen`` is at the beginning of a round 3."""

    def __init__(self, seen):
        super().__init__({"edition": int(seen.game.edition.name)})
        self.start = seen.game
        self.deals = Counter(deals_of(seen.game))

    def new_initial_state(self):
        return Position(self, self.start, self.deals)


def small(edition, count):
    """Return ``count`` positions of round 3 with few cards left."""
    found = [
        seen
        for seen in endings(edition, "spiel", 80)
        if 1 < sum(map(len, seen.game.hands)) <= 3 and len(Counter(deals_of(seen.game))) < 120
    ]
    return found[:count]


def played(year, seed):
    """Yield every state of a random game in which a seat has to decide."""
    rng = random.Random(seed)
    state = MatchaGame({"edition": year}).new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, chances)[0])
        else:
            yield state
            state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("year", YEARS)
def test_openspiel_finds_nothing_wrong(year):
    game = pyspiel.load_game(f"matcha(edition={year})")
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("year", YEARS)
def test_seat_is_told_no_card_of_the_other(year):
    """Another order of the other's hidden hand changes nothing."""
    checked = 0
    for state in played(year, 7):
        seat = state.current_player()
        game, other = state.game, 1 - seat
        if game.rounds[-1].number > 1 or state.keeps or not isinstance(game.phase, Placing):
            continue
        before = state.information_state_string(seat), state.information_state_tensor(seat)
        hands = list(state.hands)
        hands[other] = hands[other][::-1]
        state.hands, dealt = tuple(hands), state.hands
        after = state.information_state_string(seat), state.information_state_tensor(seat)
        assert before == after
        state.hands = dealt
        checked += 1
    assert checked


@pytest.mark.parametrize("year", YEARS)
def test_tensor_holds_the_same_knowledge_as_the_string(year):
    known = {}
    for seed in range(6):
        for state in played(year, seed):
            seat = state.current_player()
            string = state.information_state_string(seat)
            tensor = tuple(state.information_state_tensor(seat))
            assert known.setdefault(tensor, string) == string
    assert len(set(known.values())) == len(known)


def advised(state):
    """Return the policy of our solution in ``state``."""
    seat = state.current_player()
    seen = observe(state.game, seat, state.hands[seat])
    said = advice(Observation(seen.game, seen.seat, seen.hand))
    total = sum(said.weights)
    legal = state.legal_actions()
    if not total:
        return {action: 1 / len(legal) for action in legal}
    found = dict.fromkeys(legal, 0.0)
    for move, weight in zip(said.moves, said.weights, strict=True):
        found[action_of(move)] += weight / total
    return found


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)
def test_best_response_is_that_of_openspiel(edition):
    """The gain of a best response against our solution of round 3, every card on its own."""
    positions = small(edition, 2)
    assert positions
    for seen in positions:
        game = PositionGame(seen)
        solution = solution_of(ending_of(seen.game), past_of(seen.game))
        ours = sum(
            best_response(solution.round.sides[seat], solution.plans[1 - seat])
            for seat in (0, 1)
        )
        policy = policies.tabular_policy_from_callable(game, advised)
        theirs = exploitability.exploitability(game, policy)
        assert theirs / 2 == pytest.approx(ours / 2, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)
def test_value_is_that_of_openspiel_s_cfr(edition):
    (seen,) = small(edition, 1)
    game = PositionGame(seen)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(12):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    gap = exploitability.exploitability(game, average)
    assert gap < 0.05
    won = expected_game_score.policy_value(game.new_initial_state(), [average, average])[0]
    sides = Round3(ending_of(seen.game)).sides
    plans = solve(sides, 200).plans
    most, least = best_response(sides[0], plans[1]), -best_response(sides[1], plans[0])
    assert (won + 1) / 2 == pytest.approx((most + least) / 2, abs=gap + (most - least))
