"""Judgements: by solutions where there are some, else estimates; the same when asked again."""

from collections import Counter
from itertools import islice

import pytest
from training.worths import decisions, truth

from matcha_p2p.errors import BotError
from matcha_p2p.games.matcha.bots.judge import estimated, judge
from matcha_p2p.games.matcha.bots.solving import round2, round3
from matcha_p2p.games.matcha.bots.solving.course import NOWHERE, Course
from matcha_p2p.games.matcha.bots.solving.endings import chances_of, ending_of, types_of
from matcha_p2p.games.matcha.bots.solving.sequence_form import solve
from matcha_p2p.games.matcha.bots.solving.tells import past_of
from matcha_p2p.games.matcha.rules.edition import EDITION_2020, EDITIONS
from matcha_p2p.games.matcha.rules.judgement import JudgedMove, Judgement
from matcha_p2p.games.matcha.rules.moves import PASS, Play
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.rules.seats import SEATS
from tests.games.matcha.bots.positions import endings, few_or, observations


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)
@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_every_legal_move_is_judged_once(edition, every):
    for seen in observations(edition, "judged", games=2)[::every]:
        if not isinstance(seen.game.phase, Placing) or len(seen.legal_moves()) == 1:
            continue
        found = judge(seen, 30)
        assert sorted(map(repr, (it.move for it in found.moves))) == sorted(
            map(repr, seen.legal_moves())
        )
        assert all(-1e-9 <= it.value <= 1 + 1e-9 for it in found.moves)
        assert judge(seen, 30) == found


def test_move_that_was_made_is_looked_at_thoroughly():
    seen = observations(EDITION_2020, "thorough")[0]
    made = seen.legal_moves()[-1]
    alone, tried = judge(seen, 300), judge(seen, 300, made)
    assert tried.moves[0].move == alone.moves[0].move
    assert tried.of(made).error < max(alone.of(made).error, 0.095)


both = pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)


@few_or(20, few=8)
@both
def test_round_3_is_exact_where_each_of_its_ends_decides_the_game(edition, count):
    found = [(seen.game, judge(seen, 10)) for seen in endings(edition, "exact", count)]
    last = [judgement for game, judgement in found if game.number == edition.sets]
    assert len(last) > count // 4 or edition.sets is None
    assert all(judgement.exact for judgement in last)
    assert not any(judgement.exact for game, judgement in found if game.number == 1)


@few_or(20, few=5)
def test_lay_is_worth_at_least_a_pass_in_a_last_round_3(count):
    """Where no later set is to come, nothing is lost by some card somewhere."""
    for seen in endings(EDITION_2020, "exact", count):
        found = judge(seen, 10)
        plays = [it.value for it in found.moves if isinstance(it.move, Play)]
        assert max(plays) >= found.of(PASS).value - 0.01


def decided(edition, seed, games, bots=("greedy", "uniform")):
    """Return decisions of round 3, also where moves before were foolish."""
    return [
        seen
        for seen in observations(edition, seed, games=games, bots=bots)
        if isinstance(seen.game.phase, Placing)
        and len(seen.game.rounds) == 3
        and len(seen.legal_moves()) > 1
    ]


@pytest.mark.slow
@both
def test_value_in_round_3_is_that_of_the_best_continuation(edition):
    """By a walk through all cards of the other, with no sequences, on and off the plan."""
    compared, not_first = 0, 0
    for seen in decided(edition, "walk", 8):
        found = round3.judged(seen)
        walk = Walk(seen)
        if found is None or walk.game.ending != ending_of(seen.game) or walk.game.work > 20_000:
            continue
        for it in found.moves:
            assert it.value == pytest.approx(walk.value(it.move), abs=1e-6)
            compared += 1
            not_first += it.value < found.moves[0].value - 0.2
    assert compared > 40
    assert not_first > 3


