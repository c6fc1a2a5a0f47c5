"""Bots: each sees an Observation and answers with a Move.

Five are levels for people, from one that a child beats to the strongest; the upper two come in
three tempers. The expert needs libraries in C; strong, which needs none, takes its place where
they are missing. Two more, greedy and uniform, are measures for the others. Here are their
names alone, which a command knows before it loads what thinks.
"""

from typing import Final

__all__ = ["BOT_NAMES", "LEVELS", "STAND_INS", "TEMPERS", "see_it_loads"]

LEVELS: Final = ("beginner", "casual", "club", "keen", "expert")
"""The names of the levels, each beaten by the next."""

STAND_INS: Final = {"expert": "strong"}
"""Which bot plays a level where the level's own cannot."""

TEMPERS: Final = {
    level: (f"{level}-careful", f"{level}-bold") for level in ("keen", "strong", "expert")
}
"""The bots of other tempers, by the plain one."""

BOT_NAMES: Final = (
    *(
        name
        for plain in (*LEVELS[:-1], *STAND_INS.values(), LEVELS[-1])
        for name in (plain, *TEMPERS.get(plain, ()))
    ),
    "uniform",
    "greedy",
)
"""The names of all bots, weaker ones first."""


def see_it_loads(name: str) -> None:
    """Load the libraries in C that the bot ``name`` needs, if it needs any.

    Raises:
        BotError: they cannot be loaded.
    """
    if name.split("-", maxsplit=1)[0] in STAND_INS:
        from matcha_p2p.games.matcha.bots.solving.native import see_all_load

        see_all_load()
