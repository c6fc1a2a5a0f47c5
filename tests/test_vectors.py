"""The JSON vectors, by matcha_p2p and by the independent verifier.

The second column of each test is computed by the modules of protocol/verifier or, for what a
verifier does not need (KDF, channel, invite, SYNC), by the standard library alone.
"""

import hashlib
import hmac
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from matcha_p2p.chain.archive import parse_archive
from matcha_p2p.crypto import signature
from matcha_p2p.crypto.ristretto255 import ORDER, Point, decode_scalar, hash_to_group
from matcha_p2p.crypto.sponge import H, draw, integers, kdf, stream, xof
from matcha_p2p.errors import CheckError, EncodingError, InviteError
from matcha_p2p.games import find
from matcha_p2p.session.connection.link_keys import pair_psk, rematch_psk
from matcha_p2p.session.step.rematch import next_nonce
from matcha_p2p.table.greeting import rules_digest
from matcha_p2p.transport.codes.invite import Invite, InviteKind
from matcha_p2p.transport.codes.reply import Reply
from matcha_p2p.transport.framing import (
    Frame,
    Kind,
    pad_frame,
    unpad_frame,
)
from matcha_p2p.transport.noise import Initiator, Responder, psk_from_secret
from matcha_p2p.wire.admission import parse_watch
from matcha_p2p.wire.again import parse_again, parse_open, read_next
from matcha_p2p.wire.encoding import pack, unpack
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.lobby import parse_join, parse_lobby
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.record import parse_record
from matcha_p2p.wire.roster import parse_roster
from matcha_p2p.wire.said import parse_said, parse_way
from matcha_p2p.wire.talk import decode_farewell, decode_way, write_endpoints, write_spoken
from matcha_p2p.wire.text import check_name, is_admitted, is_mark
from matcha_p2p.wire.watching import decode_come, decode_dismissal, decode_sight
from matcha_p2p.wire.words import parse_ask, parse_here
from tests import vectors
from tests.games.toy import find_toy
from tests.judges import VERIFIER, ours, ours_of_a_toy, theirs
from tests.vectors import base, every, hear_sync, refusal, unhex

ROOT = Path(__file__).parent.parent
CODEC, GROUP = VERIFIER["codec"], VERIFIER["group"]
GAMES, MESSAGES = VERIFIER["games"], VERIFIER["messages"]


