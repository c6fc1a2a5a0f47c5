"""What rooms that all games share ask of the toy (``matcha_p2p/games/game.py``)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.game import RESIGNED, Event, Rules
from matcha_p2p.games.timing import Timing, forced_if_single
from matcha_p2p.seats import Seat
from matcha_p2p.table import step
from matcha_p2p.table.seat import Player
from matcha_p2p.table.table import Table


@dataclass(frozen=True)
class Greeted:
    names: tuple[str, ...]


@dataclass(frozen=True)
class Drawn:
    """The two cards of a seat; that seat alone is told."""

    cards: tuple[int, ...]


@dataclass(frozen=True)
class Won:
    winners: tuple[Seat, ...]
    how: str
    points: tuple[int, ...] = ()


@dataclass(frozen=True)
class Choice:
    cards: tuple[int, ...]

    def legal_moves(self) -> tuple[int, ...]:
        return tuple(range(len(self.cards)))

    def timing(self) -> Timing:
        return forced_if_single(self.legal_moves())


class ToyRules(Rules):
    def told(
        self, events: Sequence[step.TableEvent], player: Player | None = None
    ) -> tuple[Event, ...]:
        return tuple([told for event in events for told in _told(event, player)])

    def hand(self, player: Player, table: Table) -> tuple[int, ...]:
        faces = player.faces(table, f"hand {player.seat}") if dealt(table) else ()
        return tuple(face for face in faces if face is not None)

    def look(self, player: Player, table: Table, told: Sequence[Event]) -> Choice:
        del told
        return Choice(self.hand(player, table))

    def running(self, table: Table) -> int:
        return len(table.seals)

    def begun(self, table: Table) -> int:
        return int(dealt(table))

    def ended(self, table: Table, resigned: Seat | None) -> Won | None:
        if resigned is not None:
            return Won(tuple(seat for seat in table.seats if seat != resigned), RESIGNED)
        winner = self.state(table).winner
        return None if winner is None else Won((winner,), "highest card")


RULES: Final = ToyRules()


def _told(event: step.TableEvent, player: Player | None) -> Iterator[Event]:
    match event:
        case step.AllGreeted(table):
            yield Greeted(tuple(hello.name for hello in table.hellos))
        case step.Taken(before, _, _, after) if before.game != after.game:
            if dealt(after) and not dealt(before) and player is not None:
                yield Drawn(RULES.hand(player, after))
            end = RULES.ended(after, None)
            if end is not None:
                yield end


def dealt(table: Table) -> bool:
    stage: str = RULES.state(table).stage
    return stage in ("choose", "show", "over")
