"""Bots against bots in mirrored deals."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from matcha_p2p.games.matches.match import ArenaWish, Match
from matcha_p2p.games.tichu.bots.arena import DealResults, arena
from matcha_p2p.language import Counted, Sentence

_PLAYED: Final = Counted(
    "{first} against {second}: {count} deal, played twice with the pairs exchanged.",
    "{first} against {second}: {count} deals, each played twice with the pairs exchanged.",
)
_AHEAD: Final = Sentence(
    "{first} is {mean:+.1f} points a round ahead (95 % confidence: {low:+.1f} to {high:+.1f})."
)
_DEALS: Final = Sentence("Deals won: {won}, lost: {lost}, even: {even}.")
_CALLS: Final = Sentence(
    "{name}: {won} of {made} calls won; first and second in {doubles} rounds."
)
_SPEED: Final = Sentence("Seed {seed}, {speed:.1f} rounds a second.")
_PROGRESS: Final = Sentence("{done} of {all} deals, {mean:+.1f} points a round so far.")

_FEWEST: Final = 2
"""An interval needs two deals."""


def match_of(wish: ArenaWish) -> Match[DealResults]:
    """Return a match in mirrored deals."""
    deals = max(_FEWEST, wish.count)
    return Match[DealResults](
        deals,
        DealResults(),
        lambda bots, units: arena(bots, units, f"{wish.seed}"),
        lambda so_far: _PROGRESS(done=so_far.units, all=deals, mean=so_far.mean),
        partial(_fact, wish),
        partial(_said, wish),
    )


def _fact(wish: ArenaWish, result: DealResults, speed: float) -> dict[str, object]:
    made, won, others_made, others_won = result.calls
    return {
        "game": wish.game,
        "deals": result.units,
        "points": result.mean,
        "interval": [result.mean - result.reach, result.mean + result.reach],
        "won": result.won,
        "lost": result.lost,
        "calls": [[made, won], [others_made, others_won]],
        "doubles": list(result.doubles),
        "resigned": list(result.resigned),
        "rounds_per_second": speed,
    }


def _said(wish: ArenaWish, result: DealResults, speed: float) -> Iterator[str]:
    first, second = wish.bots
    low, high = result.mean - result.reach, result.mean + result.reach
    won, lost = result.won, result.lost
    made, called, others_made, others_called = result.calls
    double, doubled = result.doubles
    yield _PLAYED(result.units, first=first, second=second)
    yield _AHEAD(first=first, mean=result.mean, low=low, high=high)
    yield _DEALS(won=won, lost=lost, even=result.units - won - lost)
    yield _CALLS(name=first, won=called, made=made, doubles=double)
    yield _CALLS(name=second, won=others_called, made=others_made, doubles=doubled)
    yield _SPEED(seed=wish.seed, speed=speed)
