"""Several tasks look for the same thing, and the first find wins."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

import trio

T = TypeVar("T")

Win: TypeAlias = Callable[[T], Awaitable[None]]
"""Takes the find of a way, and ends the race; returns at once."""


class NobodyWonError(Exception):
    """All ways have ended without a find."""


async def race(
    *ways: Callable[[Win[T]], Awaitable[object]],
    close: Callable[[T], Awaitable[object]] | None = None,
) -> T:
    """Run ``ways`` at once; return the first find, and cancel the other ways.

    ways: Each gives its find to a ``Win``. Until then a cancelled way closes what it opened.
    close: closes each later find; if the race fails or is cancelled, the first find too.

    Raises:
        NobodyWonError: all ways have ended without a find.
        BaseExceptionGroup: a way has raised an exception, so the others were cancelled.
    """
    finds: list[T] = []

    async def win(find: T) -> None:
        finds.append(find)
        nursery.cancel_scope.cancel()

    try:
        async with trio.open_nursery() as nursery:
            for way in ways:
                nursery.start_soon(way, win)
        if not finds:
            raise NobodyWonError
        return finds.pop(0)
    finally:
        with trio.CancelScope(shield=True):
            for find in finds:
                if close is not None:
                    await close(find)
