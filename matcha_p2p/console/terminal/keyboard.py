"""Reads the lines of a person or a script from a file descriptor; makes wide letters narrow."""

import os
import sys
import threading
from typing import Final

import trio

BELL: Final = "\a"
"""Rings the bell of the terminal."""

PROMPT: Final = "> "
"""The prompt of line mode, shown when a line is awaited."""

_TERMINAL: Final = "CONIN$" if sys.platform == "win32" else "/dev/tty"
_CHUNK: Final = 4096
_LONGEST: Final = 65_536  # bytes of a line; what is longer is cut into several

_WIDE: Final = {0x3000: " "} | {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}

_UKRAINIAN: Final = str.maketrans("йцукенгшщзфівапролдячсмить", "qwertyuiopasdfghjklzxcvbnm")


def narrow(typed: str) -> str:
    """Return ``typed`` with the wide letters of an input method made narrow."""
    return typed.translate(_WIDE)


def latin(key: str) -> str:
    """Return ``key`` as on a Latin keyboard: Ukrainian players need not switch layouts."""
    return narrow(key).translate(_UKRAINIAN)


def meant(command: str) -> str:
    """Return ``command`` narrow; after "say", the text to say stays unchanged."""
    word, gap, rest = command.partition(" ")
    word = narrow(word)
    says = word and "say".startswith(word.lower())
    return word + gap + (rest if says else narrow(rest))


class Keyboard:
    """Reads lines without holding the lock of sys.stdin.

    If the interpreter ends while a thread waits in sys.stdin, the interpreter aborts. A thread
    that waits in the system does no harm.
    """

    def __init__(self, file: int) -> None:
        self._file: Final = file
        self._typed = b""
        self._ended = False
        self._waiting: Final = threading.Lock()

    @property
    def echoes(self) -> bool:
        """Whether the terminal itself shows typed keys, the end of the line included."""
        return os.isatty(self._file)

    async def read(self) -> str | None:
        """Wait for a line and return the line without its end; None at the end of the input.

        After a cancel, no thread stays behind to read later lines.
        """
        if sys.platform == "win32":  # it cannot wait for a terminal in any other way
            await trio.to_thread.run_sync(self._wait, abandon_on_cancel=True)
            return self._take()
        while not self._has_line:
            try:
                await trio.lowlevel.wait_readable(self._file)
            except OSError:  # a plain file, always readable, or a closed file
                await trio.lowlevel.checkpoint()
            self._fill()
        return self._take()

    def _wait(self) -> None:
        """Wait for a line, or the end; abandoning the wait loses no part of the line."""
        with self._waiting:
            while not self._has_line:
                self._fill()

    @property
    def _has_line(self) -> bool:
        return self._ended or b"\n" in self._typed or len(self._typed) >= _LONGEST

    def _take(self) -> str | None:
        if not self._typed:
            return None
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace")

    def _fill(self) -> None:
        try:
            chunk = self._read()
        except OSError:  # closed from the beginning, or the terminal is gone
            chunk = b""
        self._typed += chunk
        self._ended = not chunk

    def _read(self) -> bytes:
        if sys.platform == "win32":  # os.read gives other bytes than UTF-8 of a console
            with open(self._file, "rb", buffering=0, closefd=False) as opened:
                return opened.read(_CHUNK)
        return os.read(self._file, _CHUNK)


def stdin_keyboard() -> Keyboard:
    """Return the keyboard or pipe at stdin."""
    return Keyboard(0)


def terminal_keyboard() -> Keyboard:
    """Return the keyboard of our terminal, for a program whose stdin has another use.

    If we have no terminal, return the keyboard of stdin: its reader finds the end, and leaves.
    """
    try:
        return Keyboard(os.open(_TERMINAL, os.O_RDONLY))
    except OSError:
        return stdin_keyboard()
