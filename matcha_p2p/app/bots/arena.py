"""Bots against bots, without cryptography, in as many processes as there are cores.

Two bots play a match. More bots play a match between each two of them, and get ratings.
"""

import secrets
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing, suppress
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypedDict

from matcha_p2p.app.bots import match_record
from matcha_p2p.app.bots.bot_names import FOREIGN
from matcha_p2p.app.bots.opponents import opponent, see_it_start
from matcha_p2p.app.command.outcomes import CANCELLED, Exit
from matcha_p2p.app.command.output import Output, SilentOutput
from matcha_p2p.app.workers import in_order
from matcha_p2p.games import game_of
from matcha_p2p.games.game import Game
from matcha_p2p.games.matches.match import ArenaWish, Match, MatchScore, R
from matcha_p2p.games.matches.ratings import Lead, Rating, Unit, ratings
from matcha_p2p.language import Sentence

if TYPE_CHECKING:
    from matcha_p2p.games.bots.bot import Bot

_STOPPED: Final = Sentence("Stopped: the result is that of {done} of {all}.")
_RESIGNS: Final = Sentence("{why} The bot's seat concedes.")
_RANKING: Final = {
    Unit.ELO: Sentence("Elo points above the mean of all, with 95 % intervals:"),
    Unit.POINTS: Sentence("Points a round above the mean of all, with 95 % intervals:"),
}
_FIRST: Final = {
    Unit.ELO: Sentence("{place}. {name}: {value:+.0f} ({low:+.0f} to {high:+.0f})."),
    Unit.POINTS: Sentence("{place}. {name}: {value:+.1f} ({low:+.1f} to {high:+.1f})."),
}
_BEHIND: Final = {
    Unit.ELO: Sentence(
        "{place}. {name}: {value:+.0f} ({low:+.0f} to {high:+.0f}), {behind:.0f} Elo points "
        "behind {first}."
    ),
    Unit.POINTS: Sentence(
        "{place}. {name}: {value:+.1f} ({low:+.1f} to {high:+.1f}), {behind:.1f} points a "
        "round behind {first}."
    ),
}

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
    record: Path | None


class Units(NamedTuple, Generic[R]):
    """The units of a match.

    play: plays the units with these numbers, in any process. nothing: the result of no units.
    """

    play: Callable[[range], R]
    number: int
    nothing: R


class Venue(NamedTuple):
    """Where a match is told, and the executor that plays it, if not the cores here.

    record, match: where the results are kept, and of which match, if anywhere.
    """

    out: Output
    executor: Executor | None = None
    record: match_record.MatchRecord | None = None
    match: match_record.MatchKey | None = None


def run(out: Output, wish: ArenaWish) -> int:
    """Let each two bots play a match, and print the results; return the exit code.

    Raises:
        BotError: a bot is a program that cannot be started.
        CommandError: the record cannot be read or written, or is something else.
    """
    for name in wish.bots:
        see_it_start(wish.game, name)
    record = None if wish.record is None else match_record.MatchRecord(wish.record)
    if wish.seed is None:
        begun = (
            None
            if record is None
            else record.seed_of(_match(replace(wish, bots=wish.bots[:2])))
        )
        wish = replace(wish, seed=secrets.randbits(32) if begun is None else begun)
    leads = _round_robin(Venue(out, record=record), wish)
    if leads is None:
        return CANCELLED
    if len(wish.bots) > 2:
        _tell_ranking(out, wish, leads)
    return Exit.DONE


def standings(wish: ArenaWish, executor: Executor | None = None) -> list[tuple[str, Rating]]:
    """Let each two bots play a match in silence; return the bots, the best bot first.

    wish: as for ``run``, with a seed and without a record. executor: plays the games, and stays
    open; without one, the cores of this machine.

    Raises:
        BotError: a bot is a program that cannot be started.
        KeyboardInterrupt: Ctrl-C has stopped a match.
    """
    for name in wish.bots:
        see_it_start(wish.game, name)
    leads = _round_robin(Venue(SilentOutput(), executor), wish)
    if leads is None:
        raise KeyboardInterrupt
    return _ranked(wish.bots, leads)


def _match(wish: ArenaWish) -> match_record.MatchKey:
    """Return all that decides the course of a match between two bots."""
    kept = {"game": wish.game, "variant": wish.variant, "seats": wish.seats}
    return {**kept, "seed": wish.seed, "bots": [*wish.bots]}


def _round_robin(venue: Venue, wish: ArenaWish) -> dict[tuple[int, int], Lead] | None:
    """Play a match between each two bots; return the leads, or None after Ctrl-C."""
    leads: dict[tuple[int, int], Lead] = {}
    for first, second in combinations(range(len(wish.bots)), 2):
        pair = replace(wish, bots=(wish.bots[first], wish.bots[second]))
        lead = _play_match(venue._replace(match=_match(pair)), pair)
        if lead is None:
            return None
        leads[first, second] = lead
    return leads


