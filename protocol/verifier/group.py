"""ristretto255 and Ed25519 in plain integers (SPEC#group, SPEC#signatures).

Both live on the curve y² - x² = 1 + d·x²·y² over the field of p = 2²⁵⁵ - 19. A point is a
tuple (X, Y, Z, T) with x = X/Z, y = Y/Z, T = X·Y/Z. A verifier has no secrets, so the code
takes variable time. The formulas of addition are from Hisil, Wong, Carter and Dawson (2008).
They hold for every pair of points of the curve.
"""

import hashlib
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from codec import GROUP_ORDER as L
from codec import le, refuse, require

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
# RFC 9496 section 4.1; the first two are square roots with the RFC's signs.
SQRT_AD_MINUS_ONE = (
    25063068953384623474111414158702152701244531502492656460079210482610430750235
)
INVSQRT_A_MINUS_D = (
    54469307008909316920995813868745141605393597292927456921205312896311721017578
)
ONE_MINUS_D_SQ = (1 - D * D) % P
D_MINUS_ONE_SQ = (D - 1) ** 2 % P

Point = tuple[int, int, int, int]

IDENTITY = (0, 1, 1, 0)


# -- Points of the curve ---------------------------------------------------------------------


def add(one: Point, two: Point) -> Point:
    """Return the sum of two points."""
    return _add_prepared(one, _prepare(two))


def _prepare(point: Point) -> Point:
    """Return a point as (Y - X, Y + X, 2·d·T, 2·Z), for quicker additions."""
    x, y, z, t = point
    return (y - x) % P, (y + x) % P, 2 * D * t % P, 2 * z % P


def _add_prepared(one: Point, two: Point) -> Point:
    """Return the sum of a point and a prepared point."""
    x, y, z, t = one
    minus, plus, dt, zz = two
    a = (y - x) * minus % P
    b = (y + x) * plus % P
    c = t * dt % P
    d = z * zz % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(point: Point) -> Point:
    """Return twice a point."""
    x, y, z, _ = point
    a = x * x % P
    b = y * y % P
    h = a + b
    e = h - (x + y) * (x + y) % P
    g = a - b
    f = 2 * z * z % P + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def negative(point: Point) -> Point:
    """Return minus a point."""
    x, y, z, t = point
    return -x % P, y, z, -t % P


def _odd_multiples(point: Point, width: int) -> tuple[Point, ...]:
    """Return 1, 3, 5 .. 2^(width-1) - 1 times a point, prepared."""
    twice = double(point)
    multiples = [point]
    for _ in range(2 ** (width - 2) - 1):
        multiples.append(add(multiples[-1], twice))
    return tuple(_prepare(multiple) for multiple in multiples)


