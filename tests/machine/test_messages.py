"""What one message may hold: at most one decision, and all that follows from it."""

from dataclasses import replace
from itertools import pairwise

import pytest

from matcha_p2p.errors import Check, ProtocolViolationError
from matcha_p2p.machine.step import step
from matcha_p2p.machine.table import Playing, State, Table
from matcha_p2p.rules.game import is_out
from matcha_p2p.rules.seats import opposite
from matcha_p2p.transcript.entry import Entry, sign_entry
from matcha_p2p.wire.messages import Open, PassTurn, PlayCard
from tests.cheats.scene import Scene, at, fields_of, played, says


def messages_in_a_row(*names: str) -> tuple:
    """Return the state before two messages of one seat that begin with ``names``, and both."""
    for game in ("hoarding", "racing"):
        scene = played(game)
        for state, pair in zip(scene.states, pairwise(scene.log), strict=False):
            same = pair[0].seat == pair[1].seat
            if same and tuple(fields_of(entry)[0][0] for entry in pair) == names:
                return scene.players[pair[0].seat], state, *pair
    raise LookupError("no game has two such messages")


@pytest.mark.parametrize("names", [("PLAY", "PLAY"), ("REVEAL", "PLAY"), ("PLAY", "KEEPC")])
def test_what_are_two_messages_is_not_said_in_one(names):
    """Each of them is right in its place; the other seat has to see the first by itself."""
    player, state, first, second = messages_in_a_row(*names)
    actions = [*first.actions(), *second.actions()]
    seed = player.secrets.session
    both = sign_entry(first.seq, first.seat, first.prev, second.state, actions, seed)
    step(step(state, first)[0], second)
    with pytest.raises(ProtocolViolationError) as caught:
        step(state, both)
    assert (caught.value.check, caught.value.seat) == (Check.GRAMMAR, first.seat)
    assert caught.value.entry == first.seq


def of_who_waits(number: int, out: bool) -> Scene:
    """Return a scene in round ``number`` where the seat not to move is out, or is not."""

    def holds(state: State, entry: Entry) -> bool:
        if not isinstance(state, Table) or not isinstance(state.phase, Playing):
            return False
        running = state.game.rounds[-1]
        found = is_out(state.game.edition, running.turns, opposite(entry.seat))
        return running.number == number and found == out

    return at(holds, other=True)()


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(
    ("action", "out", "check"),
    [
        (PlayCard(0, bytes(32)), False, Check.TURN),
        (PassTurn(), False, Check.TURN),
        (PlayCard(0, bytes(32)), True, Check.PLACE),
        (PassTurn(), True, Check.PASS),
    ],
)
def test_who_is_out_of_the_round_is_told_so_and_who_is_not_has_to_wait(
    number, action, out, check
):
    scene = of_who_waits(number, out)
    place = (len(scene.log), scene.seat, scene.state.head, bytes(16))
    entry = sign_entry(*place, [action], scene.player.secrets.session)
    with pytest.raises(ProtocolViolationError) as caught:
        step(scene.state, entry)
    assert (caught.value.check, caught.value.seat) == (check, scene.seat)


def test_nothing_is_said_after_the_last_result():
    scene = played("short")
    last = scene.log[-1]
    actions = [*last.actions(), PassTurn()]
    seed = scene.players[last.seat].secrets.session
    longer = sign_entry(last.seq, last.seat, last.prev, last.state, actions, seed)
    with pytest.raises(ProtocolViolationError) as caught:
        step(scene.states[-2], longer)
    assert (caught.value.check, caught.value.seat) == (Check.GRAMMAR, last.seat)


def test_who_opens_first_opens_something():
    """Refused for that, and not for the proof, which is of other cards."""
    scene = at(says("SHUF", "OPEN"))()
    honest = scene.honest
    shuffled, opened = honest.actions()
    assert isinstance(opened, Open)
    seed = scene.player.secrets.session
    actions = [shuffled, replace(opened, shares=())]
    empty = sign_entry(honest.seq, honest.seat, honest.prev, honest.state, actions, seed)
    with pytest.raises(ProtocolViolationError) as caught:
        step(scene.state, empty)
    assert caught.value.check is Check.GRAMMAR
