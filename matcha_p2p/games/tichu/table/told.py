"""The news of Tichu for front ends, from the events at the table."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from matcha_p2p.games.game import RESIGNED
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.rules.round import HAND, SEATS, TEAMS, Round
from matcha_p2p.games.tichu.table import events as game_events
from matcha_p2p.games.tichu.table.steps import Dealing, Mixing, Tichu, hand_of
from matcha_p2p.games.tichu.table.view import game_of, own_faces
from matcha_p2p.seats import Seat
from matcha_p2p.table import step
from matcha_p2p.table.messages import MoveAction, Shuf
from matcha_p2p.table.seat import Player
from matcha_p2p.table.steps import Shuffle
from matcha_p2p.table.table import Table

_KEPT = HAND - 3


def told(
    events: Sequence[step.TableEvent], player: Player | None = None
) -> tuple[game_events.TichuEvent, ...]:
    """Return the events of Tichu that follow from ``events`` of the table, in order.

    player: the reader of the news; None for the news that all may read.
    """
    return tuple([told for event in events for told in _told(event, player)])


def _told(event: step.TableEvent, player: Player | None) -> Iterator[game_events.TichuEvent]:
    match event:
        case step.AllGreeted(table):
            names = tuple(hello.name for hello in table.hellos)
            yield game_events.Met(table.gid, game_of(table).variant, names)
        case step.Taken(before, seat, action, after):
            if isinstance(before.step, Shuffle) and isinstance(action, Shuf):
                yield game_events.Shuffled(seat, before.step.label)
                if player is not None and seat == player.seat:
                    yield from _own_shuffle(player, before, before.step, action)
            move = action.move[0] if isinstance(action, MoveAction) else ""
            yield from changes(game_of(before), game_of(after), seat, move)
            stages = game_of(before).stage, game_of(after).stage
            if player is not None and isinstance(stages[0], Dealing) and stages[1] is None:
                yield game_events.HandSeen(own_faces(player, after))
        case _:
            assert_never(event)


def _own_shuffle(
    player: Player, before: Table, shuffle: Shuffle, action: Shuf
) -> Iterator[game_events.TichuEvent]:
    """Yield what the player knows of the exchange by its own shuffle."""
    match shuffle.label:
        case "give":
            hand = player.faces(before, hand_of(player.seat))
            given = [hand[place] for place in player.order(before, action)[_KEPT:]]
            yield game_events.GiftsGiven(tuple(face for face in given if face is not None))
        case "own":
            order = player.order(before, action)
            yield game_events.GiftsPlaced(
                tuple(order.index(place) for place in range(_KEPT, HAND))
            )
        case _:
            pass


def changes(
    old: Tichu, new: Tichu, seat: Seat, move: object
) -> Iterator[game_events.TichuEvent]:
    """Yield what an action of ``seat`` has brought about for all to see.

    move: its name on the wire, "" for an action that is no move.
    """
    if isinstance(old.stage, Mixing) and not isinstance(new.stage, Mixing):
        yield game_events.RoundBegun(new.number, new.first)
    counted = new.counted if new.counted is not old.counted else None
    if counted is not None:
        yield from _played(old, counted.round, counted.laid, (seat, move))
        yield game_events.RoundCounted(old.number, counted.points, new.totals)
    elif new.number == old.number:
        yield from _played(old, new.round, new.laid, (seat, move))
    end = end_of(new, None)
    if end is not None and not old.is_over:
        yield end


def _played(
    old: Tichu, after: Round, laid: tuple[Laid, ...], action: tuple[Seat, object]
) -> Iterator[game_events.TichuEvent]:
    """Yield what has happened in a round. after, laid: it, and what is laid in it by now."""
    before = old.round
    by, move = action
    for seat in SEATS:
        if after.calls[seat] > before.calls[seat]:
            yield game_events.Called(seat, after.calls[seat])
    if after.leader is not None and before.leader is None:
        yield game_events.MahJongShown(after.leader)
    yield from laid[len(old.laid) :]
    if move == "pass":
        yield game_events.TurnPassed(by)
    for rank in range(len(before.out), len(after.out)):
        yield game_events.WentOut(after.out[rank], rank)
    for seat in SEATS:
        taken = after.won[seat][len(before.won[seat]) :]
        if taken:
            yield game_events.TrickTaken(seat, taken, by if move == "gift" else seat)


def end_of(game: Tichu, resigned: Seat | None) -> game_events.GameEnded | None:
    """Return how the game has ended; None while it is undecided."""
    if resigned is not None:
        return game_events.GameEnded(TEAMS[1 - resigned % 2], RESIGNED, game.totals)
    if game.foul is not None:
        return game_events.GameEnded((), "foul", game.totals, game.foul.seat)
    if game.is_over and game.won is not None:
        return game_events.GameEnded(TEAMS[game.won], "points", game.totals)
    return None
