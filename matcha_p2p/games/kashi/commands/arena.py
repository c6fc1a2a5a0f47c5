"""Bots against bots on decks that are played from every seat."""

import time
from typing import Final

from matcha_p2p.app.arena import ArenaWish, Played, Units, Venue, measure
from matcha_p2p.app.output import Output
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.bots.arena import MOST_TURNS, SeatWins, match
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


def run(venue: Venue, wish: ArenaWish) -> Played:
    """Play the decks, and print how often the first bot wins."""
    decks, began = wish.count, time.perf_counter()

    def progress(result: SeatWins) -> str:
        return _PROGRESS(done=result.units, all=decks, rate=result.rate)

    nothing = SeatWins(0, (0.0,) * wish.seats)
    result, stopped = measure(venue, Units(_Decks(wish), decks, nothing), progress)
    speed = wish.seats * result.units / (time.perf_counter() - began)
    _tell(venue.out, wish, result, speed, stopped=stopped)
    return Played(stopped, result.lead)


class _Decks:
    """Plays the decks of a match with given numbers, in any process."""

    def __init__(self, wish: ArenaWish) -> None:
        self._wish: Final = wish

    def __call__(self, decks: range) -> SeatWins:
        wish = self._wish
        return match(shipped_board(), wish.seats, wish.players(), decks, f"{wish.seed}")


def _tell(
    out: Output, wish: ArenaWish, result: SeatWins, speed: float, *, stopped: bool
) -> None:
    first, second = wish.bots
    low, high = result.interval
    rates = [won / result.units for won in result.seats]
    out.fact(
        "score",
        game=wish.game,
        bots=list(wish.bots),
        seats=wish.seats,
        seed=wish.seed,
        decks=result.units,
        win_rate=result.rate,
        interval=[low, high],
        by_seat=rates,
        unfinished=result.unfinished,
        resigned=list(result.resigned),
        stopped=stopped,
        games_per_second=speed,
    )
    out.say(_PLAYED(result.units, first=first, second=second, seats=wish.seats))
    out.say(_WINS(first=first, rate=result.rate, low=low, high=high, fair=1 / wish.seats))
    out.say(_SEATS(rates=listed(_RATE(rate=rate) for rate in rates)))
    if result.unfinished:
        out.warn(_UNFINISHED(turns=MOST_TURNS, count=result.unfinished))
    out.say(_SPEED(seed=wish.seed, speed=speed))
