"""What programs of the system print when they are asked."""

from contextlib import suppress
from subprocess import DEVNULL
from typing import Final

import trio

_LIMIT: Final = 1.0
"""Seconds that a program is given."""

MOST: Final = 1 << 20
"""Bytes that are looked at."""


async def printed_by(*command: str) -> str:
    """Return what ``command`` prints; nothing if there is no such program, or it is slow."""
    with trio.move_on_after(_LIMIT), suppress(OSError):
        done = await trio.run_process(
            command, capture_stdout=True, stdin=DEVNULL, stderr=DEVNULL, check=False
        )
        return done.stdout[:MOST].decode("ascii", errors="replace")
    return ""
