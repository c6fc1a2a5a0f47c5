"""The timing of an answer in Tichu follows from public facts (``games/game.py``)."""

import random
from collections import Counter
from typing import Any

import pytest

from matcha_p2p.games.tichu.rules.cards import FACES
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import Ask
from matcha_p2p.games.timing import Forced, InWindow, Passing
from tests.games.tichu.party import course


def rounds() -> list[Observation]:
    return [seen for seed in range(2) for seen, _ in course(seed).decided]


def with_other_cards(seen: Observation, chance: random.Random) -> Observation:
    """Return the view of a seat to which all that is public leaves these cards, too.

    Cards that were laid stay. The others are any that nobody has laid.
    """
    state = seen.state
    gone = {*state.pile, *(face for won in state.won for face in won)}
    held = state.held[seen.seat]
    hidden = dict(zip(held, chance.sample(sorted({*FACES} - gone), len(held)), strict=True))
    hand = [hidden.get(place, face) for place, face in enumerate(seen.hand)]
    return seen._replace(hand=tuple(hand))


@pytest.mark.parametrize("hands", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_no_card_in_a_hand_of_tichu_changes_the_timing(hands):
    chance = random.Random("other cards")
    kinds = Counter[Any]()
    for seen in rounds():
        timing = seen.timing()
        kinds[type(timing)] += 1
        for _ in range(hands):
            other = with_other_cards(seen, chance)
            match timing:
                case Forced(move) if seen.asked is Ask.CALL:  # the answer shows the card anyway
                    assert move == seen.legal_moves()[0]
                    assert isinstance(other.timing(), Forced)
                case Forced(move):
                    assert other.timing() == timing
                    assert other.legal_moves() == seen.legal_moves() == (move,)
                case _:
                    assert other.timing() == timing
    assert {Forced, InWindow, Passing, type(None)} <= set(kinds)
