"""A terminal's drawing of a frame, and a keyboard's effect on a scene."""

from pathlib import Path
from types import MappingProxyType

import pytest

from matcha_p2p.console.menu import menu
from matcha_p2p.console.menu.menu import Asides, MenuQuestion
from matcha_p2p.console.table.focus import Talking
from matcha_p2p.console.table.frame import Request
from matcha_p2p.console.table.keys import write
from matcha_p2p.console.terminal.cells import Line, TerminalFrame, fit_line
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.screen import keys
from matcha_p2p.games.matcha.screen.drawing import layout
from matcha_p2p.games.matcha.screen.scene import Scene
from tests.console.hints import press_hinted

_NOTHING: Asides = MappingProxyType({})


def lines_of(frame: TerminalFrame, columns: int, rows: int, above: int = 0) -> list[Line]:
    """Return exactly so many lines. above: how many of the body are scrolled away."""
    first = len(frame.body) if frame.from_end else above
    frame = frame.cropped(columns, rows, first)
    room = rows - len(frame.head) - len(frame.foot)
    most = max(0, len(frame.body) - room)
    first = min(first, most)
    if frame.at is not None:
        first = min(most, max(first, frame.at - room + 1))
    body = frame.body[first : first + room]
    blank: list[Line] = [[]] * (room - len(body))
    return [fit_line(line, columns) for line in (*frame.head, *body, *blank, *frame.foot)]


def press(scene: Scene, key: str) -> tuple[Scene, Request | None]:
    """Press a key, or type a character where a line of talk is written."""
    match scene.focus:
        case Talking(draft) if len(key) == 1:
            return write(scene, draft + key), None
        case _:
            return press_hinted(keys.FRAME, scene, key)


def draw(scene: Scene, columns: int, rows: int, skin: Skin, above: int = 0) -> list[Line]:
    """Return a scene as a terminal of this size shows the scene."""
    return lines_of(layout.draw(scene, columns, rows, skin), columns, rows, above)


def assert_as_reviewed(path: Path, text: str) -> None:
    """Compare with a file."""
    if not path.exists():
        path.write_text(text, encoding="utf-8")
        pytest.fail(f"{path.name} was not there; look at it")
    accept = f"to accept another look of {path}, delete the file and run the test twice"
    assert text == path.read_text(encoding="utf-8"), accept


def ask(
    question: MenuQuestion, columns: int, rows: int, skin: Skin, told: Asides = _NOTHING
) -> list[Line]:
    """Return a question of the menu as a terminal of this size shows the question."""
    return lines_of(menu.draw(question, told, (columns, rows), skin), columns, rows)
