"""Bots against bots in mirrored deals."""

import time
from typing import Final

from matcha_p2p.app.arena import ArenaWish, Played, Units, Venue, measure
from matcha_p2p.app.output import Output
from matcha_p2p.games.intervals import Z
from matcha_p2p.games.ratings import Lead, Unit
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


def run(venue: Venue, wish: ArenaWish) -> Played:
    """Play the deals, and print the points a round."""
    deals, began = max(_FEWEST, wish.count), time.perf_counter()

    def progress(result: DealResults) -> str:
        return _PROGRESS(done=result.units, all=deals, mean=result.mean)

    result, stopped = measure(venue, Units(_Deals(wish), deals, DealResults()), progress)
    speed = 2 * result.units / (time.perf_counter() - began)
    _tell(venue.out, wish, result, speed, stopped=stopped)
    return Played(stopped, Lead(Unit.POINTS, result.mean, result.reach / Z))


class _Deals:
    """Plays the deals of a match with given numbers, in any process."""

    def __init__(self, wish: ArenaWish) -> None:
        self._wish: Final = wish

    def __call__(self, deals: range) -> DealResults:
        return arena(self._wish.players(), deals, f"{self._wish.seed}")


def _tell(
    out: Output, wish: ArenaWish, result: DealResults, speed: float, *, stopped: bool
) -> None:
    first, second = wish.bots
    low, high = result.mean - result.reach, result.mean + result.reach
    won, lost = result.won, result.lost
    made, called, others_made, others_called = result.calls
    double, doubled = result.doubles
    out.fact(
        "score",
        game=wish.game,
        bots=list(wish.bots),
        seed=wish.seed,
        deals=result.units,
        points=result.mean,
        interval=[low, high],
        won=won,
        lost=lost,
        calls=[[made, called], [others_made, others_called]],
        doubles=[double, doubled],
        resigned=list(result.resigned),
        stopped=stopped,
        rounds_per_second=speed,
    )
    out.say(_PLAYED(result.units, first=first, second=second))
    out.say(_AHEAD(first=first, mean=result.mean, low=low, high=high))
    out.say(_DEALS(won=won, lost=lost, even=result.units - won - lost))
    out.say(_CALLS(name=first, won=called, made=made, doubles=double))
    out.say(_CALLS(name=second, won=others_called, made=others_made, doubles=doubled))
    out.say(_SPEED(seed=wish.seed, speed=speed))
