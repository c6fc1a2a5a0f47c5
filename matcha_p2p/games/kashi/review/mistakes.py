"""The question for an analysis, and a mistake on the board; loads no bots."""

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
    """The game before a turn of ``seat``, the actions of the better turn, and those made."""

    game: GameState
    seat: Seat
    actions: tuple[TurnAction, ...]
    made: tuple[TurnAction, ...]
