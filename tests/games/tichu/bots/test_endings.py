"""The quick copy of the rules by which keen plays on."""

import random

import pytest

from matcha_p2p.games.tichu.bots.arena import OpenRound, deal
from matcha_p2p.games.tichu.bots.endings import play_out
from matcha_p2p.games.tichu.bots.roster import BOTS
from matcha_p2p.games.tichu.rules.actions import Lay
from matcha_p2p.games.tichu.rules.combinations import combination
from matcha_p2p.games.tichu.rules.moves import Play
from matcha_p2p.games.tichu.rules.round import SEATS, Variant
from matcha_p2p.games.tichu.rules.scoring import score


@pytest.mark.parametrize("seed", range(12))
def test_last_play_brings_what_the_rules_count(seed):
    table = OpenRound(Variant(), SEATS[seed % 4], deal(random.Random(seed)))
    rng, before = random.Random(seed), None
    while (seat := table.state.speaker) is not None:
        hands = [tuple(table.seen(each).held.values()) for each in SEATS]
        move = BOTS["casual"].choose(table.seen(seat), rng)
        if isinstance(move, Lay):
            faces = tuple(table.hands[seat][place] for place in move.places)
            made = combination(faces, move.wild, table.state.under)
            before = table.state, seat, hands, Play(made, faces, move.wild)
        table.take(seat, move)
    points = score(table.state)
    assert play_out(*before) == points[before[1] % 2] - points[1 - before[1] % 2]
