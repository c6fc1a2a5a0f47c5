"""One key says a phrase at the table of each game."""

import pytest

from matcha_p2p.games.kashi.screen import keys as kashi_keys
from matcha_p2p.games.tichu.screen import keys as tichu_keys
from matcha_p2p.narration.quick_phrases import PHRASES, REACTIONS
from matcha_p2p.wire.talk import Phrase
from tests.games.kashi.scenes import own_turn
from tests.games.tichu.screen.scenes import leading


@pytest.mark.parametrize("key", REACTIONS)
def test_reaction_is_said_at_larger_tables(key):
    for press, scene in ((tichu_keys.press, leading().scene), (kashi_keys.press, own_turn())):
        after, choice = press(scene, key)
        assert choice == Phrase(REACTIONS[key])
        assert after.talk[-1] == (scene.seat, PHRASES[REACTIONS[key]]())
        assert after.question == scene.question
