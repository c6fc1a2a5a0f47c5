"""prompt_toolkit in a worker thread, beside trio: asyncio is known here and nowhere else.

trio keeps the main thread and its signals; the application has an event loop of its own, so
keys are answered also while trio computes. Between the two go calls into the thread of the
application (``Console.call``) and values out of it (``Console.emit``, ``Console.emitted``).
"""

import asyncio
import errno
import gc
import math
import signal
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final, Generic, ParamSpec, TypeVar

import trio
from prompt_toolkit.application import Application

T = TypeVar("T")
P = ParamSpec("P")

_COLLECTIONS: Final = (10_000, 20, 100)
"""Objects between two searches for garbage: no search may take the time of a key."""


class Console(Generic[T]):
    """A running application, as trio sees it. It emits values of one type."""

    def __init__(self) -> None:
        self._outgoing, self.emitted = trio.open_memory_channel[T](math.inf)
        self._token: Final = trio.lowlevel.current_trio_token()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = False

    def emit(self, value: T) -> None:
        """Put ``value`` on ``emitted``; from the application's thread."""
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._deliver, value)

    def _deliver(self, value: T) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            self._outgoing.send_nowait(value)  # nothing may be raised here: it would end trio

    def call(self, work: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Let the application's thread do ``work``; nothing happens once it has ended."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(partial(work, *args, **kwargs))

    async def run(self, application: Application[None], ready: trio.Event) -> None:
        """Run ``application`` until it exits, or the terminal is gone.

        ready: set when it is drawn for the first time, and ``call`` reaches it. ``emitted``
        ends with it. Raises what goes wrong in the application, after the terminal is restored.
        """
        try:
            with suppress(EOFError, OSError):  # the terminal was closed under our hands
                await trio.to_thread.run_sync(self._run, application, ready)
        finally:
            ready.set()
            self._outgoing.close()

    def _run(self, application: Application[None], ready: trio.Event) -> None:
        asyncio.run(self._work(application, ready))

    async def _work(self, application: Application[None], ready: trio.Event) -> None:
        loop = asyncio.get_running_loop()
        # prompt_toolkit's own handler would ask to "Press ENTER", and the game would hang.
        loop.set_exception_handler(partial(_fail, application))

        def started() -> None:
            self._loop = loop
            if self._closing:
                leave(application)

        def drawn(_: Application[None]) -> None:
            application.after_render -= drawn
            gc.freeze()  # what is loaded stays: no search need look through it
            gc.set_threshold(*_COLLECTIONS)
            self._token.run_sync_soon(ready.set)

        application.after_render += drawn
        try:
            await application.run_async(
                pre_run=started, handle_sigint=False, set_exception_handler=False
            )
        finally:
            application.output.clear_title()
            application.output.flush()

    def close(self, application: Application[None]) -> None:
        """End the application, even if it has not begun yet."""
        self._closing = True
        self.call(leave, application)


class Alarm:
    """Calls ``work`` later, in the application's thread, which alone touches it."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work: Final = work
        self._pending: asyncio.TimerHandle | None = None

    def set(self, seconds: float | None) -> None:
        """Call ``work`` in so many seconds, or never, whatever was set before."""
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None
        if seconds is not None:
            loop = asyncio.get_running_loop()
            self._pending = loop.call_later(seconds, self._work)


def leave(application: Application[None]) -> None:
    """Let ``application`` exit, unless it is doing so; from its own thread."""
    if application.future is not None and not application.future.done():
        application.exit()


def redraw(application: Application[None]) -> None:
    """Draw everything anew, in the size that the terminal has now; from its own thread."""
    application.renderer.clear()
    application.invalidate()


def take_over(application: Application[None]) -> None:
    """Take the terminal over again: whoever had it meanwhile has left it as they like it.

    Where a shell has put the program into the background, that stops it until it comes back.

    Raises:
        OSError: the terminal is gone.
    """
    import termios  # not everywhere, and neither is the signal that calls this

    taken = False
    while not taken:
        try:
            # Never left: what the terminal was at first is put back at the end.
            application.input.raw_mode().__enter__()
            taken = True
        except termios.error as error:
            if error.args[0] != errno.EINTR:
                raise OSError(*error.args) from error
    application.renderer.reset()
    application.invalidate()


def _fail(
    application: Application[None],
    _loop: asyncio.AbstractEventLoop,
    context: dict[str, Any],
) -> None:
    """End the application with what was raised in a callback of its loop."""
    error = context.get("exception") or RuntimeError(context["message"])
    if application.future is not None and not application.future.done():
        application.exit(exception=error)


@asynccontextmanager
async def running(
    console: Console[T], application: Application[None]
) -> AsyncGenerator[Console[T]]:
    """Run ``application`` beside the body, and end it after the body.

    If it ends first, ``console.emitted`` ends. When this is left, the terminal is as it was.
    """
    ready = trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(console.run, application, ready)
        nursery.start_soon(_forward, "SIGWINCH", console, redraw, application)
        nursery.start_soon(_forward, "SIGCONT", console, take_over, application)
        try:
            await ready.wait()
            yield console
        finally:
            console.close(application)
            nursery.cancel_scope.cancel()  # the thread is waited for in any case


async def _forward(
    name: str,
    console: Console[T],
    work: Callable[[Application[None]], None],
    application: Application[None],
) -> None:
    """Let the application do ``work`` whenever the signal of this name comes, if there is one.

    By itself it would look at the size twice a second, and never notice that it was stopped.
    """
    number = getattr(signal, name, None)
    if number is None:
        return
    with trio.open_signal_receiver(number) as signals:
        async for _ in signals:
            console.call(work, application)
