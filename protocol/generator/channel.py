"""Vectors of the Noise handshake, frames, invites, words and goodbyes (PEER#channel)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from ipaddress import ip_address
from typing import Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from matcha_p2p.crypto.signature import public_key
from matcha_p2p.errors import InviteError
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.link_keys import pair_psk, rematch_psk
from matcha_p2p.session.step.rematch import next_nonce
from matcha_p2p.transport.codes import bech32m
from matcha_p2p.transport.codes.invite import Invite, InviteKind
from matcha_p2p.transport.codes.reply import Reply
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.framing import (
    FRAME_LIMIT,
    PADDED_SIZES,
    Frame,
    Kind,
    pad_frame,
    prefix_length,
    unpad_frame,
)
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.transport.noise import Initiator, Responder, psk_from_secret
from matcha_p2p.wire.again import NextKeys, sign_again, sign_open, write_next
from matcha_p2p.wire.encoding import Value, pack
from matcha_p2p.wire.lobby import Lobby, parse_join, parse_lobby, sign_join, sign_lobby
from matcha_p2p.wire.names import GameId, RosterId
from matcha_p2p.wire.roster import RosterGame, RosterSeat, sign_roster
from matcha_p2p.wire.said import parse_said, parse_way
from matcha_p2p.wire.signed import sign
from matcha_p2p.wire.talk import PHRASES, Farewell, decode_farewell, decode_way
from protocol.generator import three
from protocol.generator.primitives import verdict
from protocol.generator.vectors import Case, Vectors, seed
from tests.duel import secrets_of


def every() -> Iterator[Vectors]:
    """Yield the vector files of the channel."""
    yield Vectors(
        "noise",
        "Handshakes with given ephemeral keys, and the frames sent after them in turn.",
        ("PEER#channel", "PEER#frames"),
        tuple(_handshakes()),
    )
    yield Vectors(
        "frames",
        "What is encrypted for a frame: `start`, then zeros, or [byte, number], up to `size`.",
        ("PEER#frames",),
        tuple(_padded()),
    )
    yield Vectors(
        "invite",
        "Invite strings. code: of the sentence that a reader gets, null for a good one.",
        ("PEER#invite",),
        (*_invites(), *_overlooked(), *_bad_invites()),
    )
    yield Vectors(
        "answer",
        "Answer codes, for the host whose invite has this secret. code: as of invites.",
        ("PEER#answer",),
        tuple(_replies()),
    )
    yield Vectors(
        "links",
        "The psks of later channels between two seats, and the game psk of their next game.",
        ("PEER#pair-psk", "PEER#next-table"),
        tuple(_links()),
    )
    yield Vectors(
        "next_table",
        "What three seats wish after a game of the toy, and the roster of their next game.",
        ("PEER#next-table", "PEER#afterwards", "SPEC#roster"),
        tuple(_next_tables()),
    )
    yield Vectors(
        "talk",
        "TALKs of three seats of a game of the toy. check: of a refused statement, or null.",
        ("PEER#talk", "PEER#phrases"),
        tuple(_talk()),
    )
    yield Vectors(
        "ways",
        "WAYs of three seats of a game of the toy. check: of a refused statement, or null.",
        ("PEER#direct",),
        tuple(_ways()),
    )
    yield Vectors(
        "unsigned",
        "Payloads of WAYS and BYE. check: of what is ignored, null for what is heard.",
        ("PEER#way", "PEER#goodbyes"),
        (*_unsigned_ways(), *_farewells()),
    )
    yield Vectors(
        "lobby",
        "Payloads of LOBBY frames, by guest and host, on the channel with this binding.",
        ("PEER#lobby",),
        (*_joins(), *_lobbies()),
    )


def _handshakes() -> Iterator[Case]:
    for label in ("first", "second"):
        secret = seed(f"invite {label}", 16)
        psk = psk_from_secret(secret)
        keys = seed(f"initiator {label}"), seed(f"responder {label}")
        first, second = (X25519PrivateKey.from_private_bytes(key) for key in keys)
        initiator, responder = Initiator(psk, ephemeral=first), Responder(psk, ephemeral=second)
        flight_1 = initiator.write()
        responder.read(flight_1)
        there, flight_2 = responder.write()
        here, _ = initiator.read(flight_2)
        flight_3 = here.outgoing.encrypt(b"")
        there.incoming.decrypt(flight_3)
        frames = [
            {"from": name, "kind": kind, "payload": payload, "bytes": prefix_length(sent)}
            for name, end, kind, payload in (
                ("initiator", here, Kind.PING, b""),
                ("responder", there, Kind.BYE, b"\x91\xa4DONE"),
                ("initiator", here, Kind.WAYS, b"\x92\x00\x91\x92\x01\xc4\x04\x7f\x00\x00\x01"),
            )
            for sent in [end.outgoing.encrypt(pad_frame(Frame(kind, payload)))]
        ]
        yield {
            "secret": secret,
            "psk": psk,
            "ephemeral of initiator": keys[0],
            "ephemeral of responder": keys[1],
            "flight 1": flight_1,
            "flight 2": flight_2,
            "flight 3": flight_3,
            "binding": here.binding,
            "frames": frames,
        }


def _unsigned_ways() -> Iterator[Case]:
    four: Value = [4717, bytes(4)]
    six: Value = [4718, bytes(16)]
    told: tuple[tuple[str, Value], ...] = (
        ("two places", [40_000, [four, six]]),
        ("without punching", [0, [four]]),
        ("port 0", [40_000, [[0, bytes(4)]]]),
        ("from a port too large", [65_536, [four]]),
        ("an address of 5 bytes", [0, [[4717, bytes(5)]]]),
        ("eight places", [0, [four] * 8]),
        ("no place", [40_000, []]),
        ("no punch port", [[four]]),
        ("nothing", []),
    )
    for name, value in told:
        payload = pack(value)
        check = verdict(decode_way, payload)
        yield {"name": name, "frame": "WAYS", "payload": payload, "check": check}


def _farewells() -> Iterator[Case]:
    for reason in (*(farewell.value for farewell in Farewell), "SULK"):
        payload = pack([reason])
        check = verdict(decode_farewell, payload)
        yield {"name": reason, "frame": "BYE", "payload": payload, "check": check}


_LINK: Final = Binding(seed("channel of a guest"))
_GAME: Final = RosterGame("tichu", "1000 plays", bytes(32))


def _sitter(name: str, *, bot: bool = False) -> RosterSeat:
    keys = public_key(seed(f"seat of {name}")), seed(f"link key of {name}")
    return RosterSeat(name, *keys, bot=bot)


def _joins() -> Iterator[Case]:
    ann, own = _sitter("Ann"), seed("seat of Ann")
    for name, guest, key, link in (
        ("a guest", ann, own, _LINK),
        ("a guest with an identity", replace(ann, identity=ann.session_key), own, _LINK),
        ("a guest that says it is a bot", replace(ann, bot=True), own, _LINK),
        ("a guest whose name commands", replace(ann, name="\x1b[2J"), own, _LINK),
        ("a guest that signs with another key", ann, seed("seat of Bob"), _LINK),
        ("a guest of another channel", ann, own, Binding(seed("another channel"))),
    ):
        payload = sign_join(guest, link, key)
        check = verdict(parse_join, payload, _LINK)
        yield _before_a_game("JOIN", name, payload, check)


def _lobbies() -> Iterator[Case]:
    host, ann, bot = _sitter("Mia"), _sitter("Ann"), _sitter("Kettle", bot=True)
    own, psk = seed("seat of Mia"), Psk(seed("psk of a table"))
    good = Lobby(_GAME, (host, ann, None, bot), psk)
    for name, lobby, key, link in (
        ("a guest, a bot, an empty seat", good, own, _LINK),
        ("three seats", replace(good, seats=(host, None, None)), own, _LINK),
        ("nobody at seat 0", replace(good, seats=(None, ann, None)), own, _LINK),
        ("two seats", replace(good, seats=(host, None)), own, _LINK),
        ("one seat", replace(good, seats=(host,)), own, _LINK),
        ("five seats", replace(good, seats=(host, ann, None, None, None)), own, _LINK),
        ("a guest twice", replace(good, seats=(host, ann, ann)), own, _LINK),
        ("the shortest time for a bomb", replace(good, pace=1), own, _LINK),
        ("no time for a bomb", replace(good, pace=0), own, _LINK),
        ("a short secret", replace(good, psk=Psk(psk[1:])), own, _LINK),
        ("a host that signs with another key", good, seed("seat of Ann"), _LINK),
        ("a host of another channel", good, own, Binding(seed("another channel"))),
    ):
        payload = sign_lobby(lobby, link, key)
        check = verdict(parse_lobby, payload, _LINK)
        yield _before_a_game("LOBBY", name, payload, check)


def _before_a_game(statement: str, name: str, payload: bytes, check: str | None) -> Case:
    return {
        "name": name,
        "statement": statement,
        "binding": _LINK,
        "payload": payload,
        "check": check,
    }


def _padded() -> Iterator[Case]:
    """Yield padded frames of every size, and sizes that no frame is padded to."""
    for size in (0, 1, 29, 30, 509, 510, 4093, 4094, FRAME_LIMIT - 1):
        payload = bytes([7]) * size
        padded = pad_frame(Frame(Kind.MSG, payload))
        yield {
            "name": f"a payload of {size} bytes",
            "kind": Kind.MSG,
            "payload": [7, size],
            "start": padded[:3],
            "size": len(padded),
            "check": None,
        }
    short = bytes([Kind.REC, 0, 2]) + b"ab"
    for name, start, size in (
        ("not padded", short, len(short)),
        ("padded further than need be", short, PADDED_SIZES[1]),
        ("padded to another size", short, PADDED_SIZES[0] + 1),
        ("padded with something", short + b"\0\1", PADDED_SIZES[0]),
        ("a length beyond the end", bytes([Kind.REC, 0, 30]), PADDED_SIZES[0]),
        ("kind 0", bytes([0, 0, 0]), PADDED_SIZES[0]),
        ("kind 64", bytes([64, 0, 0]), PADDED_SIZES[0]),
        ("nothing", b"", 0),
    ):
        check = verdict(unpad_frame, start.ljust(size, b"\0"))
        yield {"name": name, "start": start, "size": size, "check": check}


def _links() -> Iterator[Case]:
    rid, psk = RosterId(seed("rid")), Psk(seed("psk of a table"))
    for ends in ((0, 1), (1, 0), (1, 2), (3, 1)):
        secrets = [seed(f"link secret {seat}") for seat in ends]
        keys = [
            X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
            for secret in secrets
        ]
        dialler, answerer = map(Seat, ends)
        gid = GameId(seed(f"gid {dialler}"))
        yield {
            "rid": rid,
            "game psk": psk,
            "dials": dialler,
            "answers": answerer,
            "link secrets": secrets,
            "link keys": keys,
            "pair psk": pair_psk(psk, secrets[0], keys[1], rid, (dialler, answerer)),
            "gid": gid,
            "next game psk": rematch_psk(psk, gid),
        }


def _next_tables() -> Iterator[Case]:
    for label, first in three.FIRST.items():
        scene = three.played(label)
        roster = scene.state.roster
        seats = [
            replace(
                listed,
                session_key=public_key(secrets_of(f"after {label}", seat).session),
                link_key=seed(f"link key {seat} after {label}"),
            )
            for seat, listed in enumerate(roster.seats)
        ]
        runs = (0, 0, 1_800_000_000)
        wished = [
            sign_again(
                roster.id,
                Seat(seat),
                run,
                (
                    NextKeys(seats[seat].session_key, seats[seat].link_key),
                    secrets_of(f"after {label}", seat).session,
                ),
                secrets_of(label, seat).session,
            ).encoded
            for seat, run in enumerate(runs)
        ]
        opened = [
            sign_open(roster.id, seat, secrets_of(label, seat).session).encoded
            for seat in map(Seat, range(len(seats)))
        ]
        nonce = next_nonce(roster.id, wished)
        host = secrets_of(f"after {label}", 0).session
        following = sign_roster(nonce, roster.game, seats, host)
        yield {
            "file": f"first-{first}.matcha",
            "rid": roster.id,
            "runs": list(runs),
            "agains": wished,
            "opens": opened,
            "roster": following.encoded,
            "frame": write_next(following.encoded, wished),
            "next rid": following.id,
        }


def _talk() -> Iterator[Case]:
    said: tuple[tuple[str, int, int, Value], ...] = (
        ("text", 0, 0, [0, 0, 0, ["SAY", "Tea?"]]),
        ("the first phrase", 1, 1, [1, 0, 0, ["PHRASE", 1]]),
        ("the last phrase", 2, 2, [2, 1_800_000_000, 7, ["PHRASE", PHRASES]]),
        ("no text", 1, 1, [1, 0, 0, ["SAY", ""]]),
        ("text in bytes", 1, 1, [1, 0, 0, ["SAY", b"Tea?"]]),
        ("a phrase before the first", 1, 1, [1, 0, 0, ["PHRASE", 0]]),
        ("a phrase after the last", 1, 1, [1, 0, 0, ["PHRASE", PHRASES + 1]]),
        ("a phrase in text", 1, 1, [1, 0, 0, ["PHRASE", "1"]]),
        ("the signature of another seat", 0, 1, [0, 0, 1, ["SAY", "Tea?"]]),
        ("a seat that nobody has", 3, 0, [3, 0, 0, ["SAY", "Tea?"]]),
        ("an offer", 1, 1, [1, 0, 0, ["OPEN"]]),
        ("no number", 1, 1, [1, 0, ["SAY", "Tea?"]]),
    )
    yield from _statements(b"matcha/v1/talk\0", said, parse_said)


def _ways() -> Iterator[Case]:
    address = bytes([192, 0, 2, 1])
    four: Value = [4717, address]
    six: Value = [4718, bytes(16)]
    told: tuple[tuple[str, int, int, Value], ...] = (
        ("two places", 1, 1, [1, 0, 0, [four, six]]),
        ("a later place of a restarted program", 2, 2, [2, 1_800_000_000, 7, [four]]),
        ("the signature of another seat", 1, 2, [1, 0, 1, [four]]),
        ("a seat that nobody has", 3, 0, [3, 0, 0, [four]]),
        ("no place", 1, 1, [1, 0, 0, []]),
        ("eight places", 1, 1, [1, 0, 0, [four] * 8]),
        ("port 0", 1, 1, [1, 0, 0, [[0, address]]]),
        ("an address of 5 bytes", 1, 1, [1, 0, 0, [[4717, bytes(5)]]]),
        ("a punch port", 1, 1, [1, 0, 0, 40_000, [four]]),
    )
    yield from _statements(b"matcha/v1/way\0", told, parse_way)


def _statements(
    domain: bytes,
    made: Iterable[tuple[str, int, int, Value]],
    parse: Callable[[bytes, RosterId, Sequence[bytes]], object],
) -> Iterator[Case]:
    """Yield a case for each statement. made: name, seat, signer and body."""
    scene = three.played()
    roster = scene.state.roster
    rid, keys = roster.id, [listed.session_key for listed in roster.seats]
    for name, seat, signer, body in made:
        statement = sign(domain + rid, body, secrets_of(three.SEED, signer).session)
        yield {
            "name": name,
            "file": "first-0.matcha",
            "seat": seat,
            "statement": statement,
            "check": verdict(lambda given: parse(given, rid, keys), statement),
        }


def _invite(label: str, *places: tuple[str, int], punch_port: int | None = None) -> Invite:
    endpoints = tuple(Endpoint(ip_address(address), port) for address, port in places)
    return Invite(endpoints, seed(f"invite {label}", 16), punch_port)


ELSEWHERE = (("2001:db8::1", 4717), ("10.0.0.1", 4717))
GOOD = {
    "one IPv4 address": _invite("a", ("192.0.2.1", 4717)),
    "one IPv6 address": _invite("b", ("2001:db8::1", 4717)),
    "both": _invite("c", ("192.0.2.1", 1), ("2001:db8::1", 1)),
    "seven addresses": _invite("d", *((f"2001:db8::{n}", 65535) for n in range(1, 8))),
    "a punch port": _invite("e", ("192.0.2.1", 4717), punch_port=40_000),
    "a port of its own": _invite("f", ("192.0.2.1", 4718), *ELSEWHERE, punch_port=65535),
    "seven ports": _invite("g", *((f"192.0.2.{n}", n) for n in range(1, 8))),
}


def _invites() -> Iterator[Case]:
    for name, invite in GOOD.items():
        yield _read(name, invite.encode())


def _overlooked() -> Iterator[Case]:
    text = GOOD["one IPv4 address"].encode()
    yield _read("capitals", text.upper())
    yield _read("in two lines", text[:30] + "\n" + text[30:])
    yield _read("in a sentence", f"Come and play: {text} (soon)")


def _bad_invites() -> Iterator[Case]:
    text = GOOD["one IPv4 address"].encode()
    payload = bech32m.decode([bech32m.ALPHABET.index(letter) for letter in text[7:]])
    cases = {
        "empty": "",
        "not an invite": "matcha is a tea",
        "another prefix": text.replace("matcha1", "mocha1"),
        "an invite to watch": replace(GOOD["both"], kind=InviteKind.WATCH).encode(),
        "a wrong letter": text[:20] + _other(text[20]) + text[21:],
        "a wrong letter in the checksum": text[:-1] + _other(text[-1]),
        "a letter that occurs in none": text[:20] + "b" + text[21:],
        "two wrong letters": text[:20] + _other(text[20]) + _other(text[21]) + text[22:],
        "two letters exchanged": _exchanged(text),
        "a letter too few": text[:-1],
        "cut after the prefix": text[:7],
        "cut in the middle": text[:30],
        "a letter too many": text + "q",
        "version 0": _encoded(b"\0" + payload[1:]),
        "version 1": _encoded(b"\x01" + payload[1:]),
        "version 3": _encoded(b"\x03" + payload[1:]),
        "a wrong length": _encoded(payload[:1] + bytes([len(payload) - 1]) + payload[2:]),
        "port 0": _encoded(payload[:2] + bytes(2) + payload[4:]),
        "no address": _encoded(bytes([2, 24]) + payload[2:6] + b"\x01\0" + payload[12:]),
        "another family": _encoded(payload[:6] + b"\x03" + payload[7:]),
        "an own port that is the common one": _encoded(
            bytes([2, len(payload) + 2])
            + payload[2:7]
            + b"\x01"
            + payload[8:12]
            + payload[2:4]
            + payload[12:]
        ),
        "an own port of an address that is none": _encoded(
            bytes([2, len(payload) + 2])
            + payload[2:7]
            + b"\x02"
            + payload[8:12]
            + b"\0\x01"
            + payload[12:]
        ),
        "a rare port as the common one": _rarely(GOOD["a port of its own"]),
        "a byte more": _encoded(bytes([2, len(payload) + 1]) + payload[2:] + b"\0"),
    }
    for name, bad in cases.items():
        yield _read(name, bad)


def _rarely(invite: Invite) -> str:
    """Return ``invite`` with a rare port as the common port: two addresses have own ports."""
    four, six, ten = (endpoint.address.packed for endpoint in invite.endpoints)
    first, second, third = (each.port.to_bytes(2, "big") for each in invite.endpoints)
    body = b"\xff\xff\x0a\x06" + four + six + ten + second + third + invite.secret
    return _encoded(bytes([2, 4 + len(body)]) + first + body)


def _replies() -> Iterator[Case]:
    secret, other = seed("invite reply", 16), seed("invite other", 16)
    places = {
        "one IPv6 address": (("2600::7", 40_000),),
        "two addresses": (("2600::7", 40_000), ("20.1.0.2", 40_000)),
        "a port of its own": (("2600::7", 40_000), ("2600::8", 40_000), ("20.1.0.2", 40_001)),
    }
    for name, pairs in places.items():
        yield _read_reply(name, _reply(pairs).encode(secret), secret)
    text = _reply(places["a port of its own"]).encode(secret)
    yield _read_reply("in capitals, with chat", f"Here: {text.upper()} - now you", secret)
    yield _read_reply("of another invite", text, other)
    yield _read_reply("a letter too few", text[:-1], secret)
    yield _read_reply("a wrong letter", text[:30] + _other(text[30]) + text[31:], secret)
    yield _read_reply("an invite", GOOD["both"].encode(), secret)


def _reply(pairs: Iterable[tuple[str, int]]) -> Reply:
    return Reply(tuple(Endpoint(ip_address(address), port) for address, port in pairs))


def _read_reply(name: str, text: str, secret: bytes) -> Case:
    """Return the case of ``text``, read by the maker of the invite of ``secret``."""
    case: Case = {"name": name, "text": text, "secret": secret}
    try:
        reply = Reply.parse(text, secret)
    except InviteError as error:
        return {**case, "code": error.code}
    return {**case, "code": None, "endpoints": list(map(str, reply.endpoints))}


def _encoded(payload: bytes) -> str:
    return bech32m.encode(InviteKind.PLAY.value, payload)


def _other(letter: str) -> str:
    return bech32m.ALPHABET[(bech32m.ALPHABET.index(letter) + 1) % 32]


def _exchanged(text: str) -> str:
    place = next(i for i in range(20, len(text)) if text[i] != text[i + 1])
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]


def _read(name: str, text: str) -> Case:
    """Return the case of ``text``, read as an invite."""
    try:
        invite = Invite.parse(text)
    except InviteError as error:
        return {"name": name, "text": text, "code": error.code}
    return {
        "name": name,
        "text": text,
        "code": None,
        "endpoints": list(map(str, invite.endpoints)),
        "punch port": invite.punch_port,
        "secret": invite.secret,
        "psk": invite.psk,
    }
