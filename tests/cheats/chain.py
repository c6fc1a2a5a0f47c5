"""Cheats with frames, encodings, signatures, places and turns: rows 1 to 8 and 47."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgpack

from matcha_p2p.crypto.edwards25519 import ORDER
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.table.view import game_of
from matcha_p2p.table.table import State, Table
from matcha_p2p.transport.framing import FRAME_LIMIT, Kind, prefix_length
from matcha_p2p.wire.encoding import Value, pack, unpack
from matcha_p2p.wire.entry import Entry
from tests.cheats.parts import backs, is_playing, out_of_round
from tests.cheats.scene import (
    Row,
    Scene,
    at,
    body,
    cheats,
    fields_of,
    message,
    played,
    says,
    sign_body,
    utter,
)


def round_begins(state: State, _: Entry) -> bool:
    return is_playing(state) and not game_of(state).rounds[-1].turns


def playing(state: State, _: Entry) -> bool:
    return is_playing(state)


def answers(state: State, entry: Entry) -> bool:
    """Hold where a seat has the turn after the other has laid a card or passed."""
    turns = game_of(state).rounds[-1].turns if is_playing(state) else ()
    return bool(turns) and turns[-1].seat != entry.seat and not turns[-1].auto


def late(_: State, entry: Entry) -> bool:
    return entry.seq > 12


PLAY = at(says("MOVE lay"))
NOT_MINE = at(round_begins, other=True)
SHUFFLES = at(says("SHUF deal", "SHARE strip"))
STRIPS = at(says("SHARE strip"))


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


def body_of(change: Callable[[list[Value]], Value]) -> Callable[[Scene], bytes]:
    """Say the honest thing in a body of another form."""

    def make(scene: Scene) -> bytes:
        content = change(body(scene, scene.fields))
        return message(sign_body(pack(content), scene.player.secrets.session))

    return make


def in_place(place: int, value: Value) -> Callable[[list[Value]], Value]:
    return lambda content: [*content[:place], value, *content[place + 1 :]]


def statement_of(change: Callable[[bytes, bytes], Value]) -> Callable[[Scene], bytes]:
    """Say the honest thing in a statement of another form."""
    return lambda scene: message(pack(change(*_signed_parts(scene))))


def unknown_action(scene: Scene) -> bytes:
    return utter(scene, [["PEEK", b""]])


def wrong_arity(scene: Scene) -> bytes:
    return utter(scene, [["MOVE", "pass", 0]])


def _signed_parts(scene: Scene) -> tuple[bytes, bytes]:
    signed: Any = unpack(
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
    """Send the last entry a second time."""
    return message(scene.log[-1].encoded)


def otherwise_forked(signed: str, **changes: bytes) -> Callable[[Scene], bytes]:
    """Contradict the own last entry so that it is no fork: not signed, or not at one place."""

    def make(scene: Scene) -> bytes:
        last = next(entry for entry in reversed(scene.log) if entry.seat == scene.seat)
        place: dict[str, Any] = {
            "seq": last.seq,
            "prev": last.prev,
            "state": last.state,
        } | changes
        content = pack(body(scene, [["MOVE", "pass"]], **place))
        signer = scene.peer if signed == "by the other" else scene.player
        encoded = sign_body(content, signer.secrets.session)
        if signed == "wrongly":
            encoded = encoded[:-64] + bytes([encoded[-64] ^ 1]) + encoded[-63:]
        return message(encoded)

    return make


def strange_greeting(seat: int) -> Callable[[Scene], bytes]:
    """Greet, as anybody can, in the name of the seat that has not to speak."""
    return lambda scene: utter(scene, scene.fields[:1], seat=seat)


def misplaced(**changes: int | bytes) -> Callable[[Scene], bytes]:
    return lambda scene: utter(scene, scene.fields, **changes)


def with_field(place: int, value: Value) -> Callable[[Scene], bytes]:
    """Put ``value`` into a field of the first action."""

    def make(scene: Scene) -> bytes:
        (name, *fields), *rest = scene.fields
        fields[place] = value
        return utter(scene, [[name, *fields], *rest])

    return make


def two_plays(scene: Scene) -> bytes:
    """Lay two cards at once, where the other seat is out of the round."""
    (play,) = scene.fields
    game = game_of(scene.table)
    mats = MATS_OF_ROUND[game.rounds[-1].number - 1]
    *_, mat, back = play
    slot = max(game.hands[scene.seat])
    other_back = backs(scene.table, scene.seat)[slot]
    assert back != other_back
    (other_mat,) = set(mats) - {mat}
    return utter(scene, [play, ["MOVE", "lay", other_mat, other_back]])


def keeps_the_turn(state: State, entry: Entry) -> bool:
    """Hold where a seat lays its first card of a round that the other seat is out of."""
    return (
        isinstance(state, Table)
        and playing(state, entry)
        and says("MOVE lay")(state, entry)
        and out_of_round(state, opposite(entry.seat))
        and game_of(state).rounds[-1].laid[entry.seat] == (None, None)
        and len(game_of(state).hands[entry.seat]) > 1
        and len(entry.fields) == 1
    )


def wrong_seat_plays(scene: Scene) -> bytes:
    game = game_of(scene.table)
    mat = 2 * game.rounds[-1].number - 2
    back = backs(scene.table, scene.seat)[min(game.hands[scene.seat])]
    return utter(scene, [["MOVE", "lay", mat, back]])


def passes(scene: Scene) -> bytes:
    return utter(scene, [["MOVE", "pass"]])


def copied(scene: Scene) -> bytes:
    """Say in the own name what the other seat has to say."""
    return utter(scene, scene.fields)


def left_out(scene: Scene) -> bytes:
    return utter(scene, scene.fields[:1])


def doubled(scene: Scene) -> bytes:
    return utter(scene, [*scene.fields, scene.fields[-1]])


def wrong_order(scene: Scene) -> bytes:
    return utter(scene, scene.fields[::-1])


def two_decisions(scene: Scene) -> bytes:
    return utter(scene, [*scene.fields[:1], ["MOVE", "pass"]])


def hello_alone(scene: Scene) -> bytes:
    """Greet as seat 1 without a coin."""
    return utter(scene, scene.fields[:1])


def hello_alone_of_the_future(scene: Scene) -> bytes:
    """Greet as seat 1 with a flaw that would be found later than what is missing."""
    (name, magic, _, _, *rest), _ = scene.fields
    return utter(scene, [[name, magic, [2], 2, *rest]])


def hello_and_more(scene: Scene) -> bytes:
    """Greet as seat 0 and go on at once."""
    return utter(scene, [*scene.fields, ["COIN", scene.player.chain[1]]])


def nothing(scene: Scene) -> bytes:
    return utter(scene, [])


def fork(scene: Scene) -> bytes:
    """Sign another entry in the place of the own last one."""
    last = scene.log[-1]
    return utter(scene, [["MOVE", "pass"]], seq=last.seq, prev=last.prev, state=last.state)


def old_fork(scene: Scene) -> bytes:
    """Contradict what one said long ago."""
    first = next(entry for entry in scene.log[2:] if entry.seat == scene.seat)
    return utter(scene, [["MOVE", "pass"]], seq=first.seq, prev=first.prev, state=first.state)


def greeting_fork(scene: Scene) -> bytes:
    """Greet a second time as seat 0, under the same session key."""
    hello = scene.log[0]
    name = [*fields_of(hello)[0]]
    name[8] = "Nina"
    return utter(scene, [name], seq=0, prev=hello.prev, state=hello.state)


def wrong_state(scene: Scene) -> bytes:
    return utter(scene, scene.fields, state=H("other state")[:16])


def other_greeting(scene: Scene) -> bytes:
    """Entry 1 of another game."""
    return message(played("short").log[1].encoded)


def ended_for(seat: Seat) -> Callable[[], Scene]:
    return lambda: replace(played("short"), seat=seat)


FIRST = at(says("HELLO", seat=0))
SECOND = at(says("HELLO", seat=1))
LATER = at(late, other=True)
JUST_SAID = at(answers, other=True)
ALONE = at(keeps_the_turn)
ENDED = at(says("RESULT"))
CHEATS = cheats(
    {
        Row(1, Check.LIMIT, PLAY, attributed=False): {
            "a frame one byte too large": too_large,
        },
        Row(2, Check.ENCODING, PLAY, attributed=False): {
            "an integer in a longer form": long_integer,
            "a map instead of an array": mapping,
            "a map for an action": mapping_inside,
            "a trailing byte": trailing_byte,
            "a trailing byte, signed": trailing_byte_in_body,
            "arrays a thousand deep": deep_array,
            "an array in the fourth array": lambda s: utter(s, [["MOVE", "pass", [[]]]]),
            "a body of six fields": body_of(lambda content: [*content, 0]),
            "a body of four fields": body_of(lambda content: content[:-1]),
            "seq in words": body_of(in_place(0, "5")),
            "prev in words": body_of(in_place(2, "x" * 32)),
            "st in words": body_of(in_place(3, "x" * 16)),
            "actions that are no array": body_of(in_place(4, b"")),
            "a statement of three parts": statement_of(lambda said, sig: [said, sig, b""]),
            "a body that is no byte string": statement_of(lambda _, sig: ["x", sig]),
            "a signature in words": statement_of(lambda said, _: [said, "x" * 64]),
            "a signature of 65 bytes": statement_of(lambda said, sig: [said, sig + b"\0"]),
            "seat 4": misplaced(seat=4),
            "st of 15 bytes": misplaced(state=bytes(15)),
            "prev of 31 bytes": misplaced(prev=bytes(31)),
        },
        Row(2, Check.ENCODING, PLAY): {
            "an action that does not exist": unknown_action,
            "an action that is named by an array": lambda s: utter(s, [[["MOVE", "pass"]]]),
            "an action that is named by nothing": lambda s: utter(s, [[]]),
            "an action with a field too many": wrong_arity,
            "mat 6": with_field(1, 6),
            "a mat in words": with_field(1, "0"),
            "a mat in bytes": with_field(1, b"\0"),
            "a mat in an array": with_field(1, [0]),
            "a mat of 53 bits": with_field(1, 2**53 - 1),
            "a back of 31 bytes": with_field(2, bytes(31)),
            "two backs": with_field(2, bytes(64)),
            "no back": with_field(2, b""),
            "a back that is a number": with_field(2, 7),
            "a move that the game has not": with_field(0, "bomb"),
            "a move without a name": with_field(0, 0),
            "six cards kept": lambda s: utter(s, [["MOVE", "keep", bytes(6 * 32)]]),
            "cards kept in words": lambda s: utter(s, [["MOVE", "keep", "x" * 32]]),
        },
        Row(2, Check.ENCODING, ENDED): {
            "an outcome that is no array": with_field(0, 1),
            "an outcome of words": with_field(0, ["0"]),
        },
        Row(3, Check.SIG, PLAY, attributed=False): {
            "one bit of the signature": flipped_signature,
            "S + l": large_signature,
            "signed with the other seat's key": other_key,
            "signed as a record": other_domain,
        },
        Row(3, Check.SIG, FIRST, attributed=False): {
            "one bit of the signature of entry 0": flipped_signature,
        },
        Row(3, Check.SIG, SECOND, attributed=False): {
            "one bit of the signature of entry 1": flipped_signature,
        },
        Row(4, Check.CHAIN, PLAY, attributed=False): {
            "prev of an older message": older_prev,
            "seq skipped": skipped_seq,
            "seq repeated": repeated_seq,
            "the last message again": again,
        },
        Row(5, Check.TURN, NOT_MINE): {
            "a card laid by the wrong seat": wrong_seat_plays,
            "a pass by the wrong seat": passes,
        },
        Row(5, Check.TURN, at(says("SHARE strip"), other=True)): {
            "a pass while the other deals": passes,
            "shares by the wrong seat": copied,
        },
        Row(5, Check.TURN, lambda: played("short")): {
            "a pass after the end": passes,
            "no action after the end, by seat 0": nothing,
        },
        Row(5, Check.TURN, ended_for(SEATS[1])): {
            "no action after the end, by seat 1": nothing,
        },
        Row(5, Check.TURN, PLAY, attributed=False): {
            "a seat that the table has not": misplaced(seat=2),
        },
        Row(5, Check.TURN, FIRST, attributed=False): {
            "entry 0 in the name of seat 1": strange_greeting(1),
        },
        Row(5, Check.TURN, SECOND, attributed=False): {
            "entry 1 in the name of seat 0": strange_greeting(0),
        },
        Row(6, Check.GRAMMAR, SHUFFLES): {
            "an automatic action left out": left_out,
            "an automatic action doubled": doubled,
            "the wrong order": wrong_order,
        },
        Row(6, Check.GRAMMAR, at(says("MOVE pass", "SHARE reveal"))): {
            "an automatic action left out after a pass": left_out,
        },
        Row(6, Check.GRAMMAR, PLAY): {
            "two decisions in one message": two_decisions,
            "no action": nothing,
        },
        Row(6, Check.GRAMMAR, ALONE): {
            "two cards laid in one message": two_plays,
        },
        Row(6, Check.GRAMMAR, FIRST): {
            "HELLO and more": hello_and_more,
        },
        Row(6, Check.GRAMMAR, SECOND): {
            "HELLO without COIN": hello_alone,
            "HELLO without COIN, of no common version": hello_alone_of_the_future,
        },
        Row(6, Check.GRAMMAR, SECOND, attributed=False): {
            "entry 1 without an action": nothing,
        },
        Row(2, Check.ENCODING, FIRST, attributed=False): {
            "a pass instead of HELLO": passes,
        },
        Row(6, Check.GRAMMAR, FIRST, attributed=False): {
            "entry 0 without an action": nothing,
            "COIN instead of HELLO": lambda s: utter(s, [["COIN", H("link")]]),
        },
        Row(6, Check.GRAMMAR, STRIPS): {
            "a pass instead of shares": passes,
        },
        Row(7, Check.FORK, JUST_SAID): {
            "two entries at one place": fork,
        },
        Row(7, Check.CHAIN, JUST_SAID, attributed=False): {
            "a contradiction that is not signed": otherwise_forked("wrongly"),
            "a contradiction that the other seat signed": otherwise_forked("by the other"),
            "another entry at one place, after another prev": otherwise_forked(
                "rightly", prev=H("prev")
            ),
        },
        Row(7, Check.FORK, LATER): {
            "a contradiction to an old entry": old_fork,
        },
        Row(7, Check.FORK, at(says("HELLO", seat=1), other=True)): {
            "two greetings, the first unanswered": greeting_fork,
        },
        Row(7, Check.FORK, at(says("COIN", seat=0))): {
            "two greetings, the first answered": greeting_fork,
        },
        Row(8, Check.STATE, PLAY): {
            "the right action, another st": wrong_state,
        },
        Row(8, Check.STATE, SHUFFLES): {
            "the right shuffle, another st": wrong_state,
        },
        Row(8, Check.STATE, at(says("HELLO", seat=1))): {
            "the right greeting, another st": wrong_state,
        },
        Row(47, Check.CHAIN, at(says("HELLO", seat=1)), attributed=False): {
            "entry 1 of another game": other_greeting,
        },
    }
)
