"""Ed25519 signatures, with keys that cannot fit every message (SPEC#signatures).

OpenSSL accepts any message under the identity as a key. So a signature counts only under a
canonical key of prime order. The engine checks signatures if it is quicker than OpenSSL.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from hashlib import sha512
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from matcha_p2p.crypto import edwards25519 as curve
from matcha_p2p.crypto.edwards25519 import ORDER, D, P
from matcha_p2p.crypto.engine import ENGINE
from matcha_p2p.errors import Check, ProofError

KEY_SIZE: Final = 32
SIZE: Final = 64


def public_key(seed: bytes) -> bytes:
    """Return the 32-byte public key of a 32-byte seed."""
    return _private(seed).public_key().public_bytes_raw()


def sign(seed: bytes, message: bytes) -> bytes:
    """Return the 64-byte signature of ``message`` by the holder of ``seed`` (RFC 8032)."""
    return _private(seed).sign(message)


@lru_cache(maxsize=4)
def _private(seed: bytes) -> Ed25519PrivateKey:
    """Return the key of OpenSSL, cached: to make it costs more than a signature."""
    return Ed25519PrivateKey.from_private_bytes(seed)


def check_key(key: bytes) -> None:
    """Check that ``key`` is the canonical encoding of a point of prime order.

    Takes 0.3 ms the first time a key is seen, or 2 ms by an engine other than ``fast``.

    Raises:
        ProofError: the key is bad (E_KEY).
    """
    _holds_under(key)


def verify(key: bytes, message: bytes, signature: bytes) -> None:
    """Check a signature: cofactorless, canonical in both halves, under a good key.

    Raises:
        ProofError: the key is not good (E_KEY), or the signature does not hold (E_SIG).
    """
    holds = _holds_under(key)
    R, S = signature[:32], int.from_bytes(signature[32:], "little")
    if len(signature) != SIZE or not _canonical(R) or S >= ORDER:
        raise ProofError(Check.SIG, "the signature is not in canonical form")
    if not holds(message, signature):
        raise ProofError(Check.SIG, "the signature does not hold")


@lru_cache(maxsize=256)
def _holds_under(key: bytes) -> Callable[[bytes, bytes], bool]:
    """Return what tells whether a message has a signature in canonical form by ``key``.

    Cached: a game has a key a seat for all entries. Raises ProofError as ``check_key`` does.
    """
    if not _canonical(key):
        raise ProofError(Check.KEY, "the key is not the canonical encoding of a point")
    y = int.from_bytes(key, "little") % 2**255
    square, x = curve.sqrt_ratio(y * y - 1, D * y * y + 1)
    if not square:
        raise ProofError(Check.KEY, "the key is not on the curve")
    if y == 1:
        raise ProofError(Check.KEY, "the key is the identity")
    if not ENGINE.of_group_order(x, y):  # of either sign: A and -A have the same order
        raise ProofError(Check.KEY, "the key is not of prime order")
    encoded_sum = ENGINE.signature_sum(P - x if key[31] >> 7 else x, y)
    if encoded_sum is None:
        return partial(_holds_by_openssl, Ed25519PublicKey.from_public_bytes(key))
    return partial(_holds, key, encoded_sum)


def _holds(
    key: bytes, encoded_sum: Callable[[bytes, int], bytes], message: bytes, signature: bytes
) -> bool:
    """Tell whether S·B - h·A is R: RFC 8032 §5.1.7, without a cofactor, as OpenSSL does it."""
    R, S = signature[:32], signature[32:]
    return encoded_sum(S, int.from_bytes(sha512(R + key + message).digest(), "little")) == R


def _holds_by_openssl(key: Ed25519PublicKey, message: bytes, signature: bytes) -> bool:
    try:
        key.verify(signature, message)
    except InvalidSignature:
        return False
    return True


def _canonical(encoding: bytes) -> bool:
    """Return whether ``encoding`` has 32 bytes, y < p, and no sign if x is 0."""
    y, sign_of_x = int.from_bytes(encoding, "little") % 2**255, encoding[-1:] >= b"\x80"
    return len(encoding) == KEY_SIZE and y < P and not (sign_of_x and y in {1, P - 1})
