"""Handles standard streams that are closed, full, or no longer read.

If stdout cannot be written, the command says so and ends with a special exit code, because
stdout is the result. If stderr cannot be written, only the exit code tells.
"""

import codecs
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final, TextIO

from matcha_p2p.errors import OutputError
from matcha_p2p.narration.signs import by_letters

_STREAMS: Final = (
    ("stdin", "r", os.O_RDONLY),
    ("stdout", "w", os.O_RDONLY),  # so that writing fails
    ("stderr", "w", os.O_WRONLY),
)


def _by_letters(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return signs of cards as letters, and other characters as escapes."""
    if isinstance(error, UnicodeEncodeError):
        sign = error.object[error.start]
        if by_letters(sign) != sign:
            return by_letters(sign), error.start + 1
    return codecs.backslashreplace_errors(error)


LETTERS: Final = "matcha.letters"
"""How a stream writes letters outside the encoding."""
codecs.register_error(LETTERS, _by_letters)


def open_streams() -> None:
    """Replace closed streams: otherwise the next opened file would take the descriptor.

    Text for a closed stderr is dropped; writing to a closed stdout fails, as it should.
    """
    for number, (name, mode, flags) in enumerate(_STREAMS):
        if getattr(sys, name) is None:
            file = os.open(os.devnull, flags)
            if file != number:
                os.dup2(file, number)
                os.close(file)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a name may have letters that the terminal cannot show
            reconfigure(errors=LETTERS)
            if sys.platform == "win32":  # to a pipe or file it would write in an old code page
                reconfigure(encoding="utf-8")


@contextmanager
def writing() -> Generator[None]:
    """Turn an error of stdout into an OutputError, and drop all later output."""
    try:
        yield
    except OSError as error:
        fall_silent(sys.stdout)
        reason = error.strerror or type(error).__name__
        raise OutputError(
            "The output cannot be written: {reason}.",
            number=error.errno,
            reason=reason,
        ) from error


def fitted(text: str, stream: TextIO) -> str:
    """If ``stream`` is a terminal, return ``text`` with long lines broken between words.

    A word longer than a line stays whole, so that an invite can be copied.
    """
    try:
        columns = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    except OSError:  # the terminal has gone
        columns = 0
    if not columns or all(2 * len(line) <= columns for line in text.split("\n")):
        return text
    from matcha_p2p.console.terminal.cells import wrapped  # which takes a while to load

    lines = text.split("\n")
    return "\n".join(row for line in lines for row in wrapped(line, columns, splits=False))


def complain(text: str) -> None:
    """Write to stderr; ignore a broken stderr."""
    with complaining():
        sys.stderr.write(fitted(text, sys.stderr))
        sys.stderr.flush()


@contextmanager
def complaining() -> Generator[None]:
    """Ignore errors of writing to stderr."""
    try:
        yield
    except OSError:
        fall_silent(sys.stderr)


def fall_silent(stream: TextIO) -> None:
    """Drop the buffer: otherwise the interpreter would fail to write it at the exit."""
    file = os.open(os.devnull, os.O_WRONLY)
    os.dup2(file, stream.fileno())
    os.close(file)
