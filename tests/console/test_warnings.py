"""The screen of each game tells who the players are, and shows a possible impostor in red."""

from datetime import date
from importlib import import_module
from typing import Any

import pytest

from matcha_p2p.console.terminal.cells import CUT
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games import FOLDERS, game_of
from matcha_p2p.games.kashi.table.events import TurnTaken
from matcha_p2p.games.matcha.table.events import Passed
from matcha_p2p.games.tichu.table.events import TurnPassed
from matcha_p2p.narration.facts import FactTeller
from matcha_p2p.narration.news import Recognised, Recognition, Renamed
from matcha_p2p.narration.standing import ALARMING, tell_standing
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent
from tests.console import scenes as matcha_scenes
from tests.console.frames import lines_of
from tests.games.kashi import scenes as kashi_scenes
from tests.games.tichu.screen import scenes as tichu_scenes

OWN = Seat(0)
STORIES = {
    "matcha": lambda: matcha_scenes.Story().deal(),
    "tichu": lambda: tichu_scenes.Story().deal(),
    "kashi": lambda: kashi_scenes.Story(kashi_scenes.market()).ask(),
}
"""Our seat has not moved yet, in each game."""

MOVES = {
    "matcha": Passed(OWN, auto=False),
    "tichu": TurnPassed(OWN),
    "kashi": TurnTaken(OWN, ()),
}
SIZES = [(60, 16), (80, 24), (160, 50)]


def alarms(game: str, scene: Any, size: tuple[int, int]) -> list[str]:
    """Return the red lines of the screen."""
    draw = import_module(f"{FOLDERS[game]}.screen.drawing.layout").draw
    lines = lines_of(draw(scene, *size, SYMBOLS), *size)
    assert len(lines) == size[1]
    return [text.strip() for line in lines for style, text in line if "alarm" in style]


def recognised(standing: Recognition, name: str) -> Recognised:
    return Recognised(standing, name, name, date(2026, 5, 3))


@pytest.mark.parametrize("game", FOLDERS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("standing", ALARMING)
def test_impostor_is_told_in_red_whole_until_our_own_move(game, size, standing):
    story, news = STORIES[game](), recognised(standing, "Mina")
    story.tell(news)
    assert " ".join(alarms(game, story.scene, size)) == tell_standing(news)
    story.tell(GameEvent(MOVES[game], story.game))
    (after,) = alarms(game, story.scene, size)
    assert after.removesuffix(CUT) in tell_standing(news)


@pytest.mark.parametrize("game", ["tichu", "kashi"])
@pytest.mark.parametrize("size", SIZES)
def test_two_impostors_at_one_table_are_both_told(game, size):
    both = [recognised(Recognition.OTHER_KEY, name) for name in ("Mina", "Jun")]
    story = STORIES[game]().tell(*both)
    assert " ".join(alarms(game, story.scene, size)) == " ".join(map(tell_standing, both))


@pytest.mark.parametrize("game", FOLDERS)
@pytest.mark.parametrize("standing", sorted({*Recognition} - ALARMING, key=str))
def test_known_or_new_player_is_told_without_alarm(game, standing):
    news = recognised(standing, "Mina")
    story = STORIES[game]().tell(news)
    assert alarms(game, story.scene, (80, 24)) == []
    assert tell_standing(news) in story.scene.told


@pytest.mark.parametrize("game", FOLDERS)
@pytest.mark.parametrize("size", SIZES)
def test_screen_tells_a_player_with_a_number_its_name(game, size):
    story = STORIES[game]().tell(Renamed("pi 2"))
    draw = import_module(f"{FOLDERS[game]}.screen.drawing.layout").draw
    shown = lines_of(draw(story.scene, *size, SYMBOLS), *size)
    assert 'Your name here is "pi 2".' in "\n".join(
        "".join(text for _, text in line) for line in shown
    )


@pytest.mark.parametrize("game", FOLDERS)
def test_program_reads_its_name_if_the_name_has_a_number(game):
    told = FactTeller(game_of(game).telling, OWN).tell(Renamed("pi 2"))
    assert told == ("renamed", {"name": "pi 2"})
