"""An application that fills the terminal with lines, and turns what is typed into keys."""

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import OneStyleAndTextTuple, StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from matcha_p2p.console.terminal.bridge import redraw
from matcha_p2p.console.terminal.cells import Fragment, Line, key_of
from matcha_p2p.console.terminal.looks import Depth, Look

_ESCAPE_AFTER: Final = 0.05
"""Seconds after which a lone escape byte is the key, and not the beginning of another one."""

_DEPTHS: Final = {
    Depth.NONE: ColorDepth.DEPTH_1_BIT,
    Depth.SIXTEEN: ColorDepth.DEPTH_4_BIT,
    Depth.MANY: ColorDepth.DEPTH_8_BIT,
    Depth.TRUE: ColorDepth.DEPTH_24_BIT,
}

NAMED_KEYS: Final = (
    "enter", "escape", "left", "right", "up", "down", "home", "end", "pageup", "pagedown",
    "tab", "c-h", "c-u", "c-c", "f1", "f2", "f3", "f4", "f5", "f10",
)  # fmt: skip
"""The keys besides characters that are told to what is shown."""

Draw: TypeAlias = Callable[[int, int], list[Line]]
"""Returns what to show on so many columns and rows."""


class Canvas:
    """A full screen that is drawn on and typed at. Only the UI thread calls it once it runs.

    press: is told each key, by its name or as the character that was typed; a click on
    something that means a key is that key. paste: is told each pasted text.
    """

    def __init__(
        self,
        look: Look,
        draw: Draw,
        press: Callable[[str], None],
        paste: Callable[[str], None],
    ) -> None:
        self._draw: Final = draw
        self._press: Final = press
        self._paste: Final = paste
        control = FormattedTextControl(self._fragments, show_cursor=False)
        window = Window(control, style="class:table")
        self.application: Final = Application[None](
            Layout(window),
            style=Style(list(look.styles.items())),
            key_bindings=self._bindings(),
            color_depth=_DEPTHS[look.depth],
            full_screen=True,
            mouse_support=True,
            enable_page_navigation_bindings=False,
        )
        self.application.ttimeoutlen = _ESCAPE_AFTER

    @property
    def size(self) -> tuple[int, int]:
        """The columns and rows that there are now."""
        size = self.application.output.get_size()
        return size.columns, size.rows

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        for key in NAMED_KEYS:
            bindings.add(key, eager=True)(self._pressing(key))
        bindings.add(Keys.Any)(self._type)
        bindings.add(Keys.BracketedPaste)(self._take_paste)
        bindings.add("c-l")(self._redraw)
        return bindings

    def _take_paste(self, event: KeyPressEvent) -> None:
        self._paste(event.data)

    def _redraw(self, _: KeyPressEvent) -> None:
        redraw(self.application)

    def _pressing(self, key: str) -> Callable[[KeyPressEvent], None]:
        return lambda _: self._press(key)

    def _type(self, event: KeyPressEvent) -> None:
        if len(event.data) == 1 and event.data.isprintable():
            self._press(event.data)

    def _fragments(self) -> StyleAndTextTuples:
        fragments: StyleAndTextTuples = []
        for line in self._draw(*self.size):
            fragments += map(self._clickable, line)
            fragments.append(("", "\n"))
        return fragments[:-1]

    def _clickable(self, fragment: Fragment) -> OneStyleAndTextTuple:
        style, text = fragment
        key = key_of(style)
        return (style, text) if key is None else (style, text, partial(self._click, key))

    def _click(self, key: str, event: MouseEvent) -> None:
        if event.event_type is MouseEventType.MOUSE_UP:
            self._press(key)
