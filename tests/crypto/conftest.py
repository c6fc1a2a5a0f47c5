"""What the tests of this folder share: both engines, seeded randomness, a small game."""

import hashlib
from dataclasses import dataclass

import pytest

from matcha_p2p.crypto.elgamal import Ciphertext, public_ciphertext
from matcha_p2p.crypto.engine import load_native
from matcha_p2p.crypto.pure import PureEngine
from matcha_p2p.crypto.ristretto255 import Point, base_mul, hash_to_group, reduce_wide
from matcha_p2p.crypto.sigma import Context, Random


@pytest.fixture(scope="session", params=["native", "python"])
def engine(request):
    return {"native": load_native, "python": PureEngine}[request.param]()


def seeded(seed: str) -> Random:
    def random(label: str, message: bytes, n: int) -> bytes:
        parts = (seed.encode(), label.encode(), message)
        framed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
        return hashlib.shake_256(framed).digest(n)

    return random


@dataclass(frozen=True)
class Game:
    """Two secret keys, the joint key, and seeded randomness."""

    x: tuple[int, int]
    X: tuple[Point, Point]
    Y: Point
    random: Random

    def face(self, f: int) -> Point:
        return hash_to_group(b"card/" + bytes([f]))

    def deck(self, n: int) -> tuple[Ciphertext, ...]:
        """Public cards; the last two are equal, as the zeros are."""
        return tuple(public_ciphertext(self.face(min(i, n - 2)), self.Y) for i in range(n))

    def context(self, label: str = "deal", head: int = 7, seat: int = 0) -> Context:
        return Context(label, bytes([head]) * 32, seat)


@pytest.fixture(scope="session")
def game() -> Game:
    random = seeded("game")
    x0, x1 = (reduce_wide(random("x", bytes([seat]), 48)) for seat in (0, 1))
    X0, X1 = base_mul(x0), base_mul(x1)
    return Game((x0, x1), (X0, X1), X0 + X1, random)
