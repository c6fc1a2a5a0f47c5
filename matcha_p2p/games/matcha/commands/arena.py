"""Bots against bots, without cryptography, in as many processes as there are cores."""

import functools
import math
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from matcha_p2p.app.bot_names import FOREIGN
from matcha_p2p.app.opponents import opponent, see_it_start
from matcha_p2p.app.output import Output
from matcha_p2p.app.workers import Workers, cores
from matcha_p2p.games.matcha.bots.arena import MatchResult, arena
from matcha_p2p.games.matcha.bots.bot import Bot
from matcha_p2p.games.matcha.bots.roster import BOTS
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
_RESIGNS: Final = Sentence("{why} The bot's seat resigns.")
_PROGRESS: Final = Sentence("{done} of {all} games, {rate:.1%} of the points so far.")

_CERTAIN: Final = math.log(0.95 / 0.05)
"""A match is decided once its log-likelihood ratio is beyond this: wrong once in 20 times."""
_MOVE: Final = 5.0
"""Seconds for a move of another program."""
_CHUNKS: Final = 20
"""The number of chunks; after each chunk the match tells its progress and may stop."""
_FEW: Final = 8
"""The most pairs that are played without a second process."""


@dataclass(frozen=True, slots=True)
class Match:
    """The match to play. sprt: Elo differences; the match ends as soon as one is ruled out."""

    bots: tuple[str, str]
    edition: str
    games: int
    seed: int
    sprt: tuple[float, float] | None = None

    @property
    def pairs(self) -> int:
        """Return how many pairs of games make up the match."""
        return (self.games + 1) // 2

    def play(self, pairs: range) -> MatchResult:
        """Play the pairs with these numbers."""
        first, second = map(_bot, self.bots)
        return arena(EDITIONS[self.edition], (first, second), pairs, self.seed)

    def chunks(self) -> list[range]:
        """Return the numbers of all pairs, in chunks."""
        size = max(1, -(-self.pairs // _CHUNKS))
        return [range(at, min(at + size, self.pairs)) for at in range(0, self.pairs, size)]


@functools.cache  # another program is started once in each process
def _bot(name: str) -> Bot:
    return opponent("matcha", name, _MOVE) if name.startswith(FOREIGN) else BOTS[name]


def run(
    out: Output,
    bots: tuple[str, str],
    games: int,
    edition: str,
    seed: int | None,
    sprt: tuple[float, float] | None,
) -> int:
    """Let two bots play ``games`` games, in pairs, and print how often the first bot won.

    Raises:
        BotError: a bot is a program that cannot be started.
    """
    for name in bots:
        see_it_start("matcha", name)
    match = Match(bots, edition, games, secrets.randbits(32) if seed is None else seed, sprt)
    began = time.perf_counter()
    result, ratio = MatchResult(), 0.0
    for part in _played(match):
        result += part
        if sum(result.pairs) < match.pairs:
            done, rate = result.games, result.win_rate
            out.murmur(_PROGRESS(done=done, all=2 * match.pairs, rate=rate))
        if sprt is not None:
            ratio = result.log_likelihood_ratio(*sprt)
            if abs(ratio) >= _CERTAIN:
                break
    for failure in result.failures.values():
        out.warn(_RESIGNS(why=out.sentence_of(failure)))
    _tell(out, match, result, ratio, result.games / (time.perf_counter() - began))
    return 0


def _played(match: Match) -> Iterator[MatchResult]:
    """Yield the results of the chunks in order, so that a seed gives one match."""
    chunks = match.chunks()
    if match.pairs <= _FEW:
        yield from map(match.play, chunks)
        return
    workers = Workers(min(cores(), len(chunks)))
    try:
        for future in [workers.submit(match.play, chunk) for chunk in chunks]:
            yield future.result()
    finally:
        workers.close()


def _tell(out: Output, match: Match, result: MatchResult, ratio: float, speed: float) -> None:
    low, high = result.interval
    elo, least, most = result.elo
    out.fact(
        "score",
        bots=list(match.bots),
        edition=match.edition,
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
        games_per_second=speed,
    )
    _say(out, match.bots, result)
    if match.sprt is not None and abs(ratio) >= _CERTAIN:
        unlikely, likely = match.sprt if ratio > 0 else match.sprt[::-1]
        out.say(_DECIDED(first=match.bots[0], likely=likely, unlikely=unlikely))
    out.say(_SPEED(edition=match.edition, seed=match.seed, speed=speed))


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
    whole = [round(points) for points in result.elo]
    out.say(_ELO(first=first, elo=whole[0], low=whole[1], high=whole[2]))
    often = sorted(result.how.items(), key=lambda item: -item[1])
    ways = ", ".join(f"{how.value} {count}" for how, count in often)
    out.say(_WAYS(ways=ways))
