"""ristretto255 by a small library of our own: fast.c, compiled when the package was installed.

It is a plain shared library and not an extension module: so it needs no headers of Python, is
the same for every version of Python, and computes while other threads run.
"""

from collections.abc import Callable, Sequence
from ctypes import CDLL, POINTER, c_char, c_char_p, c_int, c_size_t
from hashlib import sha256
from pathlib import Path
from typing import Final

from matcha_p2p.crypto.edwards25519 import ORDER

SOURCE: Final = Path(__file__).with_name("fast.c")
LIBRARY: Final = Path(__file__).with_name("libfast.so")

_IDENTITY: Final = bytes(32)
_POINT: Final = 160
_COMB: Final = 64 * 8 * _POINT
_WIDE: Final = 64 * _POINT
_Room: Final = c_char * _POINT
# From this many products of one point on, making its comb first is cheaper.
_COMB_PAYS: Final = 4

# What each function takes; where one does not return a count or a truth, that is ignored.
_BYTES, _SIZE, _TABLES = c_char_p, c_size_t, POINTER(c_char_p)
_SIGNATURES: Final = {
    "fast_source": (),
    "fast_generator": (_BYTES,),
    "fast_decode": (_BYTES, _BYTES),
    "fast_encode": (_BYTES, _SIZE, _BYTES),
    "fast_from_uniform": (_BYTES, _BYTES),
    "fast_equal": (_BYTES, _BYTES),
    "fast_add": (_BYTES, _BYTES, _BYTES),
    "fast_subtract": (_BYTES, _BYTES, _BYTES),
    "fast_comb": (_BYTES, _BYTES),
    "fast_wide": (_BYTES, _BYTES),
    "fast_secret_products": (_BYTES, _SIZE, _BYTES, _BYTES),
    "fast_secret_sum": (_BYTES, _BYTES, _SIZE, _BYTES, _SIZE, _TABLES),
    "fast_public_sum": (_BYTES, _BYTES, _SIZE, _BYTES, _SIZE, _TABLES),
}


class Element:
    """A decoded element, and what was worked out of it so far.

    point: what fast.c calls so. constant: hashed to, or the generator: many sums will hold it.
    """

    __slots__ = ("comb", "constant", "encoding", "point", "wide")

    def __init__(
        self, point: bytes, encoding: bytes | None = None, *, constant: bool = False
    ) -> None:
        self.point: Final = point
        self.constant: Final = constant
        self.encoding = encoding
        self.comb: bytes | None = None
        self.wide: bytes | None = None


class FastEngine:
    """Group arithmetic by fast.c; a term of a long sum takes about 10 µs."""

    name = "fast"

    def __init__(self, library: Path) -> None:
        """Load ``library``.

        Raises:
            OSError: it is not there, or cannot be loaded.
            AttributeError: it is another library.
            ValueError: it was compiled from another fast.c than the one here.
        """
        self._c: Final = CDLL(str(library))
        for name, takes in _SIGNATURES.items():
            function = getattr(self._c, name)
            function.argtypes, function.restype = takes, c_int
        source = sha256(SOURCE.read_bytes()).digest()
        if self._c.fast_source() != int.from_bytes(source[:4]) >> 1:
            raise ValueError("the library was compiled from another fast.c; install again")
        point = _Room()
        self._c.fast_generator(point)
        self.generator = Element(point.raw, constant=True)
        self.identity = self.subtract(self.generator, self.generator)

    def decode(self, encoding: bytes) -> Element | None:
        """Return the element with this encoding, or None."""
        point = _Room()
        if len(encoding) != 32 or not self._c.fast_decode(point, encoding):
            return None
        return Element(point.raw, encoding)

    def encode(self, element: Element) -> bytes:
        """Return the 32 bytes of an element."""
        if element.encoding is None:
            encoding = (c_char * 32)()
            self._c.fast_encode(encoding, 1, element.point)
            element.encoding = encoding.raw
        return element.encoding

    def from_uniform(self, uniform: bytes) -> Element:
        """Map 64 uniform bytes to an element."""
        point = _Room()
        self._c.fast_from_uniform(point, uniform)
        return Element(point.raw, constant=True)

    def add(self, p: Element, q: Element) -> Element:
        """Return p + q."""
        point = _Room()
        self._c.fast_add(point, p.point, q.point)
        return Element(point.raw)

    def subtract(self, p: Element, q: Element) -> Element:
        """Return p - q."""
        point = _Room()
        self._c.fast_subtract(point, p.point, q.point)
        return Element(point.raw)

    def equal(self, p: Element, q: Element) -> bool:
        """Return whether p = q."""
        return bool(self._c.fast_equal(p.point, q.point))

    def is_identity(self, p: Element) -> bool:
        """Return whether p is the identity: known of what was decoded or encoded."""
        if p.encoding is not None:
            return p.encoding == _IDENTITY
        return self.equal(p, self.identity)

    def secret_products(self, scalars: Sequence[int], p: Element) -> list[Element]:
        """Return scalar·p for each scalar, in constant time; cheaper than one by one."""
        if p.comb is None and len(scalars) < _COMB_PAYS and p is not self.generator:
            return [self.secret_sum([scalar], [p]) for scalar in scalars]
        points = (c_char * (_POINT * len(scalars)))()
        self._c.fast_secret_products(points, len(scalars), _encoded(scalars), self._comb(p))
        whole = points.raw
        return [Element(whole[i : i + _POINT]) for i in range(0, len(whole), _POINT)]

    def secret_sum(self, scalars: Sequence[int], points: Sequence[Element]) -> Element:
        """Return Σ scalar·point in constant time: which point has a comb is no secret."""
        known = [p.comb is not None or p is self.generator for p in points]
        return self._sum(self._c.fast_secret_sum, scalars, points, known, self._comb)

    def public_sum(self, scalars: Sequence[int], points: Sequence[Element]) -> Element:
        """Return Σ scalar·point, in variable time."""
        known = [p.constant for p in points]
        return self._sum(self._c.fast_public_sum, scalars, points, known, self._wide)

    def _sum(
        self,
        function: Callable[..., int],
        scalars: Sequence[int],
        points: Sequence[Element],
        known: Sequence[bool],
        table: Callable[[Element], bytes],
    ) -> Element:
        """Call a function of fast.c for the sum of all; it takes a table of what is known."""
        factors, single = list[bytes](), list[bytes]()
        known_factors, tables = list[bytes](), list[bytes]()
        for scalar, point, constant in zip(scalars, points, known, strict=True):
            factor = (scalar % ORDER).to_bytes(32, "little")
            if constant:
                known_factors.append(factor)
                tables.append(table(point))
            else:
                factors.append(factor)
                single.append(point.point)
        total = _Room()
        pointers = (c_char_p * len(tables))(*tables)
        together = b"".join(factors + known_factors)
        if not function(total, together, len(single), b"".join(single), len(tables), pointers):
            raise MemoryError
        return Element(total.raw)

    def _comb(self, element: Element) -> bytes:
        if element.comb is None:
            comb = (c_char * _COMB)()
            self._c.fast_comb(comb, element.point)
            element.comb = comb.raw
        return element.comb

    def _wide(self, element: Element) -> bytes:
        if element.wide is None:
            wide = (c_char * _WIDE)()
            self._c.fast_wide(wide, element.point)
            element.wide = wide.raw
        return element.wide


def _encoded(scalars: Sequence[int]) -> bytes:
    return b"".join((scalar % ORDER).to_bytes(32, "little") for scalar in scalars)
