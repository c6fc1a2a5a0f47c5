"""Handles signals that stop a command: the command may say goodbye, and ends within seconds."""

import signal
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

import trio

from matcha_p2p.app.command.outcomes import SIGNALLED
from matcha_p2p.race import Win, race

T = TypeVar("T")

GRACE: Final = 3.0
"""Seconds for a goodbye when a signal stops us."""

_SIGNALS: Final = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
    if hasattr(signal, name)
]


@asynccontextmanager
async def handling_signals(caught: list[int]) -> AsyncGenerator[trio.Event]:
    """Set the event at the first signal, and cancel the body 3 s later or at the second."""
    leave = trio.Event()

    async def watch() -> None:
        with trio.open_signal_receiver(*_SIGNALS) as signals:
            async for number in signals:
                caught.append(number)
                if leave.is_set():
                    nursery.cancel_scope.cancel()
                leave.set()
                nursery.cancel_scope.deadline = trio.current_time() + GRACE

    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch)
        yield leave
        nursery.cancel_scope.cancel()


async def run_until_signal(work: Callable[[], Awaitable[T]]) -> T | int:
    """Return the result of ``work``, or the exit code if a signal has cancelled ``work``.

    Signals are received, not raised as KeyboardInterrupt: in a destructor Python loses a
    KeyboardInterrupt.
    """

    async def do_work(win: Win[T | int]) -> None:
        await win(await work())

    async def stop_at_signal(win: Win[T | int]) -> None:
        with trio.open_signal_receiver(*_SIGNALS) as signals:
            await win(SIGNALLED + await anext(signals))

    return await race(do_work, stop_at_signal)
