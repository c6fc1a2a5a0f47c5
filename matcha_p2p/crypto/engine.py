"""The choice of the engine, made once when this module is imported.

The environment variable MATCHA_ENGINE may force ``native`` or ``pure``; without it the native
engine is taken where it works. Both give the same bytes.
"""

import importlib
import os
import tempfile
from collections.abc import Sequence
from typing import Any, Final, Protocol, TypeVar

from matcha_p2p.crypto.native import NativeEngine
from matcha_p2p.crypto.pure import PureEngine
from matcha_p2p.errors import EngineError

VARIABLE: Final = "MATCHA_ENGINE"

E = TypeVar("E")


class Engine(Protocol[E]):
    """Arithmetic of ristretto255 on elements of the engine's own type.

    Scalars are integers of any size, taken mod the order. Elements come from ``decode`` or from
    the operations only. The identity is an element like any other here.

    Multiplication has two names, so that nobody mixes them up: ``secret_`` takes constant time
    where the engine can, ``public_`` takes as long as the scalars let it.
    """

    name: str
    identity: E
    generator: E

    def decode(self, encoding: bytes) -> E | None:
        """Return the element with this encoding, or None."""
        ...

    def encode(self, element: E) -> bytes:
        """Return the 32 bytes of an element."""
        ...

    def from_uniform(self, uniform: bytes) -> E:
        """Map 64 uniform bytes to an element."""
        ...

    def add(self, p: E, q: E) -> E:
        """Return p + q."""
        ...

    def subtract(self, p: E, q: E) -> E:
        """Return p - q."""
        ...

    def equal(self, p: E, q: E) -> bool:
        """Return whether p = q."""
        ...

    def secret_products(self, scalars: Sequence[int], p: E) -> list[E]:
        """Return scalar·p for each scalar, which may be secret."""
        ...

    def secret_sum(self, scalars: Sequence[int], points: Sequence[E]) -> E:
        """Return Σ scalar·point; the scalars may be secret, the points are public."""
        ...

    def public_sum(self, scalars: Sequence[int], points: Sequence[E]) -> E:
        """Return Σ scalar·point; all is public. A scalar of 1 or -1 costs one addition."""
        ...


def load_native() -> NativeEngine:
    """Import rbcl and check one figure of RFC 9496 with it.

    rbcl unpacks its library into a file of 2.8 MB in the temporary directory and leaves it
    there; so it is given a directory of its own, removed as soon as the library is loaded.
    (Windows does not let go of a loaded library: there the file stays.)

    Raises:
        EngineError: rbcl is missing, cannot be loaded (a temporary directory mounted noexec),
            or computes something else.
    """
    kept = tempfile.tempdir
    try:
        with tempfile.TemporaryDirectory(prefix="matcha-", ignore_cleanup_errors=True) as own:
            tempfile.tempdir = own
            engine = NativeEngine(importlib.import_module("rbcl"))
    except (ImportError, OSError, RuntimeError) as error:
        raise EngineError("The native engine cannot be loaded: {why}", why=error) from error
    finally:
        tempfile.tempdir = kept
    twice = bytes.fromhex("6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919")
    if engine.secret_products([2], engine.generator) != [twice]:
        raise EngineError("The native engine does not compute ristretto255.")
    return engine


def choose(name: str | None) -> Engine[Any]:
    """Return the engine called ``name``, or for None the fastest that works here.

    Raises:
        EngineError: no engine has this name, or the engine of this name does not work.
    """
    match name:
        case "native":
            return load_native()
        case "python":
            return PureEngine()
        case None:
            try:
                return load_native()
            except EngineError:
                return PureEngine()
        case _:
            raise EngineError(
                "{variable} is {name!r}; it may be native or python.",
                variable=VARIABLE,
                name=name,
            )


ENGINE: Final = choose(os.environ.get(VARIABLE))
