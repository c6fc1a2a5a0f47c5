"""A game of any kind as a list of steps, to be looked at in any order and from any side."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from matcha_p2p.chain.verify import Report
from matcha_p2p.games import game_of
from matcha_p2p.games.game import Event, GameState
from matcha_p2p.seats import Seat
from matcha_p2p.table.table import Table

E = TypeVar("E")
G = TypeVar("G")

FIRST_SEAT: Final = Seat(0)

Hands: TypeAlias = tuple[tuple[Any, ...], ...]
"""The open cards of each seat, () for closed cards."""


class Viewpoint(NamedTuple):
    """A view of a replay: the seat in front, and the seats whose cards are shown.

    No view shows a card that the file does not open.
    """

    front: Seat
    shown: tuple[Seat, ...]

    def of(self, hands: Hands) -> Hands:
        """Return the part of ``hands`` that the view shows."""
        return tuple([hand if seat in self.shown else () for seat, hand in enumerate(hands)])


def viewpoints(seats: int, own: Seat = FIRST_SEAT) -> dict[str, Viewpoint]:
    """Return by name the views of all cards, of none, and of each seat alone.

    own: the seat in front, if no seat is alone.
    """
    everybody = tuple([Seat(seat) for seat in range(seats)])
    ordinals = ("first", "second", "third", "fourth")
    return {"both": Viewpoint(own, everybody), "public": Viewpoint(own, ())} | {
        name: Viewpoint(seat, (seat,)) for name, seat in zip(ordinals, everybody, strict=False)
    }


@dataclass(frozen=True, slots=True)
class ReplayStep(Generic[E, G]):
    """An event, and the game after it.

    entries: of the transcript, up to the event. said: the event in sentences, of no hidden
    cards. hands: the cards that the file opens by now, () in a game without hidden cards.
    shows: more for the drawing of a page, as plain values.
    """

    entries: int
    event: E
    game: G
    said: tuple[str, ...] = ()
    hands: Hands = ()
    shows: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Replay(Generic[E, G]):
    """A game, as far as it has come. names: by seat."""

    names: tuple[str, ...]
    steps: tuple[ReplayStep[E, G], ...]

    def step_of(self, entries: int) -> int:
        """Return the first step of an entry; the step before, if the entry has no step."""
        exact = (at for at, step in enumerate(self.steps) if step.entries == entries)
        return next(exact, sum(step.entries < entries for step in self.steps) - 1)

    def sentences(self, at: int, view: Viewpoint | None = None) -> list[str]:
        """Return the sentences about step ``at``, a sentence a line.

        view: None for all open cards.
        """
        del view
        return [*self.steps[at].said]

    def why(self, at: int) -> list[str]:
        """Return the reasons for what has happened at step ``at``, [] in a game without."""
        del at
        return []


def names_of(report: Report) -> tuple[str, ...]:
    """Return the names of the players that have greeted, by seat."""
    hellos = report.accepted[-1].state.hellos if report.accepted else ()
    return tuple(hello.name for hello in hellos)


def told_entries(report: Report) -> Iterator[tuple[int, tuple[Event, ...], GameState]]:
    """Yield the number of entries, the events that the last of them means, the game after it.

    A resignation is a record, so the chain has no event of it: it comes last.
    """
    last: Event = None
    game: GameState = None
    for entries, sound in enumerate(report.accepted, start=1):
        if isinstance(sound.state, Table):
            rules = game_of(sound.state.game.name).rules
            events, game = rules.told(sound.events), rules.state(sound.state)
            yield entries, events, game
            last = events[-1] if events else last
    if game is not None and report.result is not None and report.result != last:
        yield len(report.accepted), (report.result,), game
