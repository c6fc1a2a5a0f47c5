"""The form of a game's moves, as data: names, and fields with ranges (SPEC#moves)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.table.steps import Wire
from matcha_p2p.wire.encoding import Value

HASH_SIZE: Final = 32


@dataclass(frozen=True, slots=True)
class Number:
    """An integer, ``least`` to ``most``."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Backs:
    """The backs of ``least`` to ``most`` cards, joined."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Numbers:
    """Up to ``most`` fields of the form ``number``; the last in the form of a move."""

    most: int
    number: Number


Field: TypeAlias = Number | Backs

MoveForms: TypeAlias = Mapping[str, tuple[Field | Numbers, ...]]
"""The fields of each move, by name."""


def check_move(forms: MoveForms, fields: Sequence[Value]) -> Wire:
    """Return the move in ``fields``.

    Raises:
        EncodingError: E_ENCODING: no move of the game has the form of ``fields``.
    """
    match fields:
        case [str(name), *rest] if name in forms:
            form = _unrolled(forms[name], len(rest))
            if len(form) == len(rest):
                return (name, *map(_checked, form, rest))
        case _:
            pass
    raise EncodingError(Check.ENCODING, "the game has no move of this form")


def _unrolled(form: Sequence[Field | Numbers], count: int) -> tuple[Field, ...]:
    """Return the form of each field of a move with ``count`` fields."""
    found: list[Field] = []
    for field in form:
        if isinstance(field, Numbers):
            found += [field.number] * min(field.most, count - len(found))
        else:
            found.append(field)
    return tuple(found)


def _checked(field: Field, value: Value) -> int | bytes:
    match field, value:
        case Number(least, most), int() if least <= value <= most:
            return value
        case Backs(least, most), bytes() if len(value) % HASH_SIZE == 0:
            if least <= len(value) // HASH_SIZE <= most:
                return value
        case _:
            pass
    raise EncodingError(Check.ENCODING, "a field of the move is of another type or range")


def split(backs: bytes) -> tuple[bytes, ...]:
    """Return the backs of a field of kind Backs."""
    return tuple(backs[i : i + HASH_SIZE] for i in range(0, len(backs), HASH_SIZE))