class Walk:
    """Round 3 from a decision: each hand of the other, as likely as its plan leads here."""

    def __init__(self, seen):
        solution = round3.solution_of(ending_of(seen.game), past_of(seen.game))
        self.seen, self.game, self.seat = seen, solution.round, seen.seat
        self.plan = solution.plans[1 - seen.seat]
        ending = self.game.ending
        kind, self.history, laid = round3.point_of(seen, ending)
        self.course = Course(ending.edition.turns, ending.dealer, ending.held)
        chances = chances_of(ending, types_of(ending, SEATS[0]), types_of(ending, SEATS[1]))
        blanks = [ending.held[seat] - kind[0].bit_count() for seat in SEATS]
        self.own = round3._Live(kind, 0, kind[0], blanks[self.seat])
        self.met = []
        for first, row in chances.items():
            for second, chance in row.items():
                pair = (first, second)
                if pair[self.seat] == kind:
                    hand = pair[1 - self.seat][0]
                    spare = ending.held[1 - self.seat] - hand.bit_count()
                    other = round3._Live(pair[1 - self.seat], 0, hand, spare)
                    self.met.append((other, chance))
        past = ()
        for place in self.history:
            if self.course.to_move == self.seat:
                card = laid[place] if place != NOWHERE else 0
                self.own = self.own.after((place, card), 0)
            else:
                self.met = self.led(self.met, self.course, past)[place]
            self.course, past = self.course.after(place), (*past, place)

    def led(self, met, course, history):
        """Return by place what the other may have after its decision, and how likely."""
        found = {place: [] for place in (*course.free(1 - self.seat), NOWHERE)}
        for other, chance in met:
            if not chance:
                continue
            options = other.options(course, 1 - self.seat)
            weights = [1.0]
            if len(options) > 1:
                sequences, _ = self.game.points[other.type, history, other.laid]
                weights = self.plan[sequences]
            for option, weight in zip(options, weights, strict=True):
                then = other.after(option, 0)
                found[option[0]].append((then, chance * weight / sum(weights)))
        return found

    def value(self, move):
        option = round3.meaning(self.seen, self.game.ending, move)
        course, history = self.course.after(option[0]), (*self.history, option[0])
        won = self.won(course, history, self.own.after(option, 0), self.met)
        return won / sum(chance for _, chance in self.met)

    def won(self, course, history, own, met):
        if course.to_move is None:
            return sum(chance * self.judged(own, other) for other, chance in met)
        if course.to_move != self.seat:
            return sum(
                self.won(course.after(place), (*history, place), own, led)
                for place, led in self.led(met, course, history).items()
            )
        return max(
            self.won(course.after(it[0]), (*history, it[0]), own.after(it, 0), met)
            for it in own.options(course, self.seat)
        )

    def judged(self, own, other):
        first, second = (other, own) if self.seat else (own, other)
        verdict = self.game.verdict(first.laid, second.laid)
        return 1 - verdict if self.seat else verdict


@pytest.mark.slow
@both
def test_stated_errors_of_round_3_cover_another_solution(edition, monkeypatch):
    """The other is solved longer, and does not lean on what the past tells."""
    off = Counter()
    for seen in decided(edition, "other", 24):
        found, ending = round3.judged(seen), ending_of(seen.game)
        if found is None or round3.solution_of(ending, past_of(seen.game)).round.work > 20_000:
            continue
        game = round3.Round3(ending)
        longer = round3.Solution(game, solve(game.sides, 200).plans)
        with monkeypatch.context() as patch:
            patch.setattr(round3, "solution_of", lambda *_, it=longer: it)
            other = round3.judged(seen)
        if other is not None:
            for it in found.moves:
                off[abs(it.value - other.of(it.move).value) <= 2 * it.error] += 1
    assert off.total() > 100
    assert 0.9 <= off[True] / off.total() <= 0.99


@pytest.mark.slow
@both
@pytest.mark.usefixtures("libraries")
def test_stated_errors_of_round_2_cover_the_truth(edition):
    """The errors that the plan states, and those of the search."""
    covered, moves = Counter(), 0
    asked = decisions(edition, "covered", ("greedy", "uniform"))
    planned = ((*it, found) for it in asked if (found := round2.judged(it[1])) is not None)
    for position, seen, judged in islice(planned, 2):
        true = truth(position, seen, {})
        assert judge(seen, 10).of(judged[0].move) == judged[0]
        moves += len(true)
        for method, values in (("plan", judged), ("search", estimated(seen, 2000).moves)):
            for it in values:
                covered[method] += abs(it.value - true[it.move]) <= 2 * it.error
    assert moves > 5
    assert covered["plan"] >= 0.9 * moves
    assert covered["search"] >= 0.8 * moves  # few values; of many, worths.py finds 95 %


@both
@pytest.mark.usefixtures("libraries")
def test_round_2_is_judged_by_search_where_nothing_was_compiled(edition, monkeypatch):
    _, seen = next(decisions(edition, "compiled", ("greedy", "greedy")))
    planned = judge(seen, 60)

    def missing(_):
        raise BotError("no library")

    round2.judged_plan_of.cache_clear()
    monkeypatch.setattr(round2, "library", missing)
    searched = judge(seen, 60)
    assert not planned.exact
    assert planned != searched
    assert searched == estimated(seen, 60)
    assert {it.move for it in planned.moves} == {it.move for it in searched.moves}


def test_loss_below_its_uncertainty_counts_as_zero():
    moves = (JudgedMove(Play(0, 0), 0.6, 0.01), JudgedMove(PASS, 0.58, 0.01))
    assert Judgement(moves, exact=False).loss(PASS) == 0
    certain = tuple(JudgedMove(it.move, it.value, 0.001) for it in moves)
    assert Judgement(certain, exact=False).loss(PASS) == pytest.approx(0.02)
    assert Judgement(certain, exact=False).loss(Play(0, 0)) == 0