def plain(value: object) -> object:
    """Return a decoded value as the vectors show it."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    return [plain(item) for item in value] if isinstance(value, list) else value


# --- encodings, hashes, draws --------------------------------------------------------------


@pytest.mark.parametrize("decode", [unpack, CODEC.decode], ids=["matcha_p2p", "verifier"])
@every("encoding")
def test_an_encoding_is_read_as_one_value_or_refused(case, decode):
    if "repeat" in case:
        start, filling, times = case["repeat"]
        encoded = unhex(start) + unhex(filling) * times
    else:
        encoded = unhex(case["bytes"])
    if "value" in case:
        assert plain(decode(encoded)) == case["value"]
        assert CODEC.pack(decode(encoded)) == pack(decode(encoded)) == encoded
    else:
        assert refusal(lambda: decode(encoded)) == case["check"] is not None


def expand(k: bytes, info: bytes, n: int) -> bytes:
    """HKDF-Expand as RFC 5869 writes it."""
    out, block = b"", b""
    for i in range(1, -(-n // 64) + 1):
        block = hmac.digest(k, block + info + bytes([i]), "sha512")
        out += block
    return out[:n]


@every("hash")
def test_the_hashes(case):
    match case["function"]:
        case "H":
            parts = unhex(case["x"])
            out = [H(case["label"], *parts), CODEC.H(case["label"], *parts)]
        case "XOF":
            s, x, n = unhex(case["s"]), unhex(case["x"]), case["n"]
            out = [xof(s, x, n), hashlib.shake_128(s + bytes(136) + x).digest(n)]
        case "KDF":
            k, info, n = unhex(case["k"]), unhex(case["info"]), case["n"]
            out = [kdf(k, info, n), expand(k, info, n)]
        case "INT":
            b = unhex(case["b"])
            numbers = [int.from_bytes(n, "little") for n in unhex(case["out"])]
            assert list(integers(b, ORDER)) == numbers
            assert all(0 <= n < CODEC.GROUP_ORDER for n in numbers)
            return
    assert out == [unhex(case["out"])] * 2


@every("drawing")
def test_drawing(case):
    seed, n, k = unhex(case["seed"]), case["n"], case["k"]
    assert list(draw(stream(seed), n, k)) == CODEC.draw(seed, n, k) == case["out"]


# --- group, names, keys --------------------------------------------------------------------


@every("group")
def test_hashing_to_the_group(case):
    m = unhex(case["m"])
    assert (
        hash_to_group(m).encode() == GROUP.hash_to_group(m).encoding == unhex(case["element"])
    )


@every("elements")
def test_elements_and_scalars(case):
    if "element" in case:
        encoded = unhex(case["element"])
        decoders = (Point.decode, GROUP.decode_element)
    else:
        encoded = unhex(case["scalar"])
        decoders = (decode_scalar, GROUP.decode_scalar)
    found = [refusal(lambda decode=decode: decode(encoded)) for decode in decoders]
    assert found == [case["check"]] * 2


@pytest.mark.parametrize(
    "check", [check_name, MESSAGES.check_name], ids=["matcha_p2p", "verifier"]
)
@every("names")
def test_names(case, check):
    assert refusal(lambda: check(case["text"])) == case["check"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("admits", "marks"),
    [(is_admitted, is_mark), (MESSAGES.is_admitted, MESSAGES.is_mark)],
    ids=["matcha_p2p", "verifier"],
)
def test_characters_of_names_agree_with_the_specification(admits, marks):
    """By their lists and digests: also where Python knows a later version of Unicode."""
    characters = [chr(n) for n in range(0x110000) if not 0xD800 <= n < 0xE000]
    admitted = [character for character in characters if admits(character)]
    for file, chosen in (("admitted", admitted), ("marks", list(filter(marks, admitted)))):
        ranges: list[list[int]] = []
        for place in map(ord, chosen):
            if ranges and ranges[-1][1] == place - 1:
                ranges[-1][1] = place
            else:
                ranges.append([place, place])
        listed = "".join(f"{first:04X}-{last:04X}\n" for first, last in ranges).encode()
        assert listed == (ROOT / "protocol" / "characters" / f"{file}.txt").read_bytes()
        spec = (ROOT / "SPEC.md").read_text(encoding="utf-8")
        digest = hashlib.sha256(listed).hexdigest()
        assert f"`{file}.txt` | {len(chosen)} | {len(ranges)} | `{digest}`" in spec


@every("keys")
def test_keys_and_signatures(case):
    key = unhex(case["key"])
    if "signature" not in case:
        found = (
            refusal(lambda: signature.check_key(key)),
            refusal(lambda: GROUP.decode_key(key)),
        )
    else:
        message, signed = unhex(case["message"]), unhex(case["signature"])
        found = (
            refusal(lambda: signature.verify(key, message, signed)),
            refusal(lambda: GROUP.check_signature(key, message, signed, "E_SIG")),
        )
    assert found == (case["check"],) * 2


# --- what is signed ------------------------------------------------------------------------


@every("rules")
def test_the_digest_of_the_rules(case):
    game, variant, seats, values = case["rules"]
    ours, theirs = find(game, variant, seats) or find_toy(game, variant, seats), GAMES.find_game
    assert ours.rules() == theirs(game, variant, seats).values == values
    assert rules_digest(ours) == CODEC.H("rules", unhex(case["pack"])) == unhex(case["digest"])
    assert CODEC.pack(case["rules"]) == unhex(case["pack"])


@every("state")
def test_st_vectors_agree(case):
    for encode, digest in ((pack, H), (CODEC.pack, CODEC.H)):
        parts = [encode([])]
        if case["file"] is not None:
            state = digest("game state", encode(case["state"]))
            assert encode(case["state"]) == unhex(case["pack"])
            assert state == unhex(case["digest"])
            parts = [state, encode(case["owing"])]
            for pile in case["piles"]:
                backs = b"".join(unhex(pile["backs"]))
                parts += [pile["name"].encode(), backs, unhex(pile["shares"])]
        assert digest("state", *parts)[:16] == unhex(case["st"])
    if case["file"] is not None:
        assert parse_entry(item(case["file"], case["entry"])).state == unhex(case["st"])


def item(file: str, place: int) -> bytes:
    """Return the payload of an item of a golden transcript."""
    _, *frames = parse_archive(base(file))
    return frames[place].payload


@every("entries")
def test_an_entry_in_all_its_parts(case):
    encoded = item(case["file"], case["entry"])
    entry = parse_entry(encoded)
    body, value, signed = CODEC.split_statement(encoded)
    assert entry.signed.body == body == unhex(case["body"])
    assert entry.signed.signature == signed == unhex(case["signature"])
    assert entry.id == CODEC.H("msg", encoded) == unhex(case["id"])
    assert value[:4] == [case["seq"], case["seat"], unhex(case["prev"]), unhex(case["st"])]
    actions = [[hexed(field) for field in action] for action in value[4]]
    assert actions == [[hexed(f) for f in action] for action in entry.fields] == case["actions"]


def hexed(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


@every("records")
def test_a_record_in_all_its_parts(case):
    encoded = unhex(case["record"])
    assert item(case["file"], case["item"]) == encoded
    record = parse_record(encoded)
    _, value, _ = CODEC.split_statement(encoded)
    head = [case["kind"], unhex(case["gid"]), case["seat"], unhex(case["head"])]
    assert value[:4] == head
    assert [record.gid, record.seat, record.head] == head[1:]
    assert list(map(hexed, value[4])) == case["data"]


@pytest.mark.parametrize(
    "judge",
    [pytest.param(theirs, marks=pytest.mark.slow), ours_of_a_toy],
    ids=["verifier", "matcha_p2p"],
)
@pytest.mark.parametrize("file", vectors.of_three_seats(), ids=str)
def test_a_transcript_of_three_seats_is_judged_as_it_says(file, judge):
    assert judge(file.data) == file.expected


@pytest.mark.parametrize(
    "judge",
    [pytest.param(theirs, marks=pytest.mark.slow), ours],
    ids=["verifier", "matcha_p2p"],
)
@pytest.mark.parametrize("file", vectors.of_tichu(), ids=str)
def test_file_of_tichu_is_judged_as_it_says(file, judge):
    assert judge(file.data) == file.expected


# --- what is in no transcript --------------------------------------------------------------


@every("sync")
def test_sync_vectors_agree(case):
    assert hear_sync(case) == case["check"]


def refuse(check: str) -> NoReturn:
    raise CODEC.CheckError(check)


def read_word(kind: str, payload: bytes, rid: bytes, keys: list[bytes]) -> None:
    """Read an ASK or a HERE with the verifier's own decoder and signatures (PEER#asking)."""
    body, value, signed = CODEC.split_statement(payload)
    held: list[tuple[bytes, bytes]] = []
    match kind, value:
        case "ASK", [int(seat), int(), int(), bytes(nonce)]:
            asker = seat
        case (
            "HERE",
            [
                int(seat),
                int(asker),
                int(),
                int(),
                bytes(nonce),
                int(),
                bytes(last),
                bytes(shown),
            ],
        ):
            held = [(b"matcha/v1/msg\0", last), (b"matcha/v1/rec\0", shown)]
        case _:
            refuse("E_ENCODING")
    if not (seat in range(4) and asker in range(4) and len(nonce) == 32):
        refuse("E_ENCODING")
    if seat >= len(keys):
        refuse("E_SIG")
    prefix = f"matcha/v1/{kind.lower()}".encode() + b"\0" + rid
    GROUP.check_signature(keys[seat], prefix + body, signed, "E_SIG")
    for domain, item in held:
        if item:
            read_held(domain, item, asker, keys)


