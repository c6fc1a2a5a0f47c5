"""Mutants of greetings, and of records behind a game."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.edwards25519 import ORDER
from matcha_p2p.crypto.elgamal import prove_possession
from matcha_p2p.crypto.sponge import H
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.table.steps import begin
from matcha_p2p.table.greeting import hello_context, rules_digest
from matcha_p2p.table.messages import Hello, encode_action
from matcha_p2p.table.seat import Offer, greet
from matcha_p2p.table.step import step
from matcha_p2p.table.table import Greetings
from matcha_p2p.transport.framing import Frame, Kind, encode_frame
from matcha_p2p.wire.encoding import MAX_INTEGER, pack
from matcha_p2p.wire.entry import Entry, parse_entry, sign_entry
from tests.cheats.greeting import greeting
from tests.cheats.scene import Hostile, Scene, fields_of, message, sign_body, utter
from tests.mutants.site import Mutant, Operator, refused, replaced

DOMAIN = b"matcha/v1/rec\0"
HELLO_FIELDS = (
    *(
        "magic",
        "versions",
        "version",
        "game",
        "variant",
        "seats",
        "rules",
        "name",
        "session key",
    ),
    *("anchor", "X", "pop", "identity", "certificate"),
)


# --- greetings -----------------------------------------------------------------------------


def greeting_with(check: str, field: str, change: Callable[[Any], Any]) -> Operator:
    """Change a field of a greeting."""

    def operate(scene: Scene, _: random.Random) -> Mutant | None:
        if len(scene.log) > 1:
            return None
        hello = list(scene.fields[0])
        place = 1 + HELLO_FIELDS.index(field)
        hello[place] = change(hello[place])
        return refused(scene, utter(scene, replaced(scene, 0, hello)), check)

    return operate


def unlisted_key(scene: Scene, _: random.Random) -> Mutant | None:
    """Announce another session key than the roster lists."""
    if len(scene.log) > 1:
        return None
    hello = list(scene.fields[0])
    hello[9] = signature.public_key(H("another key"))
    frames = utter(scene, replaced(scene, 0, hello))
    return Mutant(frames, frozenset({"E_ROSTER"}), None)


def bad_key(scene: Scene, rng: random.Random) -> Mutant | None:
    """Announce an invalid session key."""
    if len(scene.log) > 1:
        return None
    hello = list(scene.fields[0])
    hello[9] = rng.choice([0, 1, 2, 2**255 - 20, 2**256 - 1]).to_bytes(32, "little")
    frames = utter(scene, replaced(scene, 0, hello))
    return Mutant(frames, frozenset({"E_KEY"}), None)


def mirrored(*fields: int) -> Operator:
    """Let seat 1 announce seat 0's announcement."""

    def operate(scene: Scene, _: random.Random) -> Mutant | None:
        if len(scene.log) != 1:
            return None
        hello, host = list(scene.fields[0]), fields_of(scene.log[0])[0]
        for field in fields:
            hello[field] = host[field]
        frames = utter(scene, replaced(scene, 0, hello))
        return refused(scene, frames, "E_KEY")

    return operate


def certificate_with(change: Callable[[bytes], bytes], check: str, field: int) -> Operator:
    """Change the identity or the certificate of a greeting with both."""

    def operate(scene: Scene, _: random.Random) -> Mutant | None:
        if len(scene.log) > 1 or not scene.fields[0][13]:
            return None
        hello = list(scene.fields[0])
        hello[field] = change(hello[field])
        return refused(scene, utter(scene, replaced(scene, 0, hello)), check)

    return operate


