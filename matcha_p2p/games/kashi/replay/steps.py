"""A game as a list of steps, to be replayed (``games/front.py``)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.kashi.events import Event, GameEnded, Met
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.told import told
from matcha_p2p.games.kashi.view import game_of
from matcha_p2p.games.kashi.words.seat_words import ONLOOKER, SeatWords
from matcha_p2p.table.table import Table


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One event, the game after it, and the sentences about it.

    entries: of the transcript, up to the event.
    """

    entries: int
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


def replay_of(report: Report, written: Callable[[str], str] = str) -> Replay:
    """Return the game of a valid transcript; without steps until all have greeted.

    written: how a name stands in a sentence.
    """
    words = SeatWords(ONLOOKER)
    steps: list[ReplayStep] = []
    for entries, event, game in _told(report):
        if isinstance(event, Met):  # a greeting to the reader
            words.tell(Met(event.game, tuple(map(written, event.names))), game)
        else:
            steps.append(ReplayStep(entries, event, game, tuple(words.tell(event, game))))
    return Replay(words.names, tuple(steps))


def _told(report: Report) -> Iterator[tuple[int, Event, GameState]]:
    """Yield the number of entries, each event, and the game after it.

    The report alone knows a resignation.
    """
    last: tuple[int, Event, GameState] | None = None
    for entries, sound in enumerate(report.accepted, start=1):
        if isinstance(sound.state, Table):
            for event in told(sound.events):
                last = entries, event, game_of(sound.state)
                yield last
    end = report.result
    if last is not None and isinstance(end, GameEnded) and not isinstance(last[1], GameEnded):
        yield len(report.accepted), end, last[2]
