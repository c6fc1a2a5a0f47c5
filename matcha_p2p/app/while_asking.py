"""Waits for a result while a person is asked, and can stop waiting."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

import trio

from matcha_p2p.console.menu.asker import InputClosedError

T = TypeVar("T")


async def while_asking(
    work: Callable[[], Awaitable[T]], attend: Callable[[], Awaitable[None]]
) -> T | None:
    """Return the result of ``work``, or None if ``attend`` returns first.

    attend: asks the person, and returns when the person stops waiting.
    """
    done: list[T] = []
    async with trio.open_nursery() as nursery:

        async def ask() -> None:
            with suppress(InputClosedError):
                await attend()
            nursery.cancel_scope.cancel()

        nursery.start_soon(ask)
        done.append(await work())
        nursery.cancel_scope.cancel()
    return done[0] if done else None
