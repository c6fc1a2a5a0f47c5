"""Bots: each sees an Observation and answers with a Move.

Five are levels for people, from one that a child beats to the strongest; the upper two come in
three tempers. Two more, greedy and uniform, are measures for the others. Here are their names
alone, which a command knows before it loads what thinks.
"""

from typing import Final

__all__ = ["BOT_NAMES", "LEVELS", "TEMPERS"]

LEVELS: Final = ("beginner", "casual", "club", "keen", "strong")
"""The names of the levels, each beaten by the next."""

TEMPERS: Final = {
    "keen": ("keen-careful", "keen-bold"),
    "strong": ("strong-careful", "strong-bold"),
}
"""The bots of a level's other tempers."""

BOT_NAMES: Final = (
    *(name for level in LEVELS for name in (level, *TEMPERS.get(level, ()))),
    "uniform",
    "greedy",
)
"""The names of all bots."""
