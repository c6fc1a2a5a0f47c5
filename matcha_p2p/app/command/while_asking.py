"""Waits for a result while a person is asked, and can stop waiting."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

import trio

from matcha_p2p.app.command.outcomes import alone
from matcha_p2p.console.menu.asker import InputClosedError

T = TypeVar("T")


async def while_asking(
    work: Callable[[], Awaitable[T]], attend: Callable[[], Awaitable[None]]
) -> T | None:
    """Return the result of ``work``, or None if ``attend`` returns first.

    attend: asks the person, and returns when the person stops waiting.

    Raises:
        Exception: as ``work`` or ``attend``; a single exception is in no group.
    """
    done: list[T] = []
    try:
        async with trio.open_nursery() as nursery:

            async def ask() -> None:
                with suppress(InputClosedError):
                    await attend()
                nursery.cancel_scope.cancel()

            nursery.start_soon(ask)
            done.append(await work())
            nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        error = alone(group)
        raise error from error.__cause__
    return done[0] if done else None
