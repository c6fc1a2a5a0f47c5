"""The parts of Matcha's folder stand where shared rooms look, in the form that they expect."""

import pytest

from matcha_p2p import games
from matcha_p2p.games.front import Export, Follow, Screen, Steps
from matcha_p2p.games.matcha.replay import screen as replay_screen
from matcha_p2p.games.matcha.replay import steps
from matcha_p2p.games.matcha.review import export
from matcha_p2p.games.matcha.screen import screen

SCREEN: Screen = screen  # the type checker compares each function
STEPS: Steps = steps
FOLLOW: Follow = replay_screen
EXPORT: Export = export


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("screen.screen", SCREEN),
        ("replay.steps", STEPS),
        ("replay.screen", FOLLOW),
        ("review.export", EXPORT),
    ],
)
def test_a_part_is_found_by_name(name, module):
    assert games.part("matcha", name) is module
