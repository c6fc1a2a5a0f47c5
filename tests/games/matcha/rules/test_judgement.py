"""What a decision was worth: gaps, and losses only beyond the error."""

import pytest

from matcha_p2p.games.matcha.rules.judgement import JudgedMove, Judgement
from matcha_p2p.games.matcha.rules.moves import PASS, Play

BEST, NEAR, WORSE = Play(0, 0), Play(1, 0), PASS
JUDGEMENT = Judgement(
    (JudgedMove(BEST, 0.6, 0.03), JudgedMove(NEAR, 0.5, 0.04), JudgedMove(WORSE, 0.4, 0.04)),
    exact=False,
)


def test_moves_nearer_than_twice_their_error_are_alike():
    best, near, worse = JUDGEMENT.moves
    assert best.is_like(near)
    assert near.is_like(best)
    assert not best.is_like(worse)
    assert JudgedMove(BEST, 0.5, 0.03).is_like(JudgedMove(NEAR, 0.6, 0.04))
    assert not JudgedMove(BEST, 0.5, 0.03).is_like(JudgedMove(NEAR, 0.62, 0.04))
    assert JudgedMove(BEST, 0.5, 0.0).is_like(JudgedMove(NEAR, 0.5, 0.0))
    assert not JudgedMove(BEST, 0.5, 0.0).is_like(JudgedMove(NEAR, 0.5001, 0.0))


def test_gap_is_the_difference_between_a_move_and_the_best():
    assert JUDGEMENT.of(NEAR) == JUDGEMENT.moves[1]
    assert JUDGEMENT.gap(BEST) == 0
    assert JUDGEMENT.gap(NEAR) == pytest.approx(0.1)
    assert JUDGEMENT.gap(WORSE) == pytest.approx(0.2)


def test_gap_is_never_negative():
    """The recommended move is not always the one with the highest value."""
    moves = (JudgedMove(BEST, 0.5, 0.05), JudgedMove(NEAR, 0.53, 0.05))
    assert Judgement(moves, exact=False).gap(NEAR) == 0


def test_loss_counts_beyond_the_error():
    assert JUDGEMENT.loss(BEST) == 0
    assert JUDGEMENT.loss(NEAR) == 0
    assert JUDGEMENT.loss(WORSE) == pytest.approx(0.2)