def _play_match(venue: Venue, wish: ArenaWish) -> Lead | None:
    """Play and tell a match; return the lead of the first bot, or None after Ctrl-C."""
    match, began = _match_of(wish), time.perf_counter()
    units = Units(partial(_play, wish), match.units, match.nothing)
    result, stopped = measure(venue, units, match.progress, match.is_decided)
    speed = result.games / (time.perf_counter() - began)
    told = {"bots": [*wish.bots], "seed": wish.seed, "stopped": stopped}
    venue.out.fact("score", **told, **match.fact(result, speed))
    for sentence in match.said(result, speed):
        venue.out.say(sentence)
    return None if stopped else result.lead


def _play(wish: ArenaWish, units: range) -> MatchScore:
    """Play the units of a match between two bots, in any process."""
    thread = threading.get_ident()  # a program cannot answer two threads
    first, second = (_player(wish.game, name, thread) for name in wish.bots)
    return _match_of(wish).play((first, second), units)


def _match_of(wish: ArenaWish) -> Match[MatchScore]:
    return game_of(wish.game).needed(Game.arena)(wish)


def _ranked(
    bots: Sequence[str], leads: Mapping[tuple[int, int], Lead]
) -> list[tuple[str, Rating]]:
    rated = zip(bots, ratings(len(bots), leads), strict=True)
    return sorted(rated, key=lambda each: -each[1].value)


def _tell_ranking(out: Output, wish: ArenaWish, leads: Mapping[tuple[int, int], Lead]) -> None:
    """Print the ratings of all bots, the best bot first."""
    unit = leads[0, 1].unit
    ranked = _ranked(wish.bots, leads)
    out.fact(
        "ranking",
        game=wish.game,
        unit=unit.value,
        bots=[name for name, _ in ranked],
        ratings=[rating.value for _, rating in ranked],
        intervals=[[*_interval(rating)] for _, rating in ranked],
    )
    out.say(_RANKING[unit]())
    first, best = ranked[0]
    for place, (name, rating) in enumerate(ranked, start=1):
        low, high = _interval(rating)
        shown = {"place": place, "name": name, "value": rating.value, "low": low, "high": high}
        if place == 1:
            out.say(_FIRST[unit](**shown))
        else:
            behind = best.value - rating.value
            out.say(_BEHIND[unit](**shown, behind=behind, first=first))


def _interval(rating: Rating) -> tuple[float, float]:
    return rating.value - rating.reach, rating.value + rating.reach


@cache  # another program is started once in each thread
def _player(game: str, name: str, _thread: int) -> "Bot":
    if name.startswith(FOREIGN):
        return opponent(game, name, _MOVE)
    return game_of(game).roster[name]


def measure(
    venue: Venue,
    units: Units[R],
    progress: Callable[[R], str],
    is_decided: Callable[[R], bool] = lambda _: False,
) -> tuple[R, bool]:
    """Play the units of a match; return the result, and whether Ctrl-C has stopped the match.

    Raises:
        KeyboardInterrupt: Ctrl-C came before there was a result.
    """
    out, (_, number, total) = venue.out, units
    stopped, told = False, 0
    try:
        with closing(_played(units, venue)) as parts:
            for result in parts:
                total += result
                if is_decided(total):
                    break
                if told < (told := _TOLD * total.units // number) < _TOLD:
                    out.murmur(progress(total))
    except KeyboardInterrupt:
        if total.units < _LEAST:
            raise
        stopped = True
        out.murmur(_STOPPED(done=total.units, all=number))
    for failure in total.failures.values():
        out.warn(_RESIGNS(why=out.sentence_of(failure)))
    return total, stopped


def _played(units: Units[R], venue: Venue) -> Generator[R]:
    """Yield the results of the chunks in order, so that a seed gives one match."""
    number = units.number
    size = min(_CHUNK, -(-number // (10 * _TOLD)))
    chunks = [range(at, min(at + size, number)) for at in range(0, number, size)]
    known = _known(units.nothing, venue)
    missing = (chunk for chunk in chunks if chunk not in known)
    with closing(in_order(units.play, missing, venue.executor, many=_FEW + 1)) as fresh:
        for chunk in chunks:
            if chunk in known:
                yield known[chunk]
                continue
            result = next(fresh)
            if venue.record is not None and venue.match is not None:
                venue.record.keep(venue.match, chunk, result.plain())
            yield result


def _known(nothing: R, venue: Venue) -> dict[range, R]:
    """Return the results of the record; damaged results are left out."""
    known: dict[range, R] = {}
    if venue.record is None or venue.match is None:
        return known
    for (first, after), plain in venue.record.results_of(venue.match).items():
        with suppress(KeyError, TypeError, ValueError):
            known[range(first, after)] = nothing.read(plain, after - first)
    return known
