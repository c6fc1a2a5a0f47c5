"""Positions of the shipped board for tests."""

from collections.abc import Sequence
from typing import Any

import pytest

from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.notation import parse_action
from matcha_p2p.games.kashi.rules.orders import NO_GOODS, Goods
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.rules.state import GameState, Turn
from matcha_p2p.seats import Seat

BOARD = shipped_board()
ROW = (1, 2, 3, 8, 14)


def at(name: str) -> int:
    """Return the square of that name."""
    return BOARD.named(*map(int, name.split(",")))


def begun(seats: int = 3, idle: int | None = None, row: Sequence[int] = ROW) -> GameState:
    """Return a game before its first turn, the persons on the first start square."""
    game = rules.new_game(BOARD, seats, idle)
    for seat in range(seats):
        game = rules.start(game, seat, BOARD.starts[0])
    return rules.open_row(game, tuple(row))


def position(
    person: str = "3,3",
    goods: Goods = NO_GOODS,
    gold: int = 9,
    shops: tuple[str, ...] = (),
    others: tuple[str, ...] = (),
    **fields: Any,
) -> GameState:
    """Return a game where seat 0 has its second turn; ``others`` are shops of seat 1."""
    game = begun(row=fields.pop("row", ROW))._replace(turns=3, phase=Turn(Seat(0), 5))
    own = {"person": at(person), "goods": goods, "gold": gold, **fields}
    return with_shops(with_shops(game, 0, shops, **own), 1, others)


def with_shops(game: GameState, seat: int, shops: Sequence[str], **fields: Any) -> GameState:
    """Return the game with the shops of a seat on ``shops``."""
    player = game.players[seat]
    squares = tuple(sorted(map(at, shops)))
    changed = player._replace(shops=squares, hand=player.hand - len(shops))
    return game.with_player(seat, changed._replace(**fields))


def act(game: GameState, *texts: str) -> GameState:
    """Return the game after actions as a log writes them."""
    for text in texts:
        game = rules.act(game, parse_action(BOARD, text))
    return game


def refuses(rule: str, game: GameState, *texts: str) -> None:
    """Check that ``rule`` refuses the last action, and that the reason is a sentence."""
    *first, last = texts
    before = act(game, *first)
    with pytest.raises(RefusedError) as error:
        act(before, last)
    assert error.value.rule == rule
    assert error.value.reason().endswith(".")
    assert "{" not in error.value.reason()
