"""Bots against bots in pairs of games with the same cards."""

import math
import time
from typing import Final

from matcha_p2p.app.arena import ArenaWish, Played, Units, Venue, measure
from matcha_p2p.app.output import Output
from matcha_p2p.games.matcha.bots.arena import MatchResult, arena
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.language import Counted, Sentence

_SPEED: Final = Sentence("Edition {edition}, seed {seed}, {speed:.1f} games a second.")
_SCORE: Final = Counted(
    "{first} against {second}: {count} game, {wins} won, {losses} lost, {draws} drawn.",
    "{first} against {second}: {count} games, {wins} won, {losses} lost, {draws} drawn.",
)
_RATE: Final = Sentence(
    "{first} takes {rate:.1%} of the points (95 % confidence: {low:.1%} to {high:.1%}); "
    "{sets:.2f} sets a game."
)
_ELO: Final = Sentence(
    "{first} is {elo:+} Elo points ahead (95 % confidence: {low:+} to {high:+})."
)
_WAYS: Final = Sentence("How the games ended: {ways}.")
_DECIDED: Final = Sentence(
    "Decided: {first} is {likely:+g} rather than {unlikely:+g} Elo points ahead."
)
_PROGRESS: Final = Sentence("{done} of {all} games, {rate:.1%} of the points so far.")

_CERTAIN: Final = math.log(0.95 / 0.05)
"""A match is decided once its log-likelihood ratio is beyond this: wrong once in 20 times."""


def run(venue: Venue, wish: ArenaWish) -> Played:
    """Play the games, in pairs, and print how often the first bot won."""
    pairs, began = (wish.count + 1) // 2, time.perf_counter()

    def progress(result: MatchResult) -> str:
        return _PROGRESS(done=result.games, all=2 * pairs, rate=result.win_rate)

    def is_decided(result: MatchResult) -> bool:
        return abs(_ratio(wish, result)) >= _CERTAIN

    units = Units(_Pairs(wish), pairs, MatchResult())
    result, stopped = measure(venue, units, progress, is_decided)
    speed = result.games / (time.perf_counter() - began)
    _tell(venue.out, wish, result, speed, stopped=stopped)
    return Played(stopped, result.lead)


class _Pairs:
    """Plays the pairs of a match with given numbers, in any process."""

    def __init__(self, wish: ArenaWish) -> None:
        self._wish: Final = wish

    def __call__(self, pairs: range) -> MatchResult:
        wish = self._wish
        return arena(EDITIONS[wish.variant], wish.players(), pairs, f"{wish.seed}")


def _ratio(wish: ArenaWish, result: MatchResult) -> float:
    """Return the log-likelihood ratio of the differences; 0 if none are asked about."""
    return result.log_likelihood_ratio(*wish.sprt) if wish.sprt else 0.0


def _tell(
    out: Output, match: ArenaWish, result: MatchResult, speed: float, *, stopped: bool
) -> None:
    ratio = _ratio(match, result)
    low, high = result.interval
    elo, least, most = result.elo
    out.fact(
        "score",
        bots=list(match.bots),
        edition=match.variant,
        seed=match.seed,
        games=result.games,
        pairs=list(result.pairs),
        wins=result.wins,
        losses=result.losses,
        draws=result.draws,
        win_rate=result.win_rate,
        interval=[low, high],
        elo=elo,
        elo_interval=[least, most],
        sprt=None if match.sprt is None else [*match.sprt],
        log_likelihood_ratio=None if match.sprt is None else ratio,
        mean_sets=result.mean_sets,
        how={how.value: count for how, count in result.how.items()},
        stopped=stopped,
        games_per_second=speed,
    )
    _say(out, match.bots, result)
    if match.sprt is not None and abs(ratio) >= _CERTAIN:
        unlikely, likely = match.sprt if ratio > 0 else match.sprt[::-1]
        out.say(_DECIDED(first=match.bots[0], likely=likely, unlikely=unlikely))
    out.say(_SPEED(edition=match.variant, seed=match.seed, speed=speed))


def _say(out: Output, names: tuple[str, ...], result: MatchResult) -> None:
    first, second = names
    low, high = result.interval
    out.say(
        _SCORE(
            result.games,
            first=first,
            second=second,
            wins=result.wins,
            losses=result.losses,
            draws=result.draws,
        )
    )
    out.say(_RATE(first=first, rate=result.win_rate, low=low, high=high, sets=result.mean_sets))
    whole = [round(points) for points in result.elo]
    out.say(_ELO(first=first, elo=whole[0], low=whole[1], high=whole[2]))
    often = sorted(result.how.items(), key=lambda item: -item[1])
    ways = ", ".join(f"{how.value} {count}" for how, count in often)
    out.say(_WAYS(ways=ways))
