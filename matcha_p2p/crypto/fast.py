"""ristretto255 by a small library of our own: fast.c, compiled at installation.

fast.c is a plain shared library, not an extension module. So the library needs no headers of
Python, fits every version of Python, and computes while other threads run.
"""

import struct
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from ctypes import CDLL, Array, addressof, c_char, c_char_p, c_int, c_size_t
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate, islice
from pathlib import Path
from typing import Final, TypeAlias

from matcha_p2p.crypto.edwards25519 import ORDER, P

SOURCE: Final = Path(__file__).with_name("fast.c")
LIBRARY: Final = Path(__file__).with_name("libfast.so")

_IDENTITY: Final = bytes(32)
_POINT: Final = 160
_COMB: Final = 64 * 8 * _POINT
_WIDE: Final = 64 * _POINT
_HALF: Final = pow(2, -1, ORDER)
# The least number of products of a point for which a comb of the point pays.
_COMB_PAYS: Final = 4

# The parameters of each function. Results are counts or truths; the result of any other
# function is ignored. Tables are given by address, 8 bytes each.
_BYTES, _SIZE, _TABLES = c_char_p, c_size_t, c_char_p
_SIGNATURES: Final = {
    "fast_source": (),
    "fast_lanes": (),
    "fast_generator": (_BYTES,),
    "fast_decode": (_BYTES, _SIZE, _BYTES),
    "fast_encode": (_BYTES, _SIZE, _BYTES),
    "fast_from_uniform": (_BYTES, _BYTES),
    "fast_equal": (_BYTES, _BYTES),
    "fast_add": (_BYTES, _SIZE, _BYTES, _BYTES),
    "fast_subtract": (_BYTES, _BYTES, _BYTES),
    "fast_comb": (_BYTES, _BYTES),
    "fast_wide": (_BYTES, _BYTES),
    "fast_secret_sums": (_BYTES, _SIZE, _BYTES, _BYTES, _BYTES, _SIZE, _BYTES, _TABLES),
    "fast_public_sums": (_BYTES, _SIZE, _BYTES, _BYTES, _BYTES, _SIZE, _BYTES, _TABLES),
    "fast_double": (_BYTES, _SIZE, _BYTES),
    "fast_edwards": (_BYTES, _BYTES),
}


Sum: TypeAlias = Sequence[tuple[int, int]]  # pairs (i, scalar) for scalar·points[i]


class FastElement:
    """A decoded element, with the tables computed so far.

    point: a point of fast.c. constant: the generator, or an element from a hash. Many sums
    hold a constant element, so the first sum makes a wide table. comb, wide: the addresses of
    tables, or 0. If two threads make a table at once both tables stay, because C may be reading
    either.
    """

    __slots__ = ("_tables", "comb", "constant", "encoding", "point", "wide")

    def __init__(
        self, point: bytes, encoding: bytes | None = None, *, constant: bool = False
    ) -> None:
        self.point: Final = point
        self.encoding = encoding
        self.constant: Final = constant
        self.comb = self.wide = 0
        self._tables: tuple[Array[c_char], ...] = ()

    def keep(self, table: Array[c_char]) -> int:
        """Keep ``table`` as long as the element, and return its address."""
        self._tables = (*self._tables, table)
        return addressof(table)


