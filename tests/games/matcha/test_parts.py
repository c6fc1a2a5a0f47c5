"""The parts of Matcha's folder stand where shared rooms look, in the form that they expect."""

import pytest

from matcha_p2p import games
from matcha_p2p.games.front import BothSides, Export, Follow, Screen, Steps
from matcha_p2p.games.matcha import both_sides
from matcha_p2p.games.matcha.replay import screen as replay_screen
from matcha_p2p.games.matcha.replay import steps
from matcha_p2p.games.matcha.review import export
from matcha_p2p.games.matcha.screen import screen

# The type checker compares each function.
BOTH_SIDES: BothSides = both_sides
EXPORT: Export = export
FOLLOW: Follow = replay_screen
SCREEN: Screen = screen
STEPS: Steps = steps


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("sides", BOTH_SIDES),
        ("export", EXPORT),
        ("followed", FOLLOW),
        ("screen", SCREEN),
        ("replay", STEPS),
    ],
)
def test_a_part_is_found_by_name(name, module):
    assert getattr(games.game_of("matcha"), name) is module
