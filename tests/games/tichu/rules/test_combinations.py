"""T2, T3, T14 to T18, T23: what cards are together, and what beats what."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.games.tichu.rules.cards import FACES, NUMBERS, PHOENIX, SUITS, TEXTS, points
from matcha_p2p.games.tichu.rules.combinations import (
    Shape,
    beats,
    check_follows,
    combination,
)
from matcha_p2p.games.tichu.rules.moves import plays
from matcha_p2p.games.tichu.rules.refused import RefusedError
from tests.games.tichu.rules.table import faces


def made(text, wild=0, under=None):
    return combination(faces(text), wild, under)


def refusal(text, wild=0, under=None):
    """Return the rule that forbids to lay the cards of ``text`` on ``under``."""
    cards = faces(text)
    with pytest.raises(RefusedError) as refused:
        check_follows(cards, combination(cards, wild, under), under)
    return refused.value.rule


def oracle(cards, wild):
    """Return what several cards are, by looking for the whole pattern of each kind."""
    if any(TEXTS[face] in ("D", "H") for face in cards) or (PHOENIX in cards) != bool(wild):
        return None
    numbers = sorted(wild if face == PHOENIX else NUMBERS[face] for face in cards)
    size, low, high = len(numbers), numbers[0], numbers[-1]
    suits = {SUITS[face] for face in cards}
    if numbers == list(range(low, low + size)) and size >= 5:
        plain = wild or len(suits) > 1
        return ("straight" if plain else "flush"), size, 2 * high
    if numbers == sorted([*range(low, high + 1)] * 2) and size >= 4:
        return "stairs", size, 2 * high
    patterns = {(2,): "pair", (3,): "triple", (2, 3): "full house"}
    patterns |= {} if wild else {(4,): "four"}
    groups = [len(list(group)) for _, group in itertools.groupby(numbers)]
    kind = patterns.get(tuple(sorted(groups)))
    most = max(set(numbers), key=numbers.count)
    return kind and (kind, size, 2 * most)


def test_deck_has_four_suits_and_four_special_cards():
    """T2."""
    assert TEXTS[:13] == tuple(f"R{rank}" for rank in "23456789TJQKA")
    assert [TEXTS[face] for face in (13, 26, 39, 51)] == ["G2", "B2", "K2", "KA"]
    assert TEXTS[52:] == ("M", "H", "P", "D")
    assert len(set(TEXTS)) == len(FACES) == 56
    assert [NUMBERS[face] for face in faces("R2 BT KA M H")] == [2, 10, 14, 1, 0]


def test_all_cards_count_100():
    """T3."""
    counts = {"R5": 5, "GT": 10, "BK": 10, "D": 25, "P": -25, "KA M H R2": 0}
    assert all(points(faces(text)) == count for text, count in counts.items())
    assert points(FACES) == 100


@pytest.mark.parametrize(
    ("text", "wild", "kind", "strength"),
    [
        ("R7", 0, "single", 14),
        ("M", 0, "single", 2),
        ("D", 0, "single", 30),
        ("P", 0, "single", 3),
        ("H", 0, "dog", 0),
        ("R7 G7", 0, "pair", 14),
        ("RA P", 14, "pair", 28),
        ("R7 G7 B7", 0, "triple", 14),
        ("R7 G7 B7 R2 G2", 0, "full house", 14),
        ("R7 G7 R9 G9 P", 7, "full house", 14),
        ("R7 G7 R9 G9 P", 9, "full house", 18),
        ("R7 G7 R8 G8", 0, "stairs", 16),
        ("R7 G7 R8 P", 8, "stairs", 16),
        ("R4 G5 R6 R7 P", 3, "straight", 14),
        ("R4 G5 R6 R7 P", 8, "straight", 16),
        ("R2 R3 R4 R5 P", 6, "straight", 12),
        ("M R2 R3 R4 R5", 0, "straight", 10),
        ("RT RJ GQ RK RA", 0, "straight", 28),
        ("R7 G7 B7 K7", 0, "four", 14),
        ("R2 R3 R4 R5 R6", 0, "flush", 12),
    ],
)
def test_cards_are_a_combination(text, wild, kind, strength):
    """T14, T15, T17."""
    assert made(text, wild) == (Shape(kind), len(text.split()), strength)


@pytest.mark.parametrize(
    ("text", "wild", "rule"),
    [
        ("", 0, "T14"),
        ("R7 G8", 0, "T14"),
        ("R7 G7 R9 G9", 0, "T14"),
        ("R2 G3 R4 R5", 0, "T14"),
        ("RA G2 R3 R4 R5", 0, "T14"),
        ("R7 G7 R8 G8 R9", 0, "T14"),
        ("R7 G7 B7 K7 P", 7, "T14"),
        ("D R2", 0, "T15"),
        ("P", 7, "T17"),
        ("R7 G7", 7, "T17"),
        ("R7 P", 0, "T17"),
        ("R7 P", 15, "T17"),
        ("P R2 R3 R4 R5", 1, "T17"),
        ("R7 G7 B7 P", 7, "T17"),
        ("H R2", 0, "T18"),
    ],
)
def test_cards_that_are_no_combination_are_refused(text, wild, rule):
    assert refusal(text, wild) == rule


@pytest.mark.parametrize(
    ("text", "under", "rule"),
    [
        ("R7", "G7", "T16"),
        ("R8 G8", "G7", "T16"),
        ("R2 G3 R4 R5 R6 R7", "R2 G3 R4 R5 R6", "T16"),
        ("RA", "R2 G2 B2 K2", "T16"),
        ("P", "D", "T17"),
        ("P", "R2 G2", "T16"),
        ("H", "R2", "T18"),
        ("R2 G2 B2 K2", "R3 G3 B3 K3", "T23"),
        ("R2 G2 B2 K2", "R3 R4 R5 R6 R7", "T23"),
        ("R9 RT RJ RQ RK", "R2 R3 R4 R5 R6 R7", "T23"),
    ],
)
def test_weaker_or_other_cards_do_not_follow(text, under, rule):
    """T16 to T18, T23."""
    assert refusal(text, under=made(under)) == rule


@pytest.mark.parametrize(
    "line",
    [
        "M < R2 < RA < D",
        "R2 G2 < R3 G3",
        "R2 G2 B2 RA GA < R3 G3 B3 R2 G2",
        "R2 G3 R4 R5 R6 < R3 G4 R5 R6 R7",
        "D < R2 G2 B2 K2 < RA GA BA KA < R2 R3 R4 R5 R6 < R3 R4 R5 R6 R7 < R2 R3 R4 R5 R6 R7",
    ],
)
def test_stronger_cards_beat_weaker_ones(line):
    """T15, T16, T23."""
    ascending = [made(text) for text in line.split(" < ")]
    for weaker, stronger in itertools.combinations(ascending, 2):
        assert beats(stronger, weaker)
        assert not beats(weaker, stronger)
        assert not beats(weaker, weaker)


def test_phoenix_is_half_above_what_lies_there():
    """T17."""
    for under in ("M", "R2", "RA"):
        single = made(under)
        phoenix = made("P", under=single)
        assert beats(phoenix, single)
        assert beats(made("D"), phoenix)
        assert beats(made("R3"), phoenix) == (under != "RA")


@given(st.sets(st.sampled_from(FACES), min_size=2, max_size=7), st.integers(0, 15))
def test_any_cards_are_what_the_oracle_says(cards, wild):
    judge(sorted(cards), wild)


def judge(cards, wild):
    try:
        found = combination(cards, wild, None)
    except RefusedError:
        found = None
    expected = oracle(cards, wild) if wild in (0, *range(2, 15)) else None
    assert (found and (found.kind.value, *found[1:])) == expected


def shape(cards, wild):
    """Return what tells plays apart: the numbers, and the suit of a bomb."""
    bomb = not wild and len({SUITS[face] for face in cards}) == 1 and len(cards) >= 5
    suit = SUITS[cards[0]] if bomb else None
    return tuple(sorted(NUMBERS[face] or -face for face in cards)), wild, suit


@pytest.mark.parametrize("seed", range(30))
def test_every_play_of_a_hand_is_found_once(seed):
    """T14, T17: against all sets of cards of small hands in few numbers."""
    chance = random.Random(seed)
    numbers = chance.choice(((2, 3), range(4, 10), range(1, 7), range(10, 15)))
    few = [face for face in FACES[:53] if NUMBERS[face] in numbers] + [53, 55]
    hand = [*chance.sample(few, 9), *([PHOENIX] if seed % 2 else [])]
    expected = {
        shape(cards, wild)
        for size in range(2, len(hand) + 1)
        for cards in itertools.combinations(sorted(hand), size)
        for wild in (range(2, 15) if PHOENIX in cards else (0,))
        if oracle(cards, wild)
    } | {shape((face,), 0) for face in hand}
    found = [shape(play.faces, play.wild) for play in plays(hand)]
    assert len(found) == len(set(found))
    assert set(found) == expected
    for play in plays(hand):
        assert play.made == combination(play.faces, play.wild, None)


@pytest.mark.parametrize("seed", range(30))
def test_plays_that_follow_are_those_led_that_are_stronger(seed):
    """T16."""
    chance = random.Random(seed)
    hand = chance.sample(FACES, 14)
    led = plays(hand)
    for under in chance.sample(plays(chance.sample(FACES, 14)), 8):
        if under.made.kind is Shape.DOG:
            continue
        expected = {play[1:] for play in led if beats(play.made, under.made)}
        if PHOENIX in hand and under.made.kind is Shape.SINGLE and under.made.strength < 30:
            expected.add(((PHOENIX,), 0))
        assert {play[1:] for play in plays(hand, under.made)} == expected


@pytest.mark.parametrize(
    ("hand", "straight"),
    [("R2 R3 R4 R5 R6 G4", "R2 R3 G4 R5 R6"), ("R2 R3 R4 R5 R6", None)],
)
def test_straight_is_not_laid_in_one_suit(hand, straight):
    """T14: that is a bomb."""
    found = [play.faces for play in plays(faces(hand)) if play.made.kind is Shape.STRAIGHT]
    assert found == ([tuple(faces(straight))] if straight else [])
