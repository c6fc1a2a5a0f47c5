"""Masked messages under a joint key: ElGamal on ristretto255, and two proofs.

SPEC#masking, SPEC#pop, SPEC#shares. A message is a point without a meaning.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Self

from matcha_p2p.crypto import sigma
from matcha_p2p.crypto.ristretto255 import GENERATOR, RISTRETTO255, Point, base_mul, secret_sums
from matcha_p2p.errors import Check, EncodingError, ProofError


@dataclass(frozen=True, slots=True)
class Ciphertext:
    """(r·G, M + r·Y): the message M masked by r under the key Y; A and B in SPEC.md."""

    SIZE: ClassVar[int] = 2 * Point.SIZE

    c1: Point
    c2: Point

    def encode(self) -> bytes:
        """Return the 64 bytes of both points."""
        return self.c1.encode() + self.c2.encode()

    @classmethod
    def decode(cls, encoding: bytes) -> Self:
        """Read both points.

        Raises:
            EncodingError: a wrong length, or an invalid point (E_POINT).
        """
        if len(encoding) != cls.SIZE:
            raise EncodingError(Check.POINT, f"a masked card of {len(encoding)} bytes, not 64")
        return cls(*Point.decode_all(encoding))

    @classmethod
    def decode_all(cls, encodings: bytes) -> tuple[Self, ...]:
        """Read consecutive masked cards of 64 bytes each; raises E_POINT."""
        points = iter(Point.decode_all(encodings))
        return tuple(map(cls, points, points))


def public_ciphertext(message: Point, key: Point) -> Ciphertext:
    """Mask ``message`` by 1, so the message stays public.

    A mask of 0 would give the identity, which no statement may hold.
    """
    return Ciphertext(GENERATOR, message + key)


def mask(ciphertext: Ciphertext, r: int, key: Point) -> Ciphertext:
    """Mask once more, by ``r``."""
    return Ciphertext(ciphertext.c1 + base_mul(r), ciphertext.c2 + r * key)


def share(x: int, ciphertext: Ciphertext) -> Point:
    """Return x·c1, the share of the holder of ``x`` in removing the mask."""
    return x * ciphertext.c1


def prove_possession(x: int, context: sigma.Context, random: sigma.Random) -> sigma.Proof:
    """Prove possession of the key x·G; the proof has 64 bytes."""
    return sigma.prove(_possession(base_mul(x)), context.sid("POP"), (x,), random)


def verify_possession(X: Point, context: sigma.Context, proof: sigma.Proof) -> None:
    """Check that the prover knows x with X = x·G.

    Raises:
        ProofError: the proof does not hold (E_POP).
    """
    sigma.verify(_possession(X), context.sid("POP"), proof, Check.POP)


def prove_shares(
    x: int, ciphertexts: Sequence[Ciphertext], context: sigma.Context, random: sigma.Random
) -> tuple[tuple[Point, ...], sigma.Proof]:
    """Return the shares of at least one ciphertext, and a proof of all shares, 64 bytes."""
    bases = [GENERATOR, *(ciphertext.c1 for ciphertext in ciphertexts)]
    X, *shares = secret_sums(bases, [[(i, x)] for i in range(len(bases))])
    relation = _sharing(X, ciphertexts, shares)
    return tuple(shares), sigma.prove(relation, context.sid("SHARES"), (x,), random)


def verify_shares(
    X: Point,
    ciphertexts: Sequence[Ciphertext],
    shares: Sequence[Point],
    context: sigma.Context,
    proof: sigma.Proof,
) -> None:
    """Check that ``shares`` are the shares of the holder of ``X``, in order of the ciphertexts.

    Raises:
        ProofError: the number of shares is wrong, or the proof does not hold (E_SHARE).
    """
    if len(shares) != len(ciphertexts):
        message = f"{len(shares)} shares for {len(ciphertexts)} cards"
        raise ProofError(Check.SHARE, message)
    relation = _sharing(X, ciphertexts, shares)
    sigma.verify(relation, context.sid("SHARES"), proof, Check.SHARE)


def _possession(X: Point) -> sigma.Relation[Point]:
    return sigma.Relation(RISTRETTO255, (GENERATOR, X), _sharing_equations(0))


def _sharing(
    X: Point, ciphertexts: Sequence[Ciphertext], shares: Sequence[Point]
) -> sigma.Relation[Point]:
    """X = x·G and, for each i, D_i = x·A_i; elements G, X, A_1.., D_1.. ."""
    elements = (GENERATOR, X, *(ciphertext.c1 for ciphertext in ciphertexts), *shares)
    return sigma.Relation(RISTRETTO255, elements, _sharing_equations(len(ciphertexts)))


@cache
def _sharing_equations(m: int) -> tuple[sigma.Equation, ...]:
    key = sigma.Equation(image=((1, 1),), terms=((0, 0, 1),))
    return (key, *(sigma.Equation(((2 + m + i, 1),), ((0, 2 + i, 1),)) for i in range(m)))
