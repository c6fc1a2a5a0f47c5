"""Whole games of bots by the rules alone, with the line of the log for each choice."""

import random
from collections.abc import Iterator, Sequence

from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.bots import arena
from matcha_p2p.games.kashi.bots.bot import Bot
from matcha_p2p.games.kashi.bots.roster import BOTS
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules import log
from matcha_p2p.games.kashi.rules.state import Ended, GameState, Opening

CARELESS, GREEDY = BOTS["beginner"], BOTS["club"]


def play(
    board: Board, bots: Sequence[Bot], seed: int, *, most: int = 5000
) -> Iterator[tuple[str, GameState]]:
    """Play a game, and yield each line of its log and the state after it."""
    rng = random.Random(seed)
    seats = len(bots)
    game = rules.new_game(board, seats)
    yield log.heading(seats), game
    while not isinstance(game.phase, Ended) and game.turns < most:
        line, game = step(game, bots, rng)
        yield line, game


def step(game: GameState, bots: Sequence[Bot], rng: random.Random) -> tuple[str, GameState]:
    """Return the next line of the log, and the state after it."""
    chosen, after = arena.step(game, bots, rng)
    if isinstance(chosen, tuple):
        return log.draw_line(chosen, row=isinstance(game.phase, Opening)), after
    assert game.due is not None
    return log.move_line(game, game.due, chosen), after
