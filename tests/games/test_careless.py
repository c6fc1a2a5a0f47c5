"""A careless bot follows another bot, and slips in a part of the cases."""

import random
from types import SimpleNamespace

import pytest

from matcha_p2p.games.bots.any_move import Careless


@pytest.mark.parametrize("part", [0, 0.3, 1])
def test_a_careless_bot_slips_in_its_part_of_the_cases(part):
    wise, slip = (SimpleNamespace(choose=lambda *_, it=it: it) for it in ("wise", "slip"))
    bot, rng = Careless("casual", wise, part, slip), random.Random(0)
    slips = sum(bot.choose(None, rng) == "slip" for _ in range(1000))
    assert slips / 1000 == pytest.approx(part, abs=0.05)
