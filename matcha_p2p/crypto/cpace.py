"""CPace: two ends agree on a key by a few shared digits; nobody can try digits offline.

The suite is CPACE-RISTR255-SHA512, with an initiator and a responder. Each end sends a share.
If the passwords differ, the keys differ too, and neither end learns more.

Source: draft-irtf-cfrg-cpace-21; the symbols are the draft's.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Final, Self

from matcha_p2p.crypto.ristretto255 import Point, derive_point, secret_products

_DSI: Final = b"CPaceRistretto255"
_BLOCK: Final = 128
"""Bytes of a block of SHA-512. The password is padded to a whole block, so the time of hashing
does not show the password's length."""


@dataclass(frozen=True, slots=True)
class Message:
    """The message of an end. Y: the share, 32 bytes. AD: further data in clear."""

    Y: bytes
    AD: bytes = b""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One end of an exchange. sid: id of the exchange. y: a fresh scalar, 1 .. ORDER-1."""

    sid: bytes
    y: int = field(repr=False)
    message: Message

    @classmethod
    def begin(cls, PRS: bytes, CI: bytes, sid: bytes, y: int, AD: bytes = b"") -> Self:
        """Make the share of an end.

        PRS: the password. CI: the names of the two ends, and the purpose. PRS, CI and sid must
        be equal at both ends. y: uniform. Constant time if the engine has constant time.
        """
        (Y,) = secret_products([y], generator(PRS, CI, sid))
        return cls(sid, y, Message(Y.encode(), AD))

    def key_as_initiator(self, theirs: Message) -> bytes:
        """Return the 64-byte key, at party A.

        Raises:
            EncodingError: the share in ``theirs`` is no element, or the identity.
        """
        return self._key(theirs, self.message, theirs)

    def key_as_responder(self, theirs: Message) -> bytes:
        """Return the 64-byte key, at party B.

        Raises:
            EncodingError: the share in ``theirs`` is no element, or the identity.
        """
        return self._key(theirs, theirs, self.message)

    def _key(self, theirs: Message, a: Message, b: Message) -> bytes:
        # The group is of prime order: with neither y nor Y trivial, K is no identity.
        (K,) = secret_products([self.y], Point.decode(theirs.Y))
        secret = lv_cat(_DSI + b"_ISK", self.sid, K.encode())
        transcript = lv_cat(a.Y, a.AD) + lv_cat(b.Y, b.AD)
        return hashlib.sha512(secret + transcript).digest()


def generator(PRS: bytes, CI: bytes, sid: bytes) -> Point:
    """Return the element for both ends to multiply, as secret as the password."""
    return derive_point(hashlib.sha512(generator_string(PRS, CI, sid)).digest())


def generator_string(PRS: bytes, CI: bytes, sid: bytes) -> bytes:
    """Return the bytes to hash for the generator."""
    padding = bytes(max(0, _BLOCK - 1 - len(lv_cat(PRS)) - len(lv_cat(_DSI))))
    return lv_cat(_DSI, PRS, padding, CI, sid)


def lv_cat(*parts: bytes) -> bytes:
    """Return ``parts``, each after its length."""
    return b"".join(_leb128(len(part)) + part for part in parts)


def _leb128(number: int) -> bytes:
    """Return ``number`` in groups of seven bits, the lowest first; all but the last marked."""
    groups = bytearray()
    while number >= 128:
        groups.append(number & 127 | 128)
        number >>= 7
    return bytes([*groups, number])
