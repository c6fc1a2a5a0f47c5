"""The quick copy of the rules by which keen plays on."""

import random

import pytest

from matcha_p2p.games.tichu.bots.answers import LayFaces
from matcha_p2p.games.tichu.bots.arena import OpenRound, deal
from matcha_p2p.games.tichu.bots.endings import play_out
from matcha_p2p.games.tichu.bots.roster import BOTS
from matcha_p2p.games.tichu.rules.round import SEATS, Variant
from matcha_p2p.games.tichu.rules.scoring import score


@pytest.mark.parametrize("seed", range(12))
def test_last_play_brings_what_the_rules_count(seed):
    table = OpenRound(Variant(), SEATS[seed % 4], deal(random.Random(seed)))
    rng, before = random.Random(seed), None
    while (seat := table.state.speaker) is not None:
        hands = [table.seen(each).hand for each in SEATS]
        move = BOTS["casual"].choose(table.seen(seat), rng)
        if isinstance(move, LayFaces):
            before = table.state, seat, hands, move
        table.take(seat, move)
    points = score(table.state)
    assert play_out(*before) == points[before[1] % 2] - points[1 - before[1] % 2]
