"""The engines against each other: ``python -m tests.engines --sums 100000``.

Each random sum, with scalars at the edges of every recoding and elements in every form that
an engine keeps, comes out the same by all of them; so does what 32 bytes decode to. --library
takes fast.c compiled in another way: with checks of every limb, or with sanitizers.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from matcha_p2p.crypto import edwards25519 as curve
from matcha_p2p.crypto import pure
from matcha_p2p.crypto.edwards25519 import ORDER, SQRT_M1, P
from matcha_p2p.crypto.engine import GroupEngine, load
from matcha_p2p.crypto.fast import LIBRARY, FastElement, FastEngine, affine

VECTORS = json.loads((Path(__file__).parent / "crypto/vectors/ristretto255.json").read_text())

NIBBLES = tuple(int(digit * 63, 16) for digit in "1789e")
"""All digits in base 16 are 7, 8, 9 ...: at the edge of a carry, or all of them carry."""
RUNS = tuple(2**high - 2**low for high, low in ((252, 5), (128, 127), (251, 200)))
"""Runs of ones, which signed windows make a carry of: up to the highest bit."""
EDGES = (
    *(0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 127, 128, 129, 255, 256),
    *(ORDER - 1, ORDER, ORDER + 1, ORDER - 2, ORDER - 16, ORDER // 2, -1, -2, 2**256 - 1),
    *(2**k for k in (51, 63, 64, 102, 191, 192, 251, 252)),
    *(2**252 - 1, 2**64 - 1, 2**252 + 2**251),
    *NIBBLES,
    *RUNS,
)

scalars = st.one_of(
    st.sampled_from(EDGES),
    st.integers(0, ORDER - 1),
    st.integers(0, 2**64),
    st.builds(lambda bit, by: 2**bit + by, st.integers(0, 252), st.integers(-2, 2)),
)

BASE = curve.odd_multiples(curve.BASE)

TORSION = ((0, 1), (0, P - 1), (SQRT_M1, 0), (P - SQRT_M1, 0))
"""x and y of the four points that are the identity of ristretto255."""


@dataclass(frozen=True)
class Forms:
    """An element in each form of the engines. fast: several forms of the same element."""

    fast: tuple[Any, ...]
    native: bytes
    pure: pure.Element


@dataclass(frozen=True)
class Engines:
    """All three engines, and elements known to each engine."""

    fast: FastEngine
    native: GroupEngine[bytes]
    pure: GroupEngine[pure.Element]
    pool: tuple[Forms, ...]

    def agree(self, terms: Sequence[tuple[int, int, int]]) -> None:
        """Compare the sums of scalar · element of the pool · form of it; both ways of fast."""
        factors = [scalar for scalar, _, _ in terms]
        forms = [self.pool[number % len(self.pool)] for _, number, _ in terms]
        ours = [f.fast[t[2] % len(f.fast)] for f, t in zip(forms, terms, strict=True)]
        expected = self.native.public_sum(factors, [form.native for form in forms])
        assert self.native.secret_sum(factors, [form.native for form in forms]) == expected
        public = self.fast.public_sum(factors, ours)
        secret = self.fast.secret_sum(factors, ours)
        assert self.fast.encode(public) == self.fast.encode(secret) == expected
        assert self.fast.equal(public, secret)
        self._agree_on_parts(factors, ours, expected)
        if len(terms) <= 4:  # a millisecond each
            slow = self.pure.public_sum(factors, [form.pure for form in forms])
            assert self.pure.encode(slow) == expected

    def _agree_on_parts(
        self, factors: Sequence[int], ours: Sequence[FastElement], expected: bytes
    ) -> None:
        """Compare several sums at once: of all terms, of every other one, and of the rest."""
        terms = list(enumerate(factors))
        parts = [terms, terms[::2], [], terms[1::2]]
        whole, *halves = self.fast.public_sums(ours, parts)
        encoded = self.fast.encoded_public_sums(ours, parts)  # worked out of their halves
        assert encoded[0] == expected
        assert self.fast.encode_all([whole, *halves]) == encoded
        assert self.fast.is_identity(halves[1])
        assert self.fast.equal(self.fast.add(halves[0], halves[2]), whole)
        assert self.fast.encode_all(self.fast.secret_sums(ours, parts)) == encoded
        many = [*parts, *([term] for term in terms)]  # lanes of different length
        totals = self.fast.encode_all(self.fast.secret_sums(ours, many))
        assert totals[:4] == encoded
        assert self.fast.encode_all(self.fast.public_sums(ours, many)) == totals
        alike = [[(i, factors[0]), (0, factors[-1]), (i, factor)] for i, factor in terms]
        totals = self.fast.encode_all(self.fast.secret_sums(ours, alike))
        assert self.fast.encode_all(self.fast.public_sums(ours, alike)) == totals

    def agree_on_products(self, factors: Sequence[int], number: int) -> None:
        """Compare the products of an element: a few products, and products by the comb."""
        form = self.pool[number % len(self.pool)]
        expected = self.native.secret_products(factors, form.native)
        for element in form.fast:
            products = self.fast.secret_products(factors, element)
            assert [self.fast.encode(product) for product in products] == expected

    def agree_on_decoding(self, encoding: bytes) -> None:
        """Compare whether 32 bytes are an element; an element has no other encoding."""
        ours = self.fast.decode(encoding)
        found = [ours, self.native.decode(encoding), self.pure.decode(encoding)]
        good, engines = self.native.generator, (self.fast, self.native, self.pure)
        expected = [good] if ours is None else [good, encoding, good]
        for engine in cast("tuple[GroupEngine[Any], ...]", engines):
            among = engine.decode_all(good + encoding + good)
            assert engine.encode_all(among) == expected
        assert len({element is None for element in found}) == 1, encoding.hex()
        if ours is not None:
            again = self.fast.add(ours, self.fast.identity)  # which forgets the encoding
            assert self.fast.encode(again) == encoding
            assert self.fast.is_identity(again) == (encoding == bytes(32))

    def agree_on_mapping(self, uniform: bytes) -> None:
        """Compare what 64 bytes are mapped to."""
        ours = self.fast.encode(self.fast.from_uniform(uniform))
        assert ours == self.native.from_uniform(uniform)
        assert ours == self.pure.encode(self.pure.from_uniform(uniform))

    def agree_on_signatures(self, s: int, h: int, a: int) -> None:
        """Compare S·B - h·A, for the key A = a·B, with the same sum in Python."""

        def on_curve(scalar: int) -> tuple[int, int]:
            X, Y, Z, _ = curve.sum_of_products([scalar % ORDER], [BASE])
            return X * pow(Z, -1, P) % P, Y * pow(Z, -1, P) % P

        x, y = on_curve(s - h * a)
        encoded_sum = self.fast.signature_sum(*on_curve(a))
        ours = encoded_sum((s % ORDER).to_bytes(32, "little"), h)
        assert ours == (y | (x & 1) << 255).to_bytes(32, "little")


def engines(library: Path) -> Engines:
    """Load all, and make a pool: identity, generator, its neighbours, opposites, any others."""
    fast, native, slow = FastEngine(library), load("native"), load("pure")
    uniform = [bytes([i]) * 64 for i in range(5)]
    encodings = [
        *map(native.encode, map(native.from_uniform, uniform)),
        native.subtract(native.identity, native.from_uniform(uniform[0])),
        *map(bytes.fromhex, VECTORS["multiples"]),
    ]
    pool = [
        Forms(_forms(fast, encoding), encoding, slow.decode(encoding)) for encoding in encodings
    ]
    return Engines(fast, native, slow, tuple(pool))


def _forms(fast: FastEngine, encoding: bytes) -> tuple[FastElement, ...]:
    """Return it as decoded, of another Z, by each point of its coset, and with tables."""
    plain = fast.decode(encoding)
    assert plain is not None
    other_Z = fast.subtract(fast.add(plain, fast.generator), fast.generator)
    cosets = (fast.add(plain, FastElement(affine(x, y))) for x, y in TORSION)
    constant = FastElement(plain.point, encoding, constant=True)
    combed = FastElement(plain.point, encoding)
    fast.secret_products([1] * 8, combed)
    same = (fast.generator,) if fast.equal(plain, fast.generator) else ()
    return (plain, other_Z, *cosets, constant, combed, *same)


def around(encoding: bytes) -> list[bytes]:
    """Return ``encoding`` and its wrong relatives: negative, with p more, with bit 255."""
    s = int.from_bytes(encoding, "little") % 2**255
    numbers = (s, P - s, s + P, s ^ 1, s + 2**255, P - s + 2**255, 2**256 - 1 - s, s + 2)
    return [(number % 2**256).to_bytes(32, "little") for number in numbers]


def special_encodings() -> list[bytes]:
    """Return the vectors of the RFC, all of the curve's torsion, and the ends of the range."""
    known = [bytes.fromhex(each) for each in (*VECTORS["multiples"], *VECTORS["invalid"])]
    ends = [n.to_bytes(32, "little") for n in (0, 1, 2, SQRT_M1, P - 1, P, P + 1, 2**255 - 1)]
    _, eighth = curve.sqrt_ratio(1, -1 - curve.D)
    known += [*ends, eighth.to_bytes(32, "little")]
    return [relative for encoding in known for relative in around(encoding)]


