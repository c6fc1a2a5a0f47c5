"""Encodings and hashes (SPEC#encoding, SPEC#hashes), and the error of a failed check."""

import hashlib
from collections.abc import Sequence
from typing import NoReturn, TypeAlias

LARGEST_ENCODING = 16_383
LARGEST_ARRAY = 64
LARGEST_INTEGER = 2**53 - 1
DEEPEST = 4
# Tags before an integer or a length: the kind of the value, and the number's size in bytes.
HEADS = {0xC4: ("bytes", 1), 0xC5: ("bytes", 2)}
HEADS |= {0xCC + i: ("integer", 2**i) for i in range(4)}
HEADS |= {0xD9: ("text", 1), 0xDA: ("text", 2), 0xDC: ("array", 2)}
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493


Value: TypeAlias = "int | bytes | str | list[Value]"
Packable: TypeAlias = "int | bytes | str | Sequence[Packable]"  # any sequence is an array


class CheckError(Exception):
    """A failed check: the code, and the seat to blame or None."""

    def __init__(self, check: str, seat: int | None = None) -> None:
        super().__init__(check, seat)
        self.check = check
        self.seat = seat


def refuse(check: str) -> NoReturn:
    """Raise the refusal of ``check``, without a seat to blame yet."""
    raise CheckError(check)


def require(condition: bool, check: str) -> None:  # noqa: FBT001 - it reads as a sentence
    """Raise the refusal of ``check`` unless ``condition`` holds."""
    if not condition:
        raise CheckError(check)


# -- The subset of MessagePack ---------------------------------------------------------------


def pack(value: Packable) -> bytes:
    """Return the encoding of ``value``."""
    match value:
        case int():
            return _pack_integer(value)
        case bytes():
            return _head(len(value), None, 0xC4, 0xC5) + value
        case str():
            text = value.encode()
            return _head(len(text), (0xA0, 32), 0xD9, 0xDA) + text
        case _:
            head = _head(len(value), (0x90, 16), None, 0xDC)
            return head + b"".join(pack(item) for item in value)


def _pack_integer(n: int) -> bytes:
    if n < 0x80:
        return bytes([n])
    for tag, size in ((0xCC, 1), (0xCD, 2), (0xCE, 4)):
        if n < 256**size:
            return bytes([tag]) + n.to_bytes(size)
    return b"\xcf" + n.to_bytes(8)


def _head(length: int, fix: tuple[int, int] | None, tag8: int | None, tag16: int) -> bytes:
    """Return the shortest head for ``length``: in the tag, or in one or two bytes after."""
    if fix is not None and length < fix[1]:
        return bytes([fix[0] + length])
    if tag8 is not None and length < 256:
        return bytes([tag8, length])
    return bytes([tag16]) + length.to_bytes(2)


def decode(data: bytes) -> Value:
    """Return the value encoded by ``data``.

    Raises: CheckError with E_LIMIT or E_ENCODING.
    """
    require(len(data) <= LARGEST_ENCODING, "E_LIMIT")
    value, _ = _decode_at(data, 0, 0)
    # Longer forms, and data cut or with bytes after the end, are read above. Here they are
    # found: the encoding of the value differs from ``data``.
    require(pack(value) == data, "E_ENCODING")
    return value


def _decode_at(data: bytes, at: int, depth: int) -> tuple[Value, int]:
    """Return the value at ``at``, inside ``depth`` arrays, and the place after the value."""
    tag, at = _integer_at(data, at, 1)
    if tag < 0x80:
        return tag, at
    if 0x90 <= tag < 0xA0:
        kind, n = "array", tag - 0x90
    elif 0xA0 <= tag < 0xC0:
        kind, n = "text", tag - 0xA0
    else:
        require(tag in HEADS, "E_ENCODING")
        kind, size = HEADS[tag]
        n, at = _integer_at(data, at, size)
    match kind:
        case "integer":
            require(n <= LARGEST_INTEGER, "E_ENCODING")
            return n, at
        case "bytes":
            return _bytes_at(data, at, n)
        case "text":
            return _text_at(data, at, n)
        case _:
            return _array_at(data, at, n, depth)


def _bytes_at(data: bytes, at: int, size: int) -> tuple[bytes, int]:
    return data[at : at + size], at + size


def _integer_at(data: bytes, at: int, size: int) -> tuple[int, int]:
    digits, at = _bytes_at(data, at, size)
    return int.from_bytes(digits), at


def _text_at(data: bytes, at: int, size: int) -> tuple[str, int]:
    text, at = _bytes_at(data, at, size)
    try:
        return text.decode(), at
    except UnicodeDecodeError:
        refuse("E_ENCODING")


def _array_at(data: bytes, at: int, length: int, depth: int) -> tuple[list[Value], int]:
    require(depth < DEEPEST and length <= LARGEST_ARRAY, "E_ENCODING")
    items: list[Value] = []
    for _ in range(length):
        item, at = _decode_at(data, at, depth + 1)
        items.append(item)
    return items, at


def split_statement(data: bytes) -> tuple[bytes, Value, bytes]:
    """Return body, decoded body and signature of a signed statement (SPEC#signed).

    Raises: CheckError with E_LIMIT or E_ENCODING.
    """
    match decode(data):
        case [bytes() as body, bytes() as signature] if len(signature) == 64:
            return body, decode(body), signature
    refuse("E_ENCODING")


# -- Hashes ----------------------------------------------------------------------------------


def be4(n: int) -> bytes:
    """Return BE4(n)."""
    return n.to_bytes(4)


def le4(n: int) -> bytes:
    """Return LE4(n)."""
    return n.to_bytes(4, "little")


def le(data: bytes) -> int:
    """Return the integer LE(data)."""
    return int.from_bytes(data, "little")


def H(label: str, *parts: bytes) -> bytes:  # noqa: N802 - the symbol of SPEC#hashes
    """Return H of SPEC#hashes, 32 bytes."""
    fields = (b"matcha/v1", label.encode(), *parts)
    return hashlib.sha256(b"".join(be4(len(x)) + x for x in fields)).digest()


def challenges(session: bytes, data: bytes, n: int) -> list[int]:
    """Return the n scalars INT(XOF(session, data, 48·n), n)."""
    out = hashlib.shake_128(session + bytes(136) + data).digest(48 * n)
    return [le(out[48 * i : 48 * i + 48]) % GROUP_ORDER for i in range(n)]


class Stream:
    """STREAM of a seed (SPEC#drawing)."""

    def __init__(self, seed: bytes) -> None:
        # A value is skipped with a probability below 2⁻¹¹: 2,000 bytes are as good as endless.
        stream = hashlib.shake_256(seed).digest(2000)
        self.values = iter([le(stream[i : i + 2]) for i in range(0, 2000, 2)])

    def uniform(self, n: int) -> int:
        """Return UNIFORM(n)."""
        return next(v for v in self.values if v < 65536 - 65536 % n) % n


def draw(seed: bytes, n: int, k: int) -> list[int]:
    """Return DRAW(seed, n, k): k different numbers of 0..n-1 (SPEC#drawing)."""
    stream = Stream(seed)
    items = list(range(n))
    for i in range(k):
        j = i + stream.uniform(n - i)
        items[i], items[j] = items[j], items[i]
    return items[:k]
