"""Full screen: the view of a seat of Kashi-ichi."""

from dataclasses import replace
from functools import partial

from matcha_p2p.console.table.full_screen import FullScreen, Questions
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.table.view import PlayerView
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.front import Advise, Analyst
from matcha_p2p.games.kashi.review.judging import judge
from matcha_p2p.games.kashi.review.mistakes import Analyse, AnalysisProgress
from matcha_p2p.games.kashi.screen import captions, keys
from matcha_p2p.games.kashi.screen.drawing.layout import draw
from matcha_p2p.games.kashi.screen.keys import Request
from matcha_p2p.games.kashi.screen.scene import Scene, fresh, hear
from matcha_p2p.games.kashi.screen.show import Show
from matcha_p2p.seats import Seat


class TableView(PlayerView[Scene, Request]):
    """The view of a seat at the table."""

    due = captions.WINDOW_DUE
    picture = staticmethod(draw)
    keys = keys.FRAME
    told = staticmethod(hear)
    acts = staticmethod(Show)

    def opening(self, seat: Seat) -> Scene:
        """Return the scene before all have met."""
        return fresh(seat, self.advise)


def judged(state: Staged[Scene], asked: Analyse, judging: AnalysisProgress) -> Staged[Scene]:
    """Return the state with the progress of an analysis, if the analysis is of this game."""
    if state.scene.transcript != asked.transcript:
        return state
    return state.to(replace(state.scene, judging=judging))


def full_screen(look: Look, analyst: Analyst, advise: Advise | None) -> FullScreen[Scene]:
    """Return the front end of a person. advise: None outside practice."""
    questions = Questions(Analyse, partial(judge, analyst), judged)
    return FullScreen(TableView(look, advise), questions)
