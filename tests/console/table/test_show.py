"""The acts of past events, in all games."""

import pytest

from matcha_p2p.games.kashi.screen.show import Show as KashiShow
from matcha_p2p.games.matcha.screen.show import Show as MatchaShow
from matcha_p2p.games.tichu.screen.show import Show as TichuShow
from tests.console.scenes import won as won_matcha
from tests.games.kashi.scenes import own_turn
from tests.games.tichu.screen.scenes import leading


@pytest.mark.parametrize(
    ("show", "scene"),
    [
        (MatchaShow(), won_matcha()),
        (TichuShow(), leading().scene),
        (KashiShow(), own_turn()),
    ],
    ids=["matcha", "tichu", "kashi"],
)
def test_scene_of_the_past_asks_nothing(show, scene):
    past = show.of_past(scene, scene)
    assert {name: getattr(past, name) for name in show.silent} == {**show.silent}
    assert past.focus == scene.focus
