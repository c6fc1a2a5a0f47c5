"""Kinds of values for ``match``: news, questions, choices and wishes.

Frozen dataclasses would do too. But the program makes a hundred classes before the first
screen, and a named tuple takes a tenth of the time. Plain named tuples have two faults, mended
here: tuples of two kinds are equal if their fields are equal, and an empty tuple is false.
"""

from typing import TypeVar

T = TypeVar("T", bound=tuple[object, ...])


def kind(cls: type[T]) -> type[T]:
    """Make values of a named tuple always true, and equal only to values of their own kind."""
    for name, method in (("__eq__", _equal), ("__ne__", _unequal), ("__bool__", _true)):
        setattr(cls, name, method)
    return cls


def _equal(self: tuple[object, ...], other: object) -> bool:
    return isinstance(other, type(self)) and (*self,) == (*other,)


def _unequal(self: tuple[object, ...], other: object) -> bool:
    return not _equal(self, other)


def _true(_: tuple[object, ...]) -> bool:
    return True
