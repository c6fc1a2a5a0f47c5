"""A group in which a game costs next to nothing: the integers mod ORDER under addition.

Every equation of every proof holds here exactly when it holds in ristretto255, and nothing is
hidden: whoever sees an element sees its logarithm. It serves where not secrecy but survival is
tested, and it must be installed before anything of ``matcha_p2p`` that computes is imported.
"""

import sys
from collections.abc import Sequence
from itertools import takewhile

from matcha_p2p.crypto import edwards25519 as curve
from matcha_p2p.crypto.edwards25519 import ORDER

COINS = 64
"""Links of a coin chain, instead of 4096: no simulated game comes near its end."""


class IntegerEngine:
    """An ``Engine`` (crypto.engine) whose elements are integers 0 .. ORDER - 1."""

    name = path = "integers"
    identity = 0
    generator = 1

    def decode(self, encoding: bytes) -> int | None:
        element = _integer(encoding)
        return element if len(encoding) == 32 and element < ORDER else None

    def decode_all(self, encodings: bytes) -> list[int]:
        blocks = (encodings[i : i + 32] for i in range(0, len(encodings), 32))
        elements = takewhile(lambda element: element < ORDER, map(_integer, blocks))
        return list(elements)

    def encode(self, element: int) -> bytes:
        return element.to_bytes(32, "little")

    def encode_all(self, elements: Sequence[int]) -> list[bytes]:
        return list(map(self.encode, elements))

    def from_uniform(self, uniform: bytes) -> int:
        return int.from_bytes(uniform, "little") % ORDER

    def add(self, p: int, q: int) -> int:
        return (p + q) % ORDER

    def add_all(self, left: Sequence[int], right: Sequence[int]) -> list[int]:
        return list(map(self.add, left, right))

    def subtract(self, p: int, q: int) -> int:
        return (p - q) % ORDER

    def equal(self, p: int, q: int) -> bool:
        return p == q

    def is_identity(self, p: int) -> bool:
        return p == 0

    def secret_products(self, scalars: Sequence[int], p: int) -> list[int]:
        return [scalar * p % ORDER for scalar in scalars]

    def secret_sum(self, scalars: Sequence[int], points: Sequence[int]) -> int:
        return self.public_sum(scalars, points)

    def public_sum(self, scalars: Sequence[int], points: Sequence[int]) -> int:
        return sum(s * p for s, p in zip(scalars, points, strict=True)) % ORDER

    def public_sums(
        self, points: Sequence[int], sums: Sequence[Sequence[tuple[int, int]]]
    ) -> list[int]:
        return [sum(scalar * points[i] for i, scalar in terms) % ORDER for terms in sums]

    secret_sums = public_sums

    def encoded_public_sums(
        self, points: Sequence[int], sums: Sequence[Sequence[tuple[int, int]]]
    ) -> list[bytes]:
        return self.encode_all(self.public_sums(points, sums))

    def of_group_order(self, x: int, y: int) -> bool:
        return curve.of_group_order(x, y)

    def signature_sum(self, x: int, y: int) -> None:
        del x, y


def _integer(encoding: bytes) -> int:
    return int.from_bytes(encoding, "little")


def install() -> None:
    """Let every module that is imported from now on compute with integers."""
    if "matcha_p2p.crypto.ristretto255" in sys.modules:
        raise RuntimeError("too late: elements of ristretto255 exist already")
    from matcha_p2p.crypto import engine

    vars(engine)["ENGINE"] = IntegerEngine()
    from matcha_p2p.table import steps

    vars(steps)["COINS"] = COINS
