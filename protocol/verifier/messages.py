"""The actions of a message, decoded (SPEC#messages), and names (SPEC#names)."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from codec import Value, refuse, require
from group import Element, decode_element, decode_scalar
from proofs import Proof, Shuffle


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
class Shares:
    """The fields of OPEN, STRIP and REVEAL."""

    shares: list[Element]
    proof: Proof


# What a method of Game that takes an action is given.
Fields: TypeAlias = "tuple[Hello | Shuffle | Shares | list[bytes] | bytes | int, ...]"


def decode_action(action: Value) -> tuple[str, Fields]:
    """Return the name and the decoded fields of an action.

    Raises: CheckError with E_ENCODING, E_POINT, E_SCALAR or E_SHUFFLE.
    """
    match action:
        case [str(name), *fields] if name in ACTIONS:
            letters, decode = ACTIONS[name]
        case _:
            refuse("E_ENCODING")
    types = [TYPES[letter] for letter in letters]
    require([type(field) for field in fields] == types, "E_ENCODING")
    return name, decode(*fields)


def _hello(  # noqa: PLR0913, PLR0917 - they are what SPEC#messages lists
    magic: bytes,
    versions: list[int],
    version: int,
    edition: str,
    rules: bytes,
    name: str,
    session_key: bytes,
    anchor: bytes,
    game_key: bytes,
    possession: bytes,
    identity: bytes,
    certificate: bytes,
) -> Fields:
    require(magic == b"matcha", "E_ENCODING")
    require((len(identity), len(certificate)) in ((0, 0), (32, 64)), "E_ENCODING")
    require(all(isinstance(n, int) for n in versions), "E_ENCODING")
    require(versions != [] and versions == sorted(set(versions)), "E_ENCODING")
    hello = Hello(
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
    return (hello,)


def _hashes(*fields: bytes) -> Fields:
    return tuple(_sized(field, 32) for field in fields)


def _shuffle(deck: bytes, proof: bytes) -> Fields:
    n = len(_pieces(deck, 64))
    halves = _elements(deck)
    require(len(proof) == 32 * (4 * n + 5), "E_SHUFFLE")
    commitments, chain = _elements(proof[: 32 * n]), _elements(proof[32 * n : 64 * n])
    cards = list(zip(halves[::2], halves[1::2], strict=True))
    return (Shuffle(cards, commitments, chain, _proof(proof[64 * n :])),)


def _shares(shares: bytes, proof: bytes) -> Fields:
    return (Shares(_elements(shares), _proof(_sized(proof, 64))),)


def _play(mat: int, back: bytes) -> Fields:
    require(mat < 6, "E_ENCODING")
    return mat, _sized(back, 32)


def _keep(backs: bytes) -> Fields:
    return (_pieces(backs, 32),)


def _keepo(salt: bytes, backs: bytes) -> Fields:
    return _sized(salt, 32), _pieces(backs, 32)


def _result(outcome: int, digest: bytes) -> Fields:
    require(outcome < 3, "E_ENCODING")
    return outcome, _sized(digest, 32)


# Of each action the types of its fields (bytes, integer, text, array) and how to decode them.
TYPES = {"b": bytes, "i": int, "t": str, "a": list}
ACTIONS: dict[str, tuple[str, Callable[..., Fields]]] = {
    "HELLO": ("baitbtbbbbbb", _hello),
    "COIN": ("b", _hashes),
    "SHUF": ("bb", _shuffle),
    "OPEN": ("bb", _shares),
    "OWN": ("bb", _shuffle),
    "STRIP": ("bb", _shares),
    "PLAY": ("ib", _play),
    "PASS": ("", _hashes),
    "REVEAL": ("bb", _shares),
    "KEEPC": ("b", _hashes),
    "KEEP": ("b", _keep),
    "KEEPO": ("bb", _keepo),
    "RESULT": ("ib", _result),
}


# -- Their fields ----------------------------------------------------------------------------


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


INVISIBLE = {
    *(0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x1D159),
    *range(0x180B, 0x180E),
    *range(0xFE00, 0xFE10),
}


def check_name(name: str) -> None:
    """Refuse with E_TEXT what is no name of a player."""
    require(1 <= len(name) <= 24, "E_TEXT")
    require(unicodedata.normalize("NFC", name) == name, "E_TEXT")
    require(name == name.strip(" ") and "  " not in name, "E_TEXT")
    marks = 2  # a first one has nothing to stand on
    for character in name:
        require(character == " " or is_admitted(character), "E_TEXT")
        if is_mark(character):
            marks += 1
            require(marks <= 2, "E_TEXT")
        else:
            marks = 2 if character == " " else 0


def is_admitted(character: str) -> bool:
    """Tell whether a character can be part of a name, beside the space."""
    category = unicodedata.ucd_3_2_0.category(character)
    return category[0] in "LMNPS" and ord(character) not in INVISIBLE


def is_mark(character: str) -> bool:
    """Tell whether a character combines with the one before it."""
    return unicodedata.ucd_3_2_0.category(character)[0] == "M"


def check_version(hello: Hello, first: Hello | None) -> None:
    """Check a greeting's choice; ``first`` is the greeting that it answers, if any."""
    if first is None:
        require(hello.version == max(hello.versions) and 1 in hello.versions, "E_VERSION")
    else:
        common = set(hello.versions) & set(first.versions)
        require(common != set() and hello.version == max(common) == 1, "E_VERSION")
