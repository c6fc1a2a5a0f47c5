"""Judges the turns of a finished game, for front ends; loads the bots only when asked."""

from matcha_p2p.games.front import Analysis, Asked, Decision, Judgement


class Judge:
    """The analyst of every front end."""

    def begin(self, asked: Asked) -> Analysis:
        """Return the turns of the asker, all still without a judgement."""
        from matcha_p2p.chain.verify import verified_transcript
        from matcha_p2p.games.kashi.replay.analyse import analysis_of

        return analysis_of(verified_transcript(asked.transcript), asked.seat)

    def judge(self, decision: Decision) -> Judgement:
        """Return the worth of a turn."""
        from matcha_p2p.games.kashi.review.analysis import judged

        return judged(decision)
