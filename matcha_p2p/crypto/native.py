"""ristretto255 by libsodium, through rbcl, with every trap of rbcl closed.

An element is its 32-byte encoding. The traps of rbcl, and the countermeasures:

* rbcl accepts encodings with bit 255 set: ``decode`` looks at the top byte first.
* ``add`` and ``sub`` of an invalid encoding return the identity without an error: only
  ``decode`` and the operations make elements, so invalid elements cannot arise.
* A zero scalar, the identity and an invalid point all raise RuntimeError: zero and the identity
  are answered here, an invalid point cannot arise.
* rbcl accepts unreduced scalars, and ignores the top bit: here scalars are reduced first.
"""

from collections.abc import Sequence
from itertools import takewhile
from types import ModuleType
from typing import Final

from matcha_p2p.crypto import edwards25519 as curve
from matcha_p2p.crypto.edwards25519 import ORDER


class NativeEngine:
    """Group arithmetic by libsodium; a multiplication takes about 40 µs."""

    name = path = "native"

    def __init__(self, rbcl: ModuleType) -> None:
        self.identity = bytes(32)
        self.generator: bytes = rbcl.crypto_scalarmult_ristretto255_base(
            (1).to_bytes(32, "little")
        )
        self._valid: Final = rbcl.crypto_core_ristretto255_is_valid_point
        self._from_uniform: Final = rbcl.crypto_core_ristretto255_from_hash
        self._add: Final = rbcl.crypto_core_ristretto255_add
        self._subtract: Final = rbcl.crypto_core_ristretto255_sub
        self._multiply: Final = rbcl.crypto_scalarmult_ristretto255
        self._multiply_generator: Final = rbcl.crypto_scalarmult_ristretto255_base

    def decode(self, encoding: bytes) -> bytes | None:
        """Return the element, or None if the encoding is invalid."""
        if len(encoding) != 32 or encoding[31] >= 0x80 or not self._valid(encoding):
            return None
        return encoding

    def decode_all(self, encodings: bytes) -> list[bytes]:
        """Return the elements up to the first invalid encoding."""
        blocks = (encodings[i : i + 32] for i in range(0, len(encodings), 32))
        return list(takewhile(lambda block: self.decode(block) is not None, blocks))

    def encode(self, element: bytes) -> bytes:
        """Return the 32 bytes of an element."""
        return element

    def encode_all(self, elements: Sequence[bytes]) -> list[bytes]:
        """Return the 32 bytes of each element."""
        return list(elements)

    def from_uniform(self, uniform: bytes) -> bytes:
        """Map 64 uniform bytes to an element."""
        element: bytes = self._from_uniform(uniform)
        return element

    def add(self, p: bytes, q: bytes) -> bytes:
        """Return p + q."""
        if p == self.identity:
            return q
        total: bytes = self._add(p, q)
        return total

    def add_all(self, left: Sequence[bytes], right: Sequence[bytes]) -> list[bytes]:
        """Return p + q for each p of ``left`` and q of ``right``."""
        return list(map(self.add, left, right))

    def subtract(self, p: bytes, q: bytes) -> bytes:
        """Return p - q."""
        difference: bytes = self._subtract(p, q)
        return difference

    def equal(self, p: bytes, q: bytes) -> bool:
        """Return whether p = q."""
        return p == q

    def is_identity(self, p: bytes) -> bool:
        """Return whether p is the identity."""
        return p == self.identity

    def secret_products(self, scalars: Sequence[int], p: bytes) -> list[bytes]:
        """Return scalar·p for each scalar, in constant time but for a scalar of 0."""
        return [self._product(scalar % ORDER, p) for scalar in scalars]

    def secret_sum(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        """Return Σ scalar·point, in constant time but for scalars of 0."""
        total = self.identity
        for scalar, point in zip(scalars, points, strict=True):
            total = self.add(total, self._product(scalar % ORDER, point))
        return total

    def secret_sums(
        self, points: Sequence[bytes], sums: Sequence[Sequence[tuple[int, int]]]
    ) -> list[bytes]:
        """Return several sums of scalar·points[i], in constant time but for scalars of 0."""
        return [
            self.secret_sum([scalar for _, scalar in terms], [points[i] for i, _ in terms])
            for terms in sums
        ]

    def public_sum(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        """Return Σ scalar·point; a scalar of 1 or -1 costs an addition."""
        total = self.identity
        for unreduced, point in zip(scalars, points, strict=True):
            scalar = unreduced % ORDER
            if scalar == ORDER - 1:
                total = self.subtract(total, point)
            elif scalar == 1:
                total = self.add(total, point)
            elif scalar:
                total = self.add(total, self._product(scalar, point))
        return total

    def public_sums(
        self, points: Sequence[bytes], sums: Sequence[Sequence[tuple[int, int]]]
    ) -> list[bytes]:
        """Return several sums of scalar·points[i]."""
        return [
            self.public_sum([scalar for _, scalar in terms], [points[i] for i, _ in terms])
            for terms in sums
        ]

    def encoded_public_sums(
        self, points: Sequence[bytes], sums: Sequence[Sequence[tuple[int, int]]]
    ) -> list[bytes]:
        """Return the encodings of several sums of scalar·points[i]."""
        return self.public_sums(points, sums)

    def of_group_order(self, x: int, y: int) -> bool:
        """Return whether ORDER·(x, y), a point of the curve, is the identity; in Python."""
        return curve.of_group_order(x, y)

    def signature_sum(self, x: int, y: int) -> None:
        """Return None: OpenSSL is quicker."""
        del x, y

    def _product(self, scalar: int, point: bytes) -> bytes:
        if scalar == 0 or point == self.identity:
            return self.identity
        encoded = scalar.to_bytes(32, "little")
        result: bytes = (
            self._multiply_generator(encoded)
            if point == self.generator
            else self._multiply(encoded, point)
        )
        return result
