"""The score of an evening, and its streaks."""

import pytest

from matcha_p2p.narration.evening import OwnResult, evening_words, group_words, outcome_of
from matcha_p2p.narration.news import GroupCounted, TeamScore
from matcha_p2p.seats import Seat

WON, LOST, DRAWN = OwnResult


def test_a_winner_has_won_and_another_seat_has_lost():
    assert outcome_of(Seat(1), (Seat(1), Seat(3))) is WON
    assert outcome_of(Seat(0), (Seat(1), Seat(3))) is LOST
    assert outcome_of(Seat(0), ()) is DRAWN


@pytest.mark.parametrize(
    ("games", "words"),
    [
        ([], ()),
        ([LOST], ()),
        ([WON, LOST], ("This evening: 1 won, 1 lost.",)),
        ([LOST, WON, WON], ("This evening: 2 won, 1 lost.", "2 wins in a row!")),
        ([WON, LOST, LOST, LOST], ("This evening: 1 won, 3 lost.", "3 losses in a row.")),
        ([WON, WON, DRAWN], ("This evening: 2 won, 0 lost, 1 drawn.",)),
        ([WON, DRAWN, WON], ("This evening: 2 won, 0 lost, 1 drawn.",)),
        ([DRAWN, DRAWN], ("This evening: 0 won, 0 lost, 2 drawn.",)),
    ],
)
def test_evening_names_the_score_and_the_streak_that_runs(games, words):
    assert evening_words(games) == words


def test_games_of_a_group_are_told_by_teams():
    sides = TeamScore(("Bob",), ours=True, won=3), TeamScore(("Ann",), ours=False, won=2)
    news = GroupCounted("tichu", ("Ann", "Bob"), 5, sides, 0)
    assert group_words(news) == "Tichu with Ann, Bob: 5 games. Won: you + Bob 3; Ann 2."


def test_first_game_of_a_group_among_bots_and_a_draw_are_told():
    sides = TeamScore((), ours=True, won=0), TeamScore((), ours=False, won=0)
    news = GroupCounted("kashi", ("Ann",), 1, sides, 1)
    assert group_words(news).endswith("Ann: 1 game. Won: you 0; bots 0; drawn 1.")
