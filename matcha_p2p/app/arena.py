"""Bots against bots, without cryptography."""

import random
import secrets
import time
from typing import Final

from matcha_p2p.app.output import Output
from matcha_p2p.bots import BOTS
from matcha_p2p.bots.arena import MatchResult, arena
from matcha_p2p.language import Counted, Sentence
from matcha_p2p.rules.edition import EDITIONS

_SPEED: Final = Sentence("Edition {edition}, seed {seed}, {speed:.0f} games a second.")
_SCORE: Final = Counted(
    "{first} against {second}: {count} game, {wins} won, {losses} lost, {draws} drawn.",
    "{first} against {second}: {count} games, {wins} won, {losses} lost, {draws} drawn.",
)
_RATE: Final = Sentence(
    "{first} takes {rate:.1%} of the points (95 % confidence: {low:.1%} to {high:.1%}); "
    "{sets:.2f} sets a game."
)
_WAYS: Final = Sentence("How the games ended: {ways}.")


def run(out: Output, bots: tuple[str, str], games: int, edition: str, seed: int | None) -> int:
    """Let two bots play ``games`` games, and print how often the first one won."""
    if seed is None:
        seed = secrets.randbits(32)
    rng = random.Random(seed)  # noqa: S311 -- cards of a simulation, not of a game with people
    began = time.perf_counter()
    result = arena(EDITIONS[edition], (BOTS[bots[0]], BOTS[bots[1]]), games, rng)
    speed = games / (time.perf_counter() - began)
    low, high = result.interval
    out.fact(
        "score",
        bots=list(bots),
        edition=edition,
        seed=seed,
        games=result.games,
        wins=result.wins,
        losses=result.losses,
        draws=result.draws,
        win_rate=result.win_rate,
        interval=[low, high],
        mean_sets=result.mean_sets,
        how={how.value: count for how, count in result.how.items()},
        games_per_second=speed,
    )
    _say(out, bots, result)
    out.say(_SPEED(edition=edition, seed=seed, speed=speed))
    return 0


def _say(out: Output, names: tuple[str, str], result: MatchResult) -> None:
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
    often = sorted(result.how.items(), key=lambda item: -item[1])
    ways = ", ".join(f"{how.value} {count}" for how, count in often)
    out.say(_WAYS(ways=ways))
