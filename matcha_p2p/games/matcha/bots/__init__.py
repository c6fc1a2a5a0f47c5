"""Bots: each sees an Observation and answers with a Move.

Five bots are levels for people; a child beats the first, and the fifth is the strongest. The
two upper levels come in three tempers. The expert needs libraries in C. Without the libraries,
strong plays instead. Two more bots, greedy and uniform, are measures for the others. This file
has only the names, so that a command knows the names before the bots are loaded.
"""

from typing import Final

from matcha_p2p.games.bots.bot import Bots

_LEVELS: Final = ("beginner", "casual", "club", "keen", "expert")
_STAND_INS: Final = {"expert": "strong"}
_TEMPERS: Final = {
    level: (f"{level}-careful", f"{level}-bold") for level in ("keen", "strong", "expert")
}
_NAMES: Final = (
    *(
        name
        for plain in (*_LEVELS[:-1], *_STAND_INS.values(), _LEVELS[-1])
        for name in (plain, *_TEMPERS.get(plain, ()))
    ),
    "uniform",
    "greedy",
)


def _see_it_loads(name: str) -> None:
    """Load the libraries in C for the bot ``name``, if the bot uses libraries."""
    if name.split("-", maxsplit=1)[0] in _STAND_INS:
        from matcha_p2p.games.matcha.bots.solving.native import see_all_load

        see_all_load()


NAMES: Final = Bots(_LEVELS, _NAMES, _STAND_INS, _TEMPERS, _NAMES, _see_it_loads)
"""All bots think in processes: even a weak bot loads the libraries and tables of the others."""
