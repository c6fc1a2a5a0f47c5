"""The signed form of a choice (SPEC#kashi-moves).

A square is 100 * row + column, both counted from 1, and an action is a single integer.
"""

from typing import Final, assert_never

from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.notation import square_named
from matcha_p2p.games.kashi.rules.state import ROW
from matcha_p2p.seats import Seat
from matcha_p2p.table.moves import MoveForms, Number, Numbers
from matcha_p2p.table.steps import Wire

_SIDE: Final = 100
_BUY: Final = 1
_SHOP: Final = 10_000
_GO: Final = 100_000
_FULFIL: Final = 1_000_000
_DECLINED: Final = 10_000
_PLACED: Final = 20_000
_MOST_AP: Final = 9
"""The most action points of a board file for a first turn (K9)."""
_MOST_ACTIONS: Final = _MOST_AP + 2 * ROW
"""The actions of a turn in which each open order has brought two action points."""

FORMS: Final[MoveForms] = {
    "start": (Number(0, 9999),),
    "turn": (Numbers(_MOST_ACTIONS, Number(0, 31 * _FULFIL)),),
    "upkeep": (Number(0, 99),),
    "on": (),
    "settle": (),
}


def signed(board: Board, move: moves.Move) -> Wire:
    """Return the signed form of ``move``."""
    match move:
        case moves.StartAt(square):
            return ("start", number_of(board, square))
        case moves.TakeTurn(actions):
            return ("turn", *(_number(board, action) for action in actions))
        case moves.PayUpkeep(gold):
            return ("upkeep", gold)
        case moves.AnswerIdle(settle):
            return ("settle" if settle else "on",)
        case _:
            assert_never(move)


def read(board: Board, wire: Wire) -> moves.Move:
    """Return the choice of a signed form, allowed or not. wire: has a form of ``FORMS``.

    Raises:
        RefusedError: K2: the board lacks a square.
    """
    match wire:
        case ("start", int(square)):
            return moves.StartAt(_square(board, square))
        case ("turn", *actions):
            numbers = [number for number in actions if isinstance(number, int)]
            return moves.TakeTurn(tuple(_action(board, number) for number in numbers))
        case ("upkeep", int(gold)):
            return moves.PayUpkeep(gold)
        case _:
            return moves.AnswerIdle(settle=wire == ("settle",))


def number_of(board: Board, square: int) -> int:
    """Return a square as signed entries name it: 305 for "3,5"."""
    row, column = divmod(square, board.width)
    return _SIDE * (row + 1) + column + 1


def _square(board: Board, number: int) -> int:
    row, column = divmod(number, _SIDE)
    return square_named(board, f"{row},{column}")


def _number(board: Board, action: moves.TurnAction) -> int:
    match action:
        case moves.TakeGold():
            return 0
        case moves.Buy(back):
            return _BUY + (0 if back is None else 1 + back)
        case moves.LayShop(taken):
            return _SHOP + (0 if taken is None else number_of(board, taken))
        case moves.Go(square, over):
            return _GO + 10 * number_of(board, square) + (0 if over is None else 1 + over)
        case moves.Fulfil(order, wish):
            return _FULFIL * order + (0 if wish is None else _wish_number(board, wish))
        case _:
            assert_never(action)


def _wish_number(board: Board, wish: moves.BonusWish) -> int:
    match wish:
        case moves.ChooseGoods(goods):
            return int("".join(str(1 + good) for good in goods))
        case moves.Decline():
            return _DECLINED
        case moves.PlaceShop(square):
            return _PLACED + number_of(board, square)
        case _:
            assert_never(wish)


def _action(board: Board, number: int) -> moves.TurnAction:
    order, wish = divmod(number, _FULFIL)
    way = number - _GO
    if order:
        action: moves.TurnAction = moves.Fulfil(order, _wish(board, wish))
    elif way >= 0:
        over = way % 10
        action = moves.Go(_square(board, way // 10), Seat(over - 1) if over else None)
    elif number >= _SHOP:
        taken = number - _SHOP
        action = moves.LayShop(_square(board, taken) if taken else None)
    elif number:
        back = number - _BUY
        action = moves.Buy(back - 1 if back else None)
    else:
        action = moves.TAKE_GOLD
    return action


def _wish(board: Board, number: int) -> moves.BonusWish | None:
    if number >= _PLACED:
        return moves.PlaceShop(_square(board, number - _PLACED))
    if number == _DECLINED:
        return moves.DECLINE
    return moves.ChooseGoods(tuple(int(digit) - 1 for digit in str(number))) if number else None
