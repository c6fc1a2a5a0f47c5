"""``matcha analyse``: decisions of those whose cards are open, and nobody else's."""

import json

import pytest

from matcha_p2p.app.library import analyse
from matcha_p2p.app.library.analyse import Judged, accuracy_of
from matcha_p2p.review.decisions import Decision
from matcha_p2p.rules.edition import EDITION_2020
from matcha_p2p.rules.judgement import JudgedMove, Judgement
from matcha_p2p.rules.moves import PASS, Play
from tests.app.library.test_verify_and_export import run
from tests.bots.positions import observations
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
    monkeypatch.setattr(analyse, "ITERATIONS", 60)


@pytest.mark.slow
def test_decisions_of_both_open_books_are_judged(game):
    result = run("analyse", "--json", game)
    assert result.exit_code == 0
    facts = [json.loads(line) for line in result.stdout.splitlines()]
    decided = [fact for fact in facts if fact["event"] == "decision"]
    assert {fact["seat"] for fact in decided} == {0, 1}
    assert all(fact["move"] in {it["move"] for it in fact["moves"]} for fact in decided)
    assert {fact["round"] for fact in decided} == {1, 2, 3}
    accuracies = [fact for fact in facts if fact["event"] == "accuracy"]
    assert [fact["name"] for fact in accuracies] == ["Mina", "Taro"]
    for fact in accuracies:
        own = [it for it in decided if it["seat"] == fact["seat"]]
        assert fact["decisions"] == len(own)
        mean = sum(it["loss"] for it in own) / len(own)
        assert fact["accuracy"] == pytest.approx(100 * (1 - mean))


def test_a_person_reads_a_line_a_decision(game):
    result = run("analyse", game)
    assert "Set 1, round 1, Mina: " in result.stdout
    assert "Taro: accuracy " in result.stdout
    assert "chances to win" in result.stdout


@pytest.mark.slow
def test_closed_books_cannot_be_analysed(tmp_path):
    with host(tmp_path / "a", "--play", "uniform", "--edition", "2020") as first:
        invite = first.until("invite")["invite"]
        with join(tmp_path / "b", invite) as second:
            assert (first.end(), second.end()) == (0, 0)
    (path,) = (tmp_path / "a").glob("games/*")
    result = run("analyse", path)
    assert result.exit_code == 2
    assert "Nobody's cards are known" in result.stderr


def test_losses_make_the_accuracy():
    seen = observations(EDITION_2020, "accuracy")[0]
    moves = tuple(
        JudgedMove(move, value, 0.0001)
        for move, value in ((Play(0, 0), 0.6), (Play(0, 1), 0.53), (PASS, 0.4))
    )
    judgement = Judgement(moves, exact=True)
    judged = [Judged(Decision(seen, it.move), judgement) for it in moves]
    found = accuracy_of(judged)
    assert found.accuracy == pytest.approx(100 * (1 - 0.27 / 3))
    assert (found.count, found.mistakes, found.blunders) == (3, 1, 1)
