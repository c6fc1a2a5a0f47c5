"""A game as a list of steps, to be replayed (``games/front.py``)."""

from collections.abc import Iterator
from dataclasses import dataclass

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.kashi.events import Event, GameEnded, Met
from matcha_p2p.games.kashi.rules.game import TABLES
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.told import told
from matcha_p2p.games.kashi.view import game_of
from matcha_p2p.games.kashi.words.seat_words import SeatWords
from matcha_p2p.seats import Seat
from matcha_p2p.table.table import Table

_ONLOOKER = Seat(TABLES[-1])
"""No seat of a table: the sentences name every player."""


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One event, the game after it, and the sentences about it."""

    event: Event
    game: GameState
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """A game, as far as it has come. names: by seat."""

    names: tuple[str, ...]
    steps: tuple[ReplayStep, ...]

    def sentences(self, at: int) -> list[str]:
        """Return the sentences about step ``at``, a sentence a line."""
        return [*self.steps[at].said]


def replay_of(report: Report) -> Replay:
    """Return the game of a valid transcript; without steps until all have greeted."""
    words = SeatWords(_ONLOOKER)
    steps: list[ReplayStep] = []
    for event, game in _told(report):
        said = words.tell(event, game)
        if not isinstance(event, Met):  # a greeting to the reader
            steps.append(ReplayStep(event, game, tuple(said)))
    return Replay(words.names, tuple(steps))


def _told(report: Report) -> Iterator[tuple[Event, GameState]]:
    """Yield each event and the game after it; the report alone knows a resignation."""
    last: tuple[Event, GameState] | None = None
    for sound in report.accepted:
        if isinstance(sound.state, Table):
            for event in told(sound.events):
                last = event, game_of(sound.state)
                yield last
    end = report.result
    if last is not None and isinstance(end, GameEnded) and not isinstance(last[0], GameEnded):
        yield end, last[1]
