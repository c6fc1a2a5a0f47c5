"""Plays and writes the log of a game (K49), so that the rules can be judged without a table.

Every line of the log except comments gives a value for programs:

* ``line``: its number, from 1.
* ``refused``, ``why``: the rule against the line, and a sentence. The line had no effect.
* ``kind``: its first word. ``due``: the kind of the next line, None after the end.
  ``seat``: of the next line, None for draws. ``count``: how many orders are to be drawn.
* ``row``, ``deck``: the open orders, and the number left. ``settlements``, ``turns``: so far.
* ``persons``, ``gold``, ``goods``, ``points``, ``shops``, ``hand``, ``aside``, ``orders``: by
  seat.
* ``score``, ``won``: after the end, the points of each seat, and the seats that have won.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, assert_never

from matcha_p2p.errors import TranscriptError
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules import moves, state
from matcha_p2p.games.kashi.rules.notation import action_text, parse_action, square_named
from matcha_p2p.games.kashi.rules.orders import ORDERS
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.rules.settlement import score
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat

_MOST_LETTERS: Final = 1000
_HEADING: Final = Sentence('A log begins with "KASHI 1 3" or "KASHI 1 4".')
_WORDS: Final = Sentence("These are not the words of a line {kind}.")
_KIND: Final = Sentence("{kind} is no line of a log.")
_TOO_LONG: Final = Sentence("A line has at most {most} letters.")

_NUMBER: Final = "(?:0|[1-9][0-9]{0,3})"
_DUE: Final[dict[type[object], str]] = {
    state.Starting: "START",
    state.Opening: "ROW",
    state.Turn: "TURN",
    state.Drawing: "DRAW",
    state.Paying: "UPKEEP",
    state.Questioning: "IDLE",
}


def play_log(lines: Iterable[str], board: Board | None = None) -> Iterator[dict[str, object]]:
    """Play a log line by line, and yield the value of each line.

    board: None for the shipped board.

    Raises (from the iterator):
        TranscriptError: no line begins a game.
    """
    known = shipped_board() if board is None else board
    game: state.GameState | None = None
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            game = play_line(known, game, text)
        except RefusedError as error:
            yield {"line": number, "refused": error.rule, "why": error.reason()}
        else:
            yield {"line": number, "kind": text.split()[0], **_told(game)}
    if game is None:
        raise TranscriptError(
            'The log plays no game. A log begins with "KASHI 1 3" or "KASHI 1 4".',
            code="log-malformed",
        )


def play_line(board: Board, game: state.GameState | None, text: str) -> state.GameState:
    """Return the game after one line of a log. game: None before the first line.

    Raises:
        RefusedError: with the rule that forbids the line.
    """
    if len(text) > _MOST_LETTERS:
        raise RefusedError("K49", _TOO_LONG, most=_MOST_LETTERS)
    if game is None:
        return _begun(board, text)
    kind, *words = text.split()
    if kind not in _LINES:
        raise RefusedError("K50" if kind == "KASHI" else "K49", _KIND, kind=_shown(kind))
    form, play = _LINES[kind]
    if not re.fullmatch(form, " ".join(words)):
        raise RefusedError("K49", _WORDS, kind=kind)
    return play(game, words)


def heading(seats: int) -> str:
    """Return the first line of a log."""
    return f"KASHI 1 {seats}"


def draw_line(orders: tuple[int, ...], *, row: bool) -> str:
    """Return the line for drawn orders. row: whether they are the first orders."""
    return " ".join(["ROW" if row else "DRAW", *map(str, orders)])


def move_line(game: state.GameState, seat: Seat, move: moves.Move) -> str:
    """Return the line for a move of ``seat``.

    game: any state of the game. A log has the seat that begins as seat 0.
    """
    order = game.around(game.first)
    place = order.index(seat)
    match move:
        case moves.StartAt(square):
            return f"START {place} {game.board.name_of(square)}"
        case moves.TakeTurn(actions):
            made = (action_text(game.board, _placed(action, order)) for action in actions)
            return " ".join(["TURN", str(place), *made])
        case moves.PayUpkeep(gold):
            return f"UPKEEP {place} {gold}"
        case moves.AnswerIdle(settle):
            return f"IDLE {place} {'settle' if settle else 'on'}"
        case _:
            assert_never(move)


def _placed(action: moves.TurnAction, order: tuple[Seat, ...]) -> moves.TurnAction:
    if isinstance(action, moves.Go) and action.over is not None:
        return moves.Go(action.square, Seat(order.index(action.over)))
    return action


def _begun(board: Board, text: str) -> state.GameState:
    found = re.fullmatch(rf"KASHI +1 +({_NUMBER})(?: +idle=({_NUMBER}))?", text)
    if found is None:
        raise RefusedError("K49", _HEADING)
    return rules.new_game(board, int(found[1]), int(found[2]) if found[2] else None)


def _start(game: state.GameState, words: list[str]) -> state.GameState:
    seat, square = words
    return rules.start(game, int(seat), square_named(game.board, square))


def _row(game: state.GameState, words: list[str]) -> state.GameState:
    return rules.open_row(game, tuple(map(int, words)))


def _turn(game: state.GameState, words: list[str]) -> state.GameState:
    seat, *actions = words
    return rules.take_turn(game, int(seat), (parse_action(game.board, it) for it in actions))


def _draw(game: state.GameState, words: list[str]) -> state.GameState:
    return rules.draw(game, tuple(map(int, words)))


def _upkeep(game: state.GameState, words: list[str]) -> state.GameState:
    seat, gold = words
    return rules.pay(game, int(seat), int(gold))


def _idle(game: state.GameState, words: list[str]) -> state.GameState:
    seat, answer = words
    return rules.answer(game, int(seat), settle=answer == "settle")


_LINES: Final[
    Mapping[str, tuple[str, Callable[[state.GameState, list[str]], state.GameState]]]
] = {
    "START": (rf"{_NUMBER} \S+", _start),
    "ROW": (rf"{_NUMBER}( {_NUMBER})*", _row),
    "TURN": (rf"{_NUMBER}( \S+)*", _turn),
    "DRAW": (rf"{_NUMBER}( {_NUMBER})*", _draw),
    "UPKEEP": (f"{_NUMBER} {_NUMBER}", _upkeep),
    "IDLE": (f"{_NUMBER} (on|settle)", _idle),
}
"""For each kind of line the form of its other words, and its function."""


def _told(game: state.GameState) -> dict[str, object]:
    board, players, phase = game.board, game.players, game.phase
    told: dict[str, object] = {
        "due": _DUE.get(type(phase)),
        "seat": game.due,
        "row": game.row,
        "deck": ORDERS - len(game.drawn),
        "settlements": game.settlements,
        "turns": game.turns,
        "persons": [
            None if own.person is None else board.name_of(own.person) for own in players
        ],
        "gold": [own.gold for own in players],
        "goods": [own.goods for own in players],
        "points": [own.points for own in players],
        "shops": [[board.name_of(square) for square in own.shops] for own in players],
        "hand": [own.hand for own in players],
        "aside": [own.aside for own in players],
        "orders": [own.orders for own in players],
    }
    if isinstance(phase, state.Drawing):
        told["count"] = phase.count
    if isinstance(phase, state.Ended):
        told["score"] = [score(board, own).points for own in players]
        told["won"] = phase.winners
    return told


def _shown(text: str) -> str:
    return ascii(text[:20])[1:-1]
