"""The games, found by name: each game is a folder with one object, which loads the parts.

A game says its rules as steps of the table (``table/game.py``), and how the game is shown, told
and played by bots (``games/game.py``). Protocol, session, front ends and commands know no game:
each asks the game's object for a part. No game knows another game.

Other packages bring further games (``games/installed.py``). To look for packages takes 50 ms,
so each function tries the games of this package first.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from matcha_p2p.errors import UnknownGameError

if TYPE_CHECKING:  # only a game in use is loaded, with the table
    from matcha_p2p.games.game import Game, Late
    from matcha_p2p.table.game import TableGame

FOLDERS: Final = {
    "matcha": "matcha_p2p.games.matcha",
    "tichu": "matcha_p2p.games.tichu",
    "kashi": "matcha_p2p.games.kashi",
}
"""The folder of each game of this package, by the game's name."""
USUAL: Final = "matcha"
"""The game of a command that names no game."""


class TableChoice(NamedTuple):
    """A game, a variant of its rules, the number of seats, and the bots of practice."""

    game: str
    variant: str
    seats: int
    bot: str


def names() -> Iterator[str]:
    """Yield the names of all games, the games of this package first."""
    yield from FOLDERS
    from matcha_p2p.games.installed import installed

    yield from (found.name for found in installed() if found.game is not None)


def game_of(name: str) -> "Game":
    """Return the game ``name``, without loading the parts of a game of this package.

    Raises:
        UnknownGameError: no game has the name, or the game cannot be used.
    """
    if name in FOLDERS:
        return cast("Game", import_module(f"{FOLDERS[name]}.game").GAME)
    from matcha_p2p.games.installed import game_named

    return game_named(name)


def find(name: str, variant: str, seats: int) -> "TableGame | None":
    """Return the game before its first step, or None if the name or variant is unknown."""
    try:
        return game_of(name).new(variant, seats)
    except UnknownGameError:
        return None


def numbered(number: int) -> str | None:
    """Return the name of the game with ``number``, or None if the number is unknown here."""
    return next((name for name in names() if game_of(name).number == number), None)


def usual_table(game: str = USUAL, edition: str | None = None) -> TableChoice:
    """Return the table of ``game`` without any further choice.

    edition: of the usual game, if the settings name one.
    """
    played = game_of(game)
    levels, preferred = played.bots.levels, edition if game == USUAL else None
    variant = preferred or played.variants[0]
    return TableChoice(game, variant, played.tables[0], levels[len(levels) // 2])


def having(part: "Late[object]") -> tuple[str, ...]:
    """Return the names of the games with ``part``, a member of ``Game``; load no part."""
    return tuple(name for name in names() if game_of(name).has(part))
