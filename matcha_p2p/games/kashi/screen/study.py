"""The better turns of a judged game on the board."""

from dataclasses import replace
from typing import Final

from matcha_p2p.console.review import study
from matcha_p2p.console.table.focus import AtTable
from matcha_p2p.console.table.scene import Replaying
from matcha_p2p.games.kashi.review.mistakes import AnalysisProgress, BetterMove
from matcha_p2p.games.kashi.screen.routes import trodden
from matcha_p2p.games.kashi.screen.scene import Scene
from matcha_p2p.language import Sentence

POSITION: Final = Sentence("Mistake {number} of {count}. The lit way is the better turn.")


def on_board(scene: Scene, better: BetterMove) -> Scene:
    """Return the board before a turn, with the way of the better turn lit."""
    game, seat, actions = better
    lit = trodden(game, game.players[seat].person, actions)
    return replace(scene, seat=seat, game=game, lit=lit)


def studied(scene: Scene, judging: AnalysisProgress, at: int) -> Scene:
    """Return the board before mistake ``at`` of ``judging``."""
    mistake = judging.mistakes[at]
    position = POSITION(number=at + 1, count=len(judging.mistakes))
    before = replace(
        scene,
        focus=AtTable(),
        told=(),
        lately=(),
        talk=(),
        unread=0,
        end=None,
        lesson=mistake.beside,
        after_game=None,
        troubles={},
        warning="",
        watched=Replaying(position, study.keys_words(len(judging.mistakes))),
    )
    return on_board(before, mistake.better)
