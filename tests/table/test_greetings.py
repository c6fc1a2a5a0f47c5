"""Greetings: the version that two programs find, and what seat 1 may not take from seat 0."""

from dataclasses import replace
from typing import Any

import pytest

from matcha_p2p.crypto.elgamal import prove_possession
from matcha_p2p.crypto.ristretto255 import ORDER, base_mul
from matcha_p2p.errors import Check, ProtocolViolationError
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.table.greeting import hello_context
from matcha_p2p.table.messages import Hello, Toss, encode_action
from matcha_p2p.table.step import step
from matcha_p2p.table.table import Due, Greetings, State, Table, Verb, next_due
from matcha_p2p.wire.entry import sign_entry
from tests.cheats.greeting import greeting
from tests.cheats.scene import Scene, at, says

HOST, GUEST = SEATS


def test_greeting_is_due_without_a_decision():
    _, state = welcomed()
    assert next_due(state) == Due(GUEST, Verb.HELLO, decision=False)


def welcomed(**changes: Any) -> tuple[Scene, Greetings]:
    """Let seat 0 greet with some fields changed."""
    scene = at(says("HELLO", seat=0))()
    host, honest = scene.players[0], scene.honest
    hello = replace(greeting(scene), **changes)
    entry = sign_entry(
        0, HOST, scene.state.head, honest.state, [encode_action(hello)], host.secrets.session
    )
    state, _ = step(scene.state, entry)
    assert isinstance(state, Greetings)
    return scene, state


def answered(scene: Scene, state: Greetings, **changes: Any) -> State:
    """Let seat 1 answer with some fields changed."""
    guest, host = scene.players[1], state.hellos[0]
    context = hello_context(host.game, host.variant, state.head, GUEST)
    x = changes.pop("x", guest.x)
    hello = Hello(
        versions=(1,),
        version=1,
        game=host.game,
        variant=host.variant,
        seats=2,
        rules=host.rules,
        name="Taro",
        session_key=guest.session_key,
        anchor=guest.chain[0],
        game_key=base_mul(x),
        pop=prove_possession(x, context, guest.random(state.head)),
    )
    said = (replace(hello, **changes), Toss(guest.chain[1]))
    actions = [encode_action(action) for action in said]
    prev, hidden = state.head, guest.secrets.session
    entry = sign_entry(1, GUEST, prev, scene.honest.state, actions, hidden)
    return step(state, entry)[0]


@pytest.mark.parametrize("host", [(1,), (1, 2), (1, 2, 3)], ids=str)
@pytest.mark.parametrize("guest", [(1,), (1, 4)], ids=str)
def test_two_programs_meet_at_the_highest_version_that_both_speak(host, guest):
    scene, state = welcomed(versions=host, version=host[-1])
    table = answered(scene, state, versions=guest)
    assert isinstance(table, Table)
    assert [hello.versions for hello in table.hellos] == [host, guest]


@pytest.mark.parametrize("said", [2, 3, 4])
def test_no_other_version_is_named(said):
    scene, state = welcomed(versions=(1, 2, 3), version=3)
    with pytest.raises(ProtocolViolationError) as caught:
        answered(scene, state, versions=(1, 4), version=said)
    assert caught.value.check is Check.VERSION


@pytest.mark.parametrize("stolen", ["anchor", "game_key", "its inverse"])
def test_seat_1_takes_nothing_of_seat_0(stolen):
    """Each alone, and each with all that proves it to be one's own."""
    scene, state = welcomed()
    host = scene.players[0]
    taken: dict[str, dict] = {
        "anchor": {"anchor": host.chain[0]},
        "game_key": {"x": host.x},
        "its inverse": {"x": ORDER - host.x},
    }
    assert isinstance(answered(scene, state), Table)
    with pytest.raises(ProtocolViolationError) as caught:
        answered(scene, state, **taken[stolen])
    assert caught.value.check is Check.KEY
