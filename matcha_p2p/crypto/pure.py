"""ristretto255 in pure Python, RFC 9496 as written: the fallback, and the test oracle."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from matcha_p2p.crypto import edwards25519
from matcha_p2p.crypto import edwards25519 as curve

# The least number of multiplications of a point for which a comb of the point pays.
_COMB_PAYS: Final = 5


class Element:
    """A coset of the curve, by any point of the coset, with the tables computed so far."""

    __slots__ = ("comb", "encoding", "multiples", "point")

    def __init__(self, point: edwards25519.Extended, encoding: bytes | None = None) -> None:
        self.point: Final = point
        self.encoding = encoding
        self.multiples: edwards25519.OddMultiples | None = None
        self.comb: edwards25519.Comb | None = None

    def odd_multiples(self) -> edwards25519.OddMultiples:
        """Return the odd multiples, made once."""
        if self.multiples is None:
            self.multiples = curve.odd_multiples(self.point)
        return self.multiples

    def with_comb(self) -> edwards25519.Comb:
        """Return the comb, made once."""
        if self.comb is None:
            self.comb = curve.comb(self.point)
        return self.comb


class PureEngine:
    """Group arithmetic in Python integers; one multiplication takes about 1 ms.

    Variable time throughout, secrets included: Python's integers leave no choice.
    """

    name = path = "pure"

    def __init__(self) -> None:
        self.identity = Element(curve.IDENTITY)
        self.generator = Element(curve.BASE)

    def decode(self, encoding: bytes) -> Element | None:
        """Return the element, or None if the encoding is invalid (RFC 9496 §4.3.1)."""
        s = int.from_bytes(encoding, "little")
        if len(encoding) != 32 or s >= edwards25519.P or s & 1:
            return None
        u1, u2 = 1 - s * s, 1 + s * s
        v = (-edwards25519.D * u1 * u1 - u2 * u2) % edwards25519.P
        square, inverse = curve.sqrt_ratio(1, v * u2 * u2 % edwards25519.P)
        dx = inverse * u2 % edwards25519.P
        x = _absolute(2 * s * dx % edwards25519.P)
        y = u1 * inverse * dx * v % edwards25519.P
        t = x * y % edwards25519.P
        if not square or t & 1 or y == 0:
            return None
        return Element((x, y, 1, t), encoding)

    def decode_all(self, encodings: bytes) -> list[Element]:
        """Return the elements up to the first invalid encoding."""
        elements = list[Element]()
        for start in range(0, len(encodings), 32):
            element = self.decode(encodings[start : start + 32])
            if element is None:
                break
            elements.append(element)
        return elements

    def encode(self, element: Element) -> bytes:
        """Return the 32 bytes of an element. Source: RFC 9496 §4.3.2."""
        if element.encoding is None:
            element.encoding = _encode(element.point)
        return element.encoding

    def encode_all(self, elements: Sequence[Element]) -> list[bytes]:
        """Return the 32 bytes of each element."""
        return list(map(self.encode, elements))

    def from_uniform(self, uniform: bytes) -> Element:
        """Map 64 uniform bytes to an element. Source: RFC 9496 §4.3.4."""
        halves = (int.from_bytes(half, "little") for half in (uniform[:32], uniform[32:]))
        first, second = (_elligator(half % 2**255 % edwards25519.P) for half in halves)
        return Element(curve.add(first, second))

    def add(self, p: Element, q: Element) -> Element:
        """Return p + q."""
        return Element(curve.add(p.point, q.point))

    def add_all(self, left: Sequence[Element], right: Sequence[Element]) -> list[Element]:
        """Return p + q for each p of ``left`` and q of ``right``."""
        return list(map(self.add, left, right))

    def subtract(self, p: Element, q: Element) -> Element:
        """Return p - q."""
        return Element(curve.subtract(p.point, q.point))

    def equal(self, p: Element, q: Element) -> bool:
        """Return whether p = q. Source: RFC 9496 §4.3.3."""
        X1, Y1, _, _ = p.point
        X2, Y2, _, _ = q.point
        return (X1 * Y2 - Y1 * X2) % edwards25519.P == 0 or (
            Y1 * Y2 - X1 * X2
        ) % edwards25519.P == 0

    def is_identity(self, p: Element) -> bool:
        """Return whether p is the identity: one of the four points with x = 0 or y = 0."""
        X, Y, _, _ = p.point
        return X % edwards25519.P == 0 or Y % edwards25519.P == 0

    def secret_products(self, scalars: Sequence[int], p: Element) -> list[Element]:
        """Return scalar·p for each scalar; many of one point are cheaper than each alone."""
        if p.comb is None and p is not self.generator and len(scalars) < _COMB_PAYS:
            return [self.public_sum([scalar], [p]) for scalar in scalars]
        comb = p.with_comb()
        return [Element(curve.product(scalar % edwards25519.ORDER, comb)) for scalar in scalars]

    def secret_sum(self, scalars: Sequence[int], points: Sequence[Element]) -> Element:
        """Return Σ scalar·point."""
        return self.public_sum(scalars, points)

    def secret_sums(
        self, points: Sequence[Element], sums: Sequence[Sequence[tuple[int, int]]]
    ) -> list[Element]:
        """Return several sums of scalar·points[i]; a frequent point gets a comb."""
        uses = Counter(i for terms in sums for i, _ in terms)
        for i, count in uses.items():
            if count >= _COMB_PAYS:
                points[i].with_comb()
        return self.public_sums(points, sums)

    def public_sum(self, scalars: Sequence[int], points: Sequence[Element]) -> Element:
        """Return Σ scalar·point; a scalar of 1 or -1 costs one addition."""
        total = curve.IDENTITY
        rest = list[int]()
        multiples = list[edwards25519.OddMultiples]()
        for unreduced, element in zip(scalars, points, strict=True):
            scalar = unreduced % edwards25519.ORDER
            if scalar == 1:
                total = curve.add(total, element.point)
            elif scalar == edwards25519.ORDER - 1:
                total = curve.subtract(total, element.point)
            elif element is self.generator or element.comb is not None:
                total = curve.add(total, curve.product(scalar, element.with_comb()))
            elif scalar:
                rest.append(scalar)
                multiples.append(element.odd_multiples())
        if rest:
            total = curve.add(total, curve.sum_of_products(rest, multiples))
        return Element(total)

    def public_sums(
        self, points: Sequence[Element], sums: Sequence[Sequence[tuple[int, int]]]
    ) -> list[Element]:
        """Return several sums of scalar·points[i]."""
        return [
            self.public_sum([scalar for _, scalar in terms], [points[i] for i, _ in terms])
            for terms in sums
        ]

    def encoded_public_sums(
        self, points: Sequence[Element], sums: Sequence[Sequence[tuple[int, int]]]
    ) -> list[bytes]:
        """Return the encodings of several sums of scalar·points[i]."""
        return self.encode_all(self.public_sums(points, sums))

    def of_group_order(self, x: int, y: int) -> bool:
        """Return whether ORDER·(x, y), a point of the curve, is the identity."""
        return curve.of_group_order(x, y)

    def signature_sum(self, x: int, y: int) -> None:
        """Return None: OpenSSL is quicker."""
        del x, y


def _absolute(x: int) -> int:
    return edwards25519.P - x if x & 1 else x


_, _INV_SQRT_A_MINUS_D = curve.sqrt_ratio(1, -1 - edwards25519.D)
# The RFC takes the odd ("negative") root.
_SQRT_AD_MINUS_ONE: Final = edwards25519.P - curve.sqrt_ratio(-edwards25519.D - 1, 1)[1]


def _encode(point: edwards25519.Extended) -> bytes:
    x0, y0, z0, t0 = point
    u1 = (z0 + y0) * (z0 - y0) % edwards25519.P
    u2 = x0 * y0 % edwards25519.P
    _, inverse = curve.sqrt_ratio(1, u1 * u2 * u2 % edwards25519.P)
    d1, d2 = u1 * inverse % edwards25519.P, u2 * inverse % edwards25519.P
    z_inverse = d1 * d2 * t0 % edwards25519.P
    if t0 * z_inverse % edwards25519.P & 1:
        x, y = (
            y0 * edwards25519.SQRT_M1 % edwards25519.P,
            x0 * edwards25519.SQRT_M1 % edwards25519.P,
        )
        d = d1 * _INV_SQRT_A_MINUS_D % edwards25519.P
    else:
        x, y, d = x0, y0, d2
    if x * z_inverse % edwards25519.P & 1:
        y = -y
    return _absolute(d * (z0 - y) % edwards25519.P).to_bytes(32, "little")


def _elligator(t: int) -> edwards25519.Extended:
    """Map a field element to a point. Source: RFC 9496 §4.3.4, MAP."""
    r = edwards25519.SQRT_M1 * t * t % edwards25519.P
    u = (r + 1) * (1 - edwards25519.D * edwards25519.D) % edwards25519.P
    v = (-1 - r * edwards25519.D) * (r + edwards25519.D) % edwards25519.P
    square, s = curve.sqrt_ratio(u, v)
    c = -1
    if not square:
        s = -_absolute(s * t % edwards25519.P)
        c = r
    n = (c * (r - 1) * (edwards25519.D - 1) * (edwards25519.D - 1) - v) % edwards25519.P
    w0, w1 = 2 * s * v % edwards25519.P, n * _SQRT_AD_MINUS_ONE % edwards25519.P
    w2, w3 = (1 - s * s) % edwards25519.P, (1 + s * s) % edwards25519.P
    return (
        w0 * w3 % edwards25519.P,
        w2 * w1 % edwards25519.P,
        w1 * w3 % edwards25519.P,
        w0 * w2 % edwards25519.P,
    )
