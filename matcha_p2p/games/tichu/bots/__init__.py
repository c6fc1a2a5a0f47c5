"""Bots of Tichu: each sees an Observation and answers with a TichuMove.

Four are levels for people. Uniform is a measure for the others. This file has only the names,
so that a command knows the names before the bots are loaded.
"""

from collections.abc import Mapping
from typing import Final

__all__ = ["BOT_NAMES", "LEVELS", "STAND_INS", "TEMPERS", "THINKERS", "see_it_loads"]

LEVELS: Final = ("beginner", "casual", "club", "keen")
"""The names of the levels, each beaten by the next."""

STAND_INS: Final[Mapping[str, str]] = {}
"""Every level can be played everywhere."""

TEMPERS: Final[Mapping[str, tuple[str, ...]]] = {}
"""No level has another temper."""

BOT_NAMES: Final = (*LEVELS, "uniform")
"""The names of all bots."""

THINKERS: Final[tuple[str, ...]] = ()
"""No bot thinks longer than a screen can wait."""


def see_it_loads(name: str) -> None:
    """Do nothing: each bot needs only Python."""
    del name
