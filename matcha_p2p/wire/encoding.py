"""The canonical encoding: a subset of MessagePack in which each value has one form.

Unsigned integers, byte strings, text and arrays; no maps, floats, booleans, nil or extensions.
What is signed and hashed are the bytes received, never a re-encoding (SPEC#encoding).
"""

from collections.abc import Sequence
from typing import Final, TypeAlias, cast

import msgpack

from matcha_p2p.errors import Check, EncodingError

Value: TypeAlias = int | bytes | str | Sequence["Value"]

LIMIT: Final = 16 * 1024 - 1
"""Longest encoding accepted, in bytes: a frame's 16 KiB less its kind."""

MAX_INTEGER: Final = 2**53 - 1
_MAX_ITEMS: Final = 64
_MAX_DEPTH: Final = 4  # the versions in HELLO: body, actions, action, versions
_ROOM: Final = 1024
"""Bytes to begin with; msgpack would take 256 KiB, which is twice as slow."""


def pack(value: Value) -> bytes:
    """Return the one encoding of ``value``."""
    packer = msgpack.Packer(
        use_bin_type=True,
        buf_size=_ROOM,  # type: ignore[call-arg]  # its types lack it
    )
    return packer.pack(value)


def unpack(encoding: bytes) -> Value:
    """Return the value that ``encoding`` is the one encoding of, arrays as lists.

    Raises:
        EncodingError: E_LIMIT if it is longer than LIMIT; E_ENCODING if it is not MessagePack,
            holds a type outside the subset, is nested too deep, or is not the canonical form.
    """
    if len(encoding) > LIMIT:
        raise EncodingError(Check.LIMIT, f"{len(encoding)} bytes, at most {LIMIT} are allowed")
    try:
        value: object = msgpack.unpackb(
            encoding, raw=False, max_array_len=_MAX_ITEMS, max_map_len=0, max_ext_len=0
        )
    except (ValueError, msgpack.UnpackException) as error:
        raise EncodingError(Check.ENCODING, f"not MessagePack: {error}") from None
    narrowed = _narrow(value, _MAX_DEPTH)
    if pack(narrowed) != encoding:
        raise EncodingError(Check.ENCODING, "not the canonical form of its value")
    return narrowed


def _narrow(value: object, depth: int) -> Value:
    """Return ``value`` if it is made of the four types alone, at most ``depth`` arrays deep."""
    if type(value) is list:
        if not depth:
            raise EncodingError(Check.ENCODING, "arrays are nested too deep")
        return [_narrow(item, depth - 1) for item in cast("list[object]", value)]
    if type(value) is int and 0 <= value <= MAX_INTEGER:
        return value
    if type(value) is bytes or type(value) is str:
        return value
    raise EncodingError(Check.ENCODING, f"a {type(value).__name__} is not allowed here")
