"""The events of Kashi-ichi for front ends, derived from the events of the table."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from matcha_p2p.games.game import RESIGNED
from matcha_p2p.games.kashi.rules.moves import (
    AnswerIdle,
    Move,
    PayUpkeep,
    StartAt,
    TakeTurn,
)
from matcha_p2p.games.kashi.rules.settlement import FinalScore, score, winners
from matcha_p2p.games.kashi.rules.state import Ended, GameState
from matcha_p2p.games.kashi.table import events as game_events
from matcha_p2p.games.kashi.table.signed import read
from matcha_p2p.games.kashi.table.view import game_of, kashi_of
from matcha_p2p.seats import Seat
from matcha_p2p.table import step
from matcha_p2p.table.messages import MoveAction
from matcha_p2p.table.seat import Player

SETTLED = "settled"
"""How a game has ended that was played to its end."""


def told(
    events: Sequence[step.TableEvent], player: Player | None = None
) -> tuple[game_events.Event, ...]:
    """Return the events of Kashi-ichi in the table's ``events``, in order.

    player: without effect, as all seats know the same.
    """
    del player
    return tuple([told for event in events for told in _told(event)])


def _told(event: step.TableEvent) -> Iterator[game_events.Event]:
    match event:
        case step.AllGreeted(table):
            yield game_events.Met(table.gid, tuple(hello.name for hello in table.hellos))
        case step.Taken(before, seat, action, after):
            earlier, game = game_of(before), game_of(after)
            if kashi_of(after).drawn and not kashi_of(before).drawn:
                yield game_events.FirstDrawn(game.first)
            if isinstance(action, MoveAction):
                yield moved(earlier, seat, read(game.board, action.move), game)
            yield from follows(earlier, game)
        case _:
            assert_never(event)


def moved(before: GameState, seat: Seat, move: Move, after: GameState) -> game_events.Event:
    """Return the event of a move of ``seat``."""
    match move:
        case StartAt(square):
            return game_events.Started(seat, square)
        case TakeTurn(actions):
            return game_events.TurnTaken(seat, actions)
        case PayUpkeep(gold):
            lost = before.players[seat].points - after.players[seat].points
            return game_events.UpkeepPaid(seat, gold, lost)
        case AnswerIdle(settle):
            return game_events.IdleAnswered(seat, settle)
        case _:
            assert_never(move)


def follows(before: GameState, after: GameState) -> Iterator[game_events.Event]:
    """Yield what an action has brought besides the move itself."""
    orders = after.drawn[len(before.drawn) :]
    if orders:
        yield game_events.OrdersDrawn(orders)
    if after.settlements > before.settlements:
        pairs = zip(after.players, before.players, strict=True)
        gains = tuple(now.points - then.points for now, then in pairs)
        yield game_events.AreasSettled(after.settlements, gains)
    if isinstance(after.phase, Ended) and not isinstance(before.phase, Ended):
        yield ending(after)


def ending(game: GameState) -> game_events.GameEnded:
    """Return the end of a game that is over by its rules."""
    return game_events.GameEnded(winners(game), SETTLED, _scores(game))


def given_up(game: GameState, resigned: Seat, *, begun: bool) -> game_events.GameEnded:
    """Return the end of a game in which ``resigned`` has resigned (K51).

    begun: whether the first seat is drawn. Before, no seat has its points yet.
    """
    left = tuple(seat for seat in game.seats if seat != resigned)
    won = winners(game, resigned) if begun else left
    return game_events.GameEnded(won, RESIGNED, _scores(game), resigned)


def _scores(game: GameState) -> tuple[FinalScore, ...]:
    return tuple(score(game.board, player) for player in game.players)
