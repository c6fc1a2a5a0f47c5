"""Answers of the system: the output of programs, and the content of files."""

from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL
from typing import Final

import trio

from matcha_p2p import programs

_LIMIT: Final = 1.0
"""Seconds for a program."""

_MOST: Final = 1 << 20
"""The most bytes read."""


async def printed_by(name: str, *words: str) -> str:
    """Return the output of a program of the system, or "" if the program is missing or slow."""
    with trio.move_on_after(_LIMIT), suppress(OSError):
        command = [programs.of_system(name), *words]
        done = await trio.run_process(
            command, capture_stdout=True, stdin=DEVNULL, stderr=DEVNULL, check=False
        )
        return done.stdout[:_MOST].decode("ascii", errors="replace")
    return ""


def beginning_of(path: Path) -> str:
    """Return the beginning of a file of the system, or "" if the file is missing."""
    try:
        with path.open("rb") as file:
            return file.read(_MOST).decode("ascii", errors="replace")
    except OSError:
        return ""