def host_with(check: str, later: int, **changes: Callable[[Hello], Hostile]) -> Operator:
    """Let seat 0 announce another value in good form; all goes on until a mismatch."""

    def operate(scene: Scene, _: random.Random) -> Mutant | None:
        if scene.log or scene.fields[0][13]:
            return None
        hello = greeting(scene)
        changed = {name: change(hello) for name, change in changes.items()}
        hello = replace(hello, **changed)
        context = hello_context(hello.game, hello.variant, scene.state.head, SEATS[0])
        randomness = scene.player.random(scene.state.head)
        hello = replace(hello, pop=prove_possession(scene.player.x, context, randomness))
        seed = H("another key") if "session_key" in changes else scene.player.secrets.session
        first = sign_entry(
            0, SEATS[0], scene.state.head, scene.honest.state, [encode_action(hello)], seed
        )
        entries = [first, *(_answers(scene, first) if later else ())]
        frames = b"".join(message(entry.encoded) for entry in entries)
        seat = None if "session_key" in changes else SEATS[0]
        return Mutant(frames, frozenset({check}), seat, later)

    return operate


def _answers(scene: Scene, first: Entry) -> list[Entry]:
    """Return the entries of both unchanged seats after the changed entry 0."""
    state, _ = step(scene.state, parse_entry(first.encoded))
    assert isinstance(state, Greetings)
    second = greet(scene.peer, state, Offer(begin(EDITIONS[greeting(scene).variant]), "Taro"))
    step(state, second)
    link: Hostile = ["COIN", scene.player.chain[1]]
    third = sign_entry(2, SEATS[0], second.id, bytes(16), [link], scene.player.secrets.session)
    return [second, third]


# --- records -------------------------------------------------------------------------------


def record(scene: Scene, rng: random.Random) -> list[Hostile]:
    """Return the body of a record by the seat that is good by itself.

    An entry signed later by the seat may contradict the record.
    """
    seen = rng.randrange(2, len(scene.log) + 1)
    statements: tuple[tuple[str, list[Hostile]], ...] = (
        ("RESIGN", []),
        ("CLAIM", [90, 1_800_000_000]),
        ("ABORT", ["E_SHUFFLE", H("offender")]),
        ("EXPOSE", [scene.player.x.to_bytes(32, "little")]),
        ("SYNC", [seen, H("link"), 0]),
    )
    kind, data = rng.choice(statements)
    return [kind, scene.table.gid, scene.seat, scene.log[seen - 1].id, data]


def exposure(scene: Scene, x: int) -> list[Hostile]:
    secret = x.to_bytes(32, "little")
    return ["EXPOSE", scene.table.gid, scene.seat, scene.log[-1].id, [secret]]


def stated(content: list[Hostile], seed: bytes) -> bytes:
    return encode_frame(Frame(Kind.REC, sign_body(pack(content), seed, DOMAIN)))


def record_with(change: Callable[[list[Hostile], Scene], list[Hostile] | None]) -> Operator:
    """Change a part of a good record, and sign the record."""

    def operate(scene: Scene, rng: random.Random) -> Mutant | None:
        if len(scene.log) < 2:
            return None
        content = change(record(scene, rng), scene)
        if content is None:
            return None
        frames = stated(content, scene.player.secrets.session)
        return Mutant(frames, frozenset({"E_RECORD"}), None)

    return operate


def record_signed(sign: Callable[[bytes, Scene], bytes]) -> Operator:
    """Sign a good record otherwise than records are."""

    def operate(scene: Scene, rng: random.Random) -> Mutant | None:
        if len(scene.log) < 2:
            return None
        signed = sign(pack(record(scene, rng)), scene)
        frames = encode_frame(Frame(Kind.REC, signed))
        return Mutant(frames, frozenset({"E_RECORD"}), None)

    return operate


def a_bit_wrong(content: bytes, scene: Scene) -> bytes:
    signed = sign_body(content, scene.player.secrets.session, DOMAIN)
    return signed[:-1] + bytes([signed[-1] ^ 1])


def data_with(
    change: Callable[[Hostile], Hostile | None],
) -> Callable[[list[Hostile], Scene], list[Hostile] | None]:
    """Change the last field of the data; None for data of another form."""

    def changed(content: list[Hostile], _: Scene) -> list[Hostile] | None:
        *before, data = content
        new = change(data[-1]) if data else None
        return None if new is None else [*before, [*data[:-1], new]]

    return changed


