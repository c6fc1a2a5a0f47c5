"""Check a board file: each fault with its line, and how fair the board is to the seats."""

import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from matcha_p2p.app.library.transcripts import read_file
from matcha_p2p.app.outcomes import Exit
from matcha_p2p.app.output import Output
from matcha_p2p.app.workers.processes import Workers, cores
from matcha_p2p.games.kashi import bots
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.board.board_file import BoardError, read_board
from matcha_p2p.games.kashi.bots.arena import MOST_TURNS, Wins, play
from matcha_p2p.games.kashi.rules.game import TABLES
from matcha_p2p.games.kashi.rules.orders import GOODS, GUESTS, ORDERS
from matcha_p2p.games.kashi.words.names import shown
from matcha_p2p.games.kashi.written import digest, is_name
from matcha_p2p.language import Sentence, translated
from matcha_p2p.narration.sentences import listed

_GOOD: Final = Sentence("The board {name} has no fault. Its digest is {digest}.")
_COUNT: Final = Sentence("{name} {count}")
_UNEVEN: Final = Sentence("Some goods are needed far more often: {counts}.")
_GUESTS: Final = Sentence("The guests do not have as many orders each: {counts}.")
_RATES: Final = Sentence("{seats} seats, {games} games of {bot}: the seats win {rates}.")
_RATE: Final = Sentence("{rate:.1%}")
_UNFINISHED: Final = Sentence("Games without an end after {turns} turns: {count}.")
_UNFAIR: Final = Sentence("The seats are unequal by more than {points} points in 100.")

_SPREAD: Final = 0.2
"""How far the goods may be apart, as a part of their mean."""
_ADVANTAGE: Final = 0.02
"""By how much a seat may win more or less often than its share."""
_FEW: Final = 50
"""The most games that are played without a second process."""
_CHUNK: Final = 25
"""Games for a process at a time."""


def run(out: Output, file: Path, games: int | None) -> int:
    """Check ``file``; return the exit code.

    games: how many games bots play for each number of seats, None for no games.

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
        for bot in bots.LEVELS:
            _simulate(out, board, seats, bot, games or 0)
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


def _simulate(out: Output, board: Board, seats: int, bot: str, games: int) -> None:
    """Let equal bots play, and print how often each seat wins."""
    wins = _played(board, seats, bot, games)
    rates = [won / games for won in wins.seats]
    out.fact(
        "seats",
        seats=seats,
        bot=bot,
        games=games,
        wins=list(wins.seats),
        unfinished=wins.unfinished,
    )
    shares = listed(_RATE(rate=rate) for rate in rates)
    out.say(_RATES(seats=seats, games=games, bot=bot, rates=shares))
    if wins.unfinished:
        out.warn(_UNFINISHED(turns=MOST_TURNS, count=wins.unfinished))
    error = math.sqrt((seats - 1) / seats**2 / games)
    if max(abs(rate - 1 / seats) for rate in rates) > _ADVANTAGE + 2 * error:
        out.warn(_UNFAIR(points=round(100 * _ADVANTAGE)))


def _played(board: Board, seats: int, bot: str, games: int) -> Wins:
    work = partial(play, board, seats, bot)
    if games <= _FEW:
        return work(range(games))
    chunks = [range(at, min(at + _CHUNK, games)) for at in range(0, games, _CHUNK)]
    workers = Workers(min(cores(), len(chunks)))
    try:
        results = [workers.submit(work, chunk) for chunk in chunks]
        return sum((each.result() for each in results), Wins((0.0,) * seats))
    finally:
        workers.close()
