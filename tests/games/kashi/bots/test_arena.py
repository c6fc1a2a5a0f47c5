"""Matches of bots: each deck from every seat."""

import json

import pytest

from matcha_p2p.app.bots.arena import run
from matcha_p2p.app.command.output import Output
from matcha_p2p.errors import BotError
from matcha_p2p.games.kashi.bots.arena import SeatWins, match
from matcha_p2p.games.kashi.bots.roster import BOTS
from matcha_p2p.games.matches.intervals import rate_interval
from matcha_p2p.games.matches.match import ArenaWish
from tests.games.kashi.rules.positions import BOARD

GREEDY = BOTS["club"]


class Failing:
    """A bot whose program has failed."""

    name = "failing"

    def choose(self, _outlook, _rng):
        raise BotError("The bot is late.")


def test_equal_bots_share_the_games_of_a_deck():
    result = match(BOARD, 3, (GREEDY, GREEDY), range(2), "1")
    assert result.rate == pytest.approx(1 / 3)
    assert (result.units, result.games, result.unfinished) == (2, 6, 0)


def test_failing_bot_loses_each_game():
    result = match(BOARD, 3, (Failing(), GREEDY), range(1), "1")
    assert result.rate == 0
    assert result.resigned == (3, 0)
    assert [*result.failures] == ["The bot is late."]


def test_game_of_a_failing_opponent_is_shared_by_all_others():
    result = match(BOARD, 3, (GREEDY, Failing()), range(1), "1")
    assert result.rate == pytest.approx(1 / 2)
    assert result.resigned == (0, 3)


def test_results_add_up():
    total = SeatWins(1, (1.0, 0.0, 0.5)) + SeatWins(2, (1.0, 1.0, 0.0), 1, (0, 1))
    assert total == SeatWins(3, (2.0, 1.0, 0.5), 1, (0, 1))
    assert total.rate == pytest.approx(3.5 / 9)
    assert total.interval == rate_interval(3.5 / 9, 9)


def test_equal_share_of_the_games_is_no_lead_and_more_is_one():
    assert SeatWins(10, (3.0, 3.0, 4.0)).lead.value == pytest.approx(0, abs=1e-9)
    all_won, more_won = SeatWins(1, (1.0, 1.0, 1.0)).lead, SeatWins(10, (10.0, 10.0, 10.0)).lead
    assert 0 < all_won.value < more_won.value
    assert all_won.error > 100


def test_result_is_told_as_a_fact(capsys):
    wish = ArenaWish(("club", "beginner"), 1, "ichi", "kashi", 3, 5, None)
    assert run(Output(facts=True), wish) == 0
    fact = json.loads(capsys.readouterr().out)
    assert (fact["decks"], fact["seats"], len(fact["by_seat"])) == (1, 3, 3)
    assert fact["interval"][0] <= fact["win_rate"] <= fact["interval"][1] + 1e-9
    assert fact["win_rate"] > 1 / 3
