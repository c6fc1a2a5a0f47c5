"""The games, found by name: each is a folder, and is loaded when it is asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:  # a game that nobody asks for is not loaded, and neither is the table
    from matcha_p2p.table.game import Game

_PACKAGES: Final = {"matcha": "matcha_p2p.games.matcha.steps"}


def find(name: str, variant: str, seats: int) -> "Game | None":
    """Return the game before its first step, or None if it is not known here."""
    if name not in _PACKAGES:
        return None
    return cast("Game | None", import_module(_PACKAGES[name]).new_game(variant, seats))