def a_byte_short(field: Hostile) -> Hostile | None:
    """Shorten a hash; a short scalar of an EXPOSE is refused as a scalar."""
    return field[1:] if field in (H("offender"), H("link")) else None


def no_head(content: list[Hostile], scene: Scene) -> list[Hostile] | None:
    """Name a missing entry, as only a SYNC may."""
    return None if content[0] == "SYNC" else put(3, H("another entry"))(content, scene)


def of_another_kind(content: list[Hostile], _: Scene) -> list[Hostile]:
    return ["RESIGN" if content[4] else "CLAIM", *content[1:]]


def lengths(length: int) -> Callable[[list[Hostile], Scene], list[Hostile]]:
    return lambda content, _: ["SYNC", *content[1:4], [length, H("link"), 0]]


def gone_on(scene: Scene, rng: random.Random) -> Mutant | None:
    """Resign, and have gone on."""
    own = [entry for entry in scene.log[2:] if entry.seat == scene.seat]
    own = [entry for entry in own if [action[0] for action in fields_of(entry)] != ["RESULT"]]
    if not own:
        return None
    head = scene.log[rng.randrange(own[-1].seq)].id
    content: list[Hostile] = ["RESIGN", scene.table.gid, scene.seat, head, []]
    frames = stated(content, scene.player.secrets.session)
    return Mutant(frames, frozenset({"E_RESIGN"}), scene.seat)


def announced_otherwise(scene: Scene, rng: random.Random) -> Mutant | None:
    """Announce another chain than the chain signed by the seat."""
    own = [entry for entry in scene.log[1:] if entry.seat == scene.seat]
    if not own:
        return None
    length = rng.randrange(2, own[-1].seq + 2)
    others = [entry.id for entry in scene.log if entry.seq != length - 1]
    head = rng.choice([H("another entry"), *others])
    data: list[Hostile] = [length, H("link"), 0]
    content: list[Hostile] = ["SYNC", scene.table.gid, scene.seat, head, data]
    frames = stated(content, scene.player.secrets.session)
    return Mutant(frames, frozenset({"E_SYNC"}), scene.seat)


def exposed(change: Callable[[Scene], int]) -> Operator:
    """Expose another number than the seat's game key."""

    def operate(scene: Scene, _: random.Random) -> Mutant | None:
        if len(scene.log) < 2:
            return None
        x = change(scene)
        frames = stated(exposure(scene, x), scene.player.secrets.session)
        if x >= ORDER:
            return Mutant(frames, frozenset({"E_SCALAR"}), None)
        return Mutant(frames, frozenset({"E_EXPOSE"}), scene.seat)

    return operate


def put(place: int, value: Hostile) -> Callable[[list[Hostile], Scene], list[Hostile]]:
    return lambda content, _: [*content[:place], value, *content[place + 1 :]]


def other_seat(content: list[Hostile], scene: Scene) -> list[Hostile]:
    return put(2, 1 - scene.seat)(content, scene)


def _other_edition(hello: Hello) -> str:
    return "2020" if hello.variant == "2015" else "2015"


