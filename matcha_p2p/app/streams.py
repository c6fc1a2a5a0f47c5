"""The standard streams: one may be closed or full, or nobody may read it any more.

What is lost of stdout is told, with an exit code of its own, for it is what was asked for.
Complaints that go to stderr are lost in silence: the exit code says what they did.
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
    """Put something in the place of a stream that is closed, or a file would come to be there.

    What is written to stderr vanishes then; writing to stdout fails, as it should.
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
        if reconfigure is not None:  # a name may have letters that the terminal has not
            reconfigure(errors="backslashreplace")


@contextmanager
def writing() -> Generator[None]:
    """Turn what goes wrong with stdout into an OutputError, and write nothing more there."""
    try:
        yield
    except OSError as error:
        fall_silent(sys.stdout)
        reason = error.strerror or type(error).__name__
        raise OutputError(
            "What there is to say cannot be written: {reason}.",
            number=error.errno,
            reason=reason,
        ) from error


def complain(text: str) -> None:
    """Write to stderr, if anything takes it."""
    with complaining():
        sys.stderr.write(text)
        sys.stderr.flush()


@contextmanager
def complaining() -> Generator[None]:
    """Write to stderr, if anything takes it."""
    try:
        yield
    except OSError:
        fall_silent(sys.stderr)


def fall_silent(stream: TextIO) -> None:
    """Let what is still to be written vanish; the interpreter would fail to write it."""
    file = os.open(os.devnull, os.O_WRONLY)
    os.dup2(file, stream.fileno())
    os.close(file)
