"""The parts of each game stand where the game says, in the form that shared rooms expect."""

from collections.abc import Callable

import pytest

from matcha_p2p import games
from matcha_p2p.games import banter, front
from matcha_p2p.games.kashi import banter as kashi_banter
from matcha_p2p.games.kashi import boards
from matcha_p2p.games.kashi import match as kashi_match
from matcha_p2p.games.kashi.lessons import tutorial as kashi_tutorial
from matcha_p2p.games.kashi.replay import analyse as kashi_analyse
from matcha_p2p.games.kashi.replay import state as kashi_state
from matcha_p2p.games.kashi.replay import steps as kashi_steps
from matcha_p2p.games.kashi.words import page_sentences as kashi_page
from matcha_p2p.games.matcha import banter as matcha_banter
from matcha_p2p.games.matcha import both_sides
from matcha_p2p.games.matcha import match as matcha_match
from matcha_p2p.games.matcha.lessons import tutorial as matcha_tutorial
from matcha_p2p.games.matcha.replay import analyse as matcha_analyse
from matcha_p2p.games.matcha.replay import state as matcha_state
from matcha_p2p.games.matcha.replay import steps as matcha_steps
from matcha_p2p.games.matcha.review.export import EXPORT
from matcha_p2p.games.matcha.rules.phases import How
from matcha_p2p.games.matcha.screen import screen
from matcha_p2p.games.matcha.words import page_sentences as matcha_page
from matcha_p2p.games.matches.match import MatchOf
from matcha_p2p.games.tichu import banter as tichu_banter
from matcha_p2p.games.tichu import match as tichu_match
from matcha_p2p.games.tichu.lessons import tutorial as tichu_tutorial
from matcha_p2p.games.tichu.replay import analyse as tichu_analyse
from matcha_p2p.games.tichu.replay import state as tichu_state
from matcha_p2p.games.tichu.replay import steps as tichu_steps
from matcha_p2p.games.tichu.words import page_sentences as tichu_page

# The type checker compares each function. Three parts: of Matcha, Tichu and Kashi-ichi.
ANALYSIS: tuple[front.Analyses, ...] = matcha_analyse, tichu_analyse, kashi_analyse
ARENA: tuple[MatchOf, ...] = matcha_match.match_of, tichu_match.match_of, kashi_match.match_of
WATCH: tuple[front.Watch, ...] = matcha_state.watch, tichu_state.watch, kashi_state.watch
PAGE: tuple[front.PageWords, ...] = matcha_page, tichu_page, kashi_page
REPLAY: tuple[front.ReplayOf, ...] = (
    matcha_steps.replay_of,
    tichu_steps.replay_of,
    kashi_steps.replay_of,
)
TALKER: tuple[Callable[[int | None], banter.Remarks], ...] = (
    matcha_banter.Talker,
    tichu_banter.Talker,
    kashi_banter.Talker,
)
TUTORIAL: tuple[front.Teach, ...] = (
    matcha_tutorial.teach,
    tichu_tutorial.teach,
    kashi_tutorial.teach,
)

BOARDS: front.Boards = boards
SCREEN: front.Screen = screen.full_screen
SIDES: front.BothSides = both_sides


@pytest.mark.parametrize(
    ("part", "values"),
    [
        ("analysis", ANALYSIS),
        ("arena", ARENA),
        ("page", PAGE),
        ("replay", REPLAY),
        ("talker", TALKER),
        ("tutorial", TUTORIAL),
        ("watch", WATCH),
        ("boards", (None, None, BOARDS)),
        ("sides", (SIDES, None, None)),
    ],
)
def test_each_game_has_the_part_or_none(part, values):
    assert tuple(getattr(games.game_of(name), part) for name in games.FOLDERS) == values


@pytest.mark.parametrize(("part", "value"), [("export", EXPORT), ("screen", SCREEN)])
def test_part_of_matcha_is_its_module(part, value):
    assert getattr(games.game_of("matcha"), part) is value


def test_each_end_of_matcha_has_words():
    assert games.game_of("matcha").endings.keys() == {how.value for how in How}
