"""The events of Matcha for front ends, derived from the events of the table."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from matcha_p2p.games.matcha.rules.cards import ZERO
from matcha_p2p.games.matcha.rules.phases import (
    AwaitingDeal,
    Ended,
    Keeping,
    Placing,
    Revealing,
)
from matcha_p2p.games.matcha.table import events as game_events
from matcha_p2p.games.matcha.table.steps import Handing, Matcha
from matcha_p2p.games.matcha.table.view import matcha_of, own_faces
from matcha_p2p.table import step
from matcha_p2p.table.piles import Piles
from matcha_p2p.table.seat import Player
from matcha_p2p.table.steps import Shuffle
from matcha_p2p.table.table import Table


def told(
    events: Sequence[step.TableEvent], player: Player | None = None
) -> tuple[game_events.Event, ...]:
    """Return the events of Matcha in the table's ``events``, in order.

    player: sees its own hand; if None, only the events for all seats.
    """
    return tuple([told for event in events for told in _told(event, player)])


def _told(event: step.TableEvent, player: Player | None) -> Iterator[game_events.Event]:
    match event:
        case step.AllGreeted(table):
            names = table.hellos[0].name, table.hellos[1].name
            yield game_events.Met(table.gid, matcha_of(table).state.edition, names)
        case step.Taken(before, seat, _, after):
            if isinstance(before.step, Shuffle):
                yield game_events.Shuffled(seat, before.step.label)
            for change in _changes(matcha_of(before), matcha_of(after), after):
                yield from [change] if player is None else _seen(change, player, after)
        case _:
            assert_never(event)


def _seen(
    event: game_events.Event, player: Player, table: Table
) -> Iterator[game_events.Event]:
    """Yield ``event`` as the player sees it, with its own cards. table: after the event."""
    match event:
        case game_events.Placed(seat, mat) if seat == player.seat:
            slot = matcha_of(table).state.rounds[mat // 2].slot_at(seat, mat)
            card = None if slot is None else own_faces(player, table)[slot]
            yield game_events.Placed(seat, mat, card)
        case game_events.HandsDealt():
            yield event
            yield game_events.HandSeen(own_faces(player, table))
        case _:
            yield event


def _changes(before: Matcha, after: Matcha, table: Table) -> Iterator[game_events.Event]:
    """Yield the events of an action. table: after the action."""
    match before.state.phase:
        case AwaitingDeal() if not isinstance(after.state.phase, AwaitingDeal):
            state = after.state
            zeros = 0 if after.coins > before.coins else _zeros_met(table.piles)
            yield game_events.TableLaid(state.number, state.dealer, state.table, zeros)
        case Placing() | Revealing() if before.stage is None:
            yield from game_events.placing_events(before.state, after.state)
        case Placing() if isinstance(before.stage, Handing) and after.stage is None:
            yield game_events.HandsDealt()
        case Keeping() if not isinstance(after.state.phase, Keeping):
            yield game_events.Kept(after.state.kept)
            if isinstance(after.state.phase, Ended):
                yield game_events.ended_by(after.state.phase, after.state.tokens)
        case _:
            pass


def _zeros_met(piles: Piles) -> int:
    """Return how many zeros went back under the deck, in sight of all."""
    return sum(card.face == ZERO.index for card in piles["deck"])
