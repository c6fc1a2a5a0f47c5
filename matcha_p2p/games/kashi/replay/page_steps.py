"""A verified game of Kashi-ichi as steps for a page (``review/told.py``).

The state of a step, as the page's view of Kashi-ichi reads it:

{"kind", "seat": of the event or null, "board": null but at the first step,
 "way": [squares of the move, from its beginning],
 "row": [{"number", "goods": [counts], "guest", "points"}], "settlements",
 "players": [{"person": square or null, "gold", "goods": [counts], "points", "hand",
 "shops": [squares, one entry for each shop], "orders": how many}]}

and ``board``

{"grid": [rows], "width", "tiles": [[square, name]], "goods": [names]}

A square is row * width + column, from 0. Names are those of the board file.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.kashi import events
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.replay.steps import ReplayStep, replay_of
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.state import GameState, Keeper
from matcha_p2p.review.told import OPEN, PageStep, isolated

_KINDS: Final = {
    events.FirstDrawn: "first",
    events.Started: "started",
    events.TurnTaken: "turn",
    events.OrdersDrawn: "orders",
    events.IdleAnswered: "answered",
    events.AreasSettled: "settled",
    events.UpkeepPaid: "paid",
    events.GameEnded: "end",
}


def page_steps(report: Report) -> list[PageStep]:
    """Return the steps of a game, told in the language spoken now."""
    made: list[PageStep] = []
    before: GameState | None = None
    for step in replay_of(report, isolated).steps:
        state = _state(step, before)
        made.append(PageStep(step.entries, {OPEN: step.said}, state))
        before = step.game
    return made


def _state(step: ReplayStep, before: GameState | None) -> Mapping[str, object]:
    game = step.game
    return {
        "kind": _KINDS[type(step.event)],
        "seat": getattr(step.event, "seat", None),
        "board": _board(game.board) if before is None else None,
        "way": list(_way(step.event, before or game)),
        "row": [_order(game.board, number) for number in game.row],
        "settlements": game.settlements,
        "players": [_player(keeper) for keeper in game.players],
    }


def _board(board: Board) -> Mapping[str, object]:
    squares, names = (*board.wholesalers, *board.destinations), (*board.goods, *board.guests)
    tiles = [list(tile) for tile in zip(squares, names, strict=True)]
    return {"grid": board.grid, "width": board.width, "tiles": tiles, "goods": board.goods}


def _way(event: events.Event, before: GameState) -> Iterator[int]:
    """Yield the squares of a move, from where it began."""
    match event:
        case events.Started(square=square):
            yield square
        case events.TurnTaken(seat, actions):
            person = before.players[seat].person
            if person is not None:
                yield person
            for action in actions:
                if isinstance(action, moves.Go):
                    yield action.square
        case _:
            pass


def _order(board: Board, number: int) -> Mapping[str, object]:
    card = board.order(number)
    guest = board.guests[card.guest]
    return {"number": number, "goods": card.goods, "guest": guest, "points": card.points}


def _player(keeper: Keeper) -> Mapping[str, object]:
    return {
        "person": keeper.person,
        "gold": keeper.gold,
        "goods": keeper.goods,
        "points": keeper.points,
        "hand": keeper.hand,
        "shops": keeper.shops,
        "orders": len(keeper.orders),
    }
