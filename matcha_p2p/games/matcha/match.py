"""Bots against bots in pairs of games with the same cards."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Final

from matcha_p2p.games.matcha.bots.arena import MatchResult, arena
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matches.match import ArenaWish, Match
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


def match_of(wish: ArenaWish) -> Match[MatchResult]:
    """Return a match in pairs of games with the same cards."""
    pairs = (wish.count + 1) // 2
    return Match[MatchResult](
        pairs,
        MatchResult(),
        lambda bots, units: arena(EDITIONS[wish.variant], bots, units, f"{wish.seed}"),
        lambda so_far: _PROGRESS(done=so_far.games, all=2 * pairs, rate=so_far.win_rate),
        partial(_fact, wish),
        partial(_said, wish),
        lambda so_far: abs(_ratio(wish, so_far)) >= _CERTAIN,
    )


def _ratio(wish: ArenaWish, result: MatchResult) -> float:
    """Return the log-likelihood ratio of the differences; 0 if none are asked about."""
    return result.log_likelihood_ratio(*wish.sprt) if wish.sprt else 0.0


def _fact(wish: ArenaWish, result: MatchResult, speed: float) -> dict[str, object]:
    low, high = result.interval
    elo, least, most = result.elo
    return {
        "edition": wish.variant,
        "games": result.games,
        "pairs": list(result.pairs),
        "wins": result.wins,
        "losses": result.losses,
        "draws": result.draws,
        "win_rate": result.win_rate,
        "interval": [low, high],
        "elo": elo,
        "elo_interval": [least, most],
        "sprt": None if wish.sprt is None else [*wish.sprt],
        "log_likelihood_ratio": None if wish.sprt is None else _ratio(wish, result),
        "mean_sets": result.mean_sets,
        "how": {how.value: count for how, count in result.how.items()},
        "games_per_second": speed,
    }


def _said(wish: ArenaWish, result: MatchResult, speed: float) -> Iterator[str]:
    first, second = wish.bots
    low, high = result.interval
    counts = {"wins": result.wins, "losses": result.losses, "draws": result.draws}
    yield _SCORE(result.games, first=first, second=second, **counts)
    yield _RATE(first=first, rate=result.win_rate, low=low, high=high, sets=result.mean_sets)
    whole = [round(points) for points in result.elo]
    yield _ELO(first=first, elo=whole[0], low=whole[1], high=whole[2])
    often = sorted(result.how.items(), key=lambda item: -item[1])
    ways = ", ".join(f"{how.value} {count}" for how, count in often)
    yield _WAYS(ways=ways)
    if wish.sprt is not None and abs(_ratio(wish, result)) >= _CERTAIN:
        unlikely, likely = wish.sprt if _ratio(wish, result) > 0 else wish.sprt[::-1]
        yield _DECIDED(first=first, likely=likely, unlikely=unlikely)
    yield _SPEED(edition=wish.variant, seed=wish.seed, speed=speed)
