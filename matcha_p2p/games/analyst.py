"""The analyst of every front end, which loads the bots of a game only when asked."""

from typing import Final

from matcha_p2p.games.front import Analysis, AnalysisRequest, Decision, Judgement
from matcha_p2p.games.game import Game


class LateAnalyst:
    """Judges the decisions of finished games of ``game``, which has an analysis."""

    def __init__(self, game: Game) -> None:
        self._game: Final = game

    def begin(self, asked: AnalysisRequest) -> Analysis:
        """Return the decisions of the game, all still without a judgement."""
        return self._game.needed(Game.analysis).begin(asked)

    def judge(self, decision: Decision) -> Judgement:
        """Return the worth of the moves of a decision."""
        return self._game.needed(Game.analysis).judge(decision)
