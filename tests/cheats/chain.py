"""Cheats with frames, encodings, signatures, places and turns: rows 1 to 8 and 47."""

import msgpack

from matcha_p2p.crypto.edwards25519 import ORDER
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.machine.table import Playing, Table
from matcha_p2p.transport.framing import FRAME_LIMIT, Kind, prefix_length
from matcha_p2p.wire.encoding import pack, unpack
from tests.cheats.scene import (
    Cheat,
    Scene,
    at,
    body,
    message,
    played,
    says,
    sign_body,
    utter,
)

PLAY = at(says("PLAY"))
ROUND_BEGINS = at(
    lambda state, entry: (
        isinstance(state, Table)
        and isinstance(state.phase, Playing)
        and not state.game.rounds[-1].turns
    )
)
NOT_MINE = at(
    lambda state, entry: (
        isinstance(state, Table)
        and isinstance(state.phase, Playing)
        and not state.game.rounds[-1].turns
    ),
    other=True,
)
SHUFFLES = at(says("SHUF", "STRIP"))
STRIPS = at(says("STRIP"))


def too_large(scene: Scene) -> bytes:
    return prefix_length(bytes([Kind.MSG]) + bytes(FRAME_LIMIT))


def long_integer(scene: Scene) -> bytes:
    right = pack(body(scene, scene.fields))
    assert right[1] == len(scene.log) < 128
    longer = right[:1] + b"\xcd\x00" + right[1:]
    return message(sign_body(longer, scene.player.secrets.session))


def mapping(scene: Scene) -> bytes:
    pairs = msgpack.packb(dict(enumerate(body(scene, scene.fields))))
    return message(sign_body(pairs, scene.player.secrets.session))


def mapping_inside(scene: Scene) -> bytes:
    fields = msgpack.packb([*body(scene, [])[:4], [{0: 1}]])
    return message(sign_body(fields, scene.player.secrets.session))


def trailing_byte(scene: Scene) -> bytes:
    signed = sign_body(pack(body(scene, scene.fields)), scene.player.secrets.session)
    return message(signed + b"\0")


def trailing_byte_in_body(scene: Scene) -> bytes:
    right = pack(body(scene, scene.fields))
    return message(sign_body(right + b"\0", scene.player.secrets.session))


def deep_array(scene: Scene) -> bytes:
    return message(sign_body(b"\x91" * 1000 + b"\xc0", scene.player.secrets.session))


def unknown_action(scene: Scene) -> bytes:
    return utter(scene, [["PEEK", b""]])


def wrong_arity(scene: Scene) -> bytes:
    return utter(scene, [["PASS", 0]])


def _signed_parts(scene: Scene) -> tuple[bytes, bytes]:
    signed = unpack(
        sign_body(pack(body(scene, scene.fields)), scene.player.secrets.session)
    )
    return signed[0], signed[1]


def flipped_signature(scene: Scene) -> bytes:
    content, sig = _signed_parts(scene)
    return message(pack([content, bytes([sig[0] ^ 1]) + sig[1:]]))


def large_signature(scene: Scene) -> bytes:
    content, sig = _signed_parts(scene)
    s = int.from_bytes(sig[32:], "little") + ORDER
    return message(pack([content, sig[:32] + s.to_bytes(32, "little")]))


def other_key(scene: Scene) -> bytes:
    content = pack(body(scene, scene.fields, seat=1 - scene.seat))
    return message(sign_body(content, scene.player.secrets.session))


def other_domain(scene: Scene) -> bytes:
    content = pack(body(scene, scene.fields))
    return message(sign_body(content, scene.player.secrets.session, b"matcha/v1/rec\0"))


def older_prev(scene: Scene) -> bytes:
    return utter(scene, scene.fields, prev=scene.log[-2].id)


def skipped_seq(scene: Scene) -> bytes:
    return utter(scene, scene.fields, seq=len(scene.log) + 1)


def repeated_seq(scene: Scene) -> bytes:
    return utter(scene, scene.fields, seq=len(scene.log) - 1)


def again(scene: Scene) -> bytes:
    """The last entry comes a second time."""
    return message(scene.log[-1].encoded)


def wrong_seat_plays(scene: Scene) -> bytes:
    mat = 2 * scene.table.game.rounds[-1].number - 2
    slot = min(scene.table.game.hands[scene.seat])
    return utter(scene, [["PLAY", mat, scene.table.hands[scene.seat].backs[slot]]])


def wrong_seat_passes(scene: Scene) -> bytes:
    return utter(scene, [["PASS"]])


def after_the_end(scene: Scene) -> bytes:
    return utter(scene, [["PASS"]])


def left_out(scene: Scene) -> bytes:
    return utter(scene, scene.fields[:1])


def doubled(scene: Scene) -> bytes:
    return utter(scene, [*scene.fields, scene.fields[-1]])


def wrong_order(scene: Scene) -> bytes:
    return utter(scene, scene.fields[::-1])


def two_decisions(scene: Scene) -> bytes:
    return utter(scene, [*scene.fields[:1], ["PASS"]])


