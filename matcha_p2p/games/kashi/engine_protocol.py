"""Observations and moves as programs read and write them: protocol/bots.md.

Observations are plain values, ready for JSON. A move is a line of the log (K49) without its
seat: "START 3,5", "TURN go:3,5 buy", "UPKEEP 2", "IDLE settle". A square is "row,column".
"""

import json
from collections import Counter
from typing import Final, assert_never

from matcha_p2p.games import json_values
from matcha_p2p.games.json_values import JsonObject
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules import moves, state
from matcha_p2p.games.kashi.rules.moves import Move
from matcha_p2p.games.kashi.rules.notation import action_text, parse_action, square_named
from matcha_p2p.games.kashi.rules.orders import GOODS, ORDERS, SETTLEMENTS, Goods
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.rules.state import GameState, Keeper, Phase
from matcha_p2p.games.kashi.written import board_of, text_of
from matcha_p2p.seats import Seat

EDITIONS: Final = ("kashi",)
"""The edition of Kashi-ichi, the same on every board."""

_PHASES: Final[dict[type[object], str]] = {
    state.Starting: "start",
    state.Turn: "turn",
    state.Paying: "upkeep",
    state.Questioning: "idle",
}
_MOST: Final = 1 << 20
"""More than any count in a game."""
_ANSWERS: Final = {"on": False, "settle": True}


def move_text(seen: Outlook, move: Move) -> str:
    """Return ``move`` as a program reads and writes the move."""
    board = seen.game.board
    match move:
        case moves.StartAt(square):
            return f"START {board.name_of(square)}"
        case moves.TakeTurn(actions):
            return " ".join(["TURN", *(action_text(board, action) for action in actions)])
        case moves.PayUpkeep(gold):
            return f"UPKEEP {gold}"
        case moves.AnswerIdle(settle):
            return f"IDLE {'settle' if settle else 'on'}"
        case _:
            assert_never(move)


def chosen(seen: Outlook, text: str) -> Move:
    """Return the legal move that ``text`` names.

    Raises:
        RefusedError: a rule forbids the move, or an action is not of the form of K49.
        ValueError: ``text`` names no move.
    """
    move = _move(seen.game.board, text)
    rules.choose(seen.game, seen.seat, move)
    return move


def _move(board: Board, text: str) -> Move:
    word, *names = text.split(" ")
    match word, names:
        case "START", [square]:
            return moves.StartAt(square_named(board, square))
        case "TURN", actions:
            return moves.TakeTurn(tuple(parse_action(board, action) for action in actions))
        case "UPKEEP", [gold] if gold.isascii() and gold.isdecimal() and len(gold) <= 4:
            return moves.PayUpkeep(int(gold))
        case "IDLE", [answer] if answer in _ANSWERS:
            return moves.AnswerIdle(_ANSWERS[answer])
        case _:
            raise ValueError("this is no move")


def described(seen: Outlook) -> JsonObject:
    """Return the seat's whole view as plain values."""
    game, seat = seen
    phase = game.phase
    waiting = phase.seats if isinstance(phase, state.Paying | state.Questioning) else ()
    return {
        "edition": EDITIONS[0],
        "board": json.loads(text_of(game.board)),
        "seat": seat,
        "first": game.first,
        "phase": _PHASES[type(phase)],
        "turn": _turn(phase) if isinstance(phase, state.Turn) else None,
        "waiting": list(waiting),
        "players": [_player(game.board, player) for player in game.players],
        "row": list(game.row),
        "drawn": list(game.drawn),
        "settlements": game.settlements,
        "turns": game.turns,
        "quiet": game.quiet,
        "idle": game.idle,
        "legal": [move_text(seen, move) for move in seen.legal_moves()],
    }


def _turn(turn: state.Turn) -> JsonObject:
    return {
        "ap": turn.ap,
        "bought": list(turn.bought),
        "taken": turn.taken,
        "done": turn.done,
    }


def _player(board: Board, player: Keeper) -> JsonObject:
    return {
        "person": None if player.person is None else board.name_of(player.person),
        "gold": player.gold,
        "goods": list(player.goods),
        "points": player.points,
        "shops": [board.name_of(square) for square in player.shops],
        "hand": player.hand,
        "aside": player.aside,
        "orders": list(player.orders),
    }


