"""Games of bots by the rules alone, without a table."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.bots.roster import BOTS
from matcha_p2p.games.kashi.bots.walker import Walker
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.deck import draw
from matcha_p2p.games.kashi.rules.moves import Move
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import ROW, Drawing, Ended, GameState, Opening

MoveOrDraw: TypeAlias = Move | tuple[int, ...]
"""The move of the seat due, or the orders that were drawn."""

MOST_TURNS: Final = 5000
"""A game with more turns is given up: an owner's board may let games go on for ever."""


@dataclass(frozen=True, slots=True)
class Wins:
    """The results of games. seats: the games won by each seat; shared ones count in parts."""

    seats: tuple[float, ...]
    unfinished: int = 0

    def __add__(self, other: "Wins") -> "Wins":
        """Return the results of both."""
        seats = tuple(one + two for one, two in zip(self.seats, other.seats, strict=True))
        return Wins(seats, self.unfinished + other.unfinished)


def step(
    game: GameState, bots: Sequence[Walker], rng: random.Random
) -> tuple[MoveOrDraw, GameState]:
    """Return the next choice of a bot or of chance, and the game after it."""
    match game.phase:
        case Opening():
            orders = draw(game.board, game.drawn, ROW, rng.randrange)
            return orders, rules.open_row(game, orders)
        case Drawing(count):
            orders = draw(game.board, game.drawn, count, rng.randrange)
            return orders, rules.draw(game, orders)
        case _:
            seat = game.due
            if seat is None:
                raise ValueError("the game is over")
            move = bots[seat].choose(Outlook(game, seat), rng)
            return move, rules.choose(game, seat, move)


def play(board: Board, seats: int, bot: str, games: range) -> Wins:
    """Play games of equal bots. games: their numbers, from which all chance comes."""
    wins = Wins((0.0,) * seats)
    for number in games:
        rng = random.Random(number)
        game = rules.new_game(board, seats)
        while game.turns < MOST_TURNS and not isinstance(game.phase, Ended):
            _, game = step(game, [BOTS[bot]] * seats, rng)
        wins += _result(game)
    return wins


def _result(game: GameState) -> Wins:
    if not isinstance(game.phase, Ended):
        return Wins((0.0,) * len(game.players), 1)
    won = game.phase.winners
    return Wins(tuple((seat in won) / len(won) for seat in game.seats))
