"""Judgements: exact in round 3, estimates before, and the same when asked again."""

import pytest

from matcha_p2p.bots.judge import judge
from matcha_p2p.rules.edition import EDITION_2020, EDITIONS
from matcha_p2p.rules.judgement import JudgedMove, Judgement
from matcha_p2p.rules.moves import PASS, Play
from matcha_p2p.rules.phases import Placing
from tests.bots.positions import endings, observations


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)
def test_every_legal_move_is_judged_once(edition):
    for seen in observations(edition, "judged", games=2):
        if not isinstance(seen.game.phase, Placing) or len(seen.legal_moves()) == 1:
            continue
        found = judge(seen, 30)
        assert sorted(map(repr, (it.move for it in found.moves))) == sorted(
            map(repr, seen.legal_moves())
        )
        assert all(-1e-9 <= it.value <= 1 + 1e-9 for it in found.moves)
        assert judge(seen, 30) == found


def test_move_that_was_made_is_looked_at_thoroughly():
    seen = observations(EDITION_2020, "thorough")[0]
    made = seen.legal_moves()[-1]
    alone, tried = judge(seen, 300), judge(seen, 300, made)
    assert tried.moves[0].move == alone.moves[0].move
    assert tried.of(made).error < max(alone.of(made).error, 0.051)


def test_round_3_is_judged_exactly():
    """With one card each on a board where nothing can be lost, to lay is at least to pass."""
    exact = [judge(seen, 10) for seen in endings(EDITION_2020, "exact", 20)]
    assert all(found.exact for found in exact)
    for found in exact:
        plays = [it.value for it in found.moves if isinstance(it.move, Play)]
        assert max(plays) >= found.of(PASS).value - 0.01


def test_loss_below_its_uncertainty_is_none():
    moves = (JudgedMove(Play(0, 0), 0.6, 0.01), JudgedMove(PASS, 0.58, 0.01))
    assert Judgement(moves, exact=False).loss(PASS) == 0
    certain = tuple(JudgedMove(it.move, it.value, 0.001) for it in moves)
    assert Judgement(certain, exact=False).loss(PASS) == pytest.approx(0.02)
    assert Judgement(certain, exact=False).loss(Play(0, 0)) == 0
