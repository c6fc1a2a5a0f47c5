"""Finished games are counted for each group: the people of a table, by teams."""

import pytest

from matcha_p2p.store.groups import MOST_TABLES, PlayedTable, groups_of, with_game

MIA, ANN, BOB, IVO = (letter * 32 for letter in (b"m", b"a", b"b", b"i"))
FOUR = MIA, ANN, BOB, IVO


def tichu(number, seats, *winners):
    return PlayedTable(f"{number}", "tichu", "1000", seats, (0, 1, 0, 1), winners)


def kashi(number, seats, *winners):
    return PlayedTable(f"{number}", "kashi", "ichi", seats, tuple(range(len(seats))), winners)


def won(group):
    return {
        "".join(sorted(key.decode()[0] for key in team)): won for team, won in group.won.items()
    }


def test_teams_are_counted_wherever_they_sit():
    games = [tichu(1, FOUR, 0, 2), tichu(2, (ANN, MIA, IVO, BOB), 0, 2), tichu(3, FOUR, 1, 3)]
    (group,) = groups_of(games)
    assert (group.games, won(group)) == (3, {"bm": 1, "ai": 2})
    assert group.last == games[-1]


def test_same_people_in_other_teams_or_at_another_game_are_another_group():
    games = [tichu(1, FOUR, 0, 2), tichu(2, (MIA, BOB, ANN, IVO), 0, 2), kashi(3, FOUR, 1)]
    assert [group.last.id for group in groups_of(games)] == ["3", "2", "1"]
    *_, again = groups_of([*games, tichu(4, FOUR, 1, 3)])
    assert again.last.id == "2"


def test_bots_are_one_side_and_a_draw_is_nobodys():
    games = [kashi(1, (MIA, None, ANN), 1), kashi(2, (None, ANN, MIA)), kashi(3, (MIA, ANN), 1)]
    alone, with_bots = groups_of(games)
    assert (won(with_bots), with_bots.drawn) == ({"": 1, "a": 0, "m": 0}, 1)
    assert won(alone) == {"m": 0, "a": 1}


def test_a_game_counts_once_and_the_latest_are_remembered():
    games = ()
    for number in range(MOST_TABLES + 1):
        games = with_game(games, kashi(number, (MIA, ANN)))
    assert len(games) == MOST_TABLES
    assert [each.id for each in with_game(games, kashi(1, (MIA, ANN), 0))][-2:] == [
        f"{MOST_TABLES}",
        "1",
    ]


@pytest.mark.parametrize("own", FOUR)
def test_all_sit_as_before_around_the_player_who_takes_the_first_seat(own):
    seats = tichu(1, FOUR).places(own)
    around = [own, *sorted(seats, key=seats.get)]
    assert around == [*FOUR, *FOUR][FOUR.index(own) :][:4]
    assert {*seats.values()} == {1, 2, 3}


def test_bots_leave_their_places_free():
    assert tichu(1, (None, MIA, BOB, None)).places(BOB) == {MIA: 3}
