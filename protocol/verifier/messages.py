"""The verbs of the table, decoded (SPEC#verbs), and names of players (SPEC#names)."""

import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from codec import Value, refuse, require
from group import Element, decode_element, decode_scalar
from proofs import Proof, Shares, Shuffle


class Hello(NamedTuple):
    """The fields of a greeting; the last two fields are decoded."""

    magic: bytes
    versions: list[int]
    version: int
    game: str
    variant: str
    seats: int
    rules: bytes
    name: str
    session_key: bytes
    anchor: bytes
    x: bytes
    pop: bytes
    identity: bytes
    certificate: bytes
    game_key: Element
    possession: Proof


# The arguments of a method of Table for an action.
Fields: TypeAlias = "tuple[Any, ...]"
# The fields of each move: the type, and the least and greatest integer or number of backs.
# The last field may be a list, of integers: the most of them, and the greatest integer.
Forms: TypeAlias = dict[str, list[tuple[type, int, int]]]


def decode_action(action: Value, forms: Forms) -> tuple[str, Fields]:
    """Return the verb and the decoded fields of an action.

    Raises: CheckError with E_ENCODING, E_POINT, E_SCALAR or E_SHUFFLE.
    """
    match action:
        case ["MOVE", *move]:
            return "MOVE", (_move(move, forms),)
        case ["UNSEAL", bytes(salt), *move]:
            return "UNSEAL", (_sized(salt, 32), _move(move, forms))
        case [str(verb), *fields] if verb in VERBS:
            letters, decode = VERBS[verb]
        case _:
            refuse("E_ENCODING")
    types = [TYPES[letter] for letter in letters]
    require([type(field) for field in fields] == types, "E_ENCODING")
    return verb, decode(*fields)


def _move(move: list[Value], forms: Forms) -> list[Value]:
    """Return the move, after a check of its form."""
    match move:
        case [str(name), *fields] if name in forms:
            form = forms[name]
        case _:
            refuse("E_ENCODING")
    if form and form[-1][0] is list:
        *first, (_, count, greatest) = form
        form = [*first, *[(int, 0, greatest)] * min(count, len(fields) - len(first))]
    types = [kind for kind, _, _ in form]
    require([type(field) for field in fields] == types, "E_ENCODING")
    for field, (_, least, most) in zip(fields, form, strict=True):
        number = len(split(field)) if isinstance(field, bytes) else field
        require(number in range(least, most + 1), "E_ENCODING")
    return move


def split(backs: bytes) -> list[bytes]:
    """Return the backs in a field of joined backs."""
    return _pieces(backs, 32)


def _hello(*fields: Any) -> Fields:  # noqa: ANN401 - decode_action has seen their types
    magic, versions, _, _, _, seats, rules, _, session_key, anchor, x, pop, *identity = fields
    require(magic == b"matcha" and 2 <= seats <= 4, "E_ENCODING")
    require([len(field) for field in identity] in ([0, 0], [32, 64]), "E_ENCODING")
    _check_integers(versions)
    require(versions != [] and versions == sorted(set(versions)), "E_ENCODING")
    _hashes(rules, session_key, anchor)
    return (Hello._make([*fields, decode_element(x), _proof(_sized(pop, 64))]),)


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


def _result(outcome: list[Value], digest: bytes) -> Fields:
    _check_integers(outcome)
    return outcome, _sized(digest, 32)


# For each verb the types of the fields (bytes, integer, text, array), and a decoder.
TYPES = {"b": bytes, "i": int, "t": str, "a": list}
VERBS: dict[str, tuple[str, Callable[..., Fields]]] = {
    "HELLO": ("baittibtbbbbbb", _hello),
    "COIN": ("b", _hashes),
    "SHUF": ("bb", _shuffle),
    "SHARE": ("bb", _shares),
    "SEAL": ("b", _hashes),
    "RESULT": ("ab", _result),
}


# -- Their fields ----------------------------------------------------------------------------


def _sized(field: bytes, size: int) -> bytes:
    require(len(field) == size, "E_ENCODING")
    return field


def _check_integers(array: Sequence[Value]) -> None:
    require(all(isinstance(n, int) for n in array), "E_ENCODING")


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
    """Refuse with E_TEXT a malformed name of a player."""
    require(1 <= len(name) <= 24, "E_TEXT")
    require(unicodedata.normalize("NFC", name) == name, "E_TEXT")
    require(name == name.strip(" ") and "  " not in name, "E_TEXT")
    marks = 2  # a mark at the beginning stands on no character
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
    """Tell whether a character combines with the character before."""
    return unicodedata.ucd_3_2_0.category(character)[0] == "M"
