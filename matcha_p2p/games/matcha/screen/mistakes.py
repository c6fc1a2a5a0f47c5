"""The board before a mistake."""

from dataclasses import replace

from matcha_p2p.games.matcha.review.analysis import JudgedDecision
from matcha_p2p.games.matcha.screen.scene import Picking, Ready, Scene


def on_board(scene: Scene, judged: JudgedDecision) -> Scene:
    """Return the board before a decision, with the move made and the better move marked."""
    seen, made = judged.decision.observation, judged.decision.made
    question = Ready(seen, judged.judgement.moves[0].move, Picking(seen, 0))
    before = replace(scene, seat=seen.seat, game=seen.game, hand=seen.hand, theirs=())
    return replace(before, question=question, made=made)
