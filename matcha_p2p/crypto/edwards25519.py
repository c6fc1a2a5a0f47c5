"""The curve -x² + y² = 1 + d·x²·y² over GF(2²⁵⁵ - 19), in Python integers.

The curve carries both ristretto255 (RFC 9496) and Ed25519 (RFC 8032). Points are tuples
(X, Y, Z, T) of extended coordinates: x = X/Z, y = Y/Z, T = XY/Z. Variable time: keys live for
one game.

Source: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited", ASIACRYPT 2008.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

Extended: TypeAlias = tuple[int, int, int, int]
# The second operand of an addition: Y - X, Y + X, 2Z, 2dT.
Addend: TypeAlias = tuple[int, int, int, int]
# The odd multiples 1P, 3P .. 15P, then the negatives -15P up to -1P: ``multiples[digit >> 1]``
# is digit·P for every odd digit, because Python counts back from the end.
OddMultiples: TypeAlias = tuple[Addend, ...]
# ``comb[i][digit]`` is digit·2^(WINDOW·i)·P, for -2^(WINDOW-1) <= digit <= 2^(WINDOW-1).
Comb: TypeAlias = tuple[tuple[Addend, ...], ...]

P: Final = 2**255 - 19
ORDER: Final = 2**252 + 27742317777372353535851937790883648493
D: Final = -121665 * pow(121666, -1, P) % P
SQRT_M1: Final = pow(2, (P - 1) // 4, P)
IDENTITY: Final[Extended] = (0, 1, 1, 0)

_NAF: Final = 5
_WINDOW: Final = 6
_WINDOWS: Final = -(-ORDER.bit_length() // _WINDOW)


def sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    """Return whether u/v is a square, and the non-negative root of u/v, or of i·u/v if not.

    Source: RFC 9496 §4.2, SQRT_RATIO_M1.
    """
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    correct = check == u % P
    flipped = check == -u % P
    if flipped or check == -u * SQRT_M1 % P:
        r = r * SQRT_M1 % P
    return correct or flipped, P - r if r & 1 else r


def _base_point() -> Extended:
    """Return the point with y = 4/5 and even x (RFC 8032 §5.1)."""
    y = 4 * pow(5, -1, P) % P
    _, x = sqrt_ratio(y * y - 1, D * y * y + 1)
    return x, y, 1, x * y % P


def of_group_order(x: int, y: int) -> bool:
    """Return whether ORDER·(x, y), a point of the curve, is the identity."""
    X, Y, Z, _ = sum_of_products([ORDER], [odd_multiples((x, y, 1, x * y % P))])
    return X == 0 and Y == Z


def add(p: Extended, q: Extended) -> Extended:
    """Return p + q; complete: valid for every pair of points."""
    return _add(p, addend(q))


def subtract(p: Extended, q: Extended) -> Extended:
    """Return p - q."""
    return _add(p, _negative(addend(q)))


def double(p: Extended) -> Extended:
    """Return 2p."""
    X, Y, Z, _ = p
    A, B = X * X, Y * Y
    E = 2 * X * Y % P
    G = (B - A) % P
    F = (G - 2 * Z * Z) % P
    H = (-A - B) % P
    return E * F % P, G * H % P, F * G % P, E * H % P


def addend(p: Extended) -> Addend:
    """Return ``p`` as the second operand of additions."""
    X, Y, Z, T = p
    return Y - X, Y + X, 2 * Z, 2 * D * T % P


def odd_multiples(p: Extended) -> OddMultiples:
    """Return the table of a point for ``sum_of_products``; cost: 8 additions."""
    twice = addend(double(p))
    point, multiples = p, [addend(p)]
    for _ in range(2 ** (_NAF - 2) - 1):
        point = _add(point, twice)
        multiples.append(addend(point))
    return (*multiples, *map(_negative, reversed(multiples)))


def sum_of_products(scalars: Sequence[int], multiples: Sequence[OddMultiples]) -> Extended:
    """Return Σ scalar·point, for the odd multiples of each point; scalars from 0.

    Cost: a run of doublings for the whole sum, and 42 additions a point.
    Source: Straus 1964, with signed windows (wNAF).
    """
    due: list[list[Addend]] = [[] for _ in range(max(map(int.bit_length, scalars)) + 1)]
    for scalar, table in zip(scalars, multiples, strict=True):
        for position, digit in _signed_windows(scalar):
            due[position].append(table[digit >> 1])
    total = IDENTITY
    for addends in reversed(due):
        total = double(total)
        for q in addends:
            total = _add(total, q)
    return total


def comb(p: Extended) -> Comb:
    """Return a table for multiplying ``p`` eight times as fast.

    Cost: about five multiplications; 0.7 MB.
    """
    windows: list[tuple[Addend, ...]] = []
    for _ in range(_WINDOWS):
        step, point, multiples = addend(p), p, [addend(p)]
        for _ in range(2 ** (_WINDOW - 1) - 1):
            point = _add(point, step)
            multiples.append(addend(point))
        windows.append((addend(IDENTITY), *multiples, *map(_negative, reversed(multiples))))
        p = double(point)
    return tuple(windows)


def product(scalar: int, table: Comb) -> Extended:
    """Return scalar·P from the comb of P; cost: 43 additions and no doubling."""
    half, full = 2 ** (_WINDOW - 1), 2**_WINDOW
    total = IDENTITY
    for window in table:
        digit = scalar % full
        if digit > half:
            digit -= full
        if digit:
            total = _add(total, window[digit])
        scalar = (scalar - digit) // full
    return total


def _add(p: Extended, q: Addend) -> Extended:
    X, Y, Z, T = p
    minus, plus, z2, t2d = q
    A, B = (Y - X) * minus, (Y + X) * plus
    C, S = T * t2d, Z * z2
    E, F, G, H = (B - A) % P, (S - C) % P, (S + C) % P, (B + A) % P
    return E * F % P, G * H % P, F * G % P, E * H % P


def _negative(q: Addend) -> Addend:
    minus, plus, z2, t2d = q
    return plus, minus, z2, -t2d


def _signed_windows(scalar: int) -> list[tuple[int, int]]:
    """Split ``scalar`` into odd digits -15..15, with the sum of digit·2^position."""
    half, full = 2 ** (_NAF - 1), 2**_NAF
    position, digits = 0, list[tuple[int, int]]()
    while scalar:
        zeros = (scalar & -scalar).bit_length() - 1
        scalar >>= zeros
        position += zeros
        digit = scalar % full
        if digit > half:
            digit -= full
        digits.append((position, digit))
        scalar -= digit
    return digits


BASE: Final = _base_point()