OPERATORS: dict[str, Operator] = {
    "versions: 2 alone": greeting_with("E_VERSION", "versions", lambda _: [2]),
    "versions: none": greeting_with("E_ENCODING", "versions", lambda _: []),
    "versions: descending": greeting_with("E_ENCODING", "versions", lambda _: [2, 1]),
    "version + 1": greeting_with("E_VERSION", "version", lambda n: n + 1),
    "version 0": greeting_with("E_VERSION", "version", lambda _: 0),
    "version greatest": greeting_with("E_VERSION", "version", lambda _: MAX_INTEGER),
    "magic": greeting_with("E_ENCODING", "magic", lambda _: b"Matcha"),
    "variant": greeting_with("E_GAME", "variant", lambda e: "2020" if e == "2015" else "2015"),
    "rules zero": greeting_with("E_GAME", "rules", lambda _: bytes(32)),
    "name empty": greeting_with("E_TEXT", "name", lambda _: ""),
    "name too long": greeting_with("E_TEXT", "name", lambda _: "x" * 25),
    "name with a line break": greeting_with("E_TEXT", "name", lambda name: name + "\n"),
    "identity without certificate": greeting_with(
        "E_ENCODING", "certificate", lambda c: c + b"x"
    ),
    "session key not in the roster": unlisted_key,
    "session key bad": bad_key,
    "anchor of seat 0": mirrored(10),
    "game key of seat 0": mirrored(11, 12),
    "certificate: a bit": certificate_with(lambda c: bytes([c[0] ^ 1]) + c[1:], "E_CERT", 14),
    "certificate: zero": certificate_with(lambda _: bytes(64), "E_CERT", 14),
    "identity: another": certificate_with(
        lambda _: signature.public_key(H("stranger")), "E_CERT", 13
    ),
    "identity: bad": certificate_with(lambda _: bytes(32), "E_KEY", 13),
    "host: another anchor": host_with("E_COIN", 2, anchor=lambda _: H("another anchor")),
    "host: another session key": host_with(
        "E_ROSTER", 0, session_key=lambda _: signature.public_key(H("another key"))
    ),
    "host: the other edition": host_with(
        "E_ROSTER",
        0,
        variant=_other_edition,
        rules=lambda hello: rules_digest(begin(EDITIONS[_other_edition(hello)])),
    ),
    "record: another gid": record_with(put(1, H("another game"))),
    "record: an unknown head": record_with(no_head),
    "record: a head a byte short": record_with(lambda c, _: [*c[:3], c[3][1:], c[4]]),
    "record: a field a byte short": record_with(data_with(a_byte_short)),
    "record: a field that is text": record_with(data_with(lambda _: "x" * 32)),
    "record: a field that is an array": record_with(data_with(lambda _: [])),
    "record: data less": record_with(lambda c, _: [*c[:4], c[4][1:]] if c[4] else None),
    "record: a body of six": record_with(lambda c, _: [*c, 0]),
    "record: a bit of the signature": record_signed(a_bit_wrong),
    "record: signed as a message": record_signed(
        lambda content, s: sign_body(content, s.player.secrets.session)
    ),
    "record: signed by the other": record_signed(
        lambda content, s: sign_body(content, s.peer.secrets.session, DOMAIN)
    ),
    "SYNC: of no entry": record_with(lengths(0)),
    "SYNC: of one entry": record_with(lengths(1)),
    "SYNC: of 65,537 entries": record_with(lengths(65_537)),
    "SYNC: of two resignations": record_with(lambda c, _: ["SYNC", *c[1:4], [2, H("link"), 2]]),
    "SYNC: another chain": announced_otherwise,
    "RESIGN: and gone on": gone_on,
    "record: the other seat": record_with(other_seat),
    "record: seat 2": record_with(put(2, 2)),
    "record: data more": record_with(lambda c, _: [*c[:4], [*c[4], 0]]),
    "record: an unknown kind": record_with(put(0, "BOAST")),
    "record: another kind": record_with(of_another_kind),
    "record: gid a byte short": record_with(lambda c, _: [c[0], c[1][1:], *c[2:]]),
    "exposed: x + 1": exposed(lambda s: (s.player.x + 1) % ORDER),
    "exposed: x - 1": exposed(lambda s: (s.player.x - 1) % ORDER),
    "exposed: -x": exposed(lambda s: -s.player.x % ORDER),
    "exposed: 0": exposed(lambda _: 0),
    "exposed: 1": exposed(lambda _: 1),
    "exposed: l - 1": exposed(lambda _: ORDER - 1),
    "exposed: x + l": exposed(lambda s: s.player.x + ORDER),
    "exposed: x of the other": exposed(lambda s: s.peer.x),
}
