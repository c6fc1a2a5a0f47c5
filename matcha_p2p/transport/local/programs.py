"""What the system tells when it is asked: what its programs print, what its files hold."""

from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL
from typing import Final

import trio

_LIMIT: Final = 1.0
"""Seconds that a program is given."""

_MOST: Final = 1 << 20
"""Bytes that are looked at."""


async def printed_by(*command: str) -> str:
    """Return what ``command`` prints; nothing if there is no such program, or it is slow."""
    with trio.move_on_after(_LIMIT), suppress(OSError):
        done = await trio.run_process(
            command, capture_stdout=True, stdin=DEVNULL, stderr=DEVNULL, check=False
        )
        return done.stdout[:_MOST].decode("ascii", errors="replace")
    return ""


def beginning_of(path: Path) -> str:
    """Return what a file of the system holds; nothing if there is none."""
    try:
        with path.open("rb") as file:
            return file.read(_MOST).decode("ascii", errors="replace")
    except OSError:
        return ""
