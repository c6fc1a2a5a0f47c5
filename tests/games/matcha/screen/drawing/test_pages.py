"""The page that w opens."""

import pytest

from matcha_p2p.console.terminal.skins import PLAIN
from matcha_p2p.games.matcha.words import captions
from tests.console.frames import draw
from tests.console.scenes import Story

NUMBER = "Mat a shows leaf 3 and asks for the number 3."
SUIT = "Mat b shows water 1 and asks for the suit water."


def page(*keys, moves=()):
    """Return what w tells after ``moves`` and other keys."""
    scene = Story().deal().play(*moves).press(*keys, "w").scene
    return ["".join(text for _, text in line).strip() for line in draw(scene, 80, 40, PLAIN)]


@pytest.mark.parametrize(
    ("keys", "mats"), [("", (NUMBER, SUIT)), ("1", (NUMBER, SUIT)), ("1b", (SUIT,))]
)
def test_marked_card_is_explained_before_a_round_is_over(keys, mats):
    told = page(*keys)
    assert told[0] == captions.WHY_MARKED()
    assert told[2] == "1: bowl 3"
    assert tuple(line for line in told if line in (NUMBER, SUIT)) == mats
    assert any(line.startswith("On b it is a bluff: b wants water.") for line in told)


def test_marked_pass_is_explained():
    assert "A player who passes is out of the" in " ".join(page("left"))


def test_last_round_comes_first_and_the_marked_move_below_it():
    told = page(moves=("1a", "1a", "2b", "4b"))
    assert told[0] == captions.WHY_TITLE()
    assert told.index("You take a leaf token.") < told.index(captions.WHY_MARKED())
    assert told.index(captions.WHY_MARKED()) < told.index("3: zero")


def test_nothing_is_marked_while_the_other_player_chooses():
    assert page(moves=("1a",))[2] == "No round is over yet."
