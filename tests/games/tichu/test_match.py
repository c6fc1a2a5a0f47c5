"""``matcha arena --game tichu``: mirrored deals, in words and as facts."""

import json

import pytest

from matcha_p2p.app.bots.arena import run
from matcha_p2p.app.command.output import Output
from matcha_p2p.games.matches.match import ArenaWish
from matcha_p2p.games.tichu.bots.arena import arena
from matcha_p2p.games.tichu.bots.roster import BOTS
from tests.processes import clean_run

WISH = ArenaWish(("uniform", "beginner"), 3, "1000", "tichu", 4, 5, None)


def test_result_is_told_in_points_a_round(capsys):
    assert run(Output(facts=False), WISH) == 0
    said = capsys.readouterr().out
    assert "uniform against beginner: 3 deals, each played twice" in said
    assert "points a round ahead (95 % confidence: " in said
    assert "Seed 5, " in said


def test_facts_are_repeated_by_the_seed(capsys):
    facts = []
    for _ in range(2):
        run(Output(facts=True), WISH)
        fact = json.loads(capsys.readouterr().out)
        del fact["rounds_per_second"]
        facts.append(fact)
    assert facts[0] == facts[1]
    assert facts[0]["deals"] == 3
    assert facts[0]["interval"][0] < facts[0]["points"] < facts[0]["interval"][1]
    assert not facts[0]["stopped"]


@pytest.mark.slow
def test_processes_play_the_same_deals_as_one_process(tmp_path):
    words = ("uniform", "beginner", "--game", "tichu", "--deals", "9", "--seed", "5", "--json")
    code, stdout, _ = clean_run(tmp_path, "arena", *words)
    here = arena((BOTS["uniform"], BOTS["beginner"]), range(9), 5)
    assert code == 0
    assert json.loads(stdout)["points"] == here.mean


@pytest.mark.slow
def test_match_of_tichu_does_not_stop_by_elo(tmp_path):
    words = ("uniform", "uniform", "--game", "tichu", "--deals", "2", "--sprt", "0", "5")
    code, _, stderr = clean_run(tmp_path, "arena", *words)
    assert code == 2
    assert "Only a match of Matcha stops by Elo points." in stderr
