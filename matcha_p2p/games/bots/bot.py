"""The bots of a game, as the rooms shared by all games see the bots."""

import random
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, TypeAlias

from matcha_p2p.games.game import Move

Seen: TypeAlias = Any
"""The knowledge of one seat, a value of the game's own."""


class Bots(Protocol):
    """The bots of a game by their names."""

    LEVELS: ClassVar[tuple[str, ...]]
    """The bots that people choose, weakest first; each bot loses to the next bot.

    All games share a scale: beginner, casual, club, keen, expert. A game may lack some.
    """
    STAND_INS: ClassVar[Mapping[str, str]]
    """If a level's bot cannot run here, the bot that plays instead, by level."""
    TEMPERS: ClassVar[Mapping[str, tuple[str, ...]]]
    """The bots of other tempers, by the plain bot."""
    BOT_NAMES: ClassVar[tuple[str, ...]]
    """The names of all bots."""
    THINKERS: ClassVar[tuple[str, ...]]
    """The bots with a process of their own, because each thinks for seconds."""

    def see_it_loads(self, name: str) -> None:
        """Load the parts that the bot ``name`` needs besides Python.

        Raises:
            BotError: a part is missing.
        """
        ...


class Bot(Protocol):
    """A player that is a program."""

    @property
    def name(self) -> str:
        """Return the name by which players choose this bot."""
        ...

    def choose(self, seen: Seen, rng: random.Random, /) -> Move:
        """Return a legal move for the seat that knows ``seen``; a legal move exists.

        rng: the only source of chance, so that a game can be repeated from its seed.

        Raises:
            BotError: the bot is a program, and the program has failed.
        """
        ...
