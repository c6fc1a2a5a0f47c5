"""The one adapter between states and prompt_toolkit: keys in, frames out.

A view draws a state and says which state follows a key, as functions without memory. The
screen holds the state. prompt_toolkit keeps the typed text (its Buffer, with all keys that
edit a line), the scrolled place (its Window) and the drawn cells.
"""

import base64
import re
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Point
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.bindings.mouse import load_mouse_bindings, typical_mouse_events
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    Float,
    FloatContainer,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from matcha_p2p.console.terminal.bridge import Alarm, Console, leave, redraw, running
from matcha_p2p.console.terminal.canvas import Canvas
from matcha_p2p.console.terminal.cells import Line, TerminalFrame, field_of
from matcha_p2p.console.terminal.looks import Depth, Look
from matcha_p2p.language import Sentence

WINDOW: Final = Sentence("matcha: {name}")
"""The title of the terminal. name: the other player's or a page's."""

S = TypeVar("S")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_ESCAPE_AFTER: Final = 0.05
"""Seconds after which a lone escape byte is the key, not the beginning of a longer key."""

_MOST_AHEAD: Final = 1000
"""Keys remembered until the screen listens."""

_DEPTHS: Final = {
    Depth.NONE: ColorDepth.DEPTH_1_BIT,
    Depth.SIXTEEN: ColorDepth.DEPTH_4_BIT,
    Depth.MANY: ColorDepth.DEPTH_8_BIT,
    Depth.TRUE: ColorDepth.DEPTH_24_BIT,
}

_WHILE_TYPING: Final = (
    "enter", "escape", "up", "down", "pageup", "pagedown", "tab", "c-c", "f10",
)  # fmt: skip
"""The keys that are no part of a written text."""

NAMED_KEYS: Final = (
    *_WHILE_TYPING,
    "left", "right", "home", "end", "c-h", "f1", "f2", "f3", "f4", "f5",
    "f6", "f7", "f8", "f9",
)  # fmt: skip
"""The keys besides characters that a view gets."""

_MOUSE: Final = re.compile(r"\x1b\[<?[0-9]{1,5};[0-9]{1,5};[0-9]{1,5}[Mm]")
"""A mouse event of urxvt, or in the form SGR with <."""

(_LIBRARY_POINT,) = (
    binding.handler
    for binding in load_mouse_bindings().get_bindings_for_keys((Keys.Vt100MouseEvent,))
)
"""What prompt_toolkit does at a mouse event."""

_SCROLLS: Final = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
_BOTTOM: Final = 1_000_000  # lines


@dataclass(frozen=True, slots=True)
class Status:
    """The behaviour of a state: title, bell, field and keys.

    title: the terminal's; "" keeps the old title. calls: the bell rings for each new name.
    draft: the text being written, or None. listens: whether keys mean anything; until then
    keys are remembered. over: whether the screen closes. changes_in: seconds until the same
    state looks different.
    """

    title: str = ""
    calls: frozenset[str] = frozenset()
    draft: str | None = None
    listens: bool = True
    over: bool = False
    changes_in: float | None = None


class ScreenView(Protocol[S, T_co]):
    """The looks of a kind of state, and the meaning of keys. Called by the UI thread."""

    def by(self, state: S, now: float, /) -> tuple[S, T_co | None]:
        """Return ``state`` after the time up to ``now``, and a value to emit, or None."""
        ...

    def draw(self, state: S, columns: int, rows: int, now: float, /) -> TerminalFrame:
        """Return the frame for a terminal of this size."""
        ...

    def status(self, state: S, now: float, /) -> Status:
        """Return the behaviour of ``state``."""
        ...

    def press(self, state: S, key: str, now: float, /) -> tuple[S, T_co | None]:
        """Return the next state and a value to emit, or None.

        key: a name, or a typed character.
        """
        ...

    def paste(self, state: S, text: str, /) -> tuple[S, T_co | None]:
        """If no text is being written, take a pasted text; return as ``press`` does."""
        ...

    def write(self, state: S, text: str, /) -> S:
        """Return the state whose draft is ``text``, as far as ``text`` can be said."""
        ...


