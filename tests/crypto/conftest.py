"""Shared parts of the crypto tests: all engines, seeded randomness, a small game."""

import hashlib
import runpy
from dataclasses import dataclass
from pathlib import Path

import pytest

from matcha_p2p.crypto.elgamal import Ciphertext, public_ciphertext
from matcha_p2p.crypto.engine import load
from matcha_p2p.crypto.fast import LIBRARY, SOURCE, FastEngine
from matcha_p2p.crypto.ristretto255 import Point, base_mul, hash_to_group, reduce_wide
from matcha_p2p.crypto.sigma import Context, Random
from matcha_p2p.errors import EngineError

ROOT = Path(__file__).parent.parent.parent
ENGINES = ("fast", "native", "pure")

EIGHTH_Y = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
"""The y of a point of order 8; every multiple of the point has small order."""


def compiled(library: Path, *options: str, source: Path = SOURCE) -> Path:
    """Compile fast.c into ``library``, as an installation does, but with ``options``.

    Without a compiler the test is skipped.
    """
    hook = runpy.run_path(str(ROOT / ".build" / "libraries.py"))
    own = hook["SOURCES"]["matcha_p2p/crypto/fast.c"]
    if not hook["compiled"](source, library, *own, *options):
        pytest.skip("no C compiler here")
    return library


@pytest.fixture(scope="session")
def fast_library(tmp_path_factory):
    """Return a library of the current fast.c: what is installed may be older, or missing."""
    try:
        load("fast")
    except EngineError:
        return compiled(tmp_path_factory.mktemp("fast") / "libfast.so")
    return LIBRARY


@pytest.fixture(scope="session")
def plain_library(tmp_path_factory):
    """Return a library without vectors."""
    return compiled(tmp_path_factory.mktemp("plain") / "libfast.so", "-DONLY_PLAIN")


@pytest.fixture(scope="session")
def fast(fast_library):
    return FastEngine(fast_library)


@pytest.fixture(scope="session", params=ENGINES)
def engine(request):
    return request.getfixturevalue("fast") if request.param == "fast" else load(request.param)


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
        return Context(label, bytes([head]) * 32, seat, "matcha", "2020", 0)


@pytest.fixture(scope="session")
def game() -> Game:
    random = seeded("game")
    x0, x1 = (reduce_wide(random("x", bytes([seat]), 48)) for seat in (0, 1))
    X0, X1 = base_mul(x0), base_mul(x1)
    return Game((x0, x1), (X0, X1), X0 + X1, random)
