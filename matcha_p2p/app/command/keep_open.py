"""Keeps a context open beside the code that uses it, until the context is left."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeAlias, TypeVar

import trio

T = TypeVar("T")

CloseContext: TypeAlias = Callable[[], Awaitable[None]]
"""Returns once the context is closed."""


async def keep_open(
    context: AbstractAsyncContextManager[T],
    *,
    task_status: "trio.TaskStatus[tuple[T, CloseContext]]",
) -> None:
    """Enter ``context``, and pass on its value; stay inside until left or cancelled.

    Raises:
        Exception: as ``context``.
    """
    closed = trio.Event()
    with trio.CancelScope() as scope:

        async def leave() -> None:
            scope.cancel()
            await closed.wait()

        async with context as value:
            task_status.started((value, leave))
            await trio.sleep_forever()
    closed.set()
