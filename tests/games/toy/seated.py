"""What rooms that all games share ask of the toy (``matcha_p2p/games/game.py``)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

from matcha_p2p.games.game import RESIGNED, Event
from matcha_p2p.seats import Seat
from matcha_p2p.table import step
from matcha_p2p.table.seat import Player
from matcha_p2p.table.table import Table
from tests.games.toy.steps import Toy, new_game

variants: Final = (Toy.variant,)


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

    def after(self, _: Self) -> Self:
        return self


def called(variant: str) -> str:
    return variant


def teams(seats: int) -> tuple[tuple[Seat, ...], ...]:
    return tuple((Seat(seat),) for seat in range(seats))


def resigns(game: object, seat: Seat) -> bool:
    del game, seat
    return False


def begin(variant: str) -> Toy:
    game = new_game(variant, 2)
    if game is None:
        raise ValueError(variant)
    return game


def told(events: Sequence[step.TableEvent], player: Player | None = None) -> tuple[Event, ...]:
    return tuple([told for event in events for told in _told(event, player)])


def _told(event: step.TableEvent, player: Player | None) -> Iterator[Event]:
    match event:
        case step.AllGreeted(table):
            yield Greeted(tuple(hello.name for hello in table.hellos))
        case step.Taken(before, _, _, after) if before.game != after.game:
            if dealt(after) and not dealt(before) and player is not None:
                yield Drawn(hand(player, after))
            end = ended(after, None)
            if end is not None:
                yield end


def state(table: Table) -> Toy:
    assert isinstance(table.game, Toy)
    return table.game


def dealt(table: Table) -> bool:
    return state(table).stage in ("choose", "show", "over")


def hand(player: Player, table: Table) -> tuple[int, ...]:
    faces = player.faces(table, f"hand {player.seat}") if dealt(table) else ()
    return tuple(face for face in faces if face is not None)


def look(player: Player, table: Table) -> Choice:
    return Choice(hand(player, table))


def running(table: Table) -> int:
    return len(table.seals)


def begun(table: Table) -> int:
    return int(dealt(table))


def ended(table: Table, resigned: Seat | None) -> Won | None:
    if resigned is not None:
        return Won(tuple(seat for seat in table.seats if seat != resigned), RESIGNED)
    winner = state(table).winner
    return None if winner is None else Won((winner,), "highest card")


def again(table: Table) -> tuple[str, tuple[Seat, ...]]:
    """Let everybody move on by a seat."""
    return Toy.variant, (*table.seats[1:], table.seats[0])
