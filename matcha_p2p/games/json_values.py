"""Plain values, ready for JSON, in the messages to and from bots that are programs.

A value that comes from another program is hostile: each function here returns a value of the
type that its name says, or raises a TypeError or ValueError.
"""

import json
import math
from collections.abc import Mapping
from typing import Final, TypeAlias, cast

from matcha_p2p.errors import BotError

VERSION: Final = 1
LINE_LIMIT: Final = 1 << 16
"""Bytes of a line, at most."""

JsonObject: TypeAlias = Mapping[str, object]


def message_of(line: str) -> JsonObject:
    """Return the message on a line.

    Raises:
        BotError: the line holds no JSON object.
    """
    try:
        return as_object(json.loads(line))
    except (ValueError, TypeError, RecursionError) as error:
        raise BotError("This is no message of the bot protocol.") from error


def as_object(plain: object) -> JsonObject:
    """Return the object."""
    if not isinstance(plain, dict):
        raise TypeError("an object is expected")
    return cast("dict[str, object]", plain)


def as_list(plain: object) -> list[object]:
    """Return the list."""
    if not isinstance(plain, list):
        raise TypeError("a list is expected")
    return cast("list[object]", plain)


def as_number(plain: object) -> int:
    """Return the number; true and false count as 1 and 0."""
    if not isinstance(plain, int):
        raise TypeError("a number is expected")
    return plain


def as_numbers(plain: object) -> list[int]:
    """Return the list of numbers."""
    return [as_number(item) for item in as_list(plain)]


def as_reals(plain: object) -> tuple[float, ...]:
    """Return the list of finite real numbers."""
    reals = tuple(float(item) for item in as_list(plain) if isinstance(item, int | float))
    if len(reals) != len(as_list(plain)) or not all(map(math.isfinite, reals)):
        raise ValueError("finite numbers are expected")
    return reals


def number_up_to(plain: object, most: int) -> int:
    """Return the number, which is from 0 to ``most``."""
    number = as_number(plain)
    if not 0 <= number <= most:
        raise ValueError(f"a number from 0 to {most} is expected")
    return number


def numbers_up_to(plain: object, most: int, count: int | None = None) -> tuple[int, ...]:
    """Return the numbers, each from 0 to ``most``. count: how many there have to be."""
    numbers = tuple(number_up_to(item, most) for item in as_list(plain))
    if count is not None and len(numbers) != count:
        raise ValueError(f"{count} numbers are expected")
    return numbers
