"""Matches between two bots without cryptography: what the arena needs of a game."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

from matcha_p2p.errors import BotError
from matcha_p2p.games.bots.bot import Bot
from matcha_p2p.games.json_values import JsonObject
from matcha_p2p.games.matches.ratings import Lead


@dataclass(frozen=True, slots=True)
class ArenaWish:
    """The match to play.

    bots: the names of both, or of more, who play a match between each two. count: how many
    games or deals of a match. seats: of a table. seed: of all chance, None to draw a seed.
    sprt: Elo differences; a match of Matcha ends as soon as one is ruled out. record: the file
    that keeps the results, if any.
    """

    bots: tuple[str, ...]
    count: int
    variant: str
    game: str
    seats: int
    seed: int | None
    sprt: tuple[float, float] | None
    record: Path | None = None


class MatchScore(Protocol):
    """The result of some units of a match: pairs of games, deals or decks."""

    @property
    def units(self) -> int:
        """How many units were played."""
        ...

    @property
    def games(self) -> int:
        """How many games or rounds these units had."""
        ...

    @property
    def lead(self) -> Lead:
        """How far the first bot is ahead."""
        ...

    @property
    def failures(self) -> Mapping[str, BotError]:
        """Why bots that are programs resigned, each reason once."""
        ...

    def __add__(self, other: Self) -> Self:
        """Return both results together."""
        ...

    def plain(self) -> JsonObject:
        """Return the result as values for JSON, without the failures."""
        ...

    def read(self, plain: JsonObject, units: int) -> Self:
        """Return the result of so many units that ``plain`` describes.

        Raises:
            KeyError, TypeError, ValueError: ``plain`` describes no result.
        """
        ...


R = TypeVar("R", bound=MatchScore)


@dataclass(frozen=True)  # with slots, Match[..](..) fails in Python 3.11
class Match(Generic[R]):
    """How a game compares two bots.

    units: how many there are: pairs of games, deals or decks. nothing: the result of no units.
    play: plays the units with these numbers, in any process. progress: the result so far in a
    sentence. fact, said: the result for programs and people, and games a second; the bots and
    the seed are told already. is_decided: whether the match may end early.
    """

    units: int
    nothing: R
    play: Callable[[tuple[Bot, Bot], range], R]
    progress: Callable[[R], str]
    fact: Callable[[R, float], dict[str, object]]
    said: Callable[[R, float], Iterator[str]]
    is_decided: Callable[[R], bool] = lambda _: False


MatchOf: TypeAlias = Callable[[ArenaWish], Match[Any]]
"""The part ``arena``: returns the match between the two bots of a wish."""
