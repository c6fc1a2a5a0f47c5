"""The bars of the full screen, in all games."""

from dataclasses import replace

import pytest

from matcha_p2p.console.table.bars import title_bar
from matcha_p2p.console.terminal.cells import line_width
from tests.console.scenes import won as won_matcha
from tests.games.kashi.scenes import own_turn
from tests.games.tichu.screen.scenes import leading

PLAYERS = "you and Bea 0 : 0 Carl and Dora   to 1000"
SCENES = [won_matcha(), leading().scene, own_turn()]


@pytest.mark.parametrize("scene", SCENES, ids=["matcha", "tichu", "kashi"])
def test_time_to_the_other_player_is_shown_whole_or_not_at_all(scene):
    scene, whole = replace(scene, round_trip=0.123), 0
    for columns in range(52, 121):
        bar = title_bar(scene, "Round 1", PLAYERS, columns)
        assert line_width(bar) == columns
        (text,) = [text for _, text in bar]
        assert text.endswith((f"{PLAYERS}   123 ms ", f"{PLAYERS} "))
        whole += text.endswith("123 ms ")
    assert 0 < whole < 121 - 52
