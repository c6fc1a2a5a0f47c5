"""The mistakes of a judged game on the board, one after another."""

from dataclasses import replace
from typing import Final

from matcha_p2p.console.review import study
from matcha_p2p.console.table import focus
from matcha_p2p.console.table.scene import Replaying
from matcha_p2p.games.matcha.review.analysis import Analysis, JudgedDecision
from matcha_p2p.games.matcha.screen.analysis import decision_lines
from matcha_p2p.games.matcha.screen.coach import reason
from matcha_p2p.games.matcha.screen.scene import Picking, Ready, Scene
from matcha_p2p.language import Sentence

POSITION: Final = Sentence("Mistake {number} of {count}. A question mark is the better move.")


def mistakes(analysis: Analysis | None) -> tuple[JudgedDecision, ...]:
    """Return the mistakes and blunders found so far, in the order of the game."""
    return () if analysis is None else analysis.mistakes_in_order()


def on_board(scene: Scene, judged: JudgedDecision) -> Scene:
    """Return the board before a decision, with the better move laid out as a question."""
    seen = judged.decision.observation
    best = judged.judgement.moves[0].move
    question = Ready(seen, best, Picking(seen, 0))
    return replace(
        scene, seat=seen.seat, game=seen.game, hand=seen.hand, theirs=(), question=question
    )


def studied(scene: Scene, at: int) -> Scene:
    """Return the board before mistake ``at``."""
    found = mistakes(scene.analysis)
    judged = found[at]
    said, values, _ = decision_lines(judged, scene.names)
    before = replace(
        scene,
        focus=focus.AtTable(),
        told=(),
        headings=(),
        talk=(),
        end=None,
        lately=(values, reason(judged.decision.observation, judged.judgement.moves[0].move)),
        lesson=said,
        hint="",
        warning="",
        work="",
        after_game=None,
        troubles={},
        watched=Replaying(
            POSITION(number=at + 1, count=len(found)), study.keys_words(len(found))
        ),
    )
    return on_board(before, judged)
