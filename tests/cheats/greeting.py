"""Cheats with greetings, keys and the coin: rows 9 to 16."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.edwards25519 import P
from matcha_p2p.crypto.elgamal import prove_possession
from matcha_p2p.crypto.ristretto255 import base_mul
from matcha_p2p.crypto.sigma import Context
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITION_2020
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.table.steps import begin
from matcha_p2p.table.greeting import hello_context, identity_statement, rules_digest
from matcha_p2p.table.messages import Action, Hello, Toss, decode_action, encode_action
from matcha_p2p.table.step import step
from matcha_p2p.table.table import Table
from matcha_p2p.table.verbs import next_link
from matcha_p2p.wire.encoding import Value, pack
from matcha_p2p.wire.entry import Entry, parse_entry, sign_entry
from tests.cheats.scene import (
    IDENTITIES,
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

HOST, GUEST = SEATS
FIRST = at(says("HELLO", seat=0))
SECOND = at(says("HELLO", seat=1))
NAMED = at(says("HELLO", seat=1), "named")
SHORT = at(says("HELLO", seat=1), "short")
COIN = at(says("COIN", seat=0))
IDENTITY_KEY = (1).to_bytes(32, "little")


def greeting(scene: Scene) -> Hello:
    return hello_of(scene.honest)


def hello_of(entry: Entry) -> Hello:
    hello = decode_action(entry.fields[0], {})
    assert isinstance(hello, Hello)
    return hello


def greet(scene: Scene, hello: Hello, link: bytes | None = None) -> bytes:
    coin: list[Action] = [] if scene.seat == 0 else [Toss(link or scene.player.chain[1])]
    return utter(scene, [encode_action(action) for action in [hello, *coin]])


def greets(**changes: Any) -> Callable[[Scene], bytes]:
    """Return the cheat that greets with some fields changed."""
    return lambda scene: greet(scene, replace(greeting(scene), **changes))


def eager_host() -> Scene:
    """Seat 0 speaks versions 1 and 2, and proposes 2."""
    scene = FIRST()
    hello = replace(greeting(scene), versions=(1, 2), version=2)
    host = scene.player
    entry = sign_entry(
        0,
        HOST,
        scene.state.head,
        scene.honest.state,
        [encode_action(hello)],
        host.secrets.session,
    )
    state, _ = step(scene.state, parse_entry(entry.encoded))
    return replace(
        SECOND(), states=(scene.state, state), log=(entry,), seat=GUEST, honest=SECOND().honest
    )


def hello_with(field: int, value: Value) -> Callable[[Scene], bytes]:
    """Greet with a field that no greeting has; field: its place behind the name."""

    def make(scene: Scene) -> bytes:
        hello, *rest = scene.fields
        return utter(scene, [[*hello[:field], value, *hello[field + 1 :]], *rest])

    return make


def as_the_host(scene: Scene) -> bytes:
    """Seat 1 announces the session key of seat 0: one person plays both seats."""
    hello = replace(greeting(scene), session_key=scene.peer.session_key)
    fields = [encode_action(hello), encode_action(Toss(scene.player.chain[1]))]
    return message(sign_body(pack(body(scene, fields)), scene.peer.secrets.session))


def lower_version(scene: Scene) -> bytes:
    pop = possession(scene, scene.player.x)
    return greet(scene, replace(greeting(scene), versions=(1, 2), version=1, pop=pop))


def future_version(scene: Scene) -> bytes:
    """Agree to the host's version 2, of which nobody knows anything yet."""
    pop = possession(scene, scene.player.x)
    return greet(scene, replace(greeting(scene), versions=(1, 2), version=2, pop=pop))


def where(scene: Scene) -> Context:
    """Return the place of an honest proof of possession."""
    hello = greeting(scene)
    return hello_context(hello.game, hello.variant, scene.state.head, scene.seat)


def possession(scene: Scene, x: int, context: Context | None = None):
    context = context or where(scene)
    return prove_possession(x, context, scene.random)


def under_key(key: bytes) -> Callable[[Scene], bytes]:
    """Greet under a key that fits whatever is signed: R the identity, S = 0."""

    def make(scene: Scene) -> bytes:
        hello = replace(greeting(scene), session_key=key)
        fields = [encode_action(hello), encode_action(Toss(scene.player.chain[1]))]
        return message(pack([pack(body(scene, fields)), IDENTITY_KEY + bytes(32)]))

    return make


def mixed_order(scene: Scene) -> bytes:
    """Greet under the sum of a good key and the point of order 2."""
    encoded = int.from_bytes(scene.player.session_key, "little")
    y, sign = encoded % 2**255, encoded >> 255
    key = (P - y | (1 - sign) << 255).to_bytes(32, "little")
    return greet(scene, replace(greeting(scene), session_key=key))


def zero_key(scene: Scene) -> bytes:
    fields = scene.fields
    hello = [*fields[0]]
    hello[11] = bytes(32)
    return utter(scene, [hello, *fields[1:]])


