"""Check a board file: each fault with its line, and how fair the board is to the seats."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

from matcha_p2p.app.library.transcripts import read_file
from matcha_p2p.app.outcomes import Exit
from matcha_p2p.app.output import Output
from matcha_p2p.app.workers.processes import Workers, cores
from matcha_p2p.games.kashi import bots
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.board.board_file import BoardError, read_board
from matcha_p2p.games.kashi.bots import roster as bots_roster
from matcha_p2p.games.kashi.bots.arena import MOST_TURNS, SeatWins, Wins, match, play
from matcha_p2p.games.kashi.bots.careless import careless
from matcha_p2p.games.kashi.bots.greedy import Greedy
from matcha_p2p.games.kashi.bots.walker import Style, Walker
from matcha_p2p.games.kashi.rules.game import TABLES
from matcha_p2p.games.kashi.rules.orders import GOODS, GUESTS, ORDERS
from matcha_p2p.games.kashi.words.names import shown
from matcha_p2p.games.kashi.written import digest, is_name
from matcha_p2p.language import Sentence, translated
from matcha_p2p.narration.sentences import listed

Results = TypeVar("Results", Wins, SeatWins)

_GOOD: Final = Sentence("The board {name} has no fault. Its digest is {digest}.")
_COUNT: Final = Sentence("{name} {count}")
_UNEVEN: Final = Sentence("Some goods are needed far more often: {counts}.")
_GUESTS: Final = Sentence("The guests do not have as many orders each: {counts}.")
_RATES: Final = Sentence(
    "{seats} seats, {games} games of {bot}: the seats win {rates}; standard error {error}."
)
_STYLE: Final = Sentence(
    "{seats} seats, {games} games: {style} wins {rate} among greedy players. An equal share is "
    "{share}; standard error {error}."
)
_RATE: Final = Sentence("{rate:.1%}")
_UNFINISHED: Final = Sentence("Games without an end after {turns} turns: {count}.")
_UNFAIR: Final = Sentence("The seats are unequal by more than {points} points in 100.")

STYLES: Final[Mapping[str, Style]] = MappingProxyType(
    {"careless": careless, "no-shops": Greedy(shops=0, worth=0), "shops": Greedy(worth=2)}
)
"""Ways to play that a board should neither force nor forbid."""
_NAMES: Final = {
    "careless": Sentence("a player without a plan"),
    "no-shops": Sentence("a player who lays no shops"),
    "shops": Sentence("a player who values shops twice"),
}

_SPREAD: Final = 0.2
"""How far the goods may be apart, as a part of their mean."""
_ADVANTAGE: Final = 0.02
"""By how much a seat may win more or less often than its share."""
_FEW: Final = 50
"""The most games that are played without a second process."""
_CHUNK: Final = 25
"""Games for a process at a time."""


def run(out: Output, file: Path, games: int | None, seed: int) -> int:
    """Check ``file``; return the exit code.

    games: how many games bots play for each number of seats, None for no games. All chance in
    the games comes from ``seed``.

    Raises:
        TranscriptError: the file cannot be read.
    """
    try:
        board = read_board(read_file(file), is_name)
    except BoardError as error:
        for fault in error.faults:
            said = fault.said(translated)
            out.fact("fault", line=fault.line, message=said)
            out.say(said)
        return Exit.INVALID
    code = digest(board).hex()
    out.fact("board", name=board.name, digest=code)
    out.say(_GOOD(name=board.name or file.name, digest=code[:16]))
    for warning in _warnings(board):
        out.warn(warning)
    for seats in TABLES if games else ():
        _simulate(out, board, seats, games or 0, str(seed))
    return Exit.DONE


def _warnings(board: Board) -> Iterator[str]:
    goods = [sum(order.goods[good] for order in board.orders) for good in range(GOODS)]
    if max(goods) - min(goods) > _SPREAD * sum(goods) / GOODS:
        yield _UNEVEN(counts=_counts(board.goods, goods))
    orders = [sum(order.guest == guest for order in board.orders) for guest in range(GUESTS)]
    if set(orders) != {ORDERS // GUESTS}:
        yield _GUESTS(counts=_counts(board.guests, orders))


def _counts(names: tuple[str, ...], counts: list[int]) -> str:
    pairs = zip(names, counts, strict=True)
    return listed(_COUNT(name=shown(name), count=count) for name, count in pairs)


def _simulate(out: Output, board: Board, seats: int, games: int, seed: str) -> None:
    """Let bots play, and print how often each seat wins, and each style."""
    for bot in bots.LEVELS:
        _try_seats(out, board, seats, bot, games, seed)
    decks = math.ceil(games / seats)  # a style plays each deck from each seat
    for style in STYLES:
        _try_style(out, board, seats, style, decks, seed)


def _try_seats(out: Output, board: Board, seats: int, bot: str, games: int, seed: str) -> None:
    wins = _pooled(partial(play, board, seats, bot, seed=seed), games, Wins((0.0,) * seats))
    rates, error = [won / games for won in wins.seats], _error(seats, games)
    played = {"seats": seats, "bot": bot, "games": games}
    counted = {"wins": list(wins.seats), "unfinished": wins.unfinished}
    out.fact("seats", **played, **counted, error=error)
    shares = listed(_RATE(rate=rate) for rate in rates)
    out.say(_RATES(**played, rates=shares, error=_RATE(rate=error)))
    _warn_of_unfinished(out, wins.unfinished)
    if max(abs(rate - 1 / seats) for rate in rates) > _ADVANTAGE + 2 * error:
        out.warn(_UNFAIR(points=round(100 * _ADVANTAGE)))


def _try_style(
    out: Output, board: Board, seats: int, style: str, decks: int, seed: str
) -> None:
    pair = (Walker(style, STYLES[style]), bots_roster.BOTS["greedy"])
    work = partial(match, board, seats, pair, seed=seed)
    wins = _pooled(work, decks, SeatWins(0, (0.0,) * seats))
    error, played = _error(seats, wins.games), {"seats": seats, "games": wins.games}
    counted = {"wins": sum(wins.seats), "unfinished": wins.unfinished}
    out.fact("style", **played, style=style, **counted, error=error)
    rates = {"rate": wins.rate, "share": 1 / seats, "error": error}
    shown_rates = {name: _RATE(rate=rate) for name, rate in rates.items()}
    out.say(_STYLE(**played, style=_NAMES[style](), **shown_rates))
    _warn_of_unfinished(out, wins.unfinished)


def _error(seats: int, games: int) -> float:
    """Return the standard error of the part of ``games`` that one of equal seats wins."""
    return math.sqrt((seats - 1) / seats**2 / games)


def _warn_of_unfinished(out: Output, count: int) -> None:
    if count:
        out.warn(_UNFINISHED(turns=MOST_TURNS, count=count))


def _pooled(work: Callable[[range], Results], count: int, nothing: Results) -> Results:
    """Return the results of ``work`` on the numbers below ``count``, by several processes.

    nothing: the results of no number.
    """
    if count <= _FEW:
        return work(range(count))
    chunks = [range(at, min(at + _CHUNK, count)) for at in range(0, count, _CHUNK)]
    workers = Workers(min(cores(), len(chunks)))
    try:
        results = [workers.submit(work, chunk) for chunk in chunks]
        return sum((each.result() for each in results), nothing)
    finally:
        workers.close()
