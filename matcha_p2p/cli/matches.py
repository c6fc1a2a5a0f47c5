"""Bots against bots, without cryptography."""

import random
import secrets
import time

from matcha_p2p.bots import BOTS
from matcha_p2p.bots.arena import Score, arena
from matcha_p2p.cli.output import Output
from matcha_p2p.rules.edition import EDITIONS


def run(out: Output, bots: tuple[str, str], games: int, edition: str, seed: int | None) -> int:
    """Let two bots play ``games`` games, and tell how the first one fared."""
    if seed is None:
        seed = secrets.randbits(32)
    rng = random.Random(seed)  # noqa: S311 -- cards of a simulation, not of a game with people
    began = time.perf_counter()
    score = arena(EDITIONS[edition], (BOTS[bots[0]], BOTS[bots[1]]), games, rng)
    speed = games / (time.perf_counter() - began)
    low, high = score.interval
    out.fact(
        "score",
        bots=list(bots),
        edition=edition,
        seed=seed,
        games=score.games,
        wins=score.wins,
        losses=score.losses,
        draws=score.draws,
        win_rate=score.win_rate,
        interval=[low, high],
        mean_sets=score.mean_sets,
        how={how.value: count for how, count in score.how.items()},
        games_per_second=speed,
    )
    _say(out, bots, score)
    out.say(f"Edition {edition}, seed {seed}, {speed:.0f} games a second.")
    return 0


def _say(out: Output, names: tuple[str, str], score: Score) -> None:
    first, second = names
    low, high = score.interval
    out.say(
        f"{first} against {second}: {score.games} games, {score.wins} won, "
        f"{score.losses} lost, {score.draws} drawn."
    )
    out.say(
        f"{first} takes {score.win_rate:.1%} of the points "
        f"(95 % confidence: {low:.1%} to {high:.1%}); {score.mean_sets:.2f} sets a game."
    )
    often = sorted(score.how.items(), key=lambda item: -item[1])
    ways = ", ".join(f"{how.value} {count}" for how, count in often)
    out.say(f"How the games ended: {ways}.")
