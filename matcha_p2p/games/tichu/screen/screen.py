"""Full screen: the view of a seat of Tichu."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import trio

from matcha_p2p.console.table.full_screen import FullScreen
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.table.view import PlayerView
from matcha_p2p.console.terminal.cells import TerminalFrame
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.console.terminal.screen import OpenScreen
from matcha_p2p.games.front import Analyst
from matcha_p2p.games.tichu.answers import Advise
from matcha_p2p.games.tichu.judging import judge
from matcha_p2p.games.tichu.review.asked import AnalyseRound, Mistake
from matcha_p2p.games.tichu.screen import keys
from matcha_p2p.games.tichu.screen.drawing.layout import draw
from matcha_p2p.games.tichu.screen.scene import Scene, hear, opening
from matcha_p2p.games.tichu.screen.show import Show
from matcha_p2p.games.tichu.words import captions
from matcha_p2p.narration.news import Choose, News, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import MakeMove, WindowOpened


class TichuView(PlayerView[Scene, Wish | AnalyseRound]):
    """The view of a seat at the table. advise: for practice alone."""

    due = captions.WINDOW_DUE

    def __init__(self, look: Look, advise: Advise | None = None) -> None:
        super().__init__(look)
        self._advise: Final = advise

    def begin(self, seat: Seat) -> Staged[Scene]:
        """Return the state before all have met."""
        return Staged(opening(seat, self._advise), Show(self.look.speed))

    def told(self, scene: Scene, news: News) -> Scene:
        """Return the scene after ``news``."""
        return hear(scene, news)

    def hear(
        self, state: Staged[Scene], news: News, now: float
    ) -> tuple[Staged[Scene], Wish | AnalyseRound | None]:
        """Return the state after ``news``; a window shows the play at once."""
        state, choice = super().hear(state, news, now)
        window = state.scene.window
        if isinstance(news, WindowOpened) and window is not None:
            scene = replace(state.scene, window=window._replace(shown=now))
            state = state.over().to(scene)
        return state, choice

    def reply(self, scene: Scene) -> Wish | None:
        """Return the move of a scene in which nothing is to be decided, or None."""
        return None if scene.reply is None else MakeMove(scene.reply)

    def picture(self, scene: Scene, columns: int, rows: int) -> TerminalFrame:
        """Return the frame of the table, or of the open page."""
        return draw(scene, columns, rows, self.look.skin)

    def key(self, scene: Scene, key: str) -> tuple[Scene, Wish | AnalyseRound | None]:
        """Return the scene and the choice after a key."""
        return keys.press(scene, key)


class JudgedScreen(FullScreen[Scene]):
    """The screen with an analyst, for questions after a round."""

    def __init__(self, look: Look, analyst: Analyst | None, advise: Advise | None) -> None:
        super().__init__(TichuView(look, advise), practice=advise is not None)
        self._analyst: Final = analyst

    def take(
        self,
        choice: Wish | AnalyseRound,
        choose: Choose,
        screen: OpenScreen[Staged[Scene], Any],
        nursery: trio.Nursery,
    ) -> None:
        """Send a choice, or begin an analysis."""
        if not isinstance(choice, AnalyseRound):
            choose(choice)
            return

        def show(told: Sequence[str], mistakes: Sequence[Mistake]) -> None:
            screen.change(lambda state, _: judged(state, choice, told, mistakes))

        if self._analyst is not None:
            nursery.start_soon(judge, self._analyst, choice, show)


def judged(
    state: Staged[Scene],
    asked: AnalyseRound,
    told: Sequence[str],
    mistakes: Sequence[Mistake],
) -> Staged[Scene]:
    """Return the state with an analysis, if the analysis is of the latest answers."""
    if state.scene.answers != asked.decided:
        return state
    return state.to(replace(state.scene, analysis=tuple(told), mistakes=tuple(mistakes)))


def full_screen(look: Look, analyst: Analyst | None, advise: Advise | None) -> JudgedScreen:
    """Return the front end of a person. advise: for practice alone."""
    return JudgedScreen(look, analyst, advise)
