"""The actions of a message, decoded (SPEC#messages), and what a name may look like (SPEC#names)."""

import unicodedata
from dataclasses import dataclass

from codec import refuse, require
from group import Element, decode_element, decode_scalar
from proofs import Card, Proof, ShuffleProof

# The types of the fields of each action: b byte string, i integer, t text, a array.
FIELDS = {
    "HELLO": "baitbtbbbbbb",
    "COIN": "b",
    "SHUF": "bb",
    "OPEN": "bb",
    "OWN": "bb",
    "STRIP": "bb",
    "PLAY": "ib",
    "PASS": "",
    "REVEAL": "bb",
    "KEEPC": "b",
    "KEEP": "b",
    "KEEPO": "bb",
    "RESULT": "ib",
}
TYPES = {"b": bytes, "i": int, "t": str, "a": list}


@dataclass(frozen=True)
class Hello:
    """A greeting."""

    versions: list[int]
    version: int
    edition: str
    rules: bytes
    name: str
    session_key: bytes
    anchor: bytes
    game_key: Element
    possession: Proof
    identity: bytes
    certificate: bytes


@dataclass(frozen=True)
class Shuffled:
    """The fields of SHUF and OWN."""

    deck: list[Card]
    proof: ShuffleProof


@dataclass(frozen=True)
class Shares:
    """The fields of OPEN, STRIP and REVEAL."""

    shares: list[Element]
    proof: Proof


def decode_action(action: object) -> tuple[str, tuple]:
    """Return the name and the decoded fields of an action.

    Raises: Refused with E_ENCODING, E_POINT, E_SCALAR or E_SHUFFLE.
    """
    match action:
        case [str() as name, *fields] if name in FIELDS:
            types = [TYPES[letter] for letter in FIELDS[name]]
            require([type(field) for field in fields] == types, "E_ENCODING")
        case _:
            refuse("E_ENCODING")
    match name, fields:
        case "HELLO", _:
            return name, (_hello(*fields),)
        case "SHUF" | "OWN", [deck, proof]:
            return name, (_shuffled(deck, proof),)
        case "OPEN" | "STRIP" | "REVEAL", [shares, proof]:
            return name, (Shares(_elements(shares), _proof(_sized(proof, 64))),)
        case "PLAY", [mat, back]:
            require(mat < 6, "E_ENCODING")
            return name, (mat, _sized(back, 32))
        case "KEEP", [backs]:
            return name, (_pieces(backs, 32),)
        case "KEEPO", [salt, backs]:
            return name, (_sized(salt, 32), _pieces(backs, 32))
        case "RESULT", [outcome, digest]:
            require(outcome < 3, "E_ENCODING")
            return name, (outcome, _sized(digest, 32))
    return name, tuple(_sized(field, 32) for field in fields)  # COIN, KEEPC; of PASS none


def _hello(magic: bytes, versions: list, version: int, edition: str, *fields: object) -> Hello:
    rules, name, session_key, anchor, game_key, possession, identity, certificate = fields
    require(magic == b"matcha", "E_ENCODING")
    require((len(identity), len(certificate)) in ((0, 0), (32, 64)), "E_ENCODING")
    require(all(isinstance(n, int) for n in versions), "E_ENCODING")
    require(versions != [] and versions == sorted(set(versions)), "E_ENCODING")
    return Hello(
        versions,
        version,
        edition,
        _sized(rules, 32),
        name,
        _sized(session_key, 32),
        _sized(anchor, 32),
        decode_element(game_key),
        _proof(_sized(possession, 64)),
        identity,
        certificate,
    )


def _shuffled(deck: bytes, proof: bytes) -> Shuffled:
    n = len(_pieces(deck, 64))
    halves = _elements(deck)
    require(len(proof) == 32 * (4 * n + 5), "E_SHUFFLE")
    commitments, chain = _elements(proof[: 32 * n]), _elements(proof[32 * n : 64 * n])
    cards = list(zip(halves[::2], halves[1::2], strict=True))
    return Shuffled(cards, ShuffleProof(commitments, chain, _proof(proof[64 * n :])))


def _sized(field: bytes, size: int) -> bytes:
    require(len(field) == size, "E_ENCODING")
    return field


def _pieces(field: bytes, size: int) -> list[bytes]:
    require(len(field) % size == 0, "E_ENCODING")
    return [field[i : i + size] for i in range(0, len(field), size)]


def _elements(field: bytes) -> list[Element]:
    return [decode_element(piece) for piece in _pieces(field, 32)]


def _proof(field: bytes) -> Proof:
    challenge, *responses = (decode_scalar(piece) for piece in _pieces(field, 32))
    return Proof(challenge, responses)


INVISIBLE = {0x034F, 0x115F, 0x1160, 0x180B, 0x180C, 0x180D, 0x180E, 0x2800, 0x3164, 0xFFA0}
INVISIBLE |= set(range(0xFE00, 0xFE10))


def check_name(name: str) -> None:
    """Refuse with E_TEXT what is no name of a player."""
    require(1 <= len(name.encode()) <= 24, "E_TEXT")
    require(unicodedata.normalize("NFC", name) == name, "E_TEXT")
    require(name == name.strip(" ") and "  " not in name, "E_TEXT")
    marks = 0
    for character in name:
        category = unicodedata.ucd_3_2_0.category(character)
        visible = category[0] in "LMNPS" and ord(character) not in INVISIBLE
        require(character == " " or visible, "E_TEXT")
        marks = marks + 1 if category[0] == "M" else 0
        require(marks <= 2, "E_TEXT")