def read_held(domain: bytes, item: bytes, asker: int, keys: list[bytes]) -> None:
    """Read the entry or the resignation that a HERE shows: the asker must have signed it."""
    if refusal(lambda: CODEC.split_statement(item)) is not None:
        refuse("E_SIG")
    body, value, signed = CODEC.split_statement(item)
    match domain, value:
        case b"matcha/v1/msg\0", [int(), int(author), *_]:
            pass
        case b"matcha/v1/rec\0", ["RESIGN" | "SYNC", bytes(), int(author), bytes(), [*_]]:
            pass
        case _:
            refuse("E_SIG")
    if author != asker:
        refuse("E_SIG")
    GROUP.check_signature(keys[asker], domain + body, signed, "E_SIG")


def read_our_word(kind: str, payload: bytes, rid: bytes, keys: list[bytes]) -> None:
    parse = parse_ask if kind == "ASK" else parse_here
    parse(payload, RosterId(rid), keys)


@pytest.mark.parametrize("read", [read_our_word, read_word], ids=["matcha_p2p", "verifier"])
@every("words")
def test_words_after_a_restart_are_read_or_refused(case, read):
    payload, rid, keys = (unhex(case[name]) for name in ("payload", "rid", "keys"))
    assert refusal(lambda: read(case["kind"], payload, rid, keys)) == case["check"]


