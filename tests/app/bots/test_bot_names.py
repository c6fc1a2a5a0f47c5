"""Bots have names of people, and no name twice at a table."""

from itertools import chain, combinations

import pytest

from matcha_p2p.app.bots.bot_names import PEOPLE, name_at_table
from matcha_p2p.games import FOLDERS, game_of
from matcha_p2p.narration.names import look_alike


@pytest.mark.parametrize("person", ["Anna", "nori", "Vera"])
def test_three_bots_and_a_person_have_names_of_their_own(person):
    names = [person]
    for _ in range(3):
        names.append(name_at_table("club", names, among_bots=True))
    assert {*names[1:]} < {*PEOPLE["club"]}
    assert not any(look_alike(one, other) for one, other in combinations(names, 2))


def test_each_level_has_people_of_its_own():
    levels = {level for game in FOLDERS for level in game_of(game).bots.levels}
    assert levels == PEOPLE.keys()
    people = [*chain.from_iterable(PEOPLE.values())]
    assert len({*people}) == len(people)


@pytest.mark.parametrize(
    ("bot", "among_bots", "name"),
    [
        ("keen", True, "Ines"),
        ("keen", False, "Ines (keen)"),
        ("keen-bold", True, "Pia (keen-bold)"),
        ("cmd:/bin/mine", True, "Pia (mine)"),
        ("cmd:«mine»", True, "Pia"),
    ],
)
def test_bot_is_named_where_the_name_does_not_tell_it(bot, among_bots, name):
    assert name_at_table(bot, ["Anna"], among_bots=among_bots) == name
    taken = ["Anna", *PEOPLE["keen"], "Pia (club)"]
    assert name_at_table(bot, taken, among_bots=among_bots).startswith("Tomi")
