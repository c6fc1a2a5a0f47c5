"""Full screen: the view of a seat of Matcha, and questions to an analyst."""

from dataclasses import replace
from typing import Final, TypeAlias

import trio

from matcha_p2p.console.table.full_screen import FullScreen
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.table.view import PlayerView
from matcha_p2p.console.terminal.cells import TerminalFrame
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.console.terminal.screen import OpenScreen
from matcha_p2p.games.matcha.review.analysis import Analysis
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.screen import keys
from matcha_p2p.games.matcha.screen.analysis import Analyse, Analyst, analyse
from matcha_p2p.games.matcha.screen.coach import Advise, Coach
from matcha_p2p.games.matcha.screen.drawing.layout import draw
from matcha_p2p.games.matcha.screen.keys import Wanted
from matcha_p2p.games.matcha.screen.scene import Scene, hear
from matcha_p2p.games.matcha.screen.show import Show
from matcha_p2p.games.matcha.words import captions
from matcha_p2p.narration.news import Choose, News

TableScreen: TypeAlias = OpenScreen[Staged[Scene], Wanted]


class TableView(PlayerView[Scene, Wanted]):
    """The view of a seat at the table. advise: for practice alone."""

    due = captions.WINDOW_DUE

    def __init__(self, look: Look, advise: Advise | None = None) -> None:
        super().__init__(look)
        self._advise: Final = advise

    def begin(self, seat: Seat) -> Staged[Scene]:
        """Return the state before both have met."""
        coach = None if self._advise is None else Coach(self._advise)
        return Staged(Scene(seat, coach=coach), Show(self.look.speed))

    def told(self, scene: Scene, news: News) -> Scene:
        """Return the scene after ``news``."""
        return hear(scene, news)

    def picture(self, scene: Scene, columns: int, rows: int) -> TerminalFrame:
        """Return the frame of the table, or of the open page."""
        return draw(scene, columns, rows, self.look.skin)

    def key(self, scene: Scene, key: str) -> tuple[Scene, Wanted | None]:
        """Return the scene and the choice after a key."""
        return keys.press(scene, key)


class AnalysedScreen(FullScreen[Scene]):
    """The screen with an analyst, for questions after the game."""

    def __init__(self, look: Look, analyst: Analyst, advise: Advise | None = None) -> None:
        super().__init__(TableView(look, advise), practice=advise is not None)
        self._analyst: Final = analyst

    def take(
        self, choice: Wanted, choose: Choose, screen: TableScreen, nursery: trio.Nursery
    ) -> None:
        """Send a choice, or begin an analysis."""
        if isinstance(choice, Analyse):
            nursery.start_soon(_analyse, self._analyst, choice, screen)
        else:
            choose(choice)


def full_screen(look: Look, analyst: Analyst, advise: Advise | None) -> AnalysedScreen:
    """Return the front end of a person. advise: for practice alone."""
    return AnalysedScreen(look, analyst, advise)


async def _analyse(analyst: Analyst, asked: Analyse, screen: TableScreen) -> None:
    """Analyse a game, and show the progress."""

    def show(analysis: Analysis) -> None:
        screen.change(lambda state, _: analysed(state, asked, analysis))

    await analyse(analyst, asked, show)


def analysed(state: Staged[Scene], asked: Analyse, analysis: Analysis) -> Staged[Scene]:
    """Return the state with the progress of an analysis, if the analysis is of this game."""
    if state.scene.transcript != asked.transcript:
        return state
    return state.to(replace(state.scene, analysis=analysis))
