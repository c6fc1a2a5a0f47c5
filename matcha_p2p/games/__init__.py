"""The games, found by name: each game is a folder with one object, which loads the parts."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from matcha_p2p.errors import MissingPartError

if TYPE_CHECKING:  # only a game in use is loaded, with the table
    from matcha_p2p.games.game import Game
    from matcha_p2p.table.game import TableGame

FOLDERS: Final = {
    "matcha": "matcha_p2p.games.matcha",
    "tichu": "matcha_p2p.games.tichu",
    "kashi": "matcha_p2p.games.kashi",
}
"""The folder of each game, by the game's name."""
USUAL: Final = "matcha"
"""The game of a command that names no game."""


class TableChoice(NamedTuple):
    """A game, a variant of its rules, the number of seats, and the bots of practice."""

    game: str
    variant: str
    seats: int
    bot: str


def game_of(name: str) -> "Game":
    """Return the game ``name``, one of ``FOLDERS``, without loading the parts of the game."""
    return cast("Game", import_module(f"{FOLDERS[name]}.game").GAME)


def find(name: str, variant: str, seats: int) -> "TableGame | None":
    """Return the game before its first step, or None if the name or variant is unknown."""
    return game_of(name).new(variant, seats) if name in FOLDERS else None


def numbered(number: int) -> str | None:
    """Return the name of the game with ``number``, or None if the number is unknown here."""
    return next((name for name in FOLDERS if game_of(name).number == number), None)


def usual_table(game: str = USUAL, edition: str | None = None) -> TableChoice:
    """Return the table of ``game`` without any further choice.

    edition: of the usual game, if the settings name one.
    """
    played = game_of(game)
    levels, preferred = played.bots.LEVELS, edition if game == USUAL else None
    variant = preferred or played.variants[0]
    return TableChoice(game, variant, played.tables[0], levels[len(levels) // 2])


def taught() -> tuple[str, ...]:
    """Return the games that have a tutorial, without loading the tutorials."""
    return tuple(name for name in FOLDERS if _has(name, "lessons.tutorial"))


def _has(name: str, module: str) -> bool:
    """Tell whether the game ``name`` has ``module``, without loading the module."""
    try:
        return find_spec(f"{FOLDERS[name]}.{module}") is not None
    except ModuleNotFoundError:  # the folder of the module is missing
        return False


def part(name: str, module: str) -> ModuleType:
    """Return a module in the folder of the game ``name``; ``games/game.py`` lists the modules.

    Raises:
        MissingPartError: the game lacks the module.
    """
    found = optional_part(name, module)
    if found is None:
        raise MissingPartError(
            "The game {game} lacks the part {part}, which is needed here.",
            code="not-of-game",
            game=name,
            part=module,
        )
    return found


def optional_part(name: str, module: str) -> ModuleType | None:
    """Return a module in the folder of the game ``name``, or None if the game lacks it."""
    wanted = f"{FOLDERS[name]}.{module}"
    try:
        return import_module(wanted)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{wanted}.".startswith(f"{error.name}."):
            raise
        return None
