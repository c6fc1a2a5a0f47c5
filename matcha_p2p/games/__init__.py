"""The games, found by name: each game is a folder with one object, which loads the parts."""

from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple, cast

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
    from matcha_p2p.games.game import Game

    return tuple(name for name in FOLDERS if game_of(name).has(Game.tutorial))
