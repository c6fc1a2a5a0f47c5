"""The games are found by name, and a game may lack a part."""

import pytest

from matcha_p2p import games


def test_games_with_a_tutorial_are_known_without_loading_it():
    assert games.taught() == ("matcha", "tichu", "kashi")


def test_part_of_a_game_is_its_module():
    assert games.optional_part("tichu", "rules.log") is games.part("tichu", "rules.log")


@pytest.mark.parametrize("module", ["both_sides", "no.such", "nothing"])
def test_lacking_part_is_none(module):
    assert games.optional_part("kashi", module) is None


def test_part_without_its_library_is_no_lacking_part(monkeypatch):
    def without_library(name, module):
        raise ModuleNotFoundError(name="pyspiel")

    monkeypatch.setattr(games, "part", without_library)
    with pytest.raises(ModuleNotFoundError):
        games.optional_part("matcha", "lines")


def test_games_have_numbers_of_their_own():
    assert {games.numbered(number) for number in games.NUMBERS.values()} == set(games.FOLDERS)
    assert games.numbered(0) is None
