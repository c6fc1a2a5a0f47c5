# ruff: noqa: N806 -- the symbols of SPEC.md
"""Vectors of encodings, hashes, draws, the group, names and Ed25519."""

from collections.abc import Callable, Iterator

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.edwards25519 import ORDER, P
from matcha_p2p.crypto.ristretto255 import (
    Point,
    base_mul,
    decode_scalar,
    encode_scalar,
)
from matcha_p2p.crypto.shuffle import LARGEST, blinding, generators
from matcha_p2p.crypto.sponge import H, draw, integers, kdf, stream, uniform, xof
from matcha_p2p.errors import CheckError
from matcha_p2p.table.piles import point_of
from matcha_p2p.wire.encoding import LIMIT, MAX_INTEGER, Value, pack, unpack
from matcha_p2p.wire.text import check_name
from protocol.generator.vectors import MATCHA, TOY, Case, Vectors, scalars, seed


def every() -> Iterator[Vectors]:
    """Yield the vector files of the primitives."""
    yield Vectors(
        "encoding",
        "value: bytes as {hex: ..}, texts, integers, arrays. Without a value: refused.",
        ("SPEC#encoding",),
        tuple(_encodings()),
    )
    yield Vectors(
        "hash",
        "The functions H, XOF, KDF, INT.",
        ("SPEC#hashes",),
        tuple(_hashes()),
    )
    yield Vectors(
        "drawing",
        "DRAW(seed, n, k); k = n gives a permutation, k = 1 gives UNIFORM(n).",
        ("SPEC#drawing",),
        tuple(_draws()),
    )
    yield Vectors(
        "group",
        "HG of all messages in use: the faces M_f of both games, K and K_1..K_64.",
        ("SPEC#generators", "SPEC#group"),
        tuple(_hashed_elements()),
    )
    yield Vectors(
        "elements",
        "32 bytes as an element or a scalar. check: why a field may not hold them, or null.",
        ("SPEC#group",),
        (*_elements(), *_scalars()),
    )
    yield Vectors(
        "names",
        "check: null for a name that a player may have.",
        ("SPEC#names",),
        tuple(name_cases()),
    )
    yield Vectors(
        "keys",
        "Ed25519 keys and signatures; check is null if they are good. seed: of RFC 8032.",
        ("SPEC#signatures",),
        (*_keys(), *_signatures()),
    )


def verdict(judge: Callable[..., object], *given: object) -> str | None:
    """Return the code of the check by which ``judge`` refuses the arguments, or None."""
    try:
        judge(*given)
    except CheckError as error:
        return error.check.value
    return None


def _tagged(value: Value) -> object:
    match value:
        case bytes():
            return {"hex": value}
        case int() | str():
            return value
        case _:
            return [_tagged(item) for item in value]


def _encodings() -> Iterator[Case]:
    nested: Value = [[[[1, "a", b"b"]]]]
    good: tuple[Value, ...] = (
        *(0, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, MAX_INTEGER),
        *(b"", b"\0", b"x" * 255, b"x" * 256),
        *("", "Mina", "é" * 16, "x" * 31, "x" * 32, "x" * 256),
        *([], [0] * 15, [0] * 16, [0] * 64),
        nested,
    )
    for value in good:
        yield {"bytes": pack(value), "value": _tagged(value)}
    bad = {
        "nothing": b"",
        "nil": b"\xc0",
        "false": b"\xc2",
        "true": b"\xc3",
        "a negative integer": b"\xff",
        "a float": b"\xcb" + bytes(8),
        "an empty map": b"\x80",
        "an extension": b"\xd4\x00\x00",
        "a byte that no format has": b"\xc1",
        "127 in two bytes": b"\xcc\x7f",
        "1 in three bytes": b"\xcd\x00\x01",
        "65535 in five bytes": b"\xce\x00\x00\xff\xff",
        "2^32 - 1 in nine bytes": b"\xcf\x00\x00\x00\x00\xff\xff\xff\xff",
        "2^53": b"\xcf" + (2**53).to_bytes(8),
        "a short byte string as bin 16": b"\xc5\x00\x01x",
        "a byte string as bin 32": b"\xc6\x00\x00\x00\x01x",
        "a byte string cut short": b"\xc4\x02x",
        "a short text as str 8": b"\xd9\x01x",
        "a text as str 16 that str 8 holds": b"\xda\x00\x20" + b"x" * 32,
        "a text that is no UTF-8": b"\xa1\xff",
        "a surrogate": b"\xa3\xed\xa0\x80",
        "a longer form of UTF-8": b"\xa2\xc0\x80",
        "a short array as array 16": b"\xdc\x00\x01\x00",
        "an array of 65": b"\xdc\x00\x41" + bytes(65),
        "an array cut short": b"\x92\x00",
        "five arrays, one in the other": b"\x91\x91\x91\x91\x90",
        "a byte after the value": b"\x00\x00",
        "16384 bytes": b"\xc5" + (LIMIT - 2).to_bytes(2) + bytes(LIMIT - 2),
    }
    for name, encoded in bad.items():
        check = verdict(unpack, encoded)
        if len(encoded) > LIMIT:
            yield {"name": name, "repeat": [encoded[:3], b"\0", LIMIT - 2], "check": check}
        else:
            yield {"name": name, "bytes": encoded, "check": check}


