"""The content of one message: at most one decision, and all actions that follow."""

from itertools import pairwise

import pytest

from matcha_p2p.errors import Check, ProtocolViolationError
from matcha_p2p.table.step import step
from matcha_p2p.wire.entry import sign_entry
from tests.cheats.scene import fields_of, played


def messages_in_a_row(*names: str) -> tuple:
    """Return the state before two messages of one seat that begin with ``names``, and both."""
    for game in ("hoarding", "racing"):
        scene = played(game)
        for state, pair in zip(scene.states, pairwise(scene.log), strict=False):
            same = pair[0].seat == pair[1].seat
            if same and tuple(fields_of(entry)[0][0] for entry in pair) == names:
                return scene.players[pair[0].seat], state, *pair
    raise LookupError("no game has two such messages")


@pytest.mark.parametrize("names", [("MOVE", "MOVE"), ("SHARE", "MOVE"), ("MOVE", "SEAL")])
def test_two_messages_in_one_entry_are_refused(names):
    """Each message is right in its place; the other seat has to see the first message alone."""
    player, state, first, second = messages_in_a_row(*names)
    actions = [*first.fields, *second.fields]
    seed = player.secrets.session
    both = sign_entry(first.seq, first.seat, first.prev, second.state, actions, seed)
    step(step(state, first)[0], second)
    with pytest.raises(ProtocolViolationError) as caught:
        step(state, both)
    assert (caught.value.check, caught.value.seat) == (Check.GRAMMAR, first.seat)
    assert caught.value.entry == first.seq


@pytest.mark.parametrize("place", [0, 1, 20])
def test_refused_seat_is_told_the_seat_to_speak(place):
    scene = played("short")
    honest = scene.log[place]
    seed = scene.players[1 - honest.seat].secrets.session
    entry = sign_entry(
        honest.seq, 1 - honest.seat, honest.prev, honest.state, honest.fields, seed
    )
    with pytest.raises(ProtocolViolationError, match=f"seat {honest.seat} has") as caught:
        step(scene.states[place], entry)
    assert caught.value.check is Check.TURN


def test_message_after_the_last_result_is_refused():
    scene = played("short")
    last = scene.log[-1]
    actions = [*last.fields, ["MOVE", "pass"]]
    seed = scene.players[last.seat].secrets.session
    longer = sign_entry(last.seq, last.seat, last.prev, last.state, actions, seed)
    with pytest.raises(ProtocolViolationError) as caught:
        step(scene.states[-2], longer)
    assert (caught.value.check, caught.value.seat) == (Check.GRAMMAR, last.seat)
