"""A verified game as a list of steps, to be replayed in any order and from any side."""

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from matcha_p2p.chain.verify import Report, Verdict
from matcha_p2p.games.matcha import events as game_events
from matcha_p2p.games.matcha.review.sets import (
    PlayedSet,
    end_of,
    held_faces,
    played_sets,
    with_own_key,
)
from matcha_p2p.games.matcha.rules.cards import Face, Hands
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.phases import AwaitingDeal, Revealing
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.told import told
from matcha_p2p.games.matcha.view import game_of
from matcha_p2p.games.matcha.words.narrator import Names, PointOfView, narrate
from matcha_p2p.table.table import Table

_NOT_DEALT: Hands = ((), ())


class Viewpoint(enum.Enum):
    """The view of a replay. No view shows a card that the file does not open."""

    BOTH = "both"
    PUBLIC = "public"
    FIRST = "first"
    SECOND = "second"

    @property
    def seat(self) -> Seat:
        """Return the seat in front."""
        return Seat(1) if self is Viewpoint.SECOND else Seat(0)

    def next(self) -> "Viewpoint":
        """Return the next view; after the last view, the first."""
        views = list(Viewpoint)
        return views[(views.index(self) + 1) % len(views)]

    def hands(self, hands: Hands) -> Hands:
        """Return the part of ``hands`` that the view shows."""
        first, second = hands
        match self:
            case Viewpoint.BOTH:
                return hands
            case Viewpoint.PUBLIC:
                return (), ()
            case Viewpoint.FIRST:
                return first, ()
            case Viewpoint.SECOND:
                return (), second


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One event, with the game after it and all ``hands`` that the file opens."""

    event: game_events.Event
    game: GameState
    hands: Hands

    @property
    def place(self) -> tuple[int, int]:
        """Return the number of the set, and the number of the running round."""
        return self.game.number, self.game.rounds[-1].number if self.game.rounds else 0


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole game. opened: for each seat, whether the file opens the seat's cards."""

    names: Names
    opened: tuple[bool, bool]
    verdict: Verdict
    steps: tuple[ReplayStep, ...]

    def hands_of(self, seat: Seat) -> dict[int, tuple[Face, ...]]:
        """Return the open hands of a seat, by the number of the set."""
        return {step.game.number: step.hands[seat] for step in self.steps if step.hands[seat]}

    def sentences(self, at: int, view: Viewpoint = Viewpoint.BOTH) -> list[str]:
        """Return the sentences about step ``at``, a sentence a line."""
        step = self.steps[at]
        return narrate(step.event, step.game, PointOfView(self.names, view.hands(step.hands)))


def replay_of(report: Report, own: tuple[Seat, int] | None = None) -> Replay:
    """Return the game of a valid transcript; without steps if no table was ever laid.

    own: our seat and our game key, which opens our own cards if the file does not.
    """
    report = with_own_key(report, own)
    opened = Seat(0) in report.exposed, Seat(1) in report.exposed
    return Replay(_names(report), opened, report.verdict, tuple(_steps(report)))


def _names(report: Report) -> Names:
    for sound in report.accepted:
        for event in told(sound.events):
            if isinstance(event, game_events.Met):
                return event.names
    return "", ""


def _steps(report: Report) -> Iterator[ReplayStep]:
    sets = {played.laid.number: played for played in played_sets(report)}
    last: ReplayStep | None = None
    for event, game in _told(report):
        hands = _NOT_DEALT if last is None else last.hands
        match event:
            case game_events.Met() | game_events.Shuffled():
                continue
            case game_events.TableLaid():
                hands = _NOT_DEALT
            case game_events.HandsDealt():
                hands = _hands(sets[game.number], report)
            case _:
                pass
        last = ReplayStep(event, game, hands)
        yield last
    end = end_of(report)
    if last is not None and end is not None and not _is_end(last.event):
        # A resignation is a record, so the chain has no event of it.
        yield ReplayStep(end, last.game._replace(phase=end.ended), last.hands)


def _is_end(event: game_events.Event) -> bool:
    return isinstance(event, game_events.GameEnded)


def _hands(played: PlayedSet, report: Report) -> Hands:
    first, second = (
        tuple(face for face in held_faces(played, seat, report.exposed) if face is not None)
        for seat in SEATS
    )
    return first, second


def _told(report: Report) -> Iterator[tuple[game_events.Event, GameState]]:
    """Yield each event of the chain and the game after it."""
    before: GameState | None = None
    for sound in report.accepted:
        match sound.state:
            case Table() as table:
                after, events = game_of(table), told(sound.events)
                for event in events:
                    yield event, _as_it_lies(_game_after(event, events, before, after))
                before = after
            case _:
                pass


def _game_after(
    event: game_events.Event,
    events: tuple[game_events.Event, ...],
    before: GameState | None,
    after: GameState,
) -> GameState:
    """Return the game after ``event``, an event of the entry that led to ``after``.

    The entry of the last turn also resolves the round; a replay shows two steps.
    """
    match event:
        case game_events.Placed() | game_events.Passed() if before is not None and any(
            isinstance(each, game_events.RoundResolved) for each in events
        ):
            return _unresolved(before, after)
        case _:
            return after


def _unresolved(before: GameState, after: GameState) -> GameState:
    """Return the game after the last turn of the round, before the round is resolved."""
    current = len(before.rounds) - 1
    earlier, played = before.rounds[current], after.rounds[current]
    hands = list(before.hands)
    for turn in played.turns[len(earlier.turns) :]:
        if isinstance(turn.move, Play):
            hands[turn.seat] -= {turn.move.slot}
    return before._replace(
        hands=(hands[0], hands[1]),
        rounds=(*before.rounds[:-1], played._replace(resolutions=(), tokens=earlier.tokens)),
        phase=Revealing(((), ()), ((), ())),
    )


def _as_it_lies(game: GameState) -> GameState:
    """Return ``game`` with number and dealer of the set whose cards still lie on the table."""
    if game.phase == AwaitingDeal() and game.rounds:
        return game._replace(number=game.number - 1, dealer=opposite(game.dealer))
    return game