def with_key(change: Callable[[bytes], bytes]) -> Callable[[Scene], bytes]:
    return lambda scene: hello_with(11, change(scene.fields[0][11]))(scene)


def host_key(scene: Scene) -> bytes:
    """Seat 1 takes the key of seat 0, and the proof that comes with it."""
    host = hello_of(scene.log[0])
    return greet(scene, replace(greeting(scene), game_key=host.game_key, pop=host.pop))


def undoing_key(scene: Scene) -> bytes:
    host = hello_of(scene.log[0])
    return greet(scene, replace(greeting(scene), game_key=-host.game_key, pop=host.pop))


def rogue_key(scene: Scene) -> bytes:
    """With X_1 = aG - X_0 seat 1 alone would hold the joint key aG."""
    host = hello_of(scene.log[0])
    a = scene.player.x
    hello = replace(
        greeting(scene), game_key=base_mul(a) - host.game_key, pop=possession(scene, a)
    )
    return greet(scene, hello)


def without_nonce(scene: Scene) -> bytes:
    """Prove with k = 0: the proof holds, but for the rule that no T is the identity."""
    pop = prove_possession(scene.player.x, where(scene), lambda _label, _message, n: bytes(n))
    return greet(scene, replace(greeting(scene), pop=pop))


def copied_proof(scene: Scene) -> bytes:
    return greet(scene, replace(greeting(scene), pop=hello_of(scene.log[0]).pop))


def proof_of(**change: Any) -> Callable[[Scene], bytes]:
    """Prove possession of the right key in the wrong place."""

    def make(scene: Scene) -> bytes:
        proof = possession(scene, scene.player.x, replace(where(scene), **change))
        return greet(scene, replace(greeting(scene), pop=proof))

    return make


def proof_for_the_host(scene: Scene) -> bytes:
    return proof_of(seat=0)(scene)


def certified(change: Callable[[Hello], Hello], prev: bytes | None = None):
    """Certify other keys than those of the greeting, or in another game."""

    def make(scene: Scene) -> bytes:
        hello = greeting(scene)
        statement = identity_statement(change(hello), prev or scene.state.head)
        certificate = signature.sign(IDENTITIES[1], statement)
        return greet(scene, replace(hello, certificate=certificate))

    return make


def variant_of_its_own(scene: Scene) -> bytes:
    """Greet as the host with another edition than the roster says."""
    proof = possession(scene, scene.player.x, replace(where(scene), variant="2020"))
    rules = rules_digest(begin(EDITION_2020))
    return greet(scene, replace(greeting(scene), variant="2020", rules=rules, pop=proof))


def identified(scene: Scene) -> bytes:
    hello = replace(greeting(scene), identity=signature.public_key(IDENTITIES[1]))
    certificate = signature.sign(IDENTITIES[1], identity_statement(hello, scene.state.head))
    return greet(scene, replace(hello, certificate=certificate))


def copied_anchor(scene: Scene) -> bytes:
    host = hello_of(scene.log[0])
    return greet(scene, replace(greeting(scene), anchor=host.anchor))


def first_coin(scene: Scene, link: bytes) -> bytes:
    return utter(scene, [["COIN", link], *scene.fields[1:]])


def other_links(scene: Scene) -> bytes:
    return first_coin(scene, fields_of(scene.log[1])[1][1])


def mirrored(scene: Scene) -> bytes:
    """Seat 1 has an anchor whose next link is that of a chain of seat 0."""
    link = H("some link")
    anchor = next_link(HOST, link)
    return greet(scene, replace(greeting(scene), anchor=anchor), link)


SAME = replace  # an unchanged copy
LATE_COIN = at(
    lambda state, entry: (
        fields_of(entry)[0][0] == "COIN" and isinstance(state, Table) and state.coins > 0
    )
)
OTHER_GAME = H("another game")

