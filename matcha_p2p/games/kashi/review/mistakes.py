"""The question for an analysis, and the mistakes found; loads no bots."""

from dataclasses import dataclass
from typing import NamedTuple

from matcha_p2p.games.kashi.rules.moves import TurnAction
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.seats import Seat


@dataclass(frozen=True, slots=True)
class Analyse:
    """The person in ``seat`` asks for the analysis of a finished game."""

    transcript: bytes
    seat: Seat


class BetterMove(NamedTuple):
    """The game before a turn of ``seat``, and the actions of the better turn."""

    game: GameState
    seat: Seat
    actions: tuple[TurnAction, ...]


class Mistake(NamedTuple):
    """A turn that lost points. listed: the sentence in a list. beside: beside the board."""

    better: BetterMove
    listed: str
    beside: str


class AnalysisProgress(NamedTuple):
    """The progress of an analysis. done: judged turns, of ``all``.

    all: 0 while the game is read. told: the summary, once all turns are judged.
    """

    done: int = 0
    all: int = 0
    mistakes: tuple[Mistake, ...] = ()
    told: tuple[str, ...] = ()
