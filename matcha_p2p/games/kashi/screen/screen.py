"""Full screen: the view of a seat of Kashi-ichi."""

from dataclasses import replace
from typing import Any, Final

import trio

from matcha_p2p.console.table.full_screen import FullScreen
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.table.view import PlayerView
from matcha_p2p.console.terminal.cells import TerminalFrame
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.console.terminal.screen import OpenScreen
from matcha_p2p.games.front import Advise, Analyst
from matcha_p2p.games.kashi.review.asked import Analyse, Study
from matcha_p2p.games.kashi.review.judging import judge
from matcha_p2p.games.kashi.screen import captions, keys
from matcha_p2p.games.kashi.screen.drawing.layout import draw
from matcha_p2p.games.kashi.screen.keys import Wanted
from matcha_p2p.games.kashi.screen.scene import Scene, fresh, hear
from matcha_p2p.games.kashi.screen.show import Show
from matcha_p2p.narration.news import Choose, News
from matcha_p2p.seats import Seat


class TableView(PlayerView[Scene, Wanted]):
    """The view of a seat at the table. advise: in practice only."""

    due = captions.WINDOW_DUE

    def __init__(self, look: Look, advise: Advise | None = None) -> None:
        super().__init__(look)
        self._advise: Final = advise

    def begin(self, seat: Seat) -> Staged[Scene]:
        """Return the state before all have met."""
        return Staged(fresh(seat, self._advise), Show(self.look.speed))

    def told(self, scene: Scene, news: News) -> Scene:
        """Return the scene after ``news``."""
        return hear(scene, news)

    def picture(self, scene: Scene, columns: int, rows: int) -> TerminalFrame:
        """Return the frame of the table, or of the open page."""
        return draw(scene, columns, rows, self.look.skin)

    def key(self, scene: Scene, key: str) -> tuple[Scene, Wanted | None]:
        """Return the scene and the choice after a key."""
        return keys.press(scene, key)


class JudgedScreen(FullScreen[Scene]):
    """The screen with an analyst, for questions after the game."""

    def __init__(self, look: Look, analyst: Analyst, advise: Advise | None) -> None:
        super().__init__(TableView(look, advise), practice=advise is not None)
        self._analyst: Final = analyst

    def take(
        self,
        choice: Wanted,
        choose: Choose,
        screen: OpenScreen[Staged[Scene], Any],
        nursery: trio.Nursery,
    ) -> None:
        """Send a choice, or begin an analysis."""
        if not isinstance(choice, Analyse):
            choose(choice)
            return

        def show(judging: Study) -> None:
            screen.change(lambda state, _: judged(state, choice, judging))

        nursery.start_soon(judge, self._analyst, choice, show)


def judged(state: Staged[Scene], asked: Analyse, judging: Study) -> Staged[Scene]:
    """Return the state with the progress of an analysis, if the analysis is of this game."""
    if state.scene.transcript != asked.transcript:
        return state
    return state.to(replace(state.scene, judging=judging))


def full_screen(look: Look, analyst: Analyst, advise: Advise | None) -> JudgedScreen:
    """Return the front end of a person. advise: None outside practice."""
    return JudgedScreen(look, analyst, advise)
