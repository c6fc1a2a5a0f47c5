"""Bots against bots, without cryptography, in as many processes as there are cores."""

import functools
import secrets
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol, Self, TypedDict, TypeVar, cast

from matcha_p2p.app.bot_names import FOREIGN
from matcha_p2p.app.opponents import opponent, see_it_start
from matcha_p2p.app.outcomes import CANCELLED, Exit
from matcha_p2p.app.output import Output
from matcha_p2p.app.workers import Workers, cores
from matcha_p2p.errors import BotError
from matcha_p2p.games import part
from matcha_p2p.language import Sentence

if TYPE_CHECKING:
    from matcha_p2p.games.bot import Bot

_STOPPED: Final = Sentence("Stopped: the result is that of {done} of {all}.")
_RESIGNS: Final = Sentence("{why} The bot's seat resigns.")

_MOVE: Final = 5.0
"""Seconds for a move of another program."""
_CHUNK: Final = 10
"""The most units of a chunk; after each chunk the match may stop."""
_TOLD: Final = 20
"""How often the match tells its progress."""
_FEW: Final = 8
"""The most units that are played without a second process."""
_LEAST: Final = 2
"""The fewest units with a result to tell."""


class MatchOptions(TypedDict):
    """The options of a match; ``ArenaWish`` explains each."""

    game: str
    seats: int
    seed: int | None
    sprt: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class ArenaWish:
    """The match to play.

    bots: the names of both. count: how many games or deals. seats: of a table. seed: of all
    chance, None to draw a seed. sprt: Elo differences; a match of Matcha ends as soon as one
    is ruled out.
    """

    bots: tuple[str, str]
    count: int
    variant: str
    game: str
    seats: int
    seed: int | None
    sprt: tuple[float, float] | None

    def players(self) -> "tuple[Bot, Bot]":
        """Return both bots, the same bots at each call in a process."""
        first, second = (_player(self.game, name) for name in self.bots)
        return first, second


class MatchScore(Protocol):
    """The result of some units of a match: pairs of games, deals or decks."""

    @property
    def units(self) -> int:
        """How many units were played."""
        ...

    @property
    def failures(self) -> Mapping[str, BotError]:
        """Why bots that are programs resigned, each reason once."""
        ...

    def __add__(self, other: Self) -> Self:
        """Return both results together."""
        ...


R = TypeVar("R", bound=MatchScore)


def run(out: Output, wish: ArenaWish) -> int:
    """Let two bots play a match, and print the result; return the exit code.

    Raises:
        BotError: a bot is a program that cannot be started.
    """
    for name in wish.bots:
        see_it_start(wish.game, name)
    if wish.seed is None:
        wish = replace(wish, seed=secrets.randbits(32))
    return CANCELLED if part(wish.game, "commands.arena").run(out, wish) else Exit.DONE


@functools.cache  # another program is started once in each process
def _player(game: str, name: str) -> "Bot":
    if name.startswith(FOREIGN):
        return opponent(game, name, _MOVE)
    return cast("Bot", part(game, "bots.roster").BOTS[name])


def measure(
    out: Output,
    play: Callable[[range], R],
    units: int,
    nothing: R,
    progress: Callable[[R], str],
    is_decided: Callable[[R], bool] = lambda _: False,
) -> tuple[R, bool]:
    """Play units of a match; return the result, and whether Ctrl-C has stopped the match.

    play: plays the units with these numbers, in any process. nothing: the result of no units.

    Raises:
        KeyboardInterrupt: Ctrl-C came before there was a result.
    """
    total, stopped, told = nothing, False, 0
    try:
        with closing(_played(play, units)) as parts:
            for result in parts:
                total += result
                if is_decided(total):
                    break
                if told < (told := _TOLD * total.units // units) < _TOLD:
                    out.murmur(progress(total))
    except KeyboardInterrupt:
        if total.units < _LEAST:
            raise
        stopped = True
        out.murmur(_STOPPED(done=total.units, all=units))
    for failure in total.failures.values():
        out.warn(_RESIGNS(why=out.sentence_of(failure)))
    return total, stopped


def _played(play: Callable[[range], R], units: int) -> Generator[R]:
    """Yield the results of the chunks in order, so that a seed gives one match."""
    size = min(_CHUNK, -(-units // (10 * _TOLD)))
    chunks = [range(at, min(at + size, units)) for at in range(0, units, size)]
    if units <= _FEW:
        yield from map(play, chunks)
        return
    workers = Workers(min(cores(), len(chunks)))
    try:
        for future in [workers.submit(play, chunk) for chunk in chunks]:
            yield future.result()
    finally:
        workers.close()
