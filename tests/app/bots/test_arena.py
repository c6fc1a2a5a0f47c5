"""Matches: progress, Ctrl-C, failures of programs, and ratings of several bots."""

import json
from dataclasses import dataclass, field

import pytest

from matcha_p2p.app import workers
from matcha_p2p.app.bots.arena import Units, Venue, measure
from matcha_p2p.app.bots.arena import run as play
from matcha_p2p.app.command.output import Output
from matcha_p2p.errors import BotError
from matcha_p2p.games.matches.match import ArenaWish


@dataclass
class Counts:
    """The numbers of the units that were played."""

    numbers: tuple = ()
    failures: dict = field(default_factory=dict)

    @property
    def units(self):
        return len(self.numbers)

    def __add__(self, other):
        return Counts(self.numbers + other.numbers, {**self.failures, **other.failures})


def counted(units):
    return Counts(tuple(units))


def stopped_at(number):
    """Return a match that Ctrl-C stops at the unit ``number``."""

    def play(units):
        if number in units:
            raise KeyboardInterrupt
        return Counts(tuple(units))

    return play


def run(work, units, is_decided=lambda _: False):
    venue = Venue(Output(facts=False))
    return measure(
        venue, Units(work, units, Counts()), lambda total: f"{total.units} so far", is_decided
    )


@pytest.fixture
def alone(monkeypatch):
    """Let all units be played by this process."""
    monkeypatch.setattr(workers, "cores", lambda: 1)


@pytest.mark.parametrize("units", [1, 8, 9, pytest.param(405, marks=pytest.mark.slow)])
def test_match_plays_each_unit_once_in_order(units):
    assert run(counted, units) == (Counts(tuple(range(units))), False)


def test_progress_is_told_twenty_times_at_most(alone, capsys):
    run(counted, 1000)
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "50 so far"
    assert told[-1] == "950 so far"
    assert len(told) == 19


def test_match_that_is_stopped_has_the_result_so_far(capsys):
    assert run(stopped_at(5), 8) == (Counts((0, 1, 2, 3, 4)), True)
    assert "the result is that of 5 of 8" in capsys.readouterr().err


def test_match_that_is_stopped_at_once_has_no_result():
    with pytest.raises(KeyboardInterrupt):
        run(stopped_at(1), 8)


def test_match_ends_when_it_is_decided():
    result, stopped = run(counted, 8, lambda total: total.units == 3)
    assert (result.units, stopped) == (3, False)


def test_each_failure_is_told_once(capsys):
    def play(units):
        return Counts(tuple(units), {"late": BotError("The bot is late.")})

    run(play, 4)
    assert capsys.readouterr().err.count("The bot is late. The bot's seat concedes.") == 1


def facts_of(capsys, wish):
    """Return the exit code of an arena, and its facts without the speed."""
    code = play(Output(facts=True), wish)
    facts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for fact in facts:
        fact.pop("games_per_second", None)
    return code, facts


THREE = ArenaWish(("uniform", "greedy", "club"), 40, "2015", "matcha", 2, 7, None)


def test_each_two_of_three_bots_play_a_match_and_all_are_ranked(alone, capsys):
    code, facts = facts_of(capsys, THREE)
    *scores, ranking = facts
    assert code == 0
    assert [score["bots"] for score in scores] == [
        ["uniform", "greedy"],
        ["uniform", "club"],
        ["greedy", "club"],
    ]
    assert ranking["bots"] == ["club", "greedy", "uniform"]
    assert ranking["unit"] == "elo"
    assert sum(ranking["ratings"]) == pytest.approx(0, abs=1e-6)
    assert ranking["ratings"] == sorted(ranking["ratings"], reverse=True)
    for rating, (low, high) in zip(ranking["ratings"], ranking["intervals"], strict=True):
        assert low < rating < high < rating + 300


def test_ranking_is_told_to_people(alone, capsys):
    play(Output(facts=False), THREE)
    lines = capsys.readouterr().out.splitlines()[-4:]
    assert lines[0] == "Elo points above the mean of all, with 95 % intervals:"
    assert lines[1].startswith("1. club: +")
    assert lines[2].endswith(" Elo points behind club.")
    assert lines[3].startswith("3. uniform: -")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wish", "unit"),
    [
        (
            ArenaWish(("uniform", "club", "beginner"), 2, "1000", "tichu", 4, 7, None),
            "points",
        ),
        (ArenaWish(("beginner", "club", "beginner"), 2, "ichi", "kashi", 3, 7, None), "elo"),
    ],
    ids=["tichu", "kashi"],
)
def test_bots_of_other_games_are_ranked(alone, capsys, wish, unit):
    code, (*scores, ranking) = facts_of(capsys, wish)
    assert (code, len(scores), ranking["unit"]) == (0, 3, unit)
    assert sorted(ranking["bots"]) == sorted(wish.bots)


def test_no_ranking_after_ctrl_c(monkeypatch, alone, capsys):
    from matcha_p2p.games.matcha import match

    real = match.arena

    def stopped(edition, bots, pairs, seed):
        if 5 in pairs and bots[1].name == "club":
            raise KeyboardInterrupt
        return real(edition, bots, pairs, seed)

    monkeypatch.setattr(match, "arena", stopped)
    code, facts = facts_of(capsys, THREE)
    assert code == 130
    assert [fact["stopped"] for fact in facts if fact["event"] == "score"] == [False, True]
    assert facts[-1]["event"] == "score"
