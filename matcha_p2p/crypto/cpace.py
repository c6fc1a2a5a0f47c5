"""CPace: two who share a few digits agree on a key, and nobody can try digits offline.

The suite is CPACE-RISTR255-SHA512, with an initiator and a responder. Each sends one share. If
the passwords differ, so do the keys, and neither end learns more than that.

Source: draft-irtf-cfrg-cpace-21, whose symbols are kept.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Final, Self

from matcha_p2p.crypto.ristretto255 import Point, derive_point, secret_products

KEY_SIZE: Final = 64
_DSI: Final = b"CPaceRistretto255"
_BLOCK: Final = 128
"""Bytes of a block of SHA-512: the password fills the first one, so that its length does not
show in the time that hashing takes."""


@dataclass(frozen=True, slots=True)
class Message:
    """What one end sends. Y: its share, 32 bytes. AD: what it says in clear along with it."""

    Y: bytes
    AD: bytes = b""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One end of an exchange. sid: of this exchange. y: a scalar for it alone, 1 .. ORDER-1."""

    sid: bytes
    y: int = field(repr=False)
    message: Message

    @classmethod
    def begin(cls, PRS: bytes, CI: bytes, sid: bytes, y: int, AD: bytes = b"") -> Self:
        """Make the share of an end.

        PRS: the password. CI: who talks to whom, and about what. Both, and sid, have to be the
        same at the other end. y: uniform. Constant time where the engine has it.
        """
        (Y,) = secret_products([y], generator(PRS, CI, sid))
        return cls(sid, y, Message(Y.encode(), AD))

    def key_as_initiator(self, theirs: Message) -> bytes:
        """Return the 64-byte key, here at the end that is party A.

        Raises:
            EncodingError: the other share is no element, or the identity.
        """
        return self._key(theirs, self.message, theirs)

    def key_as_responder(self, theirs: Message) -> bytes:
        """Return the 64-byte key, here at the end that is party B.

        Raises:
            EncodingError: the other share is no element, or the identity.
        """
        return self._key(theirs, theirs, self.message)

    def _key(self, theirs: Message, a: Message, b: Message) -> bytes:
        # The group is of prime order: with neither y nor Y trivial, K is no identity.
        (K,) = secret_products([self.y], Point.decode(theirs.Y))
        secret = lv_cat(_DSI + b"_ISK", self.sid, K.encode())
        transcript = lv_cat(a.Y, a.AD) + lv_cat(b.Y, b.AD)
        return hashlib.sha512(secret + transcript).digest()


def generator(PRS: bytes, CI: bytes, sid: bytes) -> Point:
    """Return the element that both ends multiply: as secret as the password is."""
    return derive_point(hashlib.sha512(generator_string(PRS, CI, sid)).digest())


def generator_string(PRS: bytes, CI: bytes, sid: bytes) -> bytes:
    """Return what the generator is the hash of."""
    padding = bytes(max(0, _BLOCK - 1 - len(lv_cat(PRS)) - len(lv_cat(_DSI))))
    return lv_cat(_DSI, PRS, padding, CI, sid)


def lv_cat(*parts: bytes) -> bytes:
    """Return ``parts``, each behind its length."""
    return b"".join(_leb128(len(part)) + part for part in parts)


def _leb128(number: int) -> bytes:
    """Return ``number`` in groups of seven bits, the lowest first; all but the last marked."""
    groups = bytearray()
    while number >= 128:
        groups.append(number & 127 | 128)
        number >>= 7
    return bytes([*groups, number])
