"""``matcha analyse``: decisions of those whose cards are open, and nobody else's."""

import json
import re
from math import exp
from statistics import fmean, harmonic_mean

import pytest

from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.replay import analyse
from matcha_p2p.games.matcha.review.analysis import Analysis, JudgedDecision, accuracy_of
from matcha_p2p.games.matcha.rules.edition import EDITION_2020
from matcha_p2p.games.matcha.rules.judgement import Decision, JudgedMove, Judgement
from matcha_p2p.games.matcha.rules.moves import PASS, Play
from matcha_p2p.games.matcha.rules.phases import Placing
from tests.app.library.test_verify_and_export import run
from tests.games.matcha.bots.positions import observations, played
from tests.processes import host, join


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    """Return the file of a game whose books are both open."""
    folder = tmp_path_factory.mktemp("open")
    bot = ("--play", "greedy", "--open-book", "--seed", "1", "--edition", "2020")
    with host(folder / "a", *bot) as first:
        invite = first.until("invite")["invite"]
        with join(folder / "b", invite, "--open-book") as second:
            assert (first.end(), second.end()) == (0, 0)
    (path,) = (folder / "a").glob("games/*")
    return path


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(analyse, "ITERATIONS", 500)


@pytest.mark.slow
def test_decisions_of_both_open_books_are_judged(game):
    result = run("analyse", "--json", game)
    assert result.exit_code == 0
    facts = [json.loads(line) for line in result.stdout.splitlines()]
    decided = [fact for fact in facts if fact["event"] == "decision"]
    assert {fact["seat"] for fact in decided} == {0, 1}
    assert all(fact["move"] in {it["move"] for it in fact["moves"]} for fact in decided)
    assert {1} <= {fact["round"] for fact in decided} <= {1, 2, 3}  # cards are dealt by chance
    accuracies = [fact for fact in facts if fact["event"] == "accuracy"]
    assert [fact["name"] for fact in accuracies] == ["Mina", "Taro"]
    for fact in accuracies:
        own = [it for it in decided if it["seat"] == fact["seat"]]
        assert fact["decisions"] == len(own)
        each = [max(0, 103.1668 * exp(-4.354 * it["gap"]) - 3.1669) for it in own]
        least = harmonic_mean([max(1, accuracy) for accuracy in each])
        assert fact["accuracy"] == pytest.approx((fmean(each) + least) / 2)


@pytest.mark.slow
def test_chances_are_told_round_by_round(game):
    facts = [json.loads(line) for line in run("analyse", "--json", game).stdout.splitlines()]
    chances = [fact for fact in facts if fact["event"] == "chance"]
    places = [(fact["set"], fact["round"]) for fact in chances]
    assert places == sorted(set(places))
    assert places[0] == (1, 1)
    assert all(0 <= fact["value"] <= 1 for fact in chances)


@pytest.mark.slow
def test_a_person_reads_the_verdict_and_a_line_a_round(game):
    result = run("analyse", game)
    assert re.search(r"Decisions judged: \d+\. ", result.stdout)
    assert re.search(r"Set 1, round 2: Mina \d+%, Taro \d+%\.", result.stdout)
    assert "Taro: accuracy " in result.stdout
    assert "chances to win" in result.stdout


@pytest.mark.slow
def test_own_decisions_are_judged_despite_closed_books(tmp_path, monkeypatch):
    with host(tmp_path / "a", "--play", "uniform", "--edition", "2020") as first:
        invite = first.until("invite")["invite"]
        with join(tmp_path / "b", invite) as second:
            assert (first.end(), second.end()) == (0, 0)
    (path,) = (tmp_path / "a").glob("games/*")
    for home, own in (("a", 0), ("b", 1)):
        monkeypatch.setenv("MATCHA_HOME", str(tmp_path / home))
        facts = [
            json.loads(line) for line in run("analyse", "--json", path).stdout.splitlines()
        ]
        assert {it["seat"] for it in facts if it["event"] == "decision"} == {own}
    monkeypatch.setenv("MATCHA_HOME", str(tmp_path / "nobody"))
    result = run("analyse", path)
    assert result.exit_code == 2
    assert "No cards are known" in result.stderr