@every("noise")
def test_handshake_and_the_frames_after_it_agree(case):
    secret = unhex(case["secret"])
    first = hmac.digest(bytes(32), secret, "sha256")
    psk = hmac.digest(first, b"matcha/v1 invite psk\x01", "sha256")
    assert psk == psk_from_secret(secret) == unhex(case["psk"])
    keys = (unhex(case[f"ephemeral of {end}"]) for end in ("initiator", "responder"))
    here, there = map(X25519PrivateKey.from_private_bytes, keys)
    initiator, responder = Initiator(psk, ephemeral=here), Responder(psk, ephemeral=there)
    assert initiator.write() == unhex(case["flight 1"])
    responder.read(unhex(case["flight 1"]))
    guest, flight_2 = responder.write()
    assert flight_2 == unhex(case["flight 2"])
    host, _ = initiator.read(flight_2)
    assert host.binding == guest.binding == unhex(case["binding"])
    assert host.outgoing.encrypt(b"") == unhex(case["flight 3"])
    assert guest.incoming.decrypt(unhex(case["flight 3"])) == b""
    for frame in case["frames"]:
        sent = unhex(frame["bytes"])
        end, other = (host, guest) if frame["from"] == "initiator" else (guest, host)
        assert int.from_bytes(sent[:2]) == len(sent) - 2
        padded = other.incoming.decrypt(sent[2:])
        assert unpad_frame(padded) == Frame(Kind(frame["kind"]), unhex(frame["payload"]))
        assert end.outgoing.encrypt(padded) == sent[2:]


@every("frames")
def test_encrypted_frames_agree(case):
    start, size = unhex(case["start"]), case["size"]
    if case["check"] is not None:
        with pytest.raises(EncodingError) as caught:
            unpad_frame(start.ljust(size, b"\0"))
        assert caught.value.check.value == case["check"]
        return
    byte, count = case["payload"]
    payload = bytes([byte]) * count
    padded = (start + payload).ljust(size, b"\0")
    assert start == bytes([case["kind"]]) + count.to_bytes(2)
    assert pad_frame(Frame(Kind(case["kind"]), payload)) == padded
    assert unpad_frame(padded) == Frame(Kind(case["kind"]), payload)


