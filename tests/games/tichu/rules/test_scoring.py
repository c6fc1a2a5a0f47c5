"""T3, T9, T29 to T32: what rounds and games count."""

import pytest

from matcha_p2p.games.tichu.rules.round import SEATS, Variant, new_round
from matcha_p2p.games.tichu.rules.scoring import score, winner
from tests.games.tichu.rules.table import Player, faces


def finished(out, won, calls=(0, 0, 0, 0)):
    """Return a round that has ended. won: the cards of each seat, as text."""
    return new_round(Variant(), SEATS[0])._replace(
        asked=(),
        out=tuple(SEATS[seat] for seat in out),
        won=tuple(tuple(faces(text)) for text in won),
        calls=calls,
    )


def test_last_hand_goes_to_the_other_team_and_its_tricks_to_the_first():
    """T29: 100 less what was won is in the hand."""
    state = finished((1, 0, 2), ("R5", "GT", "P", "D BK"))
    # Team 0: 5 - 25, and the last hand of 100 - 5 - 10 + 25 - 35. Team 1: all else.
    assert score(state) == (5 - 25 + 75, 10 + 35)
    state = finished((0, 1, 2), ("R5", "GT", "P", "D BK"))
    assert score(state) == (5 - 25 + 35 + 75, 10)


def test_double_victory_counts_200_and_no_cards():
    """T29."""
    assert score(finished((2, 0), ("", "D", "", ""))) == (200, 0)
    assert score(finished((1, 3), ("", "", "D", ""))) == (0, 200)


def test_each_call_counts_by_itself():
    """T9, T10, T30: in double victories too."""
    state = finished((2, 0), ("", "", "", ""), (100, 200, 200, 100))
    assert score(state) == (200 - 100 + 200, -200 - 100)


def test_running_round_counts_nothing():
    with pytest.raises(ValueError, match="not over"):
        score(new_round(Variant(), SEATS[0]))


@pytest.mark.parametrize("seed", range(20))
def test_round_brings_100_or_200_but_for_calls(seed):
    """T31."""
    state = Player(seed).play().state
    calls = sum(
        call if seat == state.out[0] else -call for seat, call in enumerate(state.calls)
    )
    assert sum(score(state)) - calls == (200 if len(state.out) == 2 else 100)


@pytest.mark.parametrize(
    ("totals", "team"),
    [((999, 0), None), ((1000, 0), 0), ((1000, 1100), 1), ((1000, 1000), None)],
)
def test_higher_total_at_the_target_wins(totals, team):
    """T32."""
    assert winner(totals) == team


def test_target_is_a_parameter():
    """T32."""
    assert winner((200, -50), target=200) == 0
