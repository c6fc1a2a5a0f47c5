"""The games are found by name, and a game may lack a part."""

import pytest

from matcha_p2p import games
from matcha_p2p.errors import MissingPartError
from matcha_p2p.games.game import Game, Late
from matcha_p2p.language import LANGUAGES, sentence_of
from tests.games.trio.matcha_trio.game import GAME as TRIO


def test_games_with_a_tutorial_are_known_without_loading_it():
    assert games.having(Game.tutorial) == ("matcha", "tichu", "kashi")


PARTS = [
    (game, part)
    for game in (*map(games.game_of, games.FOLDERS), TRIO)
    for part, value in vars(Game).items()
    if isinstance(value, Late)
]


@pytest.mark.parametrize(("game", "part"), PARTS, ids=lambda it: getattr(it, "name", it))
def test_part_is_there_or_none(game, part):
    """A game declares each part where the part stands, and lacks all others."""
    assert (getattr(game, part) is not None) is game.has(getattr(Game, part))


LACKED = [
    (game, getattr(Game, part))
    for game, part in PARTS
    if getattr(Game, part).words and not game.has(getattr(Game, part))
]


@pytest.mark.parametrize(("game", "part"), LACKED, ids=lambda it: it.name)
def test_lacking_part_is_told_in_a_sentence(game, part):
    with pytest.raises(MissingPartError) as lacks:
        game.needed(part)
    assert sentence_of(lacks.value) == f"{game.title} lacks this part: {part.words()}."


@pytest.mark.parametrize("name", games.FOLDERS)
def test_levels_are_of_one_scale_in_all_games_and_languages(name):
    game, scale = games.game_of(name), ("beginner", "casual", "club", "keen", "expert")
    assert [level for level in scale if level in game.bots.levels] == [*game.bots.levels]
    for level, label in game.level_names.items():
        assert all(label.text_in(each).startswith(f"{level}: ") for each in LANGUAGES)


def test_games_have_numbers_of_their_own():
    for name in games.FOLDERS:
        assert games.numbered(games.game_of(name).number) == games.game_of(name).name == name
    assert games.numbered(0) is None


def test_game_without_lessons_is_not_taught(monkeypatch):
    """Options list the taught games: an error there would end every command, and --help."""
    monkeypatch.setitem(games.FOLDERS, "toy", "tests.games.toy")
    assert games.having(Game.tutorial) == ("matcha", "tichu", "kashi")
