"""``matcha arena``: several processes, one result."""

import json

import pytest

from tests.processes import clean_run

MATCH = ("arena", "greedy", "uniform", "--edition", "2020", "--seed", "4", "--json")


def score(stdout):
    (fact,) = (json.loads(line) for line in stdout.splitlines())
    del fact["games_per_second"]
    return fact


@pytest.mark.slow
def test_processes_agree_with_one_another_and_with_a_second_run(tmp_path):
    first, second = (clean_run(tmp_path, *MATCH, "--games", "60") for _ in range(2))
    assert first[0] == second[0] == 0
    fact = score(first[1])
    assert fact == score(second[1])
    assert fact["games"] == 60
    assert sum(fact["pairs"]) == 30
    assert fact["elo_interval"][0] < fact["elo"] < fact["elo_interval"][1]
    assert "of 60 games" in first[2]


@pytest.mark.slow
def test_match_ends_as_soon_as_it_is_decided(tmp_path):
    code, stdout, _ = clean_run(tmp_path, *MATCH, "--games", "2000", "--sprt", "0", "50")
    assert code == 0
    fact = score(stdout)
    assert fact["games"] < 2000
    assert fact["log_likelihood_ratio"] > 0


@pytest.mark.slow
def test_progress_and_result_are_told_to_a_person(tmp_path):
    words = (*MATCH[:-1], "--games", "400", "--sprt", "0", "20")
    code, stdout, _ = clean_run(tmp_path, *words)
    assert code == 0
    assert "Elo points ahead (95 % confidence" in stdout
    assert "It is decided: greedy is +20 rather than +0 Elo points ahead." in stdout
