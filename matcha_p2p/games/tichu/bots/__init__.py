"""Bots of Tichu: each sees a FaceView and answers with a Move.

Four are levels for people. Uniform is a measure for the others. This file holds the names
alone, so a command loads it quickly.
"""

from typing import Final

__all__ = ["BOT_NAMES", "LEVELS", "STAND_INS", "TEMPERS", "see_it_loads"]

LEVELS: Final = ("beginner", "casual", "club", "keen")
"""The names of the levels, each beaten by the next."""

STAND_INS: Final[dict[str, str]] = {}
"""Every level can be played everywhere."""

TEMPERS: Final[dict[str, tuple[str, ...]]] = {}
"""No level has another temper."""

BOT_NAMES: Final = (*LEVELS, "uniform")
"""The names of all bots."""


def see_it_loads(_name: str) -> None:
    """Do nothing: the bots need only Python."""
