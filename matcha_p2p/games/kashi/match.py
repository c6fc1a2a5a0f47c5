"""Bots against bots on decks that are played from every seat."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.bots.arena import MOST_TURNS, SeatWins, match
from matcha_p2p.games.matches.match import ArenaWish, Match
from matcha_p2p.language import Counted, Sentence
from matcha_p2p.narration.sentences import listed

_PLAYED: Final = Counted(
    "{first} alone against {second}: {count} deck, played from each of {seats} seats.",
    "{first} alone against {second}: {count} decks, each played from each of {seats} seats.",
)
_WINS: Final = Sentence(
    "{first} wins {rate:.1%} of the games (95 % confidence: {low:.1%} to {high:.1%}); an equal "
    "player wins {fair:.1%}."
)
_SEATS: Final = Sentence("By seat: {rates}.")
_RATE: Final = Sentence("{rate:.1%}")
_UNFINISHED: Final = Sentence("Games without an end after {turns} turns: {count}.")
_SPEED: Final = Sentence("Seed {seed}, {speed:.1f} games a second.")
_PROGRESS: Final = Sentence("{done} of {all} decks, {rate:.1%} of the games won so far.")


def match_of(wish: ArenaWish) -> Match[SeatWins]:
    """Return a match in decks that are played from every seat."""
    return Match[SeatWins](
        wish.count,
        SeatWins(0, (0.0,) * wish.seats),
        lambda bots, units: match(shipped_board(), wish.seats, bots, units, f"{wish.seed}"),
        lambda so_far: _PROGRESS(done=so_far.units, all=wish.count, rate=so_far.rate),
        partial(_fact, wish),
        partial(_said, wish),
    )


def _fact(wish: ArenaWish, result: SeatWins, speed: float) -> dict[str, object]:
    return {
        "game": wish.game,
        "seats": wish.seats,
        "decks": result.units,
        "win_rate": result.rate,
        "interval": list(result.interval),
        "by_seat": [won / result.units for won in result.seats],
        "unfinished": result.unfinished,
        "resigned": list(result.resigned),
        "games_per_second": speed,
    }


def _said(wish: ArenaWish, result: SeatWins, speed: float) -> Iterator[str]:
    first, second = wish.bots
    low, high = result.interval
    yield _PLAYED(result.units, first=first, second=second, seats=wish.seats)
    yield _WINS(first=first, rate=result.rate, low=low, high=high, fair=1 / wish.seats)
    yield _SEATS(rates=listed(_RATE(rate=won / result.units) for won in result.seats))
    if result.unfinished:
        yield _UNFINISHED(turns=MOST_TURNS, count=result.unfinished)
    yield _SPEED(seed=wish.seed, speed=speed)
