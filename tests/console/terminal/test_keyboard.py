"""Lines from a pipe or a console, on each system."""

import os
from types import SimpleNamespace

import pytest

from matcha_p2p.console.terminal import keyboard as module
from matcha_p2p.console.terminal.keyboard import Keyboard, terminal_keyboard


@pytest.mark.parametrize("system", ["linux", "win32"])
async def test_lines_are_read_to_the_end(monkeypatch, system):
    monkeypatch.setattr(module, "sys", SimpleNamespace(platform=system))
    ours, theirs = os.pipe()
    os.write(theirs, "так\nні\nend".encode())
    os.close(theirs)
    keyboard = Keyboard(ours)
    assert [await keyboard.read() for _ in range(4)] == ["так", "ні", "end", None]
    os.close(ours)


@pytest.mark.parametrize(("terminal", "lines"), [("console", ["typed", None]), ("none", None)])
async def test_terminal_is_read_although_stdin_is_a_pipe(
    monkeypatch, tmp_path, terminal, lines
):
    """The terminal is /dev/tty, and CONIN$ on Windows."""
    (tmp_path / "console").write_text("typed\n")
    monkeypatch.setattr(module, "_TERMINAL", str(tmp_path / terminal))
    keyboard = terminal_keyboard()
    if lines is None:
        assert keyboard._file == 0
    else:
        assert [await keyboard.read() for _ in lines] == lines
        os.close(keyboard._file)
