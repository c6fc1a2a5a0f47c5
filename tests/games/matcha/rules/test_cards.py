"""R1 to R5: what the cards are, and what they beat and match."""

from collections import Counter
from itertools import combinations, permutations

import pytest

from matcha_p2p.games.matcha.rules.cards import (
    DECK,
    DEMANDS,
    FACES,
    SUITS,
    ZERO,
    Demand,
    Token,
    beats,
    matches,
    number_beats,
    suit_beats,
)

# R2 word for word: who beats whom.
NUMBER_WINS = {4: {3, 2}, 3: {2, 1}, 2: {1}, 1: {4}}
SUIT_WINS = {"T": {"B", "W"}, "B": {"W", "S"}, "W": {"S"}, "S": {"T"}}


def test_deck_has_sixteen_suited_cards_and_two_equal_zeros():
    """R1."""
    names = Counter(card.name for card in DECK)
    assert names == Counter(
        {"Z": 2} | {f"{suit}{number}": 1 for suit in "TBWS" for number in range(1, 5)}
    )


def test_the_deck_starts_in_the_order_of_the_faces_the_zeros_last():
    """Both peers mask it in this order."""
    assert [card.index for card in DECK] == [*range(17), 16]


def test_index_of_a_face_follows_suit_and_number():
    assert [face.index for face in FACES] == list(range(17))
    assert all(face.index == 4 * face.suit + face.number - 1 for face in FACES[:16])
    assert (ZERO.suit, ZERO.number) == (None, 0)


def test_tokens_are_compared_from_leaf_to_whisk():
    """R1, R19."""
    assert "".join(token.letter for token in Token) == "TBWSK"
    assert tuple(Token)[:4] == SUITS


def test_number_rank_is_a_line_with_swapped_ends():
    """R2, A35."""
    for one, other in permutations(range(1, 5), 2):
        assert number_beats(one, other) == (other in NUMBER_WINS[one])


def test_suit_rank_is_a_line_with_swapped_ends():
    """R2, A35."""
    for one, other in permutations(SUITS, 2):
        assert suit_beats(one, other) == (other.letter in SUIT_WINS[one.letter])


@pytest.mark.parametrize("demand", Demand)
def test_two_different_cards_that_match_never_tie(demand):
    """R12: of two different cards that fulfil one demand exactly one is better."""
    for shown in FACES[:16]:
        fulfilling = [card for card in FACES if card != shown and matches(demand, shown, card)]
        assert len(fulfilling) == 3
        for one, other in combinations(fulfilling, 2):
            assert beats(demand, one, other) != beats(demand, other, one)


def test_zero_matches_nothing_and_beats_nothing():
    """R3."""
    for demand in Demand:
        for face in FACES[:16]:
            assert not matches(demand, face, ZERO)
            assert not beats(demand, ZERO, face)
            assert beats(demand, face, ZERO)
        assert not beats(demand, ZERO, ZERO)


def test_mats_demand_number_and_suit_in_turn():
    """R5, A22."""
    assert [demand.value for demand in DEMANDS] == ["number", "suit"] * 3
