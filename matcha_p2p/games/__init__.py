"""The games, found by name: each is a folder, and is loaded when it is asked for."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:  # a game that nobody asks for is not loaded, and neither is the table
    from matcha_p2p.games.bot import Bots
    from matcha_p2p.games.game import GameOffer, Pages, Seated, Telling
    from matcha_p2p.table.game import Game

FOLDERS: Final = {"matcha": "matcha_p2p.games.matcha"}
"""The folder of each game that can be played, by its name."""
WRITTEN: Final = {"tichu": "matcha_p2p.games.tichu"}
"""The folder of each game of which only the rules are here: it is read, not played."""
USUAL: Final = "matcha"
"""The game of a command that cannot say which."""


def find(name: str, variant: str, seats: int) -> "Game | None":
    """Return the game before its first step, or None if it is not known here."""
    if name not in FOLDERS:
        return None
    return cast("Game | None", part(name, "steps").new_game(variant, seats))


def seated(name: str) -> "Seated":
    """Return what a program at a table asks of the game ``name``, which ``find`` knows."""
    return cast("Seated", part(name, "seated"))


def offer(name: str) -> "GameOffer":
    """Return what menus and settings offer of the game ``name``; it loads quickly."""
    return cast("GameOffer", part(name, "offer"))


def bots(name: str) -> "Bots":
    """Return the names of the bots of the game ``name``; what thinks is not loaded."""
    return cast("Bots", part(name, "bots"))


def pages(name: str) -> "Pages":
    """Return the rules of the game ``name`` as text."""
    return cast("Pages", part(name, "lessons.pages"))


def telling(name: str) -> "Telling":
    """Return what says in sentences and as facts what happens in the game ``name``."""
    return cast("Telling", part(name, "telling"))


def part(name: str, module: str) -> ModuleType:
    """Return a module in the folder of the game ``name``; ``games/game.py`` says what it has.

    Raises:
        ModuleNotFoundError: the game lacks that part.
    """
    folder = FOLDERS[name] if name in FOLDERS else WRITTEN[name]
    return import_module(f"{folder}.{module}")
