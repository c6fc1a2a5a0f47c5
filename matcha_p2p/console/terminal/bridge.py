"""prompt_toolkit in a worker thread, beside trio: only this file knows asyncio.

trio keeps the main thread and its signals. The application has an event loop of its own, so
keys are answered also while trio computes. ``Console.call`` brings calls into the
application's thread; ``Console.emit`` and ``Console.emitted`` bring values out of the thread.
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
"""Objects between two collections of garbage: a collection must not delay a key."""


class Console(Generic[T]):
    """A running application, as trio sees the application. All emitted values have one type."""

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
            self._outgoing.send_nowait(value)  # an error raised here would end trio

    def call(self, work: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Let the application's thread do ``work``. After the application's end, do nothing."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(partial(work, *args, **kwargs))

    async def run(self, application: Application[None], ready: trio.Event) -> None:
        """Run ``application`` until the application exits, or the terminal is gone.

        ready: set when the application is drawn for the first time, and ``call`` works.
        ``emitted`` ends with the application. Errors of the application are raised after the
        terminal is restored.
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
            gc.freeze()  # loaded objects stay: searches skip them
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
        """End the application, even before its beginning."""
        self._closing = True
        self.call(leave, application)


class Alarm:
    """Calls ``work`` later, in the application's thread.

    Only the application's thread uses it.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work: Final = work
        self._pending: asyncio.TimerHandle | None = None

    def set(self, seconds: float | None) -> None:
        """Call ``work`` in ``seconds``, or never for None; an earlier alarm is dropped."""
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None
        if seconds is not None:
            loop = asyncio.get_running_loop()
            self._pending = loop.call_later(seconds, self._work)


def leave(application: Application[None]) -> None:
    """Let ``application`` exit, unless already leaving; from the application's own thread."""
    if application.future is not None and not application.future.done():
        application.exit()


def redraw(application: Application[None]) -> None:
    """Draw everything anew, in the terminal's size now; from the application's own thread."""
    application.renderer.clear()
    application.invalidate()


def take_over(application: Application[None]) -> None:
    """Take the terminal over again, after another program has changed the terminal's modes.

    If a shell has put our program into the background, the kernel stops the program here until
    it is in the foreground again.

    Raises:
        OSError: the terminal is gone.
    """
    import termios  # exists only where the signal exists

    taken = False
    while not taken:
        try:
            # Never left: at the end the first modes of the terminal are put back.
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
    """End the application with the error raised in a callback of its loop."""
    error = context.get("exception") or RuntimeError(context["message"])
    if application.future is not None and not application.future.done():
        application.exit(exception=error)


@asynccontextmanager
async def running(
    console: Console[T], application: Application[None]
) -> AsyncGenerator[Console[T]]:
    """Run ``application`` beside the body, and end the application after the body.

    If the application ends first, ``console.emitted`` ends. Afterwards the terminal is as
    before.
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
    """On each signal ``name``, let the application do ``work``. Ignore an unknown signal.

    By itself, prompt_toolkit looks at the size twice a second, and never notices a stop.
    """
    number = getattr(signal, name, None)
    if number is None:
        return
    with trio.open_signal_receiver(number) as signals:
        async for _ in signals:
            console.call(work, application)
