"""Full screen: the scene in the application's thread, and its seat at the table."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Final, TypeAlias

import trio

from matcha_p2p.console.table.focus import Gone
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.table.view import PlayerView
from matcha_p2p.console.terminal.cells import TerminalFrame
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.console.terminal.screen import (
    OpenScreen,
    ScreenView,
    open_screen,
)
from matcha_p2p.games.matcha.review.analysis import Analysis
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.screen import keys
from matcha_p2p.games.matcha.screen.analysis import Analyse, Analyst, analyse
from matcha_p2p.games.matcha.screen.coach import Advise, Coach
from matcha_p2p.games.matcha.screen.drawing.layout import draw
from matcha_p2p.games.matcha.screen.keys import Wanted
from matcha_p2p.games.matcha.screen.scene import Scene, hear, leave_alone
from matcha_p2p.games.matcha.screen.show import Show
from matcha_p2p.games.matcha.words import captions
from matcha_p2p.narration.news import Choose, News
from matcha_p2p.session.news import GameEvent, Leave, NextGame, TakenUp

TableScreen: TypeAlias = OpenScreen[Staged[Scene], Wanted]


class TableView(PlayerView[Scene, Wanted]):
    """The view of a seat at the table, and the meaning of its keys."""

    due = captions.WINDOW_DUE

    def picture(self, scene: Scene, columns: int, rows: int) -> TerminalFrame:
        """Return the frame of the table, or of the open page."""
        return draw(scene, columns, rows, self.look.skin)

    def key(self, scene: Scene, key: str) -> tuple[Scene, Wanted | None]:
        """Return the scene and the choice after a key."""
        return keys.press(scene, key)


def heard(state: Staged[Scene], news: News, now: float) -> Staged[Scene]:
    """Return the state after ``news``."""
    scene = hear(state.scene, news)
    match news:
        case GameEvent(event):
            return state.follow(scene, event, now)
        case NextGame() | TakenUp():
            return state.anew(scene, now)
        case _:
            return state.to(scene)


def left_alone(state: Staged[Scene]) -> Staged[Scene]:
    """Close the screen after the peer's leave, unless it shows the end of a game."""
    scene = state.scene
    over = scene.end is not None
    return state.to(leave_alone(scene) if over else replace(scene, focus=Gone()))


class FullScreen:
    """A person at a terminal with a screen of its own.

    analyst: for questions after the game. advise: for practice alone.
    """

    def __init__(self, look: Look, analyst: Analyst, advise: Advise | None = None) -> None:
        self._look: Final = look
        self._analyst: Final = analyst
        self._advise: Final = advise

    async def play(
        self,
        seat: Seat,
        news: AsyncIterator[News],
        choose: Choose,
    ) -> None:
        """Show ``news`` from the first piece on, and send the person's choices meanwhile.

        The end of a game stays on the screen until the person closes the screen. A screen
        closed or lost earlier leaves the game.
        """
        first: list[News] = []
        if self._advise is None:  # a bot is there already, a person may never come
            try:
                first.append(await anext(news))
            except StopAsyncIteration:
                return  # no player has come, so the screen stays closed
        coach = None if self._advise is None else Coach(self._advise)
        state = Staged(Scene(seat, coach=coach), Show(self._look.speed))
        view: ScreenView[Staged[Scene], Wanted] = TableView(self._look)
        async with (
            open_screen(view, state, self._look) as screen,
            trio.open_nursery() as nursery,
        ):
            for piece in first:
                _tell(screen, piece)
            nursery.start_soon(_follow, news, screen)
            async for choice in screen.emitted:
                if isinstance(choice, Analyse):
                    nursery.start_soon(_analyse, self._analyst, choice, screen)
                else:
                    choose(choice)
            nursery.cancel_scope.cancel()
        choose(Leave())
        async for _ in news:
            pass  # the session is still at its last words


def full_screen(look: Look, analyst: Analyst, advise: Advise | None) -> FullScreen:
    """Return the front end of a person. advise: for practice alone."""
    return FullScreen(look, analyst, advise)


async def _follow(news: AsyncIterator[News], screen: TableScreen) -> None:
    async for piece in news:
        _tell(screen, piece)
    screen.change(lambda state, _: left_alone(state))


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


def _tell(screen: TableScreen, piece: News) -> None:
    screen.change(lambda state, now: heard(state, piece, now))