class FastEngine:
    """Group arithmetic by fast.c; a term of a long sum takes about 10 µs."""

    name = "fast"

    def __init__(self, library: Path) -> None:
        """Load ``library``.

        Raises:
            OSError: the library is missing, or cannot be loaded.
            AttributeError: the file is another library.
            ValueError: the library was compiled from another fast.c.
        """
        self._c: Final = CDLL(str(library))
        for name, takes in _SIGNATURES.items():
            function = getattr(self._c, name)
            function.argtypes, function.restype = takes, c_int
        source = sha256(SOURCE.read_bytes()).digest()
        if self._c.fast_source() != int.from_bytes(source[:4]) >> 1:
            raise ValueError("the library was compiled from another fast.c; install again")
        self.path: Final = "fast, AVX-512" if self._c.fast_lanes() else "fast"
        point = _room(_POINT)
        self._c.fast_generator(point)
        self.generator = FastElement(point.raw, constant=True)
        self.identity = self.subtract(self.generator, self.generator)

    def decode(self, encoding: bytes) -> FastElement | None:
        """Return the element, or None if the encoding is invalid."""
        point = _room(_POINT)
        if len(encoding) != 32 or not self._c.fast_decode(point, 1, encoding):
            return None
        return FastElement(point.raw, encoding)

    def decode_all(self, encodings: bytes) -> list[FastElement]:
        """Return the elements up to the first invalid encoding."""
        count = len(encodings) // 32
        points = _room(_POINT * count)
        good = self._c.fast_decode(points, count, encodings)
        pairs = zip(_split(points.raw, _POINT), _split(encodings, 32), strict=False)
        return [FastElement(point, encoding) for point, encoding in islice(pairs, good)]

    def encode(self, element: FastElement) -> bytes:
        """Return the 32 bytes of an element."""
        if element.encoding is None:
            encoding = _room(32)
            self._c.fast_encode(encoding, 1, element.point)
            element.encoding = encoding.raw
        return element.encoding

    def encode_all(self, elements: Sequence[FastElement]) -> list[bytes]:
        """Return the 32 bytes of each element."""
        unknown = [element for element in elements if element.encoding is None]
        if unknown:
            encodings = _room(32 * len(unknown))
            points = b"".join([element.point for element in unknown])
            self._c.fast_encode(encodings, len(unknown), points)
            for element, encoding in zip(unknown, _split(encodings.raw, 32), strict=True):
                element.encoding = encoding
        return [element.encoding or self.encode(element) for element in elements]

    def from_uniform(self, uniform: bytes) -> FastElement:
        """Map 64 uniform bytes to an element."""
        point = _room(_POINT)
        self._c.fast_from_uniform(point, uniform)
        return FastElement(point.raw, constant=True)

    def add(self, p: FastElement, q: FastElement) -> FastElement:
        """Return p + q."""
        return self.add_all([p], [q])[0]

    def add_all(
        self, left: Sequence[FastElement], right: Sequence[FastElement]
    ) -> list[FastElement]:
        """Return p + q for each p of ``left`` and q of ``right``."""
        points = _room(_POINT * len(left))
        pairs = zip(left, right, strict=True)
        p, q = zip(*((p.point, q.point) for p, q in pairs), strict=True) if left else ((), ())
        self._c.fast_add(points, len(left), b"".join(p), b"".join(q))
        return [FastElement(point) for point in _split(points.raw, _POINT)]

    def subtract(self, p: FastElement, q: FastElement) -> FastElement:
        """Return p - q."""
        point = _room(_POINT)
        self._c.fast_subtract(point, p.point, q.point)
        return FastElement(point.raw)

    def equal(self, p: FastElement, q: FastElement) -> bool:
        """Return whether p = q."""
        return bool(self._c.fast_equal(p.point, q.point))

    def is_identity(self, p: FastElement) -> bool:
        """Return whether p is the identity; quick if p was decoded or encoded."""
        if p.encoding is not None:
            return p.encoding == _IDENTITY
        return self.equal(p, self.identity)

    def secret_products(self, scalars: Sequence[int], p: FastElement) -> list[FastElement]:
        """Return scalar·p for each scalar, in constant time; cheaper than single products."""
        totals = self._secret_sums([p], [[(0, scalar)] for scalar in scalars], 1)
        return [FastElement(point) for point in _split(totals.raw, _POINT)]

    def secret_sum(self, scalars: Sequence[int], points: Sequence[FastElement]) -> FastElement:
        """Return Σ scalar·point in constant time."""
        terms = list(zip(range(len(points)), scalars, strict=True))
        return FastElement(self._secret_sums(points, [terms], 1).raw)

    def secret_sums(
        self, points: Sequence[FastElement], sums: Sequence[Sum]
    ) -> list[FastElement]:
        """Return several sums of scalar·points[i] in constant time, encoded already."""
        totals = self._secret_sums(points, sums, _HALF)
        encodings = self._double(totals, len(sums))
        pairs = zip(_split(totals.raw, _POINT), encodings, strict=True)
        return [FastElement(point, encoding) for point, encoding in pairs]

    def public_sum(self, scalars: Sequence[int], points: Sequence[FastElement]) -> FastElement:
        """Return Σ scalar·point, in variable time."""
        terms = list(zip(range(len(points)), scalars, strict=True))
        return FastElement(self._public_sums(points, [terms], 1).raw)

    def public_sums(
        self, points: Sequence[FastElement], sums: Sequence[Sum]
    ) -> list[FastElement]:
        """Return several sums of scalar·points[i], in variable time."""
        totals = self._public_sums(points, sums, 1)
        return [FastElement(point) for point in _split(totals.raw, _POINT)]

    def encoded_public_sums(
        self, points: Sequence[FastElement], sums: Sequence[Sum]
    ) -> list[bytes]:
        """Return the encodings of several sums of scalar·points[i], in variable time.

        Halves of the sums are computed and doubled: only doubles can be encoded together.
        """
        return self._double(self._public_sums(points, sums, _HALF), len(sums))

    def of_group_order(self, x: int, y: int) -> bool:
        """Return whether ORDER·(x, y), a point of the curve, is the identity."""
        point, total = affine(x, y), _room(_POINT)
        one, zero = struct.pack("=I", 1), struct.pack("=I", 0)
        order = ORDER.to_bytes(32, "little")  # which _public_sums would take for 0
        if not self._c.fast_public_sums(total, 1, one, zero, order, 1, point, _addresses([0])):
            raise MemoryError
        X, Y, Z = _coordinates(total.raw)
        return X == 0 and Y == Z

    def signature_sum(self, x: int, y: int) -> Callable[[bytes, int], bytes]:
        """Return the function that computes S·B - h·(x, y), encoded as in RFC 8032."""
        key = FastElement(affine(x, y), constant=True)
        self._wides([self.generator, key], ())
        points = self.generator.point + key.point
        two, both = struct.pack("=I", 2), struct.pack("=2I", 0, 1)

        def encoded_sum(s: bytes, h: int) -> bytes:
            total, encoding = _room(_POINT), _room(32)
            scalars = s + (-h % ORDER).to_bytes(32, "little")
            tables = _addresses([self.generator.wide, key.wide])
            sums = self._c.fast_public_sums
            if not sums(total, 1, two, both, scalars, 2, points, tables):
                raise MemoryError
            self._c.fast_edwards(encoding, total)
            return encoding.raw

        return encoded_sum

    def _secret_sums(
        self, points: Sequence[FastElement], sums: Sequence[Sum], factor: int
    ) -> Array[c_char]:
        """Return the points of the sums, each times ``factor``, in constant time."""
        factors = [
            (scalar * factor % ORDER).to_bytes(32, "little")
            for terms in sums
            for _, scalar in terms
        ]
        return self._sums(
            self._c.fast_secret_sums, points, sums, b"".join(factors), self._combs
        )

    def _public_sums(
        self, points: Sequence[FastElement], sums: Sequence[Sum], factor: int
    ) -> Array[c_char]:
        """Return the points of the sums, each times ``factor``."""
        scalars = [scalar for terms in sums for _, scalar in terms]
        encoded = {  # a proof has each response in several sums, the challenge in most sums
            scalar: (scalar * factor % ORDER).to_bytes(32, "little") for scalar in set(scalars)
        }
        factors = b"".join(map(encoded.__getitem__, scalars))
        return self._sums(self._c.fast_public_sums, points, sums, factors, self._wides)

    def _sums(
        self,
        compute: Callable[..., int],
        points: Sequence[FastElement],
        sums: Sequence[Sum],
        scalars: bytes,
        tables: Callable[[Sequence[FastElement], Sequence[int]], list[int]],
    ) -> Array[c_char]:
        """Return the points of the sums, by a function of C and the tables that it uses.

        Raises:
            IndexError: a sum names a missing point; C would read beyond the last point.
        """
        totals = _room(_POINT * len(sums))
        named = [i for terms in sums for i, _ in terms]
        if named and max(named) >= len(points):
            raise IndexError("a sum of a point that is not there")
        if not compute(
            *(totals, len(sums), array("I", accumulate(map(len, sums))).tobytes()),
            *(array("I", named).tobytes(), scalars),
            *(len(points), b"".join([point.point for point in points])),
            _addresses(tables(points, named)),
        ):
            raise MemoryError
        return totals

    def _double(self, points: Array[c_char], count: int) -> list[bytes]:
        """Double ``count`` points where they lie, and return the encodings of the doubles."""
        encodings = _room(32 * count)
        if not self._c.fast_double(encodings, count, points):
            raise MemoryError
        return _split(encodings.raw, 32)

    def _combs(self, points: Sequence[FastElement], named: Sequence[int]) -> list[int]:
        """Return the addresses of the combs, 0 for none; a frequent point gets one."""
        for i, uses in Counter(named).items():
            p = points[i]
            if not p.comb and (uses >= _COMB_PAYS or p is self.generator):
                comb = _room(_COMB)
                self._c.fast_comb(comb, p.point)
                p.comb = p.keep(comb)
        return [p.comb for p in points]

    def _wides(self, points: Sequence[FastElement], _named: Sequence[int]) -> list[int]:
        """Return the addresses of the wide tables, 0 for none; a constant point gets one."""
        for p in points:
            if p.constant and not p.wide:
                table = _room(_WIDE)
                self._c.fast_wide(table, p.point)
                p.wide = p.keep(table)
        return [p.wide for p in points]


def _room(size: int) -> Array[c_char]:
    """Return room for the output of C."""
    return _room_type(size)()


@lru_cache(maxsize=1024)
def _room_type(size: int) -> type[Array[c_char]]:
    """Return the type for ``size`` bytes, cached: ctypes would make a new type each time."""
    return c_char * size


def affine(x: int, y: int) -> bytes:
    """Return the point of fast.c with these coordinates: X, Y, Z, T in limbs of 51 bits."""
    limbs = (c >> 51 * i & 2**51 - 1 for c in (x, y, 1, x * y % P) for i in range(5))
    return struct.pack("=20Q", *limbs)


def _coordinates(point: bytes) -> tuple[int, int, int]:
    """Return X, Y, Z of a point of fast.c, whose limbs may be over 51 bits."""
    limbs = struct.unpack("=20Q", point)
    X, Y, Z = (
        sum(limb << 51 * i for i, limb in enumerate(limbs[start : start + 5])) % P
        for start in (0, 5, 10)
    )
    return X, Y, Z


def _split(whole: bytes, size: int) -> list[bytes]:
    return [whole[i : i + size] for i in range(0, len(whole), size)]


def _addresses(tables: Sequence[int]) -> bytes:
    return array("Q", tables).tobytes()