def compare(all_: Engines, sums: int, *, derandomize: bool) -> None:
    """Compare ``sums`` random sums, and a tenth as many of everything else."""
    for encoding in special_encodings():
        all_.agree_on_decoding(encoding)
    numbers = st.integers(0, 1000)
    terms = st.tuples(scalars, numbers, numbers)
    some = st.one_of(st.lists(terms, max_size=4), st.lists(terms, max_size=24))
    few = max(sums // 10, 1)

    def run(count: int, agree: Any, *strategies: Any) -> None:
        rules = settings(
            max_examples=count,
            deadline=None,
            database=None,
            derandomize=derandomize,
            suppress_health_check=list(HealthCheck),
        )
        rules(given(*strategies)(agree))()

    run(sums, all_.agree, some)
    run(few, all_.agree_on_products, st.lists(scalars, max_size=6), numbers)
    run(few, all_.agree_on_decoding, st.binary(min_size=32, max_size=32))
    run(few, all_.agree_on_signatures, scalars, scalars, scalars)
    run(few, all_.agree_on_mapping, st.binary(min_size=64, max_size=64))


def main() -> None:
    """Compare, and say how much."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sums", type=int, default=100_000)
    parser.add_argument("--library", type=Path, default=LIBRARY)
    parser.add_argument("--same", action="store_true", help="the same sums each time")
    options = parser.parse_args()
    compare(engines(options.library), options.sums, derandomize=options.same)
    print(f"{options.sums} sums: fast, native and pure agree")


if __name__ == "__main__":
    main()
