"""Judges the decisions of a finished game, for front ends; loads the bots only when asked."""

from matcha_p2p.games.front import Analysis, Asked, Decision, Judgement


class Judge:
    """The analyst of every front end."""

    def begin(self, asked: Asked) -> Analysis:
        """Return the decisions of the game, all still without a judgement."""
        from matcha_p2p.chain.verify import verified_transcript
        from matcha_p2p.games.matcha.replay.analyse import analysis_of

        report = verified_transcript(asked.transcript)
        return analysis_of(report, {asked.seat: asked.hands})

    def judge(self, decision: Decision) -> Judgement:
        """Return the worth of the moves of a decision."""
        from matcha_p2p.games.matcha.replay.analyse import judged

        return judged(decision)
