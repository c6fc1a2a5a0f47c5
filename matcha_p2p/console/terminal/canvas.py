"""A Window whose lines are painted whole, from a cache, rather than a cell at a time."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final, NamedTuple

from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout import FormattedTextControl, Window
from prompt_toolkit.layout.mouse_handlers import MouseHandler, MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from matcha_p2p.console.terminal.cells import FIELD, Fragment, Line, fit_line, key_of

_LINES: Final = 500
"""Painted lines in the cache: the lines of a few screens."""


class _Painted(NamedTuple):
    """A line. field: the cell where a text is written.

    keys: the key that a click on cells means.
    """

    cells: dict[int, Char]
    field: int | None
    keys: tuple[tuple[range, str], ...]


class Canvas(Window):
    """Lines that scroll if they lack room, and keys to click on.

    prompt_toolkit sees blank lines, and does everything except the painting. It would copy
    each cell of the terminal anew for each typed key; the copying took half the time of an
    answer.
    """

    def __init__(
        self,
        lines: Callable[[], tuple[Line, ...]],
        press: Callable[[str], None],
        *,
        in_sight: Callable[[], Point] | None = None,
        height: Callable[[], int] | None = None,
    ) -> None:
        """Show ``lines``.

        in_sight: the place to keep in sight; if None, the canvas takes no focus.
        """
        super().__init__(
            FormattedTextControl(
                lambda: "\n" * (len(lines()) - 1),
                focusable=in_sight is not None,
                show_cursor=False,
                get_cursor_position=in_sight,
            ),
            height=height,
        )
        self._lines: Final = lines
        self._press: Final = press

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,  # noqa: FBT001 -- overrides prompt_toolkit's method
        z_index: int | None,
    ) -> None:
        """Let prompt_toolkit scroll and take the mouse; then paint the visible lines."""
        super().write_to_screen(
            screen, mouse_handlers, write_position, parent_style, erase_bg, z_index
        )
        top, left = write_position.ypos, write_position.xpos
        lines = self._lines()[self.vertical_scroll :]
        for row in range(write_position.height):
            line = lines[row] if row < len(lines) else ()
            painted = _painted(tuple(line), write_position.width)
            screen.data_buffer[top + row].update(painted.cells)
            if painted.field is not None:
                screen.set_menu_position(self, Point(left + painted.field, top + row))
            for cells, key in painted.keys:
                self._let_click(mouse_handlers, cells, top + row, key)

    def _let_click(self, handlers: MouseHandlers, cells: range, row: int, key: str) -> None:
        below = handlers.mouse_handlers[row]
        for x in cells:
            below[x] = partial(self._click, key, below[x])

    def _click(self, key: str, below: MouseHandler, event: MouseEvent) -> object:
        if event.event_type is not MouseEventType.MOUSE_UP:
            return below(event)  # the window scrolls
        self._press(key)
        return None


@lru_cache(_LINES)
def _painted(line: tuple[Fragment, ...], columns: int) -> _Painted:
    """Return ``line`` in exactly ``columns`` cells."""
    cells: dict[int, Char] = {}
    field = None
    keys: list[tuple[range, str]] = []
    at = 0
    for style, text in fit_line(line, columns):
        if FIELD in style:
            field = at
        begin = at
        for character in text:
            at += _put(cells, at, Char(character, style))
        if (key := key_of(style)) is not None:
            keys.append((range(begin, at), key))
    return _Painted(cells, field, tuple(keys))


def _put(cells: dict[int, Char], at: int, char: Char) -> int:
    """Put ``char`` at ``at``, or a combining char on the character before; return its width."""
    if char.width > 0:
        cells[at] = char
        for beside in range(at + 1, at + char.width):
            cells[beside] = Char("", "")
    elif at > 0:
        base = max(place for place in cells if cells[place].char)
        cells[base] = Char(cells[base].char + char.char, cells[base].style)
    return char.width
