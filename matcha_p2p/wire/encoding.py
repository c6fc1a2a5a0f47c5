"""The canonical encoding: a subset of MessagePack with a single form for each value.

Unsigned integers, byte strings, text and arrays; no maps, floats, booleans, nil or extensions.
Signatures and hashes cover the received bytes, never a re-encoding (SPEC#encoding).
"""

from collections.abc import Sequence
from typing import Final, TypeAlias, cast

import msgpack

from matcha_p2p.errors import Check, EncodingError

Value: TypeAlias = int | bytes | str | Sequence["Value"]

LIMIT: Final = 16 * 1024 - 1
"""Longest accepted encoding in bytes: a frame of 16 KiB without the byte for the kind."""

MAX_INTEGER: Final = 2**53 - 1
_MAX_ITEMS: Final = 64
_MAX_DEPTH: Final = 4  # the versions in HELLO: body, actions, action, versions
_ROOM: Final = 1024
"""First size of the buffer in bytes; with msgpack's 256 KiB packing is half as fast."""


def pack(value: Value) -> bytes:
    """Return the encoding of ``value``."""
    packer = msgpack.Packer(
        use_bin_type=True,
        buf_size=_ROOM,  # type: ignore[call-arg]  # its types lack it
    )
    return packer.pack(value)


def unpack(encoding: bytes) -> Value:
    """Return the value encoded by ``encoding``, with arrays as lists.

    Raises:
        EncodingError: E_LIMIT if ``encoding`` is longer than LIMIT; E_ENCODING if it is not
            MessagePack, holds a type outside the subset, is nested too deep, or is not the
            canonical form.
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
    """Return ``value`` if it has only the four types, in at most ``depth`` nested arrays."""
    if type(value) is list:
        if not depth:
            raise EncodingError(Check.ENCODING, "arrays are nested too deep")
        return [_narrow(item, depth - 1) for item in cast("list[object]", value)]
    if type(value) is int and 0 <= value <= MAX_INTEGER:
        return value
    if type(value) is bytes or type(value) is str:
        return value
    raise EncodingError(Check.ENCODING, f"a {type(value).__name__} is not allowed here")
