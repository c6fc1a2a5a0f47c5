"""ristretto255, a group of prime order with a single encoding for each element (RFC 9496).

Scalars are plain integers 0..ORDER-1.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self, final

from matcha_p2p.crypto import edwards25519
from matcha_p2p.crypto.engine import ENGINE
from matcha_p2p.crypto.sponge import expand_message, integers
from matcha_p2p.errors import Check, EncodingError

ORDER: Final = edwards25519.ORDER
DST: Final = b"Matcha-V01-CS01-with-ristretto255_XMD:SHA-512_R255MAP_RO_"
SCALAR_SIZE: Final = 32


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Point:
    """A valid group element: decoded, hashed to, or computed from other elements."""

    SIZE: ClassVar[int] = 32

    element: Any  # of the engine's own type

    @classmethod
    def decode(cls, encoding: bytes) -> Self:
        """Decode an element other than the identity (RFC 9496 §4.3.1).

        Raises:
            EncodingError: not 32 bytes, not the encoding of an element, or the identity, which
                no field of the protocol may hold (E_POINT).
        """
        element = ENGINE.decode(encoding)
        if element is None:
            raise EncodingError(Check.POINT, "not the encoding of a point")
        if ENGINE.is_identity(element):
            raise EncodingError(Check.POINT, "the identity stands where a point is due")
        return cls(element)

    @classmethod
    def decode_all(cls, encodings: bytes) -> tuple[Self, ...]:
        """Decode consecutive elements of 32 bytes each; quicker than repeated ``decode``.

        Raises:
            EncodingError: the error of ``decode`` for the first wrong element.
        """
        elements = ENGINE.decode_all(encodings)
        if len(elements) * cls.SIZE < len(encodings) or any(map(ENGINE.is_identity, elements)):
            blocks = (encodings[i : i + cls.SIZE] for i in range(0, len(encodings), cls.SIZE))
            return tuple(map(cls.decode, blocks))  # raises the exact error
        return tuple(map(cls, elements))

    def encode(self) -> bytes:
        """Return the encoding of the element, 32 bytes."""
        return ENGINE.encode(self.element)

    @property
    def is_identity(self) -> bool:
        """Whether the point is the neutral element."""
        return ENGINE.is_identity(self.element)

    def __add__(self, other: "Point") -> "Point":
        return Point(ENGINE.add(self.element, other.element))

    def __sub__(self, other: "Point") -> "Point":
        return Point(ENGINE.subtract(self.element, other.element))

    def __neg__(self) -> "Point":
        return Point(ENGINE.subtract(ENGINE.identity, self.element))

    def __rmul__(self, scalar: int) -> "Point":
        return secret_sum([scalar], [self])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Point):
            return NotImplemented
        return ENGINE.equal(self.element, other.element)

    def __hash__(self) -> int:
        return hash(self.encode())

    def __repr__(self) -> str:
        return f"Point({self.encode().hex()})"


IDENTITY: Final = Point(ENGINE.identity)
GENERATOR: Final = Point(ENGINE.generator)


def secret_sum(scalars: Sequence[int], points: Sequence[Point]) -> Point:
    """Return Σ scalar·point; the scalars may be secret.

    Raises:
        ValueError: not as many scalars as points.
    """
    return Point(ENGINE.secret_sum(scalars, [point.element for point in points]))


def secret_sums(
    points: Sequence[Point], sums: Sequence[Sequence[tuple[int, int]]]
) -> list[Point]:
    """Return several sums, each of pairs (i, scalar) for scalar·points[i].

    The scalars may be secret.
    """
    elements = [point.element for point in points]
    return [Point(element) for element in ENGINE.secret_sums(elements, sums)]


def public_sum(scalars: Sequence[int], points: Sequence[Point]) -> Point:
    """Return Σ scalar·point; all is public. A scalar of 1 or -1 costs one addition.

    Raises:
        ValueError: not as many scalars as points.
    """
    return Point(ENGINE.public_sum(scalars, [point.element for point in points]))


def public_sums(
    points: Sequence[Point], sums: Sequence[Sequence[tuple[int, int]]]
) -> list[Point]:
    """Return several sums, each of pairs (i, scalar) for scalar·points[i]; all is public."""
    return [
        Point(element)
        for element in ENGINE.public_sums([point.element for point in points], sums)
    ]


def encoded_public_sums(
    points: Sequence[Point], sums: Sequence[Sequence[tuple[int, int]]]
) -> list[bytes]:
    """Return the encodings of several sums; may be cheaper than ``public_sums``."""
    return ENGINE.encoded_public_sums([point.element for point in points], sums)


def encode_all(points: Iterable[Point]) -> list[bytes]:
    """Return the 32 bytes of each point; quicker than repeated ``encode``."""
    return ENGINE.encode_all([point.element for point in points])


def add_all(left: Sequence[Point], right: Sequence[Point]) -> list[Point]:
    """Return p + q for each p of ``left`` and q of ``right``; quicker than repeated +."""
    p, q = [point.element for point in left], [point.element for point in right]
    return [Point(element) for element in ENGINE.add_all(p, q)]


def secret_products(scalars: Sequence[int], point: Point) -> list[Point]:
    """Return scalar·point for each scalar, possibly secret; quicker than single products."""
    return [Point(element) for element in ENGINE.secret_products(scalars, point.element)]


def base_mul(scalar: int) -> Point:
    """Return scalar·GENERATOR; the scalar may be secret."""
    return secret_sum([scalar], [GENERATOR])


def hash_to_group(message: bytes) -> Point:
    """Return an element of unknown discrete logarithm (RFC 9380 appendix B)."""
    return derive_point(expand_message(message, DST, 64))


def derive_point(uniform: bytes) -> Point:
    """Map 64 uniform bytes, possibly secret, to an element (RFC 9496 §4.3.4)."""
    return Point(ENGINE.from_uniform(uniform))


def encode_scalar(scalar: int) -> bytes:
    """Return 0 <= scalar < ORDER as 32 bytes, little-endian."""
    return scalar.to_bytes(SCALAR_SIZE, "little")


def decode_scalar(encoding: bytes) -> int:
    """Read a scalar.

    Raises:
        EncodingError: not 32 bytes, or not below ORDER (E_SCALAR).
    """
    scalar = int.from_bytes(encoding, "little")
    if len(encoding) != SCALAR_SIZE or scalar >= ORDER:
        raise EncodingError(Check.SCALAR, "not the encoding of a scalar")
    return scalar


def reduce_wide(wide: bytes) -> int:
    """Return 48 uniform bytes as a scalar, uniform up to a bias < 2⁻¹³⁰.

    Raises:
        ValueError: not 48 bytes.
    """
    (scalar,) = integers(wide, ORDER)
    return scalar


class Ristretto255:
    """The group in the interface of ``sigma``."""

    order = ORDER
    generator = GENERATOR
    secret_sums = staticmethod(secret_sums)
    public_sum = staticmethod(public_sum)
    public_sums = staticmethod(public_sums)
    encoded_public_sums = staticmethod(encoded_public_sums)
    encode_all = staticmethod(encode_all)
    encode_scalar = staticmethod(encode_scalar)
    encoded_identity = IDENTITY.encode()

    def is_identity(self, point: Point) -> bool:
        """Return whether ``point`` is the neutral element."""
        return ENGINE.is_identity(point.element)


RISTRETTO255: Final = Ristretto255()
