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
from matcha_p2p.games.front import Analyst
from matcha_p2p.games.tichu.answers import Advise
from matcha_p2p.games.tichu.screen import keys
from matcha_p2p.games.tichu.screen.drawing.layout import draw
from matcha_p2p.games.tichu.screen.scene import Scene, hear, leave_alone, opening
from matcha_p2p.games.tichu.screen.show import Show
from matcha_p2p.games.tichu.words import captions
from matcha_p2p.narration.news import Choose, News, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent, Leave, MakeMove, NextGame, TakenUp

TableScreen: TypeAlias = OpenScreen[Staged[Scene], Wish]


class TichuView(PlayerView[Scene, Wish]):
    """The view of a seat at the table, and the meaning of its keys."""

    due = captions.WINDOW_DUE

    def picture(self, scene: Scene, columns: int, rows: int) -> TerminalFrame:
        """Return the frame of the table, or of the open page."""
        return draw(scene, columns, rows, self.look.skin)

    def key(self, scene: Scene, key: str) -> tuple[Scene, Wish | None]:
        """Return the scene and the choice after a key."""
        return keys.press(scene, key)


def heard(state: Staged[Scene], news: News, now: float) -> tuple[Staged[Scene], Wish | None]:
    """Return the state after ``news``, and the answer where nothing is to be decided."""
    scene = hear(state.scene, news)
    reply = None if scene.reply is None else MakeMove(scene.reply)
    match news:
        case GameEvent(event):
            return state.follow(scene, event, now), reply
        case NextGame() | TakenUp():
            return state.anew(scene, now), reply
        case _:
            return state.to(scene), reply


def left_alone(state: Staged[Scene]) -> Staged[Scene]:
    """Close the screen after the others have left, unless it shows the end of a game."""
    scene = state.scene
    return state.to(leave_alone(scene) if scene.is_over else replace(scene, focus=Gone()))


class FullScreen:
    """A person at a terminal with a screen of its own. advise: for practice alone."""

    def __init__(self, look: Look, advise: Advise | None = None) -> None:
        self._look: Final = look
        self._advise: Final = advise

    async def play(self, seat: Seat, news: AsyncIterator[News], choose: Choose) -> None:
        """Show ``news`` from the first piece on, and send the person's choices meanwhile.

        The end of a game stays on the screen until the person closes the screen. A screen
        closed or lost earlier leaves the game.
        """
        first: list[News] = []
        if self._advise is None:  # bots are there already, people may never come
            try:
                first.append(await anext(news))
            except StopAsyncIteration:
                return  # no player has come, so the screen stays closed
        state = Staged(opening(seat, self._advise), Show(self._look.speed))
        view: ScreenView[Staged[Scene], Wish] = TichuView(self._look)
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


def full_screen(look: Look, analyst: Analyst | None, advise: Advise | None) -> FullScreen:
    """Return the front end of a person. There is no analysis of Tichu: no analyst is asked."""
    del analyst
    return FullScreen(look, advise)


async def _follow(news: AsyncIterator[News], screen: TableScreen) -> None:
    async for piece in news:
        _tell(screen, piece)
    screen.change(lambda state, _: left_alone(state))


def _tell(screen: TableScreen, piece: News) -> None:
    screen.answer(lambda state, now: heard(state, piece, now))
