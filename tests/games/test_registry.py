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
    def without_library(module):
        raise ModuleNotFoundError(name="pyspiel")

    monkeypatch.setattr(games, "import_module", without_library)
    for find in (games.part, games.optional_part):
        with pytest.raises(ModuleNotFoundError):
            find("matcha", "lines")


def test_games_have_numbers_of_their_own():
    for name in games.FOLDERS:
        assert games.numbered(games.game_of(name).number) == games.game_of(name).name == name
    assert games.numbered(0) is None


def test_game_without_lessons_is_not_taught(monkeypatch):
    """Options list the taught games: an error there would end every command, and --help."""
    monkeypatch.setitem(games.FOLDERS, "toy", "tests.games.toy")
    assert games.taught() == ("matcha", "tichu", "kashi")
