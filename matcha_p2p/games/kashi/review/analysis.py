"""The turns of a finished game, and the cost of each beside the turn of keen."""

from typing import NamedTuple, TypeAlias

from matcha_p2p.games.kashi.bots import judge
from matcha_p2p.games.kashi.review.mistakes import BetterMove
from matcha_p2p.games.kashi.rules.moves import TurnAction
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.review.analysis import GameAnalysis
from matcha_p2p.seats import Seat


class Decision(NamedTuple):
    """A turn of ``seat``. entries: of the transcript, up to it. game: before the turn."""

    entries: int
    game: GameState
    seat: Seat
    made: tuple[TurnAction, ...]

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return self.game.turns // len(self.game.players) + 1


class JudgedDecision(NamedTuple):
    """A turn, and its worth."""

    decision: Decision
    found: judge.JudgedTurn

    @property
    def better(self) -> BetterMove:
        """Both turns, for the board."""
        _, game, seat, made = self.decision
        return BetterMove(game, seat, self.found.better.actions, made)

    @property
    def loss(self) -> float:
        """The points that the turn gave away, for all that is not chance."""
        return self.found.loss if self.found.is_mistake else 0.0


Analysis: TypeAlias = GameAnalysis[Decision, JudgedDecision]


def judged(decision: Decision) -> JudgedDecision:
    """Return the worth of a turn; the same when asked again."""
    return JudgedDecision(decision, judge.judged(decision.game, decision.seat, decision.made))
