"""Every way in which a mat can be resolved is explained."""

import pytest

from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.words.narrator import PointOfView, explain
from tests.console.scenes import Story

ME = PointOfView(("", "Mina"), you=SEATS[0])


def reasons(*moves: str) -> str:
    return "\n".join(explain(Story().deal().play(*moves).game, ME))


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        (("1a", "1a", "p", "p"), "bowl beats scoop"),
        (("p", "1a", "4b"), "Only Mina laid a card there"),
        (("1a", "p", "p"), "Only you laid a card there"),
        (("2b", "4b", "p", "p"), "2 beats 3|3 beats 2"),
        (("1a", "3a", "p", "p"), "Your bowl 3 matches, Mina's bowl 1 does not"),
        (("2a", "1a", "p", "p"), "Mina's scoop 3 matches, your water 2 does not"),
        (("2a", "3a", "p", "p"), "Neither your water 2 nor Mina's bowl 1 matches"),
        (("p", "p"), "Nobody laid a card there"),
    ],
)
def test_each_case_has_its_sentence(moves, sentence):
    assert any(each in reasons(*moves) for each in sentence.split("|"))


def test_before_the_first_round_there_is_nothing_to_explain():
    assert explain(None, ME) == explain(Story().deal().game, ME)
    assert reasons("1a") == "No round is over yet."


def test_gains_of_both_are_told():
    told = reasons("1a", "3a", "p", "p")
    assert "You take a leaf token." in told
    assert "Mina takes a whisk token." in told
    assert "Nobody takes a token." in reasons("p", "p")
