"""Asks the questions of the menu line by line; ``screen`` asks them on a full screen."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Final, Protocol

import trio

from matcha_p2p.console.menu.menu import (
    Answer,
    Back,
    Chosen,
    Menu,
    MenuQuestion,
    TextField,
    TextPage,
    Written,
    fill,
)
from matcha_p2p.console.terminal.keyboard import Keyboard, narrow
from matcha_p2p.language import Sentence
from matcha_p2p.narration.words import PROMPT

_WHICH: Final = Sentence("Type a number from 1 to {count}, or q to go back.")
_ENTRY: Final = Sentence("{number}: {entry}")
_NOW: Final = Sentence("{number}: {entry} (as it is)")


class InputClosedError(Exception):
    """The terminal or the input is closed."""


class Asker(Protocol):
    """Asks a person questions."""

    async def ask(self, question: MenuQuestion) -> Answer:
        """Return the answer to ``question``.

        Raises:
            InputClosedError: the input has ended.
        """
        ...


class LineAsker:
    """Asks line by line. write: shows text at once, line ends included."""

    def __init__(self, write: Callable[[str], None], keyboard: Keyboard) -> None:
        self._write: Final = write
        self._keyboard: Final = keyboard

    async def ask(self, question: MenuQuestion) -> Answer:
        """Return the answer to ``question``; a page is only shown."""
        self._say(question.title)
        for text in question.said:
            self._say(text)
        match question:
            case Menu():
                return await self._choose(question)
            case TextField(default=default):
                text = await self._read(f"{fill(question)} ")
                return Written(text.strip() or default)
            case TextPage():
                return Back()

    async def _choose(self, menu: Menu) -> Answer:
        for at, entry in enumerate(menu.entries):
            shown = _NOW if menu.at and at == menu.at else _ENTRY
            self._say(shown(number=at + 1, entry=entry))
        while True:
            text = narrow(await self._read(PROMPT)).strip().lower()
            if text in ("q", "quit", "back"):
                return Back()
            if text.isascii() and text.isdecimal() and 0 < int(text[:9]) <= len(menu.entries):
                return Chosen(int(text) - 1)
            self._say(_WHICH(count=len(menu.entries)))

    async def _read(self, prompt: str) -> str:
        self._write(prompt)
        await trio.to_thread.run_sync(self._keyboard.wait, abandon_on_cancel=True)
        line = self._keyboard.take()
        if line is None:
            self._write("\n")
            raise InputClosedError
        if not self._keyboard.echoes:
            self._write("\n")
        return line

    def _say(self, text: str) -> None:
        self._write(f"{text}\n")


@asynccontextmanager
async def line_asker(write: Callable[[str], None], keyboard: Keyboard) -> AsyncGenerator[Asker]:
    """Ask line by line."""
    yield LineAsker(write, keyboard)
