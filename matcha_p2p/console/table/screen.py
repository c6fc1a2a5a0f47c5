"""Full screen: the scene in the application's thread, and its seat at the table."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Final

import trio

from matcha_p2p.console.table.coach import Advise, Coach
from matcha_p2p.console.table.keys import paste, press
from matcha_p2p.console.table.layout import clamped, draw
from matcha_p2p.console.table.scene import Gone, Scene, hear, leave_alone
from matcha_p2p.console.table.stage import Stage
from matcha_p2p.console.terminal.bridge import Console, leave, running
from matcha_p2p.console.terminal.canvas import Canvas
from matcha_p2p.console.terminal.cells import Line
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.narration import captions
from matcha_p2p.rules.seats import Seat
from matcha_p2p.session.news import Choose, Leave, News, NextGame, TakenUp, Told, Wish


class Screen:
    """The scene and what shows it. Made anywhere, then touched by the UI thread alone.

    emit: takes what the person chooses.
    """

    def __init__(
        self,
        seat: Seat,
        look: Look,
        emit: Choose,
        coach: Coach | None = None,
    ) -> None:
        self.scene = Scene(seat, coach=coach)
        self._seen = self.scene
        self._stage: Final = Stage(look.speed, self._look_again)
        self._skin: Final = look.skin
        self._emit: Final = emit
        self._canvas: Final = Canvas(look, self._draw, self._press, self._paste)
        self.application: Final = self._canvas.application

    def _draw(self, columns: int, rows: int) -> list[Line]:
        return draw(self._seen, columns, rows, self._skin)

    def _paste(self, text: str) -> None:
        self._show(paste(self.scene, text))

    def _press(self, key: str) -> None:
        if self._stage.takes(self.scene, key):
            self._look_again()
            return
        scene, choice = press(self.scene, key)
        if choice is not None:
            self._emit(choice)
        self._show(scene)

    def hear(self, news: News) -> None:
        """Show what ``news`` tell."""
        scene = hear(self.scene, news)
        match news:
            case Told(event):
                self._stage.follow(self.scene, scene, event)
            case NextGame() | TakenUp():
                self._stage.finish()
            case _:
                pass
        self._show(scene)

    def news_over(self) -> None:
        """Close, unless there is the end of a game to look at; the peer has left it."""
        over = self.scene.end is not None
        self._show(leave_alone(self.scene) if over else replace(self.scene, focus=Gone()))

    def _show(self, scene: Scene) -> None:
        self.scene = clamped(scene, *self._canvas.size)
        if self.scene.focus == Gone():
            leave(self.application)
        self._look_again()

    def _look_again(self) -> None:
        """Show what is to be seen now, and call when that is a move that is due."""
        before, self._seen = self._seen, self._stage.shown(self.scene)
        if self._seen.asked != before.asked or self._seen.name != before.name:
            self._call_attention()
        self._stage.wait(self.scene)
        self.application.invalidate()

    def _call_attention(self) -> None:
        """Ring if a move is due, and say so in the title of the terminal."""
        output = self.application.output
        if self._seen.asked:
            output.bell()
            output.set_title(captions.WINDOW_DUE())
        else:
            output.set_title(captions.WINDOW(name=self.scene.name))
        output.flush()


class FullScreen:
    """A person at a terminal with a screen of its own. advise: for practice alone."""

    def __init__(
        self,
        look: Look,
        advise: Advise | None = None,
    ) -> None:
        self._look: Final = look
        self._advise: Final = advise

    async def play(
        self,
        seat: Seat,
        news: AsyncIterator[News],
        choose: Choose,
    ) -> None:
        """Show ``news`` from the first on, and send what the person chooses meanwhile.

        The end of a game stays on the screen until it is closed; a screen that is closed or
        lost before leaves the game.
        """
        heard: list[News] = []
        if self._advise is None:  # a bot is there already, a person may never come
            try:
                heard.append(await anext(news))
            except StopAsyncIteration:
                return  # nobody has come, and nothing is to be seen
        console = Console[Wish]()
        coach = None if self._advise is None else Coach(self._advise)
        screen = Screen(seat, self._look, console.emit, coach)
        async with running(console, screen.application), trio.open_nursery() as nursery:
            for piece in heard:
                console.call(screen.hear, piece)
            nursery.start_soon(_follow, news, console, screen)
            async for choice in console.emitted:
                choose(choice)
            nursery.cancel_scope.cancel()
        choose(Leave())
        async for _ in news:
            pass  # the session is still at its last words


async def _follow(news: AsyncIterator[News], console: Console[Wish], screen: Screen) -> None:
    async for piece in news:
        console.call(screen.hear, piece)
    console.call(screen.news_over)