def _hashes() -> Iterator[Case]:
    parts: tuple[tuple[bytes, ...], ...] = (
        (),
        (b"",),
        (b"", b""),
        (b"a", b"bc"),
        (b"ab", b"c"),
        (seed("long", 300),),
    )
    for label in ("msg", "proof"):
        for given in parts:
            yield {"function": "H", "label": label, "x": given, "out": H(label, *given)}
    for n in (1, 32, 168, 400):
        s, x = seed("xof s"), seed(f"xof x {n}", n)
        yield {"function": "XOF", "s": s, "x": x, "n": n, "out": xof(s, x, n)}
    for n in (32, 48, 64, 65, 576):
        k, info = seed("kdf k"), seed(f"kdf info {n}")
        yield {"function": "KDF", "k": k, "info": info, "n": n, "out": kdf(k, info, n)}
    for b in (bytes(48), b"\xff" * 48, ORDER.to_bytes(48, "little"), seed("int", 144)):
        out = scalars(integers(b, ORDER))
        yield {"function": "INT", "b": b, "n": len(b) // 48, "out": out}


def _draws() -> Iterator[Case]:
    sizes = ((16, 6), (2, 2), (5, 5), (12, 12), (18, 18), (64, 64), (1, 1), (40000, 1))
    for n, k in sizes:
        for label in ("first", "second"):
            source = seed(f"draw {n} {k} {label}")
            out = draw(stream(source), n, k)
            yield {"seed": source, "n": n, "k": k, "out": out}
    # 40000 of 65536 values are good: some first values are skipped.
    skipped = next(
        s
        for s in (seed(f"skipped {i}") for i in range(100))
        if int.from_bytes(bytes([*_first_two(s)]), "little") >= 40000
    )
    yield {"seed": skipped, "n": 40000, "k": 1, "out": [uniform(stream(skipped), 40000)]}


def _first_two(source: bytes) -> tuple[int, int]:
    values = stream(source)
    return next(values), next(values)


def _hashed_elements() -> Iterator[Case]:
    for game in (MATCHA, TOY):
        for f in game.faces:
            m = b"card/" + game.name.encode() + b"/" + bytes([f])
            yield {"name": f"M_{f} of {game.name}", "m": m, "element": point_of(game.name, f)}
    yield {"name": "K", "m": b"pedersen", "element": blinding()}
    for i, K_i in enumerate(generators(LARGEST), start=1):
        m = b"pedersen/" + i.to_bytes(2)
        yield {"name": f"K_{i}", "m": m, "element": K_i}


def _elements() -> Iterator[Case]:
    good = base_mul(7).encode()
    number = int.from_bytes(good, "little")
    cases = {
        "the generator": base_mul(1).encode(),
        "7 G": good,
        "(l - 1) G": base_mul(ORDER - 1).encode(),
        "the identity": bytes(32),
        "bit 255 set": (number | 1 << 255).to_bytes(32, "little"),
        "the other sign": (P - number).to_bytes(32, "little"),
        "p": P.to_bytes(32, "little"),
        "p + 2, a longer form of 2": (P + 2).to_bytes(32, "little"),
        "all bits": b"\xff" * 32,
        "1": (1).to_bytes(32, "little"),
        "31 bytes": good[:31],
        "33 bytes": good + b"\0",
        "no bytes": b"",
    }
    for i in range(40):  # about one of four is an element
        cases[f"an even number, {i}"] = bytes([seed(f"even {i}")[0] & 0xFE]) + (
            seed(f"even {i}")[1:31] + bytes([seed(f"even {i}")[31] & 0x7F])
        )
    for name, encoded in cases.items():
        check = verdict(Point.decode, encoded)
        yield {"name": name, "element": encoded, "check": check}


def _scalars() -> Iterator[Case]:
    numbers = {"0": 0, "1": 1, "l - 1": ORDER - 1, "l": ORDER, "l + 1": ORDER + 1}
    numbers |= {"2^252": 2**252, "2^255": 2**255, "2^256 - 1": 2**256 - 1}
    for name, number in numbers.items():
        encoded = number.to_bytes(32, "little")
        check = verdict(decode_scalar, encoded)
        yield {"name": name, "scalar": encoded, "check": check}
    for name, encoded in {"31 bytes": bytes(31), "33 bytes": bytes(33)}.items():
        check = verdict(decode_scalar, encoded)
        yield {"name": name, "scalar": encoded, "check": check}


def name_cases() -> Iterator[Case]:
    """Yield names, and for each the refusing check or None."""
    names = {
        "one letter": "M",
        "with a space": "Mina of Uji",
        "24 characters": "x" * 24,
        "24 characters of 2 bytes": "Ї" * 24,
        "24 characters of 3 bytes": "\u7f8e" * 24,
        "24 characters of 4 bytes": "\U00020000" * 24,
        "24 characters, a third of them marks": "xx\u0323" * 8,
        "composed": "Ren\u00e9",
        "Japanese": "\u7f8e\u5948",
        "two marks on a letter": "x\u0323\u0303",
        "a symbol": "\u2665",
        "a digit": "007",
        "punctuation": "O'Neill-Smith",
        "empty": "",
        "25 characters": "x" * 25,
        "25 characters of 3 bytes": "\u7f8e" * 25,
        "not composed": "Rene\u0301",
        "a space before": " Mina",
        "a space behind": "Mina ",
        "two spaces": "Mi  na",
        "a space alone": " ",
        "a tab": "Mi\tna",
        "a line break": "Mi\nna",
        "an escape": "Ta\x1b[2Jro",
        "DEL": "Mi\x7fna",
        "a no-break space": "Mi\u00a0na",
        "an ideographic space": "Mi\u3000na",
        "a soft hyphen": "Mi\u00adna",
        "a zero-width space": "Mi\u200bna",
        "a zero-width joiner": "Mi\u200dna",
        "a bidirectional override": "Ta\u202ero",
        "a bidirectional isolate": "Ta\u2066ro",
        "a variation selector": "x\ufe0f",
        "a grapheme joiner": "x\u034f",
        "a Hangul filler": "\u3164",
        "a Braille blank": "\u2800",
        "an inherent vowel of Khmer, AQ": "\u1780\u17b4",
        "an inherent vowel of Khmer, AA": "\u1780\u17b5",
        "a vowel of Khmer that is seen": "\u1780\u17b6",
        "a half-width Hangul filler": "\uffa0",
        "a Mongolian variation selector": "\u1820\u180b",
        "a note without a head": "\U0001d159",
        "a mark alone": "\u0301",
        "a mark at the beginning": "\u0301Mina",
        "a mark after a space": "Mina \u0323x",
        "an enclosing mark at the beginning": "\u20ddx",
        "a spacing mark at the beginning": "\u0903x",
        "a mark after a mark of another kind": "x\u20dd\u0301",
        "a tag": "x\U000e0041",
        "private use": "\ue000",
        "a byte-order mark": "\ufeffMina",
        "three marks on a letter": "x\u0323\u0303\u0304",
        "32 bytes": "x" * 32,
        "256 bytes": "x" * 256,
        "assigned after Unicode 3.2": "\u0221\u0234",
        "an emoji of a later version": "\U0001f375",
        "a letter that later versions call a mark": "\u1885",
        "three letters in a row that later versions call marks": "x\u1886\u1885\u1886",
        "a letter after a space that later versions call a mark": "x \u1886",
        "a mark that later versions call a symbol": "x\u06de\u0323",
        "a mark at the beginning that later versions call a symbol": "\u06dex",
        "a mark after a space that later versions call a symbol": "x \u06de",
        "three marks of which later versions call one a symbol": "x\u0323\u06de\u0303",
    }
    for name, text in names.items():
        check = verdict(check_name, text)
        yield {"name": name, "text": text, "check": check}


def _keys() -> Iterator[Case]:
    good = signature.public_key(seed("key"))
    encoded = int.from_bytes(good, "little")
    y, sign = encoded % 2**255, encoded >> 255
    numbers = {
        "a good key": encoded,
        "its negative": encoded ^ 1 << 255,
        "the identity": 1,
        "the identity with a sign": 1 | 1 << 255,
        "the identity, not canonical": P + 1,
        "of order 2": P - 1,
        "of order 2 with a sign": P - 1 | 1 << 255,
        "of order 4": 0,
        "of order 4, not canonical": P,
        "of order 8": int.from_bytes(_ORDER_8, "little"),
        "of mixed order": P - y | (1 - sign) << 255,
        "not on the curve": 2,
        "all bits": 2**256 - 1,
    }
    for name, number in numbers.items():
        key = number.to_bytes(32, "little")
        yield {"name": name, "key": key, "check": verdict(signature.check_key, key)}


_ORDER_8 = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")


def _signatures() -> Iterator[Case]:
    private, other = seed("key"), seed("other key")
    key, message = signature.public_key(private), seed("message", 80)
    right = signature.sign(private, message)
    S = int.from_bytes(right[32:], "little")
    cases = {
        "right": right,
        "of the empty message": signature.sign(private, b""),
        "by another key": signature.sign(other, message),
        "a bit of R": bytes([right[0] ^ 1]) + right[1:],
        "a bit of S": right[:32] + bytes([right[32] ^ 1]) + right[33:],
        "S + l": right[:32] + (S + ORDER).to_bytes(32, "little"),
        "l - S": right[:32] + encode_scalar(ORDER - S),
        "S = 0, R the identity": encode_scalar(1) + bytes(32),
        "R and S exchanged": right[32:] + right[:32],
    }
    for name, signed in cases.items():
        check = verdict(signature.verify, key, message, signed)
        yield {
            "name": name,
            "seed": private,
            "key": key,
            "message": message,
            "signature": signed,
            "check": check,
        }