@every("links")
def test_psks_of_later_channels_agree(case):
    rid, psk, gid = (unhex(case[name]) for name in ("rid", "game psk", "gid"))
    ends = case["dials"], case["answers"]
    secrets, keys = unhex(case["link secrets"]), unhex(case["link keys"])
    for own, other in zip(secrets, reversed(keys), strict=True):
        here = X25519PrivateKey.from_private_bytes(own)
        shared = here.exchange(X25519PublicKey.from_public_bytes(other))
        extracted = hmac.digest(psk, shared, "sha256")
        info = CODEC.pack(["matcha/v1 pair psk", rid, *ends])
        expanded = hmac.digest(extracted, info + b"\x01", "sha256")
        assert pair_psk(psk, own, other, rid, ends) == expanded == unhex(case["pair psk"])
    expanded = hmac.digest(psk, b"matcha/v1 rematch psk" + gid + b"\x01", "sha512")[:32]
    assert rematch_psk(psk, gid) == expanded == unhex(case["next game psk"])


@every("unsigned")
def test_unsigned_ways_and_farewells(case):
    decode = {"WAYS": decode_way, "BYE": decode_farewell}[case["frame"]]
    payload = unhex(case["payload"])
    if case["check"] is None:
        decode(payload)
        assert CODEC.pack(CODEC.decode(payload)) == payload
        return
    with pytest.raises(EncodingError) as caught:
        decode(payload)
    assert caught.value.check.value == case["check"]


@every("lobby")
def test_join_and_lobby(case):
    parse = {"JOIN": parse_join, "LOBBY": parse_lobby}[case["statement"]]
    payload, binding = unhex(case["payload"]), unhex(case["binding"])
    if case["check"] is None:
        parse(payload, binding)
        assert CODEC.pack(CODEC.decode(payload)) == payload
        return
    with pytest.raises(CheckError) as caught:
        parse(payload, binding)
    assert caught.value.check.value == case["check"]


@every("answer")
def test_answer_codes(case):
    secret = unhex(case["secret"])
    if case["code"] is not None:
        with pytest.raises(InviteError) as caught:
            Reply.parse(case["text"], secret)
        assert caught.value.code == case["code"]
        return
    reply = Reply.parse(case["text"], secret)
    assert [*map(str, reply.endpoints)] == case["endpoints"]
    assert reply.encode(secret) in case["text"].lower()


@every("watch_invite")
def test_invites_to_watch(case):
    invite = Invite.parse(case["text"], InviteKind.WATCH)
    assert [*map(str, invite.endpoints)] == case["endpoints"]
    assert (invite.secret.hex(), invite.psk.hex()) == (case["secret"], case["psk"])
    assert psk_from_secret(invite.secret).hex() == case["psk to play"] != case["psk"]


@every("watch_words")
def test_words_of_seats_about_watching(case):
    file, statement = (vectors.FOLDER / case["file"]).read_bytes(), unhex(case["statement"])
    roster = parse_roster(next(parse_archive(file)).payload)
    rid, keys = roster.id, [listed.session_key for listed in roster.seats]
    if case["check"] is None:
        body, value, made = CODEC.split_statement(statement)
        signed = b"matcha/v1/watch\0" + rid + body
        GROUP.check_signature(keys[case["seat"]], signed, made, "E_SIG")
        word = parse_watch(statement, rid, keys)
        said = word.admission
        assert [word.seat, *word.place, said.most, said.sight, [*said.names]] == value
        return
    assert refusal(lambda: parse_watch(statement, rid, keys)) == case["check"]


@every("watching")
def test_messages_to_and_from_watchers_agree(case):
    decode = {
        "COME": decode_come,
        "SIGHT": decode_sight,
        "BYE": decode_dismissal,
    }[case["frame"]]
    payload = unhex(case["payload"])
    if case["check"] is None:
        decode(payload)
        assert CODEC.pack(CODEC.decode(payload)) == payload
        return
    with pytest.raises(EncodingError) as caught:
        decode(payload)
    assert caught.value.check.value == case["check"]


