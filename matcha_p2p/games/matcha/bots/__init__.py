"""Bots: each sees an Observation and answers with a Move.

Five bots are levels for people; a child beats the first, and the fifth is the strongest. The
two upper levels come in three tempers. The expert needs libraries in C. Without the libraries,
strong plays instead. Two more bots, greedy and uniform, are measures for the others. This file
has only the names, so that a command knows the names before the bots are loaded.
"""

from typing import Final

__all__ = ["BOT_NAMES", "LEVELS", "STAND_INS", "TEMPERS", "THINKERS", "see_it_loads"]

LEVELS: Final = ("beginner", "casual", "club", "keen", "expert")
"""The names of the levels, each beaten by the next."""

STAND_INS: Final = {"expert": "strong"}
"""If a level's bot cannot run here, the bot that plays instead, by level."""

TEMPERS: Final = {
    level: (f"{level}-careful", f"{level}-bold") for level in ("keen", "strong", "expert")
}
"""The bots of other tempers, by the plain bot."""

BOT_NAMES: Final = (
    *(
        name
        for plain in (*LEVELS[:-1], *STAND_INS.values(), LEVELS[-1])
        for name in (plain, *TEMPERS.get(plain, ()))
    ),
    "uniform",
    "greedy",
)
"""The names of all bots, weaker bots first."""

THINKERS: Final = BOT_NAMES
"""All bots: even a weak bot loads the libraries and tables of the others."""


def see_it_loads(name: str) -> None:
    """Load the libraries in C for the bot ``name``, if the bot uses libraries.

    Raises:
        BotError: a library cannot be loaded.
    """
    if name.split("-", maxsplit=1)[0] in STAND_INS:
        from matcha_p2p.games.matcha.bots.solving.native import see_all_load

        see_all_load()
