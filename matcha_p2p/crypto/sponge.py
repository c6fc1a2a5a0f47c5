"""Hashes, byte streams, and integers drawn from them (SPEC#hashes)."""

import hashlib
from collections.abc import Iterator
from functools import cache
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

VERSION: Final = b"matcha/v1"

_RATE: Final = 168
_WIDE: Final = 48


def lp(x: bytes) -> bytes:
    """Return ``x`` after its length in 4 bytes, big-endian."""
    return len(x).to_bytes(4, "big") + x


def H(label: str, *parts: bytes) -> bytes:  # noqa: N802 -- the name SPEC.md gives it
    """Return the 32-byte hash of ``parts`` under ``label``: no two inputs share a pre-image."""
    hashed = [_begun(label)]
    for part in parts:
        hashed += (len(part).to_bytes(4), part)  # as ``lp``, without a copy of each part
    return hashlib.sha256(b"".join(hashed)).digest()


@cache
def _begun(label: str) -> bytes:
    return lp(VERSION) + lp(label.encode())


def xof(sid: bytes, message: bytes, n: int) -> bytes:
    """Return ``n`` bytes of SHAKE128 over ``message``, under the 32-byte session id ``sid``.

    The id fills a whole block of the sponge, so no message can reach into the block.
    Source: draft-irtf-cfrg-fiat-shamir, the SHAKE128 duplex sponge.
    """
    return hashlib.shake_128(sid + bytes(_RATE - len(sid)) + message).digest(n)


def kdf(secret: bytes, info: bytes, n: int) -> bytes:
    """Return ``n`` bytes, 1 to 16 320, derived from ``secret`` for the purpose ``info``.

    Source: RFC 5869 §2.3, HKDF-Expand with SHA-512; a secret of 32 uniform bytes needs no
    HKDF-Extract.

    Raises:
        ValueError: more bytes than the RFC allows.
    """
    return HKDFExpand(SHA512(), n, info).derive(secret)


def expand_message(message: bytes, dst: bytes, n: int) -> bytes:
    """Return ``n`` uniform bytes, up to 255 · 64. Source: RFC 9380 §5.3.1, XMD with SHA-512."""
    suffix = dst + bytes([len(dst)])
    first = hashlib.sha512(
        bytes(128) + message + n.to_bytes(2, "big") + b"\0" + suffix
    ).digest()
    blocks, block = list[bytes](), bytes(64)
    for i in range(1, -(-n // 64) + 1):
        mixed = bytes(a ^ b for a, b in zip(first, block, strict=True))
        block = hashlib.sha512(mixed + bytes([i]) + suffix).digest()
        blocks.append(block)
    return b"".join(blocks)[:n]


def integers(wide: bytes, modulus: int) -> tuple[int, ...]:
    """Reduce each 48-byte block, little-endian; for a 252-bit modulus the bias is < 2⁻¹³⁰."""
    starts, number = range(0, len(wide), _WIDE), int.from_bytes
    return tuple([number(wide[i : i + _WIDE], "little") % modulus for i in starts])


def stream(seed: bytes) -> Iterator[int]:
    """Yield the bytes of SHAKE256(seed), without end."""
    sponge, done, size = hashlib.shake_256(seed), 0, 256
    while True:
        yield from sponge.digest(size)[done:]
        done, size = size, 2 * size


def uniform(source: Iterator[int], m: int) -> int:
    """Draw a uniform integer 0..m-1, 1 <= m <= 65 536, from an endless stream of bytes.

    Two bytes at a time, little-endian. Values that would favour small remainders are skipped.
    """
    limit = 65536 - 65536 % m
    while True:
        value = next(source) + 256 * next(source)
        if value < limit:
            return value % m


def draw(source: Iterator[int], n: int, k: int) -> tuple[int, ...]:
    """Draw ``k`` different numbers of 0..n-1, in order: k steps of Fisher and Yates."""
    items = list(range(n))
    for i in range(k):
        j = i + uniform(source, n - i)
        items[i], items[j] = items[j], items[i]
    return tuple(items[:k])


def permutation(source: Iterator[int], n: int) -> tuple[int, ...]:
    """Draw a uniform permutation of 0..n-1."""
    return draw(source, n, n)
