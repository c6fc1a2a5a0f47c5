"""A bowl of tea with steam, in half blocks: beside the first menu."""

from typing import Final

from matcha_p2p.console.terminal.cells import Line, centred

CELLS: Final = 26
"""The cells across the bowl and the room around the bowl."""

BEAT: Final = 0.7
"""Seconds between two shapes of the steam."""

_STEAM: Final = (
    ("   ▄▀     ▄▀", "   ▀▄     ▀▄", "    ▄▀     ▄▀", "    ▀▄     ▀▄"),
    ("   ▀▄     ▀▄", "    ▄▀     ▄▀", "    ▀▄     ▀▄", "   ▄▀     ▄▀"),
    ("    ▄▀     ▄▀", "    ▀▄     ▀▄", "   ▄▀     ▄▀", "   ▀▄     ▀▄"),
)
_STEAM_CELLS: Final = 16
_TEA: Final = "▄" * 18
_CLAY: Final = (
    "█" * 20,
    "█" * 20,
    "▀" + "█" * 18 + "▀",
    "▀" + "█" * 14 + "▀",
    "▀▀" + "█" * 6 + "▀▀",
    "▀" * 8,
)


def bowl(now: float) -> list[Line]:
    """Return the bowl at ``now``, in seconds from any beginning."""
    steam = _STEAM[int(now / BEAT) % len(_STEAM)]
    return [
        *([("class:faint", centred(line.ljust(_STEAM_CELLS), CELLS))] for line in steam),
        [("class:leaf", centred(_TEA, CELLS))],
        *([("class:bowl", centred(line, CELLS))] for line in _CLAY),
    ]
