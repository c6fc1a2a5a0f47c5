"""Kinds of values that are told apart with ``match``: what happens, is asked, chosen or wanted.

They could be frozen dataclasses. A start makes a hundred of them before the first screen, and
there a named tuple takes a tenth of the time; but tuples of two kinds are equal if their fields
are, and an empty one is false.
"""

from typing import TypeVar

T = TypeVar("T", bound=tuple[object, ...])


def kind(cls: type[T]) -> type[T]:
    """Let a value of this named tuple equal those of its own kind alone, and always be true."""
    for name, method in (("__eq__", _equal), ("__ne__", _unequal), ("__bool__", _true)):
        setattr(cls, name, method)
    return cls


def _equal(self: tuple[object, ...], other: object) -> bool:
    return isinstance(other, type(self)) and (*self,) == (*other,)


def _unequal(self: tuple[object, ...], other: object) -> bool:
    return not _equal(self, other)


def _true(_: tuple[object, ...]) -> bool:
    return True
