"""The game as a seat sees it: everything but the order of the deck is open (K8)."""

from typing import NamedTuple

from matcha_p2p.games.kashi.rules.choices import legal_actions
from matcha_p2p.games.kashi.rules.game import most_paid
from matcha_p2p.games.kashi.rules.moves import AnswerIdle, Move, PayUpkeep, StartAt, TakeTurn
from matcha_p2p.games.kashi.rules.state import (
    GameState,
    Paying,
    Questioning,
    Starting,
    Turn,
)
from matcha_p2p.games.timing import Timing, forced_if_single
from matcha_p2p.seats import Seat


class Outlook(NamedTuple):
    """The knowledge of ``seat``."""

    game: GameState
    seat: Seat

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the moves of the seat; of turns, only those of at most one action.

        A turn is legal as long as each of its actions is legal after the actions before it.
        """
        if self.game.due != self.seat:
            return ()
        match self.game.phase:
            case Starting():
                return tuple(map(StartAt, self.game.board.starts))
            case Turn():
                singles = ((action,) for action in legal_actions(self.game))
                return (TakeTurn(), *map(TakeTurn, singles))
            case Paying():
                most = most_paid(self.game.players[self.seat])
                return tuple(map(PayUpkeep, range(most + 1)))
            case Questioning():
                return (AnswerIdle(settle=False), AnswerIdle(settle=True))
            case _:
                return ()

    def timing(self) -> Timing:
        """Return the timing of the answer: everything is open."""
        return forced_if_single(self.legal_moves())
