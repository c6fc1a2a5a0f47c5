"""Asks the questions of the menu line by line; ``screen`` asks the same on a full screen."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final, Protocol, TypeAlias

import trio

from matcha_p2p.console.menu import menu as menu_parts
from matcha_p2p.console.terminal.keyboard import BELL, PROMPT, Keyboard, narrow
from matcha_p2p.language import Sentence
from matcha_p2p.wire.text import number_in

_WHICH: Final = Sentence("Type a number from {first} to {last}, or q to go back.")
_ENTRY: Final = Sentence("{number}: {entry}")
_NOW: Final = Sentence("{number}: {entry} (now)")
_WITH_NUMBER: Final = Sentence("{key} and a number: {label}")
_WAIT_ENDS: Final = Sentence("Ctrl-C ends the wait.")


class InputClosedError(Exception):
    """The terminal or the input is closed."""


class Asker(Protocol):
    """Asks a person questions, and tells changes meanwhile.

    redraws: whether a full screen shows the latest state; line by line a text stays.
    """

    redraws: bool

    async def ask(self, question: menu_parts.MenuQuestion) -> menu_parts.MenuAnswer:
        """Return the answer to ``question``.

        After a cancel, the caller may ask another question.

        Raises:
            InputClosedError: the input has ended.
        """
        ...

    def tell(self, heading: str, lines: Sequence[str]) -> None:
        """Say ``lines`` under a heading, in place of the earlier lines of the heading.

        The headings stand below every question, the latest change first.
        """
        ...

    def copy(self, text: str) -> None:
        """If the terminal has a clipboard, put ``text`` there, at the press of a key."""
        ...


OpenAsker: TypeAlias = Callable[[], AbstractAsyncContextManager[Asker]]
"""Opens an asker: a full screen, or line mode."""


class LineAsker:
    """Asks line by line.

    write: shows text at once, line ends included. rings: whether the bell may ring.
    """

    redraws = False

    def __init__(
        self, write: Callable[[str], None], keyboard: Keyboard, *, rings: bool = False
    ) -> None:
        self._write: Final = write
        self._rings: Final = rings
        self._keyboard: Final = keyboard
        self._told: Final[dict[str, Sequence[str]]] = {}
        self._waiting = trio.CancelScope()  # around the read of a wait
        self._questions = 0  # asked during the wait
        self._answered = trio.Event()

    def tell(self, heading: str, lines: Sequence[str]) -> None:
        """Say the ``lines`` that are new under this heading."""
        before, self._told[heading] = self._told.get(heading, ()), lines
        for line in lines:
            if line not in before and not isinstance(line, menu_parts.Large):
                self._say(line)

    def copy(self, text: str) -> None:
        """Do nothing: line mode has no key for the clipboard."""

    async def ask(self, question: menu_parts.MenuQuestion) -> menu_parts.MenuAnswer:
        """Return the answer to ``question``; a page is only shown, and a wait has no keys."""
        if self._rings and isinstance(question, menu_parts.Menu) and question.rings:
            self._write(BELL)
        self._say(question.title)
        for text in question.said:
            self._say(text)
        match question:
            case menu_parts.Menu():
                return await self._choose(question)
            case menu_parts.TextField(default=default):
                text = await self._read(f"{menu_parts.fill(question)} ")
                return menu_parts.Written(text.strip() or default)
            case menu_parts.TextPage() | menu_parts.QrCode():
                return menu_parts.Back()
            case menu_parts.Wait(text=text, prompt=prompt):
                return await self._wait(text, prompt)

    async def _wait(self, text: str, prompt: str) -> menu_parts.MenuAnswer:
        """Wait; if ``prompt`` invites a pasted line, return the line.

        A question asked meanwhile is answered first.
        """
        for said in filter(None, (text, prompt)):
            self._say(said)
        self._say(_WAIT_ENDS())
        while prompt:
            line = None
            with trio.CancelScope() as self._waiting:
                if not self._questions:
                    line = await self._keyboard.read()
                    if line is None:
                        break
            if line and line.strip():
                return menu_parts.Written(line.strip())
            if self._questions:
                await self._answered.wait()
        await trio.sleep_forever()
        raise AssertionError

    async def _choose(self, menu: menu_parts.Menu) -> menu_parts.MenuAnswer:
        for place, entry in enumerate(menu.entries):
            is_set = place == menu.at > 0 and not menu.teaches
            shown = _NOW if is_set else _ENTRY
            self._say(shown(number=menu.number(place), entry=entry))
        for key, label in menu.keys:
            self._say(_WITH_NUMBER(key=key, label=label))
        while True:
            line = (await self._read(PROMPT)).strip()
            text = narrow(line).lower()
            if text in ("q", "quit", "back"):
                return menu_parts.Back()
            at = menu.numbered(number_in(text) or 0)
            if at is not None:
                return menu_parts.Chosen(at)
            at = menu.numbered(number_in(text[1:].strip()) or 0)
            if text[:1] in dict(menu.keys) and at is not None:
                return menu_parts.Pressed(text[0], at)
            if menu.writes and text[:1].isalpha():
                return menu_parts.Written(line)
            first, last = menu.number(0), menu.number(len(menu.entries) - 1)
            self._say(_WHICH(first=first, last=last))

    async def _read(self, prompt: str) -> str:
        self._write(prompt)
        self._questions += 1
        self._waiting.cancel()
        try:
            line = await self._keyboard.read()
        finally:
            self._questions -= 1
            self._answered.set()
            self._answered = trio.Event()
        if line is None:
            self._write("\n")
            raise InputClosedError
        if not self._keyboard.echoes:
            self._write("\n")
        return line

    def _say(self, text: str) -> None:
        self._write(f"{text}\n")


@asynccontextmanager
async def line_asker(
    write: Callable[[str], None], keyboard: Keyboard, *, rings: bool
) -> AsyncGenerator[Asker]:
    """Ask line by line. rings: whether the bell may ring."""
    yield LineAsker(write, keyboard, rings=rings)
