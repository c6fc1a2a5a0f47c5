"""Bots of Kashi-ichi: each sees an Outlook and answers with a Move.

This file has only the names, so that a command knows the names before the bots are loaded.
"""

from collections.abc import Mapping
from typing import Final

__all__ = ["BOT_NAMES", "LEVELS", "STAND_INS", "TEMPERS", "THINKERS", "see_it_loads"]

LEVELS: Final = ("beginner", "club", "keen")
"""Three of the levels of all games, each beaten by the next."""

STAND_INS: Final[Mapping[str, str]] = {}
"""No bot needs another in its place."""

TEMPERS: Final[Mapping[str, tuple[str, ...]]] = {}
"""No bot has other tempers."""

BOT_NAMES: Final = LEVELS
"""The names of all bots, weaker bots first."""

THINKERS: Final[tuple[str, ...]] = ()
"""No bot thinks longer than a screen can wait."""


def see_it_loads(name: str) -> None:
    """Do nothing: each bot needs only Python."""
    del name
