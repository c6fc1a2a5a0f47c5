"""Moves as text, alike for people and programs (``games/exchange.py: Notation``).

Moves are "start 3,5", the actions of a turn and its end ("go:3,5; buy; end"), "pay 2", and
"settle" or "on". An action stands as in a log (K49).
"""

import re
from typing import Final, assert_never

from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat

_NO_ACTION: Final = Sentence("{text} is no action.")
_NO_SQUARE: Final = Sentence("The board has no square {text}.")

_SQUARE: Final = "[1-9][0-9]?,[1-9][0-9]?"
_ACTION: Final = re.compile(
    rf"go:(?P<to>{_SQUARE})(?:/(?P<over>[0-3]))?|buy(?:=(?P<back>[1-5]))?|(?P<gold>gold)"
    rf"|(?P<shop>shop)(?:=(?P<taken>{_SQUARE}))?"
    rf"|fill:(?P<order>[1-9]|[12][0-9]|30)(?:=(?P<wish>no|[1-5]{{1,4}}|{_SQUARE}))?"
)


def square_named(board: Board, text: str) -> int:
    """Return the square that ``text`` names: "3,5".

    Raises:
        RefusedError: K2.
    """
    if re.fullmatch(_SQUARE, text):
        row, column = map(int, text.split(","))
        square = board.named(row, column)
        if square is not None:
            return square
    raise RefusedError("K2", _NO_SQUARE, text=ascii(text[:20])[1:-1])


def parse_action(board: Board, text: str) -> moves.TurnAction:
    """Return the action that ``text`` names, even if the rules forbid the action now.

    Raises:
        RefusedError: K49, or K2 for a square that the board lacks.
    """
    found = _ACTION.fullmatch(text)
    if found is None:
        raise RefusedError("K49", _NO_ACTION, text=ascii(text[:20])[1:-1])
    if found["to"]:
        over = found["over"]
        return moves.Go(square_named(board, found["to"]), Seat(int(over)) if over else None)
    if found["gold"]:
        return moves.TAKE_GOLD
    if found["shop"]:
        taken = found["taken"]
        return moves.LayShop(square_named(board, taken) if taken else None)
    if found["order"]:
        wish = found["wish"]
        return moves.Fulfil(int(found["order"]), _wish(board, wish) if wish else None)
    back = found["back"]
    return moves.Buy(int(back) - 1 if back else None)


def _wish(board: Board, text: str) -> moves.BonusWish:
    if text == "no":
        return moves.DECLINE
    if "," in text:
        return moves.PlaceShop(square_named(board, text))
    return moves.ChooseGoods(tuple(sorted(int(digit) - 1 for digit in text)))


def action_text(board: Board, action: moves.TurnAction) -> str:
    """Return an action as ``parse_action`` reads it."""
    match action:
        case moves.Go(square, over):
            return f"go:{board.name_of(square)}" + ("" if over is None else f"/{over}")
        case moves.Buy(back):
            return "buy" if back is None else f"buy={back + 1}"
        case moves.LayShop(taken):
            return "shop" if taken is None else f"shop={board.name_of(taken)}"
        case moves.Fulfil(order, wish):
            return f"fill:{order}" + ("" if wish is None else f"={_wish_text(board, wish)}")
        case _:
            return "gold"


def _wish_text(board: Board, wish: moves.BonusWish) -> str:
    match wish:
        case moves.Decline():
            return "no"
        case moves.ChooseGoods(goods):
            return "".join(str(good + 1) for good in goods)
        case moves.PlaceShop(square):
            return board.name_of(square)
        case _:
            assert_never(wish)


def text_of(seen: Outlook, move: moves.Move) -> str:
    """Return ``move`` as text."""
    board = seen.game.board
    match move:
        case moves.StartAt(square):
            return f"start {board.name_of(square)}"
        case moves.TakeTurn(actions):
            return "; ".join([*(action_text(board, action) for action in actions), "end"])
        case moves.PayUpkeep(gold):
            return f"pay {gold}"
        case moves.AnswerIdle(settle):
            return "settle" if settle else "on"
        case _:
            assert_never(move)


def read(seen: Outlook, text: str) -> moves.Move:
    """Return the legal move that ``text`` names.

    Raises:
        RefusedError: a rule forbids the move, or an action is not of the form of K49.
        ValueError: ``text`` names no move.
    """
    move = _move(seen.game.board, text)
    rules.choose(seen.game, seen.seat, move)
    return move


def _move(board: Board, text: str) -> moves.Move:
    word, _, rest = text.partition(" ")
    match text.split("; "):
        case [*actions, "end"]:
            return moves.TakeTurn(tuple(parse_action(board, action) for action in actions))
        case ["settle" | "on"]:
            return moves.AnswerIdle(text == "settle")
        case [_] if word == "start":
            return moves.StartAt(square_named(board, rest))
        case [_] if word == "pay" and rest.isascii() and rest.isdecimal() and len(rest) <= 4:
            return moves.PayUpkeep(int(rest))
        case _:
            raise ValueError("this is no move")


def listed(seen: Outlook) -> list[str]:
    """Return the legal moves; of turns, those of at most one action."""
    return [text_of(seen, move) for move in seen.legal_moves()]
