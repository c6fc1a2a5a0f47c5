"""The plain forms of Kashi-ichi (``games/plain.py``); squares have the names of the board."""

import json
from collections import Counter
from functools import lru_cache
from typing import Final

from matcha_p2p.games.exchange import BotExchange
from matcha_p2p.games.kashi.board.board import Board, Square
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.rules import notation, state
from matcha_p2p.games.kashi.rules.game import TABLES
from matcha_p2p.games.kashi.rules.moves import Move, TurnAction
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.table.events import Event, GameEnded
from matcha_p2p.games.kashi.table.written import board_of, text_of
from matcha_p2p.games.plain import Form, Leaves, Plain, PlainError, form_of

_SQUARE: Final = {"title": "Square", "type": "string", "pattern": "^[1-9][0-9]?,[1-9][0-9]?$"}
_ACTION: Final = {"title": "Action", "type": "string"}
_BOARD: Final = {"title": "Board", "type": "array", "minItems": 9, "maxItems": 9}


def _leaves(board: Board) -> Leaves:
    return {
        Board: Form(lambda _: json.loads(text_of(board)), lambda _: board, _BOARD),
        Square: Form(
            board.name_of, lambda plain: notation.square_named(board, str(plain)), _SQUARE
        ),
        TurnAction: Form(
            lambda action: notation.action_text(board, action),
            lambda plain: notation.parse_action(board, str(plain)),
            _ACTION,
        ),
    }


@lru_cache(8)
def _view(board: Board) -> Form[Outlook]:
    return form_of(Outlook, _leaves(board))


@lru_cache(8)
def events_on(board: Board) -> Form[Event]:
    """Return the form of the events of a game on ``board``."""
    return form_of(Event, _leaves(board))


def _read(plain: Plain) -> Outlook:
    try:
        board = board_of(json.dumps(plain["game"]["board"], separators=(",", ":")))
    except (KeyError, TypeError, RecursionError):
        board = None
    if board is None:
        raise PlainError("a board is expected", ".game.board")
    return _view(board).read(plain)


def _check(seen: Outlook) -> None:
    """See that the seat is due, and that no order is anywhere twice.

    Raises:
        ValueError: the seat is not due, or the orders are not those of a game.
    """
    game, phase = seen.game, seen.game.phase
    starts = isinstance(phase, state.Starting)
    waiting = phase.seats if isinstance(phase, state.Paying | state.Questioning) else ()
    if len(game.players) not in TABLES or not {seen.seat, game.first, *waiting} <= {
        *game.seats
    }:
        raise ValueError("three or four seats play")
    if game.due != seen.seat or (starts != (not game.row and not game.drawn)):
        raise ValueError("the seat is not due")
    if not starts and any(player.person is None for player in game.players):
        raise ValueError("all persons have started")
    orders = Counter(game.row)
    for player in game.players:
        orders.update(player.orders)
    if orders != Counter(game.drawn) or any(count > 1 for count in orders.values()):
        raise ValueError("each order drawn is open or fulfilled")


EXCHANGE: Final[BotExchange[Outlook, Move]] = BotExchange(
    ("kashi",),
    lambda _: "kashi",
    Form(lambda seen: _view(seen.game.board).write(seen), _read, _view(shipped_board()).schema),
    notation,
    _check,
)
"""The edition is the same on every board."""
END: Final[Form[GameEnded]] = form_of(GameEnded)
