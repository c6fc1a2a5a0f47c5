"""The questions of the menu on a full screen, in the application's thread."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Final

import trio

from matcha_p2p.console.menu.asker import Asker, InputClosedError
from matcha_p2p.console.menu.menu import (
    Answer,
    Back,
    Chosen,
    Menu,
    MenuQuestion,
    TextField,
    TextPage,
    Written,
    clamped,
    draw,
    paste,
    press,
)
from matcha_p2p.console.terminal.bridge import Console, running
from matcha_p2p.console.terminal.canvas import Canvas
from matcha_p2p.console.terminal.cells import Line, fit_line
from matcha_p2p.console.terminal.looks import Look

_MOST_AHEAD: Final = 1000
"""Keys that are remembered while nothing is asked."""


class MenuScreen:
    """Shows one question at a time. Only the UI thread calls it once it runs.

    emit: takes the answers. What is typed before a question comes is kept for it.
    """

    def __init__(
        self,
        look: Look,
        emit: Callable[[Answer], None],
    ) -> None:
        self._question: MenuQuestion | None = None
        self._shown: MenuQuestion = TextPage("", ())
        self._ahead: list[str] = []
        self._skin: Final = look.skin
        self._emit: Final = emit
        self._canvas: Final = Canvas(look, self._draw, self._press, self._paste)
        self.application: Final = self._canvas.application

    def show(self, question: MenuQuestion) -> None:
        """Ask ``question``, and answer it with what was typed already."""
        self._question = self._shown = question
        ahead, self._ahead = self._ahead, []
        for key in ahead:
            self._press(key)
        self.application.invalidate()

    def _draw(self, columns: int, rows: int) -> list[Line]:
        lines = draw(clamped(self._shown, columns, rows), columns, rows, self._skin)
        return [fit_line(line, columns) for line in lines]

    def _press(self, key: str) -> None:
        if self._question is None:
            self._ahead = [*self._ahead, key][:_MOST_AHEAD]
            return
        match press(self._question, key):
            case Menu() | TextField() | TextPage() as question:
                self._question = self._shown = clamped(question, *self._canvas.size)
            case Chosen() | Written() | Back() as answer:
                self._question = None
                self._emit(answer)
        self.application.invalidate()

    def _paste(self, text: str) -> None:
        if self._question is not None:
            self._question = self._shown = paste(self._question, text)
            self.application.invalidate()


class _ScreenAsker:
    """The screen, as trio sees it."""

    def __init__(self, console: Console[Answer], screen: MenuScreen) -> None:
        self._console: Final = console
        self._screen: Final = screen

    async def ask(self, question: MenuQuestion) -> Answer:
        """Return the answer to ``question``.

        Raises:
            InputClosedError: the terminal is gone.
        """
        self._console.call(self._screen.show, question)
        try:
            return await self._console.emitted.receive()
        except trio.EndOfChannel:
            raise InputClosedError from None


@asynccontextmanager
async def screen_asker(
    look: Look,
) -> AsyncGenerator[Asker]:
    """Ask on a full screen; afterwards the terminal is as it was."""
    console = Console[Answer]()
    screen = MenuScreen(look, console.emit)
    async with running(console, screen.application):
        yield _ScreenAsker(console, screen)
