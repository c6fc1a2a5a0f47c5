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
from matcha_p2p.console.terminal.screen import OpenScreen, ScreenView, open_screen
from matcha_p2p.games.front import Advise, Analyst
from matcha_p2p.games.kashi.screen import captions, keys
from matcha_p2p.games.kashi.screen.drawing.layout import draw
from matcha_p2p.games.kashi.screen.scene import Scene, fresh, hear, leave_alone
from matcha_p2p.games.kashi.screen.show import Show
from matcha_p2p.narration.news import Choose, News, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent, Leave, NextGame, TakenUp

TableScreen: TypeAlias = OpenScreen[Staged[Scene], Wish]


class TableView(PlayerView[Scene, Wish]):
    """The view of a seat at the table, and the meaning of its keys."""

    due = captions.WINDOW_DUE

    def picture(self, scene: Scene, columns: int, rows: int) -> TerminalFrame:
        """Return the frame of the table, or of the open page."""
        return draw(scene, columns, rows, self.look.skin)

    def key(self, scene: Scene, key: str) -> tuple[Scene, Wish | None]:
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
    """Close the screen after the leave of the others, unless it shows the end of a game."""
    scene = state.scene
    return state.to(leave_alone(scene) if scene.is_over else replace(scene, focus=Gone()))


class FullScreen:
    """A person at a terminal with a screen of its own. practice: with hints and undo."""

    def __init__(self, look: Look, *, practice: bool = False) -> None:
        self._look: Final = look
        self._practice: Final = practice

    async def play(self, seat: Seat, news: AsyncIterator[News], choose: Choose) -> None:
        """Show ``news`` from the first piece on, and send the person's choices meanwhile.

        The end of a game stays on the screen until the person closes the screen. A screen
        closed or lost earlier leaves the game.
        """
        first: list[News] = []
        if not self._practice:  # bots are there already, persons may never come
            try:
                first.append(await anext(news))
            except StopAsyncIteration:
                return  # no player has come, so the screen stays closed
        state = Staged(fresh(seat, practice=self._practice), Show(self._look.speed))
        view: ScreenView[Staged[Scene], Wish] = TableView(self._look)
        async with (
            open_screen(view, state, self._look) as screen,
            trio.open_nursery() as nursery,
        ):
            for piece in first:
                _tell(screen, piece)
            nursery.start_soon(_follow, news, screen)
            async for choice in screen.emitted:
                choose(choice)
            nursery.cancel_scope.cancel()
        choose(Leave())
        async for _ in news:
            pass  # the session is still at its last words


def full_screen(look: Look, analyst: Analyst, advise: Advise | None) -> FullScreen:
    """Return the front end of a person.

    analyst: without effect, as no decision is judged. advise: None outside practice.
    """
    del analyst
    return FullScreen(look, practice=advise is not None)


async def _follow(news: AsyncIterator[News], screen: TableScreen) -> None:
    async for piece in news:
        _tell(screen, piece)
    screen.change(lambda state, _: left_alone(state))


def _tell(screen: TableScreen, piece: News) -> None:
    screen.change(lambda state, now: heard(state, piece, now))
