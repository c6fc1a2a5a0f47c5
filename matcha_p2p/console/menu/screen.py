"""The questions of the menu on a full screen."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeAlias

import trio

from matcha_p2p.console.menu import menu
from matcha_p2p.console.menu import menu as menu_parts
from matcha_p2p.console.menu.asker import Asker, InputClosedError
from matcha_p2p.console.menu.bowl import BEAT
from matcha_p2p.console.terminal.cells import TerminalFrame
from matcha_p2p.console.terminal.looks import Bell, Look, Speed
from matcha_p2p.console.terminal.screen import (
    WINDOW,
    OpenScreen,
    ScreenView,
    Status,
    open_screen,
)


@dataclass(frozen=True, slots=True)
class Asking:
    """The state of the screen. number: the open question's, or None.

    shown: the open question, or the last question. told: the asides, by heading.
    """

    number: int | None
    shown: menu_parts.MenuQuestion
    told: menu_parts.Asides


_PROGRAM: Final = "matcha"
_NOTHING: Final = Asking(None, menu_parts.TextPage(_PROGRAM, ()), MappingProxyType({}))

Numbered: TypeAlias = tuple[int, menu_parts.MenuAnswer]
"""An answer, and the number of its question."""


class MenuView:
    """The looks of a question, and the answers that keys give."""

    def __init__(self, look: Look) -> None:
        self._look: Final = look

    def by(self, state: Asking, _: float) -> tuple[Asking, None]:
        """Return ``state``: a question does not change with time."""
        return state, None

    def draw(self, state: Asking, columns: int, rows: int, now: float) -> TerminalFrame:
        """Return the frame of the open question, or of the last question."""
        beats = 0.0 if self._look.speed is Speed.OFF else now
        return menu.draw(state.shown, state.told, (columns, rows), self._look.skin, beats)

    def status(self, state: Asking, now: float) -> Status:
        """While no question is open, keys are kept. A field takes the keys as a text."""
        named = state.shown.title != _PROGRAM
        title = WINDOW(name=state.shown.title) if named else _PROGRAM
        return replace(self._attention(state, now), title=title)

    def _attention(self, state: Asking, now: float) -> Status:
        asked = state.number is not None
        match state.shown:
            case menu_parts.TextField(draft=draft) if asked:
                return Status(draft=draft)
            case menu_parts.Menu(rings=True) if asked and self._look.bell is not Bell.NONE:
                return Status(calls=frozenset({str(state.number)}))
            case menu_parts.Menu(teaches=teaches) if (
                teaches and self._look.speed is not Speed.OFF
            ):
                return Status(listens=asked, changes_in=BEAT - now % BEAT)
            case _:
                return Status(listens=asked)

    def press(self, state: Asking, key: str, _: float) -> tuple[Asking, Numbered | None]:
        """Return the next state of the question, and the answer that the key gives, or None."""
        if state.number is None:
            return state, None
        match menu.press(state.shown, key):
            case (
                menu_parts.Chosen()
                | menu_parts.Written()
                | menu_parts.Pressed()
                | menu_parts.Back() as answer
            ):
                return replace(state, number=None), (state.number, answer)
            case question:
                return replace(state, shown=question), None

    def paste(self, state: Asking, text: str) -> tuple[Asking, Numbered | None]:
        """Return the next state, and the answer that the pasted text gives, or None."""
        answer = menu.paste(state.shown, text)
        if state.number is None or answer is None:
            return state, None
        return replace(state, number=None), (state.number, answer)

    def write(self, state: Asking, text: str) -> Asking:
        """Return the state with ``text`` in the field."""
        return replace(state, shown=menu.write(state.shown, text))


@dataclass(slots=True)
class _Asked:
    """A question waiting for an answer."""

    number: int
    question: menu_parts.MenuQuestion
    answer: menu_parts.MenuAnswer | None = None
    done: trio.Event = field(default_factory=trio.Event)


class _ScreenAsker:
    """The screen, as trio sees the screen. The latest question stands in front."""

    redraws = True

    def __init__(self, screen: OpenScreen[Asking, Numbered]) -> None:
        self._screen: Final = screen
        self._asked: Final[list[_Asked]] = []
        self._count = 0
        self._closed = False

    async def ask(self, question: menu_parts.MenuQuestion) -> menu_parts.MenuAnswer:
        """Return the answer to ``question``. A question asked meanwhile is answered first.

        Raises:
            InputClosedError: the terminal is gone.
        """
        if self._closed:
            raise InputClosedError
        self._count += 1
        asked = _Asked(self._count, question)
        self._asked.append(asked)
        self._show()
        try:
            await asked.done.wait()
        finally:
            self._asked.remove(asked)
            self._show()
        if asked.answer is None:
            raise InputClosedError
        return asked.answer

    def _show(self) -> None:
        front = self._asked[-1] if self._asked else None
        self._screen.change(lambda state, _: _in_front(state, front))

    def tell(self, heading: str, lines: Sequence[str]) -> None:
        """Say ``lines`` under a heading, in place of the earlier lines of the heading."""
        latest = heading, tuple(lines)
        self._screen.change(lambda state, _: _told(state, *latest))

    def copy(self, text: str) -> None:
        """If the terminal has a clipboard, put ``text`` there."""
        self._screen.copy(text)

    async def listen(self) -> None:
        """Give each answer to the caller of its question, until the terminal is gone."""
        async for number, answer in self._screen.emitted:
            for asked in self._asked:
                if asked.number == number:
                    asked.answer = answer
                    asked.done.set()
        self._closed = True
        for asked in self._asked:
            asked.done.set()


def _told(state: Asking, heading: str, lines: tuple[str, ...]) -> Asking:
    """Return the state with this heading first: the lines may need an answer, or room."""
    others = {each: said for each, said in state.told.items() if each != heading}
    return replace(state, told={heading: lines, **others})


def _in_front(state: Asking, asked: _Asked | None) -> Asking:
    """Return the state with ``asked`` open; a question already open keeps its state."""
    if asked is None or asked.done.is_set():
        return replace(state, number=None)
    if asked.number == state.number:
        return state
    return replace(state, number=asked.number, shown=asked.question)


@asynccontextmanager
async def screen_asker(
    look: Look,
) -> AsyncGenerator[Asker]:
    """Ask on a full screen; afterwards the terminal is as before."""
    view: ScreenView[Asking, Numbered] = MenuView(look)
    async with (
        open_screen(view, _NOTHING, look) as screen,
        trio.open_nursery() as nursery,
    ):
        asker = _ScreenAsker(screen)
        nursery.start_soon(asker.listen)
        yield asker
        nursery.cancel_scope.cancel()