def nothing(scene: Scene) -> bytes:
    return utter(scene, [])


def decision_for_a_step(scene: Scene) -> bytes:
    return utter(scene, [["PASS"]])


def fork(scene: Scene) -> bytes:
    """The author of the last entry signs another one in its place."""
    last = scene.log[-1]
    return utter(scene, [["PASS"]], seq=last.seq, prev=last.prev, state=last.state)


def old_fork(scene: Scene) -> bytes:
    """A seat contradicts what it said long ago."""
    first = next(entry for entry in scene.log[2:] if entry.seat == scene.seat)
    return utter(scene, [["PASS"]], seq=first.seq, prev=first.prev, state=first.state)


def greeting_fork(scene: Scene) -> bytes:
    """Seat 0 greets twice under one session key, before it is answered or after."""
    hello = scene.log[0]
    name = [*hello.fields[0]]
    name[6] = "Nina"
    return utter(scene, [name], seq=0, prev=hello.prev, state=hello.state)


def wrong_state(scene: Scene) -> bytes:
    return utter(scene, scene.fields, state=H("other state")[:16])


def other_greeting(scene: Scene) -> bytes:
    """Entry 1 of another game."""
    return message(played("short").log[1].encoded)


LATER = at(lambda state, entry: entry.seq > 12 and entry.seat != 0, other=True)
JUST_SAID = at(
    lambda state, entry: isinstance(state, Table) and isinstance(state.phase, Playing),
    other=True,
)
CHEATS = (
    Cheat(1, "a frame one byte too large", Check.LIMIT, PLAY, too_large, False),
    Cheat(2, "an integer in a longer form", Check.ENCODING, PLAY, long_integer, False),
    Cheat(2, "a map instead of an array", Check.ENCODING, PLAY, mapping, False),
    Cheat(2, "a map for an action", Check.ENCODING, PLAY, mapping_inside, False),
    Cheat(2, "a trailing byte", Check.ENCODING, PLAY, trailing_byte, False),
    Cheat(2, "a trailing byte, signed", Check.ENCODING, PLAY, trailing_byte_in_body, False),
    Cheat(2, "arrays a thousand deep", Check.ENCODING, PLAY, deep_array, False),
    Cheat(2, "an action that does not exist", Check.ENCODING, PLAY, unknown_action),
    Cheat(2, "an action with a field too many", Check.ENCODING, PLAY, wrong_arity),
    Cheat(3, "one bit of the signature", Check.SIG, PLAY, flipped_signature, False),
    Cheat(3, "S + l", Check.SIG, PLAY, large_signature, False),
    Cheat(3, "signed with the other seat's key", Check.SIG, PLAY, other_key, False),
    Cheat(3, "signed as a record", Check.SIG, PLAY, other_domain, False),
    Cheat(4, "prev of an older message", Check.CHAIN, PLAY, older_prev, False),
    Cheat(4, "seq skipped", Check.CHAIN, PLAY, skipped_seq, False),
    Cheat(4, "seq repeated", Check.CHAIN, PLAY, repeated_seq, False),
    Cheat(4, "the last message again", Check.CHAIN, PLAY, again, False),
    Cheat(5, "PLAY by the wrong seat", Check.TURN, NOT_MINE, wrong_seat_plays),
    Cheat(5, "PASS by the wrong seat", Check.TURN, NOT_MINE, wrong_seat_passes),
    Cheat(5, "PASS while the other deals", Check.TURN, at(says("STRIP"), other=True), wrong_seat_passes),
    Cheat(6, "an automatic action left out", Check.GRAMMAR, SHUFFLES, left_out),
    Cheat(6, "an automatic action left out after PASS", Check.GRAMMAR, at(says("PASS", "REVEAL")), left_out),
    Cheat(6, "an automatic action doubled", Check.GRAMMAR, SHUFFLES, doubled),
    Cheat(6, "the wrong order", Check.GRAMMAR, SHUFFLES, wrong_order),
    Cheat(6, "two decisions in one message", Check.GRAMMAR, PLAY, two_decisions),
    Cheat(6, "no action", Check.GRAMMAR, PLAY, nothing),
    Cheat(6, "PASS instead of STRIP", Check.GRAMMAR, STRIPS, decision_for_a_step),
    Cheat(7, "two entries at one place", Check.FORK, JUST_SAID, fork),
    Cheat(7, "a contradiction to an old entry", Check.FORK, LATER, old_fork),
    Cheat(7, "two greetings, the first unanswered", Check.FORK, at(says("HELLO", seat=1), other=True), greeting_fork),
    Cheat(7, "two greetings, the first answered", Check.FORK, at(says("COIN", seat=0)), greeting_fork),
    Cheat(8, "the right action, another st", Check.STATE, PLAY, wrong_state),
    Cheat(8, "the right shuffle, another st", Check.STATE, SHUFFLES, wrong_state),
    Cheat(8, "the right greeting, another st", Check.STATE, at(says("HELLO", seat=1)), wrong_state),
    Cheat(47, "entry 1 of another game", Check.CHAIN, at(says("HELLO", seat=1)), other_greeting, False),
)
