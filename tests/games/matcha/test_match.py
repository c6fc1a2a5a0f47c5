"""``matcha arena``: several processes, one result."""

import json
import sys

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
    assert "Decided: greedy is +20 rather than +0 Elo points ahead." in stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("arena", "cmd:./nowhere", "greedy", "--games", "2"),
        ("practice", "--bot", "cmd:./nowhere"),
        ("host", "--play", "cmd:./nowhere", "--address", "127.0.0.1", "--port", "0"),
    ],
    ids=lambda words: words[0],
)
def test_a_program_that_cannot_be_started_is_refused_before_anything_is_played(tmp_path, words):
    code, stdout, stderr = clean_run(tmp_path, *words)
    assert (code, stdout) == (2, "")
    assert "The bot nowhere cannot be started: No such file or directory." in stderr
    assert not list(tmp_path.rglob("*.matcha"))


@pytest.mark.slow
@pytest.mark.parametrize("games", ["2", "40"], ids=["here", "in processes"])
def test_why_a_program_has_resigned_is_told_once(tmp_path, games):
    program = tmp_path / "program"
    program.write_text(
        f"#!{sys.executable}\n"
        'print(\'{"v": 1, "name": "none", "editions": ["2015", "2020"]}\', flush=True)\n'
        "input()\ninput()\n"
        "print('nonsense', flush=True)\n"
    )
    program.chmod(0o755)
    words = ("arena", f"cmd:{program}", "greedy", "--games", games, "--seed", "1")
    code, stdout, stderr = clean_run(tmp_path, *words)
    assert code == 0
    assert f"resigned {games}" in stdout
    assert stderr.count("a line that is no message of the bot protocol: 'nonsense'") == 1
    assert stderr.count("The bot's seat concedes.") == 1
