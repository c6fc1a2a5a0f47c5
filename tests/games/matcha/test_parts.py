"""The parts of Matcha's folder stand where shared rooms look, in the form that they expect."""

import pytest

from matcha_p2p import games
from matcha_p2p.games.front import Screen
from matcha_p2p.games.matcha.screen import screen

SCREEN: Screen = screen  # the type checker compares each function


@pytest.mark.parametrize(("name", "module"), [("screen.screen", SCREEN)])
def test_a_part_is_found_by_name(name, module):
    assert games.part("matcha", name) is module
