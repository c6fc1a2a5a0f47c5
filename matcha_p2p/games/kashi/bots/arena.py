"""Games of bots by the rules alone, without a table."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import add
from typing import Final, TypeAlias

from matcha_p2p.errors import BotError
from matcha_p2p.games import json_values
from matcha_p2p.games.json_values import JsonObject
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.bots.bot import Bot
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.deck import draw
from matcha_p2p.games.kashi.rules.moves import Move
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import ROW, Drawing, Ended, GameState, Opening
from matcha_p2p.games.matches.intervals import rate_interval
from matcha_p2p.games.matches.ratings import Lead, elo_lead

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


@dataclass(frozen=True, slots=True)
class SeatWins:
    """What decks have brought to the first bot, which was once in each seat, all others alike.

    units: the number of decks. seats: the games won from each seat; shared games count in
    parts, a game without an end as if all were equal. resigned: by bot, how many games have
    ended because a program failed. failures: why, each reason once.
    """

    units: int
    seats: tuple[float, ...]
    unfinished: int = 0
    resigned: tuple[int, ...] = (0, 0)
    failures: Mapping[str, BotError] = field(default_factory=dict[str, BotError])

    def __add__(self, other: "SeatWins") -> "SeatWins":
        """Return both results together."""
        return SeatWins(
            self.units + other.units,
            tuple(map(add, self.seats, other.seats)),
            self.unfinished + other.unfinished,
            tuple(map(add, self.resigned, other.resigned)),
            {**self.failures, **other.failures},
        )

    def plain(self) -> JsonObject:
        """Return the result as values for JSON, without the failures."""
        games = {"unfinished": self.unfinished, "resigned": [*self.resigned]}
        return {"decks": self.units, "seats": [*self.seats], **games}

    def read(self, plain: JsonObject, units: int) -> "SeatWins":
        """Return the result of so many decks that ``plain`` describes.

        Raises:
            KeyError, TypeError, ValueError: ``plain`` describes no result.
        """
        seats = json_values.as_reals(plain["seats"])
        fit = len(seats) == len(self.seats) and all(0 <= won <= units for won in seats)
        if not fit or plain["decks"] != units:
            raise ValueError("the result is of other games")
        most = units * len(seats)
        return SeatWins(
            units,
            seats,
            json_values.number_up_to(plain["unfinished"], most),
            json_values.numbers_up_to(plain["resigned"], most, len(self.resigned)),
        )

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.units * len(self.seats)

    @property
    def rate(self) -> float:
        """Return the part of the games that the first bot has won."""
        return sum(self.seats) / self.games

    @property
    def lead(self) -> Lead:
        """Return the first bot's lead in Elo points over each other bot.

        A game of equals from each seat is added: few games that are all won would otherwise
        look like certainty.
        """
        others = len(self.seats) - 1
        rate = (sum(self.seats) + 1) / (self.games + 1 + others)
        return elo_lead(rate, math.sqrt(rate * (1 - rate) / self.games), others)

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the rate."""
        return rate_interval(self.rate, self.games)


def match(board: Board, seats: int, bots: tuple[Bot, Bot], decks: range, seed: str) -> SeatWins:
    """Play each deck with the first bot in each seat, and the second bot in all others.

    decks: their numbers. The order of the orders follows from ``seed`` and the number alone.
    """
    total = SeatWins(len(decks), (0.0,) * seats)
    for number in decks:
        for own in range(seats):
            total += _from_seat(board, seats, bots, own, f"{seed} {number}")
    return total


def _from_seat(
    board: Board, seats: int, bots: tuple[Bot, Bot], own: int, seed: str
) -> SeatWins:
    """Play a game with the first bot in the seat ``own``."""
    first, second = bots
    seated = [first if seat == own else second for seat in range(seats)]
    cards, rng = random.Random(f"{seed} cards"), random.Random(f"{seed} bots")
    game = rules.new_game(board, seats)
    while game.turns < MOST_TURNS and not isinstance(game.phase, Ended):
        try:
            _, game = step(game, seated, rng, cards)
        except BotError as failure:
            side = int(game.due != own)
            won = _in_seat(own, seats, side / (seats - 1))
            return SeatWins(0, won, 0, (1 - side, side), {str(failure): failure})
    if isinstance(game.phase, Ended):
        return SeatWins(0, _in_seat(own, seats, _result(game).seats[own]))
    return SeatWins(0, _in_seat(own, seats, 1 / seats), 1)


def _in_seat(own: int, seats: int, won: float) -> tuple[float, ...]:
    return tuple(won if seat == own else 0.0 for seat in range(seats))


def step(
    game: GameState,
    bots: Sequence[Bot],
    rng: random.Random,
    cards: random.Random | None = None,
) -> tuple[MoveOrDraw, GameState]:
    """Return the next choice of a bot or of chance, and the game after it.

    cards: draws the orders; None for ``rng``.

    Raises:
        BotError: a bot is a program, and the program has failed.
    """
    drawing = (cards or rng).randrange
    match game.phase:
        case Opening():
            orders = draw(game.board, game.drawn, ROW, drawing)
            return orders, rules.open_row(game, orders)
        case Drawing(count):
            orders = draw(game.board, game.drawn, count, drawing)
            return orders, rules.draw(game, orders)
        case _:
            seat = game.due
            if seat is None:
                raise ValueError("the game is over")
            move = bots[seat].choose(Outlook(game, seat), rng)
            return move, rules.choose(game, seat, move)


def play(board: Board, seats: int, bot: Bot, games: range, seed: str) -> Wins:
    """Play games of equal bots. All chance comes from ``seed`` and the number of the game."""
    wins = Wins((0.0,) * seats)
    for number in games:
        rng = random.Random(f"{seed} {number}")
        game = rules.new_game(board, seats)
        while game.turns < MOST_TURNS and not isinstance(game.phase, Ended):
            _, game = step(game, [bot] * seats, rng)
        wins += _result(game)
    return wins


def _result(game: GameState) -> Wins:
    if not isinstance(game.phase, Ended):
        return Wins((0.0,) * len(game.players), 1)
    won = game.phase.winners
    return Wins(tuple((seat in won) / len(won) for seat in game.seats))
