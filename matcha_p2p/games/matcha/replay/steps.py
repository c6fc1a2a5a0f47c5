"""A verified game as a list of steps, to be replayed in any order and from any side."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.matcha.review.sets import (
    PlayedSet,
    held_faces,
    played_sets,
)
from matcha_p2p.games.matcha.rules.cards import Hands
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.phases import AwaitingDeal, Revealing
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.table import events as game_events
from matcha_p2p.games.matcha.words.narrator import PointOfView, explain, narrate
from matcha_p2p.review import steps
from matcha_p2p.review.cards import with_own_key
from matcha_p2p.review.steps import Viewpoint

MatchaStep: TypeAlias = steps.ReplayStep[game_events.Event, GameState]

_NOT_DEALT: Hands = ((), ())


@dataclass(frozen=True, slots=True)
class MatchaReplay(steps.Replay[game_events.Event, GameState]):
    """A whole game. The hands of a step are those of its set."""

    def opens(self, seat: Seat) -> bool:
        """Tell whether the file opens the cards of the seat."""
        return any(step.hands[seat] for step in self.steps)

    def sentences(self, at: int, view: Viewpoint | None = None) -> list[str]:
        """Return the sentences about step ``at``, a sentence a line."""
        step = self.steps[at]
        first, second = step.hands if view is None else view.of(step.hands)
        names = self.names[0], self.names[1]
        return narrate(step.event, step.game, PointOfView(names, (first, second)))

    def why(self, at: int) -> list[str]:
        """Return the reasons for the outcome of the last round."""
        names = self.names[0], self.names[1]
        return [line for line in explain(self.steps[at].game, PointOfView(names)) if line]


def replay_of(
    report: Report, own: tuple[Seat, int] | None = None, written: Callable[[str], str] = str
) -> MatchaReplay:
    """Return the game of a valid transcript; without steps if no table was ever laid.

    own: our seat and our game key, which opens our own cards if the file does not. written: how
    a name stands in a sentence.
    """
    report = with_own_key(report, own)
    names = tuple(map(written, steps.names_of(report)))
    return MatchaReplay(names, tuple(_steps(report)))


def _steps(report: Report) -> Iterator[MatchaStep]:
    sets = {played.laid.number: played for played in played_sets(report)}
    hands = _NOT_DEALT
    for entries, event, game in _told(report):
        match event:
            case game_events.Met() | game_events.Shuffled():
                continue
            case game_events.GameEnded() if not game.table:  # given up before the first set
                continue
            case game_events.TableLaid():
                hands = _NOT_DEALT
            case game_events.HandsDealt():
                hands = _hands(sets[game.number], report)
            case _:
                pass
        yield steps.ReplayStep(entries, event, game, hands=hands)


def _hands(played: PlayedSet, report: Report) -> Hands:
    first, second = (
        tuple(face for face in held_faces(played, seat, report.exposed) if face is not None)
        for seat in SEATS
    )
    return first, second


def _told(report: Report) -> Iterator[tuple[int, game_events.Event, GameState]]:
    """Yield the number of entries, each event, and the game after it."""
    before: GameState | None = None
    for entries, events, after in steps.told_entries(report):
        for event in events:
            yield entries, event, _as_it_lies(_game_after(event, events, before, after))
        before = after


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
        case game_events.GameEnded():  # also by a resignation
            return after._replace(phase=event.ended)
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
