"""Full screen: the view of a seat of Matcha, and questions to an analyst."""

from dataclasses import replace
from functools import partial

from matcha_p2p.console.review.study import judge_all
from matcha_p2p.console.table.full_screen import FullScreen, Questions
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.table.view import PlayerView
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.front import Advise, Analyst
from matcha_p2p.games.matcha.review.analysis import Analysis
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.screen import keys
from matcha_p2p.games.matcha.screen.analysis import Analyse
from matcha_p2p.games.matcha.screen.drawing.layout import draw
from matcha_p2p.games.matcha.screen.keys import Request
from matcha_p2p.games.matcha.screen.scene import Scene, hear
from matcha_p2p.games.matcha.screen.show import Show
from matcha_p2p.games.matcha.words import captions


class TableView(PlayerView[Scene, Request]):
    """The view of a seat at the table."""

    due = captions.WINDOW_DUE
    picture = staticmethod(draw)
    keys = keys.FRAME
    told = staticmethod(hear)
    acts = staticmethod(Show)

    def opening(self, seat: Seat) -> Scene:
        """Return the scene before both have met."""
        return Scene(seat, advise=self.advise)


def full_screen(look: Look, analyst: Analyst, advise: Advise | None) -> FullScreen[Scene]:
    """Return the front end of a person. advise: for practice alone."""
    questions = Questions(Analyse, partial(judge_all, analyst), analysed)
    return FullScreen(TableView(look, advise), questions)


def analysed(state: Staged[Scene], asked: Analyse, analysis: Analysis) -> Staged[Scene]:
    """Return the state with the progress of an analysis, if the analysis is of this game."""
    if state.scene.transcript != asked.transcript:
        return state
    return state.to(replace(state.scene, analysis=analysis))
