"""The games, found by name: each game is a folder, loaded when a caller asks for the game."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:  # only a game in use is loaded, with the table
    from matcha_p2p.games.bot import Bots, EngineProtocol
    from matcha_p2p.games.game import GameOffer, Pages, Seated, Telling
    from matcha_p2p.table.game import Game

FOLDERS: Final = {
    "matcha": "matcha_p2p.games.matcha",
    "tichu": "matcha_p2p.games.tichu",
    "kashi": "matcha_p2p.games.kashi",
}
"""The folder of each game, by the game's name."""
NUMBERS: Final = {"matcha": 1, "tichu": 2, "kashi": 3}
"""The number of each game in an invite (SPEC#invite); a number never gets another game."""
USUAL: Final = "matcha"
"""The game of a command that names no game."""


def find(name: str, variant: str, seats: int) -> "Game | None":
    """Return the game before its first step, or None if the name or variant is unknown."""
    if name not in FOLDERS:
        return None
    return cast("Game | None", part(name, "steps").new_game(variant, seats))


def seated(name: str) -> "Seated":
    """Return the part ``seated`` of the game ``name``, a name that ``find`` knows."""
    return cast("Seated", part(name, "seated"))


def numbered(number: int) -> str | None:
    """Return the name of the game with ``number``, or None if the number is unknown here."""
    return next((name for name, known in NUMBERS.items() if known == number), None)


def offer(name: str) -> "GameOffer":
    """Return the offers of the game ``name`` for menus and settings.

    The module loads quickly.
    """
    return cast("GameOffer", part(name, "offer"))


def bots(name: str) -> "Bots":
    """Return the names of the bots of the game ``name``, without loading the bots."""
    return cast("Bots", part(name, "bots"))


def engine_protocol(name: str) -> "EngineProtocol":
    """Return how programs that are bots read and write the game ``name``."""
    return cast("EngineProtocol", part(name, "engine_protocol"))


def pages(name: str) -> "Pages":
    """Return the rules of the game ``name`` as text."""
    return cast("Pages", part(name, "lessons.pages"))


def telling(name: str) -> "Telling":
    """Return the module that tells the game ``name`` in sentences and as facts."""
    return cast("Telling", part(name, "telling"))


def taught() -> tuple[str, ...]:
    """Return the games that have a tutorial, without loading the tutorials."""
    return tuple(
        name for name, folder in FOLDERS.items() if find_spec(f"{folder}.lessons.tutorial")
    )


def part(name: str, module: str) -> ModuleType:
    """Return a module in the folder of the game ``name``; ``games/game.py`` lists the modules.

    Raises:
        ModuleNotFoundError: the game lacks the module.
    """
    return import_module(f"{FOLDERS[name]}.{module}")


def optional_part(name: str, module: str) -> ModuleType | None:
    """Return a module in the folder of the game ``name``, or None if the game lacks it."""
    try:
        return part(name, module)
    except ModuleNotFoundError as error:
        wanted = f"{FOLDERS[name]}.{module}"
        if error.name is None or not f"{wanted}.".startswith(f"{error.name}."):
            raise
        return None
