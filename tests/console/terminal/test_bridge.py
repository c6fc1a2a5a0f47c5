"""The terminal's treatment of a program that takes the terminal over again."""

import errno
import sys
from contextlib import contextmanager
from types import SimpleNamespace
from typing import cast

import pytest
from prompt_toolkit.application import Application

if sys.platform == "win32":
    pytest.skip("nobody is stopped there", allow_module_level=True)

import termios

from matcha_p2p.console.terminal.bridge import take_over


class Terminal:
    """The questioned part of an application, and the terminal's answer each time."""

    def __init__(self, *answers: int) -> None:
        self._answers = list(answers)
        self.done: list[str] = []
        self.input = self
        self.renderer = SimpleNamespace(reset=lambda: self.done.append("reset"))

    @contextmanager
    def raw_mode(self):
        self.done.append("raw")
        if answer := self._answers.pop(0):
            raise termios.error(answer, "the terminal says so")
        yield

    def invalidate(self) -> None:
        self.done.append("drawn")


def test_stopped_program_takes_the_terminal_when_it_may():
    terminal = Terminal(errno.EINTR, errno.EINTR, 0)
    take_over(cast("Application[None]", terminal))
    assert terminal.done == ["raw", "raw", "raw", "reset", "drawn"]


def test_a_terminal_that_is_gone_is_an_error_of_the_system():
    terminal = Terminal(errno.EIO, 0)
    with pytest.raises(OSError, match="says so"):
        take_over(cast("Application[None]", terminal))
    assert terminal.done == ["raw"]