def _sum_of_multiples(terms: Iterable[tuple[int, Sequence[Point]]]) -> Point:
    """Return Σ n·A over pairs of n and the odd multiples of A.

    Each n is written in its non-adjacent form: digits are odd or zero, small enough for the
    multiples, and mostly zero. All terms share the doublings (Straus).
    """
    places: list[list[Point]] = [[] for _ in range(257)]
    for n, multiples in terms:
        span = 4 * len(multiples)
        rest, place = n, 0
        while rest:
            zeros = (rest & -rest).bit_length() - 1
            rest >>= zeros
            place += zeros
            digit = (rest + span // 2) % span - span // 2
            rest -= digit
            minus, plus, dt, zz = multiples[abs(digit) // 2]
            places[place].append((minus, plus, dt, zz) if digit > 0 else (plus, minus, -dt, zz))
    total = IDENTITY
    for added in reversed(places):
        total = double(total)
        for prepared in added:
            total = _add_prepared(total, prepared)
    return total


# -- ristretto255 ----------------------------------------------------------------------------


class Element:
    """An element of ristretto255, by a point of its coset."""

    def __init__(self, point: Point, width: int = 5) -> None:
        self.point = point
        self.width = width

    def __add__(self, other: "Element") -> "Element":
        return Element(add(self.point, other.point))

    def __sub__(self, other: "Element") -> "Element":
        return Element(add(self.point, negative(other.point)))

    @property
    def is_identity(self) -> bool:
        """Whether the point is one of the identity's four points."""
        return self.point[0] == 0 or self.point[1] == 0

    @cached_property
    def multiples(self) -> tuple[Point, ...]:
        """Return the odd multiples, for sums."""
        return _odd_multiples(self.point, self.width)

    @cached_property
    def encoding(self) -> bytes:
        """The 32 bytes of RFC 9496 section 4.3.2."""
        x, y, z, t = self.point
        u1, u2 = (z + y) * (z - y) % P, x * y % P
        _, inverse = _sqrt_ratio(1, u1 * u2 * u2 % P)
        den1, den2 = inverse * u1 % P, inverse * u2 % P
        z_inverse = den1 * den2 * t % P
        if _is_negative(t * z_inverse):
            x, y, den2 = y * SQRT_M1 % P, x * SQRT_M1 % P, den1 * INVSQRT_A_MINUS_D % P
        if _is_negative(x * z_inverse):
            y = -y
        return _absolute(den2 * (z - y)).to_bytes(32, "little")


def combine(terms: Iterable[tuple[int, Element]]) -> Element:
    """Return Σ a·E over pairs of a scalar a and an element E."""
    centred = ((a % L, e.multiples) for a, e in terms)
    return Element(_sum_of_multiples((a - L if a > L // 2 else a, m) for a, m in centred))


def decode_element(data: bytes) -> Element:
    """Return the element of 32 bytes (RFC 9496 section 4.3.1), not the identity; E_POINT."""
    s = le(data)
    require(len(data) == 32 and 0 < s < P and not _is_negative(s), "E_POINT")
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    was_square, inverse = _sqrt_ratio(1, v * u2 * u2 % P)
    x = _absolute(2 * s * inverse * u2)
    y = u1 * inverse * inverse * u2 * v % P
    t = x * y % P
    require(was_square and not _is_negative(t) and y != 0, "E_POINT")
    element = Element((x, y, 1, t))
    element.encoding = data
    return element


def decode_scalar(data: bytes) -> int:
    """Return the scalar of 32 bytes; E_SCALAR."""
    require(len(data) == 32 and le(data) < L, "E_SCALAR")
    return le(data)


@lru_cache(maxsize=128)
def hash_to_group(message: bytes) -> Element:
    """Return HG(message) (SPEC#generators), with more multiples for many sums."""
    uniform = _expand(message, b"Matcha-V01-CS01-with-ristretto255_XMD:SHA-512_R255MAP_RO_")
    return Element(add(_map(uniform[:32]), _map(uniform[32:])), width=8)


def _expand(message: bytes, dst: bytes) -> bytes:
    """Return expand_message_xmd with SHA-512: 64 bytes, a block of output."""
    suffix = dst + bytes([len(dst)])
    first = hashlib.sha512(bytes(128) + message + b"\0\x40\0" + suffix).digest()
    return hashlib.sha512(first + b"\x01" + suffix).digest()


def _map(data: bytes) -> Point:
    """Return MAP of RFC 9496 section 4.3.4."""
    t = le(data) % 2**255 % P
    r = SQRT_M1 * t * t % P
    u = (r + 1) * ONE_MINUS_D_SQ % P
    v = (-1 - r * D) * (r + D) % P
    was_square, s = _sqrt_ratio(u, v)
    c = -1
    if not was_square:
        s, c = -_absolute(s * t), r
    n = (c * (r - 1) * D_MINUS_ONE_SQ - v) % P
    w0, w1, w2, w3 = 2 * s * v, n * SQRT_AD_MINUS_ONE, 1 - s * s, 1 + s * s
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def _is_negative(n: int) -> bool:
    return n % P % 2 == 1


def _absolute(n: int) -> int:
    return -n % P if _is_negative(n) else n % P


def _sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    """Return SQRT_RATIO_M1 of RFC 9496 section 4.2: whether u/v is a square, and the root."""
    v3 = v * v * v % P
    r = u * v3 * pow(u * v3 * v3 * v, (P - 5) // 8, P) % P
    check = v * r * r % P
    flipped, flipped_i = check == -u % P, check == -u * SQRT_M1 % P
    if flipped or flipped_i:
        r = r * SQRT_M1 % P
    return check == u % P or flipped, _absolute(r)


# -- Ed25519 ---------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def decode_key(key: bytes) -> Element:
    """Return the point of a good Ed25519 key of 32 bytes; E_KEY (SPEC#signatures).

    A key with bit 255 set and y = 1 or p - 1 fails by its order in any case.
    """
    sign, y = divmod(le(key), 2**255)
    require(y < P, "E_KEY")
    # x² = (y² - 1) / (d·y² + 1)
    was_square, x = _sqrt_ratio((y * y - 1) % P, (D * y * y + 1) % P)
    require(was_square, "E_KEY")
    if sign != x % 2:
        x = -x % P
    point = (x, y, 1, x * y % P)
    require((x, y) != (0, 1), "E_KEY")
    _, y, z, _ = _sum_of_multiples([(L, _odd_multiples(point, 5))])
    require(y == z, "E_KEY")  # which is the identity: no other point has its y
    return Element(point)


def check_signature(key: bytes, message: bytes, signature: bytes, check: str) -> None:
    """Refuse with ``check`` unless ``signature``, 64 bytes, holds under a good ``key``."""
    r, s = signature[:32], le(signature[32:])
    require(s < L, check)
    k = le(hashlib.sha512(r + key + message).digest())
    x, y, z, _ = combine([(s, BASE), (-k, decode_key(key))]).point
    inverse = pow(z, -1, P)
    x, y = x * inverse % P, y * inverse % P
    if (y + (x % 2 << 255)).to_bytes(32, "little") != r:
        refuse(check)


# The base point of Ed25519 is the generator of ristretto255, too.
BASE = Element(decode_key(bytes([0x58]) + bytes([0x66]) * 31).point, width=8)
