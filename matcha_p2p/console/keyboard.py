"""Lines that a person or a script types, read from a file descriptor."""

import os
from typing import Final

_CHUNK: Final = 4096
_LONGEST: Final = 65_536  # bytes of a line; what is longer is cut into several


class Keyboard:
    """Reads lines without holding the lock of sys.stdin.

    A thread that waits in sys.stdin when the interpreter ends makes it abort; one that waits
    in the system is simply gone.
    """

    def __init__(self, file: int) -> None:
        self._file: Final = file
        self._typed = b""
        self._ended = False

    @property
    def echoes(self) -> bool:
        """Whether what is typed shows on the screen by itself, the end of the line included."""
        return os.isatty(self._file)

    def readline(self) -> str | None:
        """Wait for a line and return it without its end; None when there are no more."""
        while not self._ended and b"\n" not in self._typed and len(self._typed) < _LONGEST:
            self._fill()
        if not self._typed:
            return None
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace")

    def _fill(self) -> None:
        try:
            chunk = os.read(self._file, _CHUNK)
        except OSError:  # closed from the beginning, or the terminal is gone
            chunk = b""
        self._typed += chunk
        self._ended = not chunk
