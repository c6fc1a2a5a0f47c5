"""The bots of a game, as the rooms shared by all games see the bots."""

import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from matcha_p2p.games.game import Move

S_contra = TypeVar("S_contra", contravariant=True)
M_co = TypeVar("M_co", covariant=True)

Seen: TypeAlias = Any
"""The knowledge of one seat, a value of the game's own."""


def needs_python_alone(name: str) -> None:
    """Do nothing: the bot needs only Python."""
    del name


class Bots(NamedTuple):
    """The bots of a game by their names; the bots are not loaded.

    levels: the bots that people choose, weakest first; each bot loses to the next bot. All
    games share a scale: beginner, casual, club, keen, expert. A game may lack some. names: of
    all bots. stand_ins: if a level's bot cannot run here, the bot that plays instead, by level.
    tempers: the bots of other tempers, by the plain bot. thinkers: the bots with a process of
    their own, because each thinks for seconds. see_it_loads: loads the parts that a bot needs
    besides Python, and raises BotError if a part is missing.
    """

    levels: tuple[str, ...]
    names: tuple[str, ...]
    stand_ins: Mapping[str, str] = {}
    tempers: Mapping[str, tuple[str, ...]] = {}
    thinkers: tuple[str, ...] = ()
    see_it_loads: Callable[[str], None] = needs_python_alone


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
