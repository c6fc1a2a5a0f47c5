"""The bots of a game, as the rooms shared by all games see the bots."""

import random
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from matcha_p2p.games.game import Move

S_contra = TypeVar("S_contra", contravariant=True)
M_co = TypeVar("M_co", covariant=True)

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


class BotOf(Protocol[S_contra, M_co]):
    """A player that is a program. ``seen`` is its only knowledge."""

    @property
    def name(self) -> str:
        """Return the name by which players choose this bot."""
        ...

    def choose(self, seen: S_contra, rng: random.Random, /) -> M_co:
        """Return a legal move for the seat that knows ``seen``; a legal move exists.

        rng: the only source of chance, so that a game can be repeated from its seed.

        Raises:
            BotError: the bot is a program, and the program has failed.
        """
        ...


class Bot(BotOf[Seen, Move], Protocol):
    """A bot of any game."""