def test_losses_make_the_accuracy():
    seen = observations(EDITION_2020, "accuracy")[0]
    moves = tuple(
        JudgedMove(move, value, 0.0001)
        for move, value in ((Play(0, 0), 0.6), (Play(0, 1), 0.53), (PASS, 0.4))
    )
    judgement = Judgement(moves, exact=True)
    judged = [JudgedDecision(Decision(seen, it.move, 0), judgement) for it in moves]
    found = accuracy_of(judged)
    each = (100, 72.9, 40.0)  # of lichess, where 0, 7 and 20 % are given away
    assert found.accuracy == pytest.approx((fmean(each) + harmonic_mean(each)) / 2, abs=0.1)
    assert (found.count, found.mistakes, found.blunders) == (3, 1, 1)


def test_four_blunders_of_seventeen_decisions_make_a_low_accuracy():
    seen = observations(EDITION_2020, "accuracy")[0]
    moves = (JudgedMove(Play(0, 0), 0.6, 0.001), JudgedMove(PASS, 0.2, 0.001))
    judgement = Judgement(moves, exact=True)
    made = [PASS] * 4 + [Play(0, 0)] * 13
    found = accuracy_of([JudgedDecision(Decision(seen, move, 0), judgement) for move in made])
    assert found.blunders == 4
    assert 50 < found.accuracy < 70
    lost = [JudgedDecision(Decision(seen, PASS, 0), replace_best(judgement, 1.2))]
    assert accuracy_of(lost).accuracy == pytest.approx(0.5)


def replace_best(judgement, value):
    best, *others = judgement.moves
    return Judgement((JudgedMove(best.move, value, best.error), *others), exact=True)


@pytest.mark.slow
def test_accuracy_of_random_play_is_far_below_that_of_a_strong_bot():
    """In games of each bot against itself; greedy is between the two."""
    found = {}
    for name in ("uniform", "greedy", "strong"):
        moves = [it for n in range(2) for it in played(EDITION_2020, BOTS[name], f"scale {n}")]
        decided = [
            Decision(seen, move, 0)
            for seen, move in moves
            if isinstance(seen.game.phase, Placing) and len(seen.legal_moves()) > 1
        ]
        found[name] = accuracy_of([analyse.judge(it) for it in decided]).accuracy
    assert found["uniform"] < 75
    assert found["uniform"] + 5 < found["greedy"] < found["strong"]
    assert found["strong"] > 85


def test_gaps_within_their_errors_are_no_mistakes_and_lower_the_accuracy():
    seen = observations(EDITION_2020, "accuracy")[0]
    moves = (JudgedMove(Play(0, 0), 0.6, 0.05), JudgedMove(PASS, 0.5, 0.05))
    judged = JudgedDecision(Decision(seen, PASS, 0), Judgement(moves, exact=False))
    found = accuracy_of([judged])
    assert found.accuracy == pytest.approx(63.6, abs=0.1)
    assert (found.mistakes, found.blunders) == (0, 0)


def test_chance_of_a_round_is_that_of_its_first_decision_by_own_knowledge():
    seen = observations(EDITION_2020, "chances", games=1)
    decided = [it for it in seen if isinstance(it.game.phase, Placing)][:3]
    judged = []
    for at, each in enumerate(decided):
        moves = tuple(JudgedMove(it, 0.6 + at / 10, 0.001) for it in each.legal_moves())
        judged.append(
            JudgedDecision(Decision(each, moves[0].move, 0), Judgement(moves, exact=True))
        )
    analysis = Analysis(("Mina", "Taro"), tuple(it.decision for it in judged), tuple(judged))
    first, second = decided[0].seat, 1 - decided[0].seat
    own = next(at for at, it in enumerate(decided) if it.seat == second)
    assert analysis.chances(first)[0].value == pytest.approx(0.6)
    assert analysis.chances(second)[0].value == pytest.approx(0.6 + own / 10)
    alone = Analysis(analysis.names, analysis.decisions, tuple(judged[:1]))
    assert alone.chances(second)[0].value == pytest.approx(0.4)
