"""The terminal is asked for its width, and answers in any way or not at all."""

import errno
import os
import sys
import threading

import pytest

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

import pty
import termios

from matcha_p2p.console.terminal import ambiguous_width
from matcha_p2p.console.terminal.ambiguous_width import draws_wide


@pytest.fixture
def terminal(monkeypatch):
    """Return the two ends of a pseudo-terminal."""
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    master, slave = pty.openpty()
    yield master, slave
    for end in (master, slave):
        os.close(end)


def answering(master: int, answer: bytes) -> threading.Thread:
    def work() -> None:
        heard = b""
        while b"\x1b[6n" not in heard:
            heard += os.read(master, 100)
        os.write(master, answer)

    thread = threading.Thread(target=work)
    thread.start()
    return thread


@pytest.mark.parametrize(
    ("answer", "wide"),
    [(b"\x1b[7;2R", False), (b"\x1b[7;3R", True), (b"typed\x1b[12;3Rmore", True)],
)
def test_the_answer_of_the_terminal_decides(terminal, answer, wide):
    master, slave = terminal
    before = termios.tcgetattr(slave)
    thread = answering(master, answer)
    assert draws_wide(slave, slave) is wide
    thread.join()
    assert termios.tcgetattr(slave) == before


@pytest.mark.parametrize(("language", "wide"), [("ja_JP.UTF-8", True), ("uk_UA.UTF-8", False)])
def test_language_decides_the_width_without_an_answer(terminal, monkeypatch, language, wide):
    _, slave = terminal
    monkeypatch.setattr(ambiguous_width, "PATIENCE", 0.01)
    monkeypatch.setenv("LANG", language)
    assert draws_wide(slave, slave) is wide


def test_nonsense_is_no_answer(terminal, monkeypatch):
    master, slave = terminal
    monkeypatch.setattr(ambiguous_width, "PATIENCE", 0.05)
    thread = answering(master, b"\x1b[;R\x1b[999")
    assert draws_wide(slave, slave) is False
    thread.join()


def test_closed_terminal_is_told_as_closed():
    """An error of termios is no OSError, and would count as our own failure."""
    master, slave = pty.openpty()
    os.close(master)
    with pytest.raises(OSError, match="Input/output error") as gone:
        draws_wide(slave, slave)
    assert gone.value.errno == errno.EIO
    os.close(slave)
