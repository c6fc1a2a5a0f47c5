"""The choice of the engine, made once at import.

The environment variable MATCHA_ENGINE may force ``fast``, ``native`` or ``pure``. Without the
variable the first working engine is taken, in this order. All engines give equal bytes.
"""

import importlib
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol, TypeVar

from matcha_p2p.crypto.native import NativeEngine
from matcha_p2p.crypto.pure import PureEngine
from matcha_p2p.errors import EngineError

VARIABLE: Final = "MATCHA_ENGINE"

E = TypeVar("E")


class GroupEngine(Protocol[E]):
    """Arithmetic of ristretto255 on elements of the engine's own type.

    Scalars are integers of any size, taken mod the order. Elements come from ``decode`` or from
    the operations only. The identity is an ordinary element here.

    Multiplication has two names. A ``secret_`` function takes constant time if the engine can.
    The time of a ``public_`` function depends on the scalars.
    """

    name: str
    path: str
    """The name, and instructions in use that only some processors have."""
    identity: E
    generator: E

    def decode(self, encoding: bytes) -> E | None:
        """Return the element, or None if the encoding is invalid."""
        ...

    def decode_all(self, encodings: bytes) -> list[E]:
        """Return the elements up to the first invalid encoding."""
        ...

    def encode(self, element: E) -> bytes:
        """Return the 32 bytes of an element."""
        ...

    def encode_all(self, elements: Sequence[E]) -> list[bytes]:
        """Return the 32 bytes of each element."""
        ...

    def from_uniform(self, uniform: bytes) -> E:
        """Map 64 uniform bytes to an element."""
        ...

    def add(self, p: E, q: E) -> E:
        """Return p + q."""
        ...

    def add_all(self, left: Sequence[E], right: Sequence[E]) -> list[E]:
        """Return p + q for each p of ``left`` and q of ``right``, which are as many."""
        ...

    def subtract(self, p: E, q: E) -> E:
        """Return p - q."""
        ...

    def equal(self, p: E, q: E) -> bool:
        """Return whether p = q."""
        ...

    def is_identity(self, p: E) -> bool:
        """Return whether p is the identity."""
        ...

    def secret_products(self, scalars: Sequence[int], p: E) -> list[E]:
        """Return scalar·p for each scalar; scalars may be secret."""
        ...

    def secret_sum(self, scalars: Sequence[int], points: Sequence[E]) -> E:
        """Return Σ scalar·point; the scalars may be secret, the points are public."""
        ...

    def secret_sums(
        self, points: Sequence[E], sums: Sequence[Sequence[tuple[int, int]]]
    ) -> list[E]:
        """Return several sums, each of pairs (i, scalar) for scalar·points[i].

        The scalars may be secret, the points are public. If the engine can, a point in many
        sums is cheaper, and encoding the sums costs nothing more.
        """
        ...

    def public_sum(self, scalars: Sequence[int], points: Sequence[E]) -> E:
        """Return Σ scalar·point; all is public. A scalar of 1 or -1 costs one addition."""
        ...

    def public_sums(
        self, points: Sequence[E], sums: Sequence[Sequence[tuple[int, int]]]
    ) -> list[E]:
        """Return several sums, each of pairs (i, scalar) for scalar·points[i]; all is public.

        If the engine can, common parts are computed once.
        """
        ...

    def encoded_public_sums(
        self, points: Sequence[E], sums: Sequence[Sequence[tuple[int, int]]]
    ) -> list[bytes]:
        """Return the encodings of several sums; may be cheaper than ``public_sums``."""
        ...

    def of_group_order(self, x: int, y: int) -> bool:
        """Return whether ORDER·(x, y), a point of edwards25519, is the curve's identity.

        On ristretto255 the points of small order would be the identity too.
        """
        ...

    def signature_sum(self, x: int, y: int) -> Callable[[bytes, int], bytes] | None:
        """Return f: f(S, h) is S·B - h·(x, y) on edwards25519, encoded as in RFC 8032.

        (x, y) has the order of the group, S is an encoded scalar; all is public. The result is
        None if OpenSSL is quicker than the engine.
        """
        ...


def choose(name: str | None) -> GroupEngine[Any]:
    """Return the engine ``name``, or for None the first working engine.

    Raises:
        EngineError: no engine has this name, or the engine of this name does not work.
    """
    if name is not None:
        return load(name)
    for quicker in ("fast", "native"):
        with suppress(EngineError):
            return load(quicker)
    return load("pure")


def load(name: str) -> GroupEngine[Any]:
    """Load an engine, and compare its 2·G with RFC 9496.

    Raises:
        EngineError: no engine has this name, the library is missing or cannot be loaded, or the
            engine computes wrongly.
    """
    if name not in _LOADERS:
        raise EngineError(
            "{variable} is {name!r}; it may be fast, native or pure.",
            variable=VARIABLE,
            name=name,
        )
    try:
        engine = _LOADERS[name]()
    except (ImportError, OSError, RuntimeError, AttributeError, ValueError) as error:
        raise EngineError(
            "The {name} engine cannot be loaded: {why}", name=name, why=error
        ) from error
    twice = bytes.fromhex("6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919")
    if engine.encode(engine.secret_products([2], engine.generator)[0]) != twice:
        raise EngineError("The {name} engine does not compute ristretto255.", name=name)
    return engine


def _load_fast() -> GroupEngine[Any]:
    """Load the library compiled at installation."""
    fast = importlib.import_module("matcha_p2p.crypto.fast")  # of ctypes, not in every Python
    engine: GroupEngine[Any] = fast.FastEngine(fast.LIBRARY)
    return engine


def _load_native() -> GroupEngine[Any]:
    """Import rbcl, a wrapper of libsodium.

    rbcl unpacks a library of 2.8 MB into the temporary directory and leaves the file there. So
    rbcl gets a directory of its own, removed as soon as the library is loaded. (Windows keeps a
    loaded library open, and the file stays.) If the directory is mounted noexec, rbcl raises
    OSError.
    """
    kept = tempfile.tempdir
    try:
        with tempfile.TemporaryDirectory(prefix="matcha-", ignore_cleanup_errors=True) as own:
            tempfile.tempdir = own
            return NativeEngine(importlib.import_module("rbcl"))
    finally:
        tempfile.tempdir = kept


_LOADERS: Final[Mapping[str, Callable[[], GroupEngine[Any]]]] = {
    "fast": _load_fast,
    "native": _load_native,
    "pure": PureEngine,
}

ENGINE: Final = choose(os.environ.get(VARIABLE))