class StateScreen(Generic[S, T]):
    """A state on a full screen. Made in any thread, then touched by the UI thread alone.

    emit: takes the values that keys produce. clock: seconds from any beginning.
    """

    def __init__(
        self,
        view: ScreenView[S, T],
        state: S,
        look: Look,
        emit: Callable[[T], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.state = state
        self._view: Final = view
        self._emit: Final = emit
        self._clock: Final = clock
        self._frame = TerminalFrame(())
        self._status = Status(listens=False)
        self._ahead: list[str] = []
        self._alarm: Final = Alarm(self._look_again)
        self._buffer: Final = Buffer(multiline=False, on_text_changed=self._typed)
        self._body: Final = Canvas(
            lambda: self._frame.body, self._press, in_sight=self._in_sight
        )
        self._field: Final = Window(
            BufferControl(self._buffer), style=lambda: field_of(self._frame.body)
        )
        self.application: Final = Application[None](
            Layout(self._container(), focused_element=self._body),
            # The unnamed style is the style of every cell, painted or not.
            style=Style([("", look.styles["table"]), *look.styles.items()]),
            key_bindings=self._bindings(),
            color_depth=_DEPTHS[look.depth],
            full_screen=True,
            mouse_support=True,
            enable_page_navigation_bindings=False,
            before_render=lambda _: self._compose(),
        )
        self.application.ttimeoutlen = _ESCAPE_AFTER

    def change(self, step: Callable[[S, float], S]) -> None:
        """Go on to the state that ``step`` makes of the present state and time."""
        self.state = step(self.state, self._clock())
        self._look_again()

    def answer(self, step: Callable[[S, float], tuple[S, T | None]]) -> None:
        """Go on as ``change`` does, and emit the value that ``step`` returns, if any."""
        self.state, value = step(self.state, self._clock())
        if value is not None:
            self._emit(value)
        self._look_again()

    def copy(self, text: str) -> None:
        """If the terminal has a clipboard, put ``text`` there (OSC 52)."""
        encoded = base64.b64encode(text.encode()).decode()
        self.application.output.write_raw(f"\x1b]52;c;{encoded}\x07")
        self.application.output.flush()

    def _container(self) -> FloatContainer:
        typing = Condition(lambda: self._status.draft is not None)
        field = ConditionalContainer(self._field, typing)
        return FloatContainer(
            HSplit(
                [
                    self._strip(lambda: self._frame.head),
                    self._body,
                    self._strip(lambda: self._frame.foot),
                ]
            ),
            [
                Float(
                    field,
                    xcursor=True,
                    ycursor=True,
                    height=1,
                    width=lambda: self._frame.field_cells,
                    attach_to_window=self._body,
                    allow_cover_cursor=True,
                )
            ],
        )

    def _strip(self, lines: Callable[[], tuple[Line, ...]]) -> ConditionalContainer:
        """Return lines that do not scroll."""
        canvas = Canvas(lines, self._press, height=lambda: len(lines()))
        return ConditionalContainer(canvas, Condition(lambda: bool(lines())))

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        elsewhere = Condition(lambda: self._status.draft is None)
        for key in NAMED_KEYS:
            always = key in _WHILE_TYPING
            bindings.add(key, eager=True, filter=always or elsewhere)(self._pressing(key))
        bindings.add(Keys.Any, filter=elsewhere)(self._character)
        bindings.add(Keys.BracketedPaste, filter=elsewhere)(self._paste)
        bindings.add("c-l")(self._redraw)
        bindings.add(Keys.Vt100MouseEvent)(_point)
        # On a full screen the library never asks where the cursor is. It fails at long numbers.
        bindings.add(Keys.CPRResponse)(_ignore)
        return bindings

    def _redraw(self, _: KeyPressEvent) -> None:
        redraw(self.application)

    def _pressing(self, key: str) -> Callable[[KeyPressEvent], None]:
        return lambda _: self._press(key)

    def _character(self, event: KeyPressEvent) -> None:
        if len(event.data) == 1 and event.data.isprintable():
            self._press(event.data)

    def _press(self, key: str) -> None:
        if self._status.listens:
            self._take(key)
        else:
            self._ahead = [*self._ahead, key][:_MOST_AHEAD]

    def _take(self, key: str) -> None:
        """Scroll, type or let the view act, as ``key`` means."""
        if self._frame.scrolls and key in (*_SCROLLS, "home", "end"):
            self._scroll(key)
        elif self._status.draft is not None and len(key) == 1:
            self._buffer.insert_text(key)
        else:
            self._come_to(*self._view.press(self.state, key, self._clock()))

    def _paste(self, event: KeyPressEvent) -> None:
        """Give the view a pasted text. If the screen does not listen, drop the text."""
        if self._status.listens:
            self._come_to(*self._view.paste(self.state, event.data))

    def _come_to(self, state: S, outcome: T | None) -> None:
        """Go on to ``state``, and tell ``outcome``."""
        self.state = state
        if outcome is not None:
            self._emit(outcome)
        self._follow()

    def _scroll(self, key: str) -> None:
        drawn = self._body.render_info
        most = 0 if drawn is None else max(0, drawn.content_height - drawn.window_height)
        above = min(self._body.vertical_scroll, most)
        to = {"home": 0, "end": most}.get(key, above + _SCROLLS.get(key, 0))
        self._body.vertical_scroll = min(max(0, to), most)
        self.application.invalidate()

    def _typed(self, buffer: Buffer) -> None:
        """Take the text of the buffer; then the buffer holds the text that the view allows."""
        if self._status.draft is None:
            return
        self.state = self._view.write(self.state, buffer.text)
        self._follow()

    def _look_again(self) -> None:
        """Show the present state, and take the keys typed ahead."""
        self._follow()
        while self._ahead and self._status.listens and not self._status.over:
            self._compose()
            self._take(self._ahead.pop(0))

    def _follow(self) -> None:
        """Show the present state, and follow its draft, bell, title and end."""
        now = self._clock()
        self.state, value = self._view.by(self.state, now)
        if value is not None:
            self._emit(value)
        before, self._status = self._status, self._view.status(self.state, now)
        self._follow_draft(before.draft)
        self._call_attention(before)
        self._alarm.set(self._status.changes_in)
        if self._status.over:
            leave(self.application)
        self.application.invalidate()

    def _follow_draft(self, before: str | None) -> None:
        """Let the buffer hold the draft; while a draft exists, the buffer has the keys."""
        draft = self._status.draft
        if (before is None) != (draft is None):
            self._buffer.reset(Document(draft or ""))
            self.application.layout.focus(self._body if draft is None else self._field)
        elif draft is not None and draft != self._buffer.text:
            at = min(self._buffer.cursor_position, len(draft))
            self._buffer.set_document(Document(draft, at))

    def _call_attention(self, before: Status) -> None:
        """Ring for each new call, and set a new title of the terminal."""
        output = self.application.output
        if rings := bool(self._status.calls - before.calls):
            output.bell()
        if titled := self._status.title not in ("", before.title):
            output.set_title(self._status.title)
        if rings or titled:
            output.flush()

    def _compose(self) -> None:
        """Make the next frame."""
        size = self.application.output.get_size()
        frame = self._view.draw(self.state, size.columns, size.rows, self._clock())
        if frame.page != self._frame.page:
            self._body.vertical_scroll = _BOTTOM if frame.from_end else 0
        above = self._body.vertical_scroll
        self._frame = frame.cropped(size.columns, size.rows, above)

    def _in_sight(self) -> Point:
        """Return the place to keep in sight in the body: prompt_toolkit scrolls there."""
        most = max(0, len(self._frame.body) - 1)
        at = self._body.vertical_scroll if self._frame.at is None else self._frame.at
        return Point(0, min(at, most))


def _ignore(_: KeyPressEvent) -> None:
    """Do nothing."""


def _point(event: KeyPressEvent) -> object:
    """Let the library click or scroll. The library fails at an unknown event."""
    data = event.data
    known = ord(data[3]) in typical_mouse_events if data[2] == "M" else _MOUSE.fullmatch(data)
    return _LIBRARY_POINT(event) if known else NotImplemented


class OpenScreen(Generic[S, T]):
    """A shown screen, as trio sees the screen. emitted: the values that keys produce."""

    def __init__(self, console: Console[T], screen: StateScreen[S, T]) -> None:
        self._console: Final = console
        self._screen: Final = screen
        self.emitted: Final[trio.MemoryReceiveChannel[T]] = console.emitted

    def change(self, step: Callable[[S, float], S]) -> None:
        """Let the screen go on to the state that ``step`` makes of a state and a time."""
        self._console.call(self._screen.change, step)

    def answer(self, step: Callable[[S, float], tuple[S, T | None]]) -> None:
        """Let the screen go on, and emit the value that ``step`` returns, if any."""
        self._console.call(self._screen.answer, step)

    def copy(self, text: str) -> None:
        """If the terminal has a clipboard, put ``text`` there."""
        self._console.call(self._screen.copy, text)


@asynccontextmanager
async def open_screen(
    view: ScreenView[S, T], state: S, look: Look
) -> AsyncGenerator[OpenScreen[S, T]]:
    """Show ``state`` by ``view``; afterwards the terminal is as before."""
    console = Console[T]()
    screen = StateScreen(view, state, look, console.emit)
    async with running(console, screen.application):
        console.call(screen.change, lambda state, _: state)
        yield OpenScreen(console, screen)