CHEATS = cheats(
    {
        Row(9, Check.VERSION, SECOND): {
            "no common version": greets(versions=(2,), version=2),
            "another version than the common one": greets(version=2),
        },
        Row(9, Check.VERSION, eager_host): {
            "a lower common version": lower_version,
            "a version of the future": future_version,
        },
        Row(9, Check.VERSION, FIRST): {
            "not the highest own version": greets(versions=(1, 2)),
            "a host of the future": greets(versions=(2,), version=2),
        },
        Row(10, Check.GAME, SECOND): {
            "another edition": greets(variant="2020", rules=rules_digest(begin(EDITION_2020))),
            "other rules": greets(rules=H("other rules")),
            **{
                f"the edition, in which seat {seat} deals first": greets(
                    variant=f"2015 rematch {seat}",
                    rules=rules_digest(begin(EDITION_2015, seat)),
                )
                for seat in SEATS
            },
            "another game": greets(game="tichu"),
            "another number of seats": greets(seats=3),
        },
        Row(10, Check.GAME, FIRST): {
            "other rules of the host": greets(rules=H("other rules")),
            "an edition that does not exist": greets(
                variant="2031", rules=rules_digest(begin(EDITION_2015))
            ),
            "a game that does not exist": greets(game="whist"),
            "the rules of another variant": greets(rules=rules_digest(begin(EDITION_2020))),
            "three seats at a game for two": greets(seats=3),
        },
        Row(50, Check.ROSTER, FIRST): {
            "entry 0 of two names another roster": lambda s: utter(
                s, s.fields, prev=H("another roster")
            ),
            "another name than in the roster of two": greets(name="Mira"),
            "another variant than in the roster of two": variant_of_its_own,
        },
        Row(50, Check.ROSTER, SECOND): {
            "an identity that the roster of two has not": identified,
        },
        Row(50, Check.ROSTER, SECOND, attributed=False): {
            "the session key of seat 0": as_the_host,
        },
        Row(11, Check.KEY, SECOND, attributed=False): {
            "the identity as key": under_key(IDENTITY_KEY),
            "the identity as key, not canonical": under_key((P + 1).to_bytes(32, "little")),
            "the identity as key, with a sign": under_key((1 + 2**255).to_bytes(32, "little")),
            "a key of order 2": under_key((P - 1).to_bytes(32, "little")),
            "a key of mixed order": mixed_order,
        },
        Row(11, Check.KEY, FIRST, attributed=False): {
            "the identity as the host's key": under_key(IDENTITY_KEY),
        },
        Row(12, Check.POINT, SECOND, attributed=False): {
            "X is the identity": zero_key,
            "X of 31 bytes": with_key(lambda key: key[:-1]),
            "X of 33 bytes": with_key(lambda key: key + b"\0"),
        },
        Row(12, Check.KEY, SHORT): {
            "X_1 = -X_0 in another game": undoing_key,
        },
        Row(12, Check.KEY, SECOND): {
            "X_1 = X_0": host_key,
            "X_1 = -X_0": undoing_key,
        },
        Row(12, Check.KEY, NAMED): {
            "an identity that is no good key": greets(identity=IDENTITY_KEY),
        },
        Row(2, Check.ENCODING, SECOND, attributed=False): {
            "another magic": hello_with(1, b"Matcha"),
            "no versions": hello_with(2, []),
            "versions that descend": hello_with(2, [2, 1]),
            "a version twice": hello_with(2, [1, 1]),
            "a version in words": hello_with(2, ["1"]),
            "65 versions": hello_with(2, [*range(1, 66)]),
            "a certificate without an identity": hello_with(14, bytes(64)),
            "rules of 31 bytes": hello_with(7, bytes(31)),
            "a session key of 31 bytes": hello_with(9, bytes(31)),
            "an anchor of 31 bytes": hello_with(10, bytes(31)),
            "one seat": hello_with(6, 1),
            "five seats": hello_with(6, 5),
            "seats in words": hello_with(6, "2"),
            "a game in bytes": hello_with(4, b"matcha"),
            "a variant that is a number": hello_with(5, 2015),
            "a pop of 96 bytes": hello_with(12, bytes(96)),
        },
        Row(2, Check.ENCODING, NAMED, attributed=False): {
            "an identity without a certificate": hello_with(14, b""),
            "an identity of 31 bytes": hello_with(13, bytes(31)),
        },
        Row(13, Check.POP, SECOND): {
            "a rogue key": rogue_key,
            "the proof of seat 0": copied_proof,
            "a proof for seat 0": proof_for_the_host,
            "a proof for another kind of game": proof_of(game="tichu"),
            "a proof for another variant": proof_of(variant="2020"),
            "a proof for another step": proof_of(label="deal"),
            "a proof of another game": proof_of(head=OTHER_GAME),
        },
        Row(13, Check.POP, FIRST): {
            "a proof made with the nonce 0": without_nonce,
            "a proof of another game by the host": proof_of(head=OTHER_GAME),
        },
        Row(14, Check.CERT, NAMED): {
            "a certificate over another session key": certified(
                lambda hello: replace(hello, session_key=played("short").players[1].session_key)
            ),
            "a certificate over another game key": certified(
                lambda hello: replace(hello, game_key=base_mul(2))
            ),
            "a certificate of another game": certified(SAME, OTHER_GAME),
        },
        Row(15, Check.KEY, SECOND): {
            "the anchor of seat 0": copied_anchor,
        },
        Row(15, Check.TEXT, SECOND): {
            "a name with ESC": greets(name="Ta\x1b[2Jro"),
            "a name with a bidi override": greets(name="Ta\u202ero"),
        },
        Row(15, Check.TEXT, FIRST): {
            "an empty name": greets(name=""),
        },
        Row(16, Check.COIN, COIN): {
            "a link out of the air": lambda s: first_coin(s, H("link")),
            "the link of the other seat": other_links,
            "a link skipped": lambda s: first_coin(s, s.player.chain[2]),
            "the anchor as link": lambda s: first_coin(s, s.player.chain[0]),
        },
        Row(16, Check.COIN, SECOND): {
            "a link of the other seat's kind": mirrored,
        },
        Row(16, Check.COIN, LATE_COIN): {
            "the old link again": lambda s: first_coin(s, s.table.links[s.seat]),
        },
    }
)
