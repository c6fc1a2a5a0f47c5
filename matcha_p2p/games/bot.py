"""What the bots of a game are to the rooms that all games share."""

import random
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, TypeAlias

from matcha_p2p.games.game import Move

Seen: TypeAlias = Any
"""What one seat may know, a value of the game's own."""


class Bots(Protocol):
    """The bots of a game by their names."""

    LEVELS: ClassVar[tuple[str, ...]]
    """The bots that people choose, each beaten by the next."""
    STAND_INS: ClassVar[Mapping[str, str]]
    """Which bot plays a level where the level's own cannot."""
    TEMPERS: ClassVar[Mapping[str, tuple[str, ...]]]
    """The bots of other tempers, by the plain one."""
    BOT_NAMES: ClassVar[tuple[str, ...]]
    """The names of all bots."""

    def see_it_loads(self, name: str) -> None:
        """Load what the bot ``name`` needs besides Python.

        Raises:
            BotError: it is missing.
        """
        ...


class Bot(Protocol):
    """A player that is a program."""

    @property
    def name(self) -> str:
        """Return the name by which players choose this bot."""
        ...

    def choose(self, seen: Seen, rng: random.Random, /) -> Move:
        """Return one of the moves that are legal in what is ``seen``; there is at least one.

        rng: the only source of chance, so that a game can be repeated from its seed.

        Raises:
            BotError: it is a program that has failed.
        """
        ...


class Engine(Bot, Protocol):
    """A bot in a process of its own."""

    def start(self) -> None:
        """Start the program.

        Raises:
            BotError: it cannot be started, or does not speak the protocol of bots.
        """
        ...

    def close(self) -> None:
        """End the program."""
        ...