@every("invite")
def test_invites(case):
    if case["code"] is not None:
        with pytest.raises(InviteError) as caught:
            Invite.parse(case["text"])
        assert caught.value.code == case["code"]
        return
    invite = Invite.parse(case["text"])
    assert [*map(str, invite.endpoints)] == case["endpoints"]
    assert (invite.punch_port, invite.secret.hex(), invite.psk.hex()) == (
        case["punch port"],
        case["secret"],
        case["psk"],
    )


@every("next_table")
def test_next_rosters_of_three_seats_agree(case):
    first, *_ = parse_archive((vectors.FOLDER / "toy" / case["file"]).read_bytes())
    before, following = parse_roster(first.payload), parse_roster(unhex(case["roster"]))
    keys = [listed.session_key for listed in before.seats]
    wished = unhex(case["agains"])
    for seat, (wish, run) in enumerate(zip(wished, case["runs"], strict=True)):
        body, value, made = CODEC.split_statement(wish)
        GROUP.check_signature(
            keys[seat], b"matcha/v1/again\0" + before.id + body, made, "E_SIG"
        )
        listed = following.seats[seat]
        *keys_listed, proof = value.pop()
        assert [*value, keys_listed] == [seat, run, [listed.session_key, listed.link_key]]
        owned = CODEC.pack([seat, run, *keys_listed])
        GROUP.check_signature(
            listed.session_key, b"matcha/v1/again keys\0" + before.id + owned, proof, "E_SIG"
        )
        word = parse_again(wish, before.id, keys)
        assert (word.seat, word.run, word.keys) == (seat, run, tuple(keys_listed))
        assert replace(listed, session_key=keys[seat]) == replace(
            before.seats[seat], link_key=listed.link_key
        )
    for seat, offer in enumerate(unhex(case["opens"])):
        body, value, made = CODEC.split_statement(offer)
        GROUP.check_signature(keys[seat], b"matcha/v1/open\0" + before.id + body, made, "E_SIG")
        assert value == [seat] == [parse_open(offer, before.id, keys).seat]
    assert next_nonce(before.id, wished) == CODEC.H("next roster", before.id, *wished)
    assert following.nonce == next_nonce(before.id, wished)
    assert following.game == before.game
    assert VERIFIER["roster"].parse_roster(unhex(case["roster"])).rid == unhex(case["next rid"])
    assert unhex(case["frame"]) == CODEC.pack([unhex(case["roster"]), wished])
    assert read_next(unhex(case["frame"])) == (unhex(case["roster"]), wished)


@every("talk")
def test_talk_of_three_seats(case):
    word, value = taken(case, b"matcha/v1/talk\0", parse_said)
    assert word is None or [word.seat, *word.place, write_spoken(word.said)] == value


@every("ways")
def test_way_of_three_seats(case):
    word, value = taken(case, b"matcha/v1/way\0", parse_way)
    assert (
        word is None or [word.seat, *word.place, write_endpoints(word.way.endpoints)] == value
    )


def taken(case, domain, parse):
    """Return the word of ``case`` and its body by another decoder, or check the refusal."""
    first, *_ = parse_archive((vectors.FOLDER / "toy" / case["file"]).read_bytes())
    roster, statement = parse_roster(first.payload), unhex(case["statement"])
    keys = [listed.session_key for listed in roster.seats]
    if case["check"] is not None:
        assert refusal(lambda: parse(statement, roster.id, keys)) == case["check"]
        return None, None
    body, value, made = CODEC.split_statement(statement)
    GROUP.check_signature(keys[case["seat"]], domain + roster.id + body, made, "E_SIG")
    return parse(statement, roster.id, keys), value
