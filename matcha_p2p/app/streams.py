"""Handles standard streams that are closed, full, or read by nobody any more.

If stdout cannot be written, the command says so and ends with an exit code of its own, because
stdout is the result. If stderr cannot be written, nothing is said: there is still the exit
code.
"""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final, TextIO

from matcha_p2p.errors import OutputError

_STREAMS: Final = (
    ("stdin", "r", os.O_RDONLY),
    ("stdout", "w", os.O_RDONLY),  # so that writing fails
    ("stderr", "w", os.O_WRONLY),
)


def open_streams() -> None:
    """Replace a closed stream: otherwise the next file to be opened would take its descriptor.

    What is then written to stderr is dropped; writing to stdout fails, as it should.
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
            reconfigure(errors="backslashreplace")


@contextmanager
def writing() -> Generator[None]:
    """Turn an error of stdout into an OutputError, and write nothing more there."""
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
    """Return ``text`` with its long lines broken between words, if ``stream`` is a terminal.

    A word longer than a line stays whole: an invite is copied from there.
    """
    try:
        columns = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    except OSError:  # it has gone
        columns = 0
    if not columns or all(2 * len(line) <= columns for line in text.split("\n")):
        return text
    from matcha_p2p.console.terminal.cells import wrapped  # which takes a while to load

    lines = text.split("\n")
    return "\n".join(row for line in lines for row in wrapped(line, columns, splits=False))


def complain(text: str) -> None:
    """Write to stderr, if anything takes it."""
    with complaining():
        sys.stderr.write(fitted(text, sys.stderr))
        sys.stderr.flush()


@contextmanager
def complaining() -> Generator[None]:
    """Write to stderr, if anything takes it."""
    try:
        yield
    except OSError:
        fall_silent(sys.stderr)


def fall_silent(stream: TextIO) -> None:
    """Drop what is still buffered: the interpreter would fail to write it at its end."""
    file = os.open(os.devnull, os.O_WRONLY)
    os.dup2(file, stream.fileno())
    os.close(file)