def observed(plain: object) -> Outlook:
    """Return the view from ``plain``, a value made by ``described``.

    Raises:
        BotError: ``plain`` is no view of a seat that is due.
    """
    with json_values.reading_observation():
        found = _observed(json_values.as_object(plain))
        _check_decision(found)
    return found


def _observed(plain: JsonObject) -> Outlook:
    if plain["edition"] != EDITIONS[0]:
        raise ValueError("these are other rules")
    board = board_of(json.dumps(plain["board"], separators=(",", ":")))
    if board is None:
        raise ValueError("this is no board")
    players = tuple(
        _read_player(board, player) for player in json_values.as_objects(plain["players"])
    )
    if len(players) not in rules.TABLES:
        raise ValueError("three or four play")
    seat, first = (
        Seat(json_values.number_up_to(plain[it], len(players) - 1)) for it in ("seat", "first")
    )
    game = GameState(
        board=board,
        players=players,
        row=_orders(plain["row"]),
        drawn=_orders(plain["drawn"]),
        settlements=json_values.number_up_to(plain["settlements"], SETTLEMENTS),
        turns=json_values.number_up_to(plain["turns"], _MOST),
        quiet=json_values.number_up_to(plain["quiet"], _MOST),
        idle=json_values.number_up_to(plain["idle"], _MOST),
        phase=_read_phase(plain, seat, len(players)),
        first=first,
    )
    return Outlook(game, seat)


def _check_decision(seen: Outlook) -> None:
    """See that the seat is due, and that no order is anywhere twice.

    Raises:
        ValueError: the seat is not due, or the orders are not those of a game.
    """
    game = seen.game
    if game.due != seen.seat or (_starts(game) != (not game.row and not game.drawn)):
        raise ValueError("the seat is not due")
    if not _starts(game) and any(player.person is None for player in game.players):
        raise ValueError("all persons have started")
    orders = Counter(game.row)
    for player in game.players:
        orders.update(player.orders)
    if orders != Counter(game.drawn) or any(count > 1 for count in orders.values()):
        raise ValueError("each order drawn is open or fulfilled")


def _starts(game: GameState) -> bool:
    return isinstance(game.phase, state.Starting)


def _read_phase(plain: JsonObject, seat: Seat, seats: int) -> Phase:
    waiting = tuple(map(Seat, json_values.numbers_up_to(plain["waiting"], seats - 1)))
    match plain["phase"]:
        case "start":
            return state.Starting(seat)
        case "turn":
            turn = json_values.as_object(plain["turn"])
            ap, taken, done = (
                json_values.number_up_to(turn[it], _MOST) for it in ("ap", "taken", "done")
            )
            return state.Turn(seat, ap, _goods(turn["bought"]), taken, done)
        case "upkeep":
            return state.Paying(waiting)
        case "idle":
            return state.Questioning(waiting)
        case _:
            raise ValueError("nothing is to be decided")


def _read_player(board: Board, plain: JsonObject) -> Keeper:
    person = plain["person"]
    gold, points, hand, aside = (
        json_values.number_up_to(plain[name], _MOST)
        for name in ("gold", "points", "hand", "aside")
    )
    return Keeper(
        person=None if person is None else _square(board, person),
        gold=gold,
        goods=_goods(plain["goods"]),
        points=points,
        shops=tuple(_square(board, square) for square in json_values.as_list(plain["shops"])),
        hand=hand,
        aside=aside,
        orders=_orders(plain["orders"]),
    )


def _square(board: Board, plain: object) -> int:
    try:
        return square_named(board, str(plain))
    except RefusedError as error:
        raise ValueError("this is no square") from error


def _orders(plain: object) -> tuple[int, ...]:
    orders = json_values.numbers_up_to(plain, ORDERS)
    if 0 in orders:
        raise ValueError("orders are numbered from 1")
    return orders


def _goods(plain: object) -> Goods:
    first, second, third, fourth, fifth = json_values.numbers_up_to(plain, _MOST, GOODS)
    return first, second, third, fourth, fifth
