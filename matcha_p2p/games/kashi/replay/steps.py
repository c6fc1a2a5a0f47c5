"""A game of Kashi-ichi as a list of steps (``review/steps.py``)."""

from collections.abc import Callable
from typing import TypeAlias

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.table.events import Event, Met
from matcha_p2p.games.kashi.words.seat_words import ONLOOKER, SeatWords
from matcha_p2p.review import steps
from matcha_p2p.seats import Seat

KashiReplay: TypeAlias = steps.Replay[Event, GameState]


def replay_of(
    report: Report, _own: tuple[Seat, int] | None = None, written: Callable[[str], str] = str
) -> KashiReplay:
    """Return the game of a valid transcript; without steps until all have greeted.

    written: how a name stands in a sentence.
    """
    names = tuple(map(written, steps.names_of(report)))
    words = SeatWords(ONLOOKER, names)
    told = [
        steps.ReplayStep(entries, event, game, tuple(words.tell(event, game)))
        for entries, events, game in steps.told_entries(report)
        for event in events
        if not isinstance(event, Met)  # a greeting to the reader
    ]
    return steps.Replay(names, tuple(told))
