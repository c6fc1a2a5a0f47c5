"""Accepted entries lead unverified to the same state; other entries are refused."""

import pytest

from matcha_p2p.errors import Check, ProtocolViolationError
from matcha_p2p.table.step import recall
from matcha_p2p.table.table import Greetings
from matcha_p2p.wire.entry import sign_entry
from tests.cheats.scene import at, played, says


@pytest.mark.parametrize("game", ["short", "hoarding", "named"])
def test_every_entry_leads_to_the_state_it_led_to(game):
    scene = played(game)
    for before, entry, after in zip(scene.states, scene.log, scene.states[1:], strict=False):
        assert recall(before, entry)[0] == after


def test_an_entry_out_of_place_is_refused():
    scene = played("short")
    for state, entry in ((scene.states[0], scene.log[1]), (scene.states[9], scene.log[10])):
        with pytest.raises(ProtocolViolationError) as caught:
            recall(state, entry)
        assert caught.value.check is Check.CHAIN
        assert caught.value.seat is None
        assert caught.value.entry == (0 if isinstance(state, Greetings) else 9)


def test_action_against_a_rule_is_refused():
    scene = at(says("SHARE strip"))()
    place = (len(scene.log), scene.seat, scene.state.head, bytes(16))
    entry = sign_entry(*place, [["MOVE", "pass"]], scene.player.secrets.session)
    with pytest.raises(ProtocolViolationError) as caught:
        recall(scene.state, entry)
    assert (caught.value.check, caught.value.seat) == (Check.GRAMMAR, None)
    assert caught.value.entry == len(scene.log)
