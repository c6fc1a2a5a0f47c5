"""The split of a hand, beside a search of all splits."""

import functools
import random

import pytest

from matcha_p2p.games.tichu.bots.solving.hand import cost, cost_of, split
from matcha_p2p.games.tichu.rules.cards import FACES, NUMBERS
from matcha_p2p.games.tichu.rules.combinations import Shape
from matcha_p2p.games.tichu.rules.moves import plays
from tests.games.tichu.rules.table import faces

DENSE = [face for face in FACES if NUMBERS[face] in (0, 9, 10, 11)]


@functools.cache
def least(hand):
    """Return what the cheapest split costs, by trying every play first."""
    rest = (
        cost_of(play.made, play.faces)
        + least(tuple(face for face in hand if face not in play.faces))
        for play in plays(hand)
    )
    return min(rest, default=0)


def kinds(text):
    return sorted(part.made.kind.value for part in split(faces(text)))


@pytest.mark.parametrize("deck", [FACES, DENSE], ids=["any", "dense"])
@pytest.mark.parametrize("seed", range(10))
def test_split_is_the_cheapest(seed, deck):
    hand = tuple(sorted(random.Random(seed).sample(deck, 6)))
    assert cost(hand) == least(hand)


@pytest.mark.parametrize("seed", range(40))
def test_parts_are_plays_that_hold_each_card_once(seed):
    hand = sorted(random.Random(seed).sample(FACES, 14))
    parts = split(hand)
    assert sorted(face for part in parts for face in part.faces) == hand
    led = {(play.made, play.wild) for play in plays(hand)}
    assert {(part.made, part.wild) for part in parts} <= led


def test_phoenix_in_a_straight_leaves_the_bomb():
    assert kinds("R5 G5 B5 K5 R6 R7 G8 R9 P") == ["four", "straight"]


def test_phoenix_closes_a_straight():
    (part,) = split(faces("R4 G5 B7 K8 P"))
    assert (part.made.kind, part.wild) == (Shape.STRAIGHT, 6)


def test_phoenix_is_part_of_no_bomb():
    assert kinds("R4 G4 B4 P") == ["single", "triple"]


def test_pairs_join_triples_and_bombs_stay_whole():
    assert kinds("R4 G4 B4 R5 G5 R9 G9 B9 K9") == ["four", "full house"]
    assert kinds("R4 R5 R6 R7 R8 G4") == ["flush", "single"]
