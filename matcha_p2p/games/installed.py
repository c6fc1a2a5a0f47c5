"""Games from other packages: entry points of the group ``matcha_p2p.games``.

An entry point has the name of the game, and leads to the game's object:
``trio = "trio_game.game:GAME"``. A package is loaded when a caller asks for a name or a number
that no game of matcha_p2p has.
"""

import re
from collections.abc import Container, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final, NamedTuple

from matcha_p2p.errors import UnknownGameError
from matcha_p2p.games import FOLDERS, game_of
from matcha_p2p.games.game import Game, Late

GROUP: Final = "matcha_p2p.games"
NUMBERS: Final = range(128, 256)
"""The numbers in a beacon among which the authors of such games choose (PEER#beacon)."""

_NAME: Final = re.compile("[a-z]{1,16}")


class InstalledGame(NamedTuple):
    """A game of the distribution ``package``.

    game: None if the game cannot be used. fault: why not; None if the game can be used.
    folder: the import package with the game's code.
    """

    name: str
    package: str
    version: str
    folder: str
    game: Game | None
    fault: UnknownGameError | None


@cache
def installed() -> tuple[InstalledGame, ...]:
    """Return the games of other packages, by name."""
    return tuple(_found())


def game_named(name: str) -> Game:
    """Return the game ``name`` of another package.

    Raises:
        UnknownGameError: no package has the game, or the game cannot be used.
    """
    fault = None
    for found in installed():
        if found.name == name and found.game is not None:
            return found.game
        fault = found.fault if found.name == name else fault
    shown = name if _NAME.fullmatch(name) else ascii(name)[:20]
    raise fault or UnknownGameError(
        "The game {game} is not installed.", code="game-unknown", game=shown
    )


def wholly_loaded(found: InstalledGame) -> InstalledGame:
    """Return ``found`` after all parts are loaded; its fault names those that cannot be."""
    if found.game is None:
        return found
    faulty: list[str] = []
    for name in (name for name, part in vars(Game).items() if isinstance(part, Late)):
        try:
            getattr(found.game, name)
        except Exception as error:  # noqa: BLE001 -- foreign code may raise anything; each part is tried
            faulty.append(f"{name} ({_why(error)})")
    if not faulty:
        return found
    fault = UnknownGameError(
        "The game {game} of {package} {version} lacks what it promises: {parts}",
        code="game-unusable",
        game=found.name,
        package=found.package,
        version=found.version,
        parts=", ".join(faulty),
    )
    return found._replace(fault=fault)


def _found() -> Iterator[InstalledGame]:
    numbers, names = {game_of(name).number: name for name in FOLDERS}, {*FOLDERS}
    points = {(each.name, *_package(each)): each for each in entry_points(group=GROUP)}
    for (name, package, version), point in sorted(points.items()):
        folder = point.module.partition(".")[0]
        try:
            game = _loaded(point, names, numbers)
        except Exception as error:  # noqa: BLE001 -- foreign code may raise anything; other games go on
            fault = UnknownGameError(
                "The game {game} of {package} {version} cannot be used: {why}",
                code="game-unusable",
                game=name,
                package=package,
                version=version,
                why=_why(error),
            )
            yield InstalledGame(name, package, version, folder, None, fault)
            continue
        names.add(name)
        numbers[game.number] = name
        yield InstalledGame(name, package, version, folder, game, None)


def _why(error: Exception) -> object:
    known = isinstance(error, UnknownGameError)
    return error if known else f"{type(error).__name__}: {error}"


def _package(point: EntryPoint) -> tuple[str, str]:
    return ("", "") if point.dist is None else (point.dist.name, point.dist.version)


def _loaded(point: EntryPoint, names: Container[str], numbers: Mapping[int, str]) -> Game:
    """Return the game at ``point``, once the parts that each game needs are loaded.

    names: of other games. numbers: of other games, with their names.

    Raises:
        Exception: whatever is wrong with the package.
    """
    if point.name in names:
        raise UnknownGameError("another game has its name.")
    game = point.load()
    if not isinstance(game, Game):
        raise TypeError("the entry point leads to no Game")
    lacking = [each for each in Game.__annotations__ if not hasattr(type(game), each)]
    if lacking:
        raise TypeError(f"the Game lacks {', '.join(lacking)}")
    if game.number not in NUMBERS:
        raise ValueError(f"{game.number} is none of {NUMBERS.start} to {NUMBERS.stop - 1}")
    if game.number in numbers:
        other = numbers[game.number]
        raise UnknownGameError(
            "the game {game} has its number, {number}.", game=other, number=game.number
        )
    if {type(game.tables), type(game.variants)} != {tuple}:
        raise TypeError("tables and variants are tuples")
    variant, seats = game.variants[0], game.tables[0]
    begun = game.new(variant, seats)
    if begun is None:
        raise ValueError(f"new({variant!r}, {seats}), the usual table, is None")
    if None in [getattr(game, part) for part in ("rules", "telling", "endings")]:
        raise TypeError("rules, telling and endings are needed")
    named = {point.name, game.name, begun.name}
    if len(named) > 1 or not _NAME.fullmatch(point.name):
        raise ValueError(
            f"entry point, Game and TableGame need the same name (a-z): "
            f"{', '.join(sorted(named))}"
        )
    return game
