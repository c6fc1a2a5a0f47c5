"""Judges the decisions of a finished game, for front ends; loads the bots only when asked."""

from matcha_p2p.games.front import Analysis, Asked, Decision, Judgement
from matcha_p2p.games.tichu.review.asked import AnalyseRound


class Judge:
    """The analyst of every front end."""

    def begin(self, asked: Asked) -> Analysis:
        """Return the decisions of the game or of the round, all still without a judgement."""
        from matcha_p2p.games.tichu.review.analysis import of_round

        if isinstance(asked, AnalyseRound):
            return of_round(asked)
        from matcha_p2p.chain.verify import verified_transcript
        from matcha_p2p.games.tichu.replay.analyse import analysis_of

        report = verified_transcript(asked.transcript)
        exchanged = {number: {asked.seat: it} for number, it in asked.exchanged.items()}
        return analysis_of(report, (asked.seat,), exchanged)

    def judge(self, decision: Decision) -> Judgement:
        """Return the worth of the answers of a decision."""
        from matcha_p2p.games.tichu.review.analysis import judged

        return judged(decision)
