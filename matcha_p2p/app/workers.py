"""Work on many tasks: on all cores of this machine, or by any executor."""

import os
import pickle
import queue
import signal
import subprocess
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import chain, islice
from typing import IO, Final, TypeVar, cast

from matcha_p2p.app.command.own_program import own_program

T = TypeVar("T")
Task = TypeVar("Task")

MANY: Final = 16
"""From this many tasks on, starting other processes saves time."""

_AHEAD: Final = 4
"""How many tasks are begun ahead for each process, to save memory."""

_AHEAD_ELSEWHERE: Final = 256
"""How many parts are begun ahead for an executor of the caller's, whose size is unknown."""

_GRACE: Final = 1.0
"""Seconds for the processes to end by themselves."""


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not every system has this function
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """``count`` processes; if the system starts none, this process does the work."""

    def __init__(self, count: int) -> None:
        self._processes: Final[list[subprocess.Popen[bytes]]] = []
        with suppress(OSError):
            for _ in range(count):
                self._processes.append(_started())
        self._idle: Final[queue.SimpleQueue[subprocess.Popen[bytes]]] = queue.SimpleQueue()
        for process in self._processes:
            self._idle.put(process)
        self._threads: Final = ThreadPoolExecutor(len(self._processes) or 1)

    def submit(self, work: Callable[[Task], T], task: Task) -> Future[T]:
        """Let a process work out ``work(task)``; all three are pickled."""
        return self._threads.submit(self._done if self._processes else _here, work, task)

    def close(self) -> None:
        """Drop work that has not begun, and end the processes; kill processes still at work."""
        try:
            self._threads.shutdown(wait=False, cancel_futures=True)
            for process in self._processes:
                with suppress(OSError):
                    _pipes(process)[0].close()
            until = time.monotonic() + _GRACE
            for process in self._processes:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(max(0.0, until - time.monotonic()))
        finally:  # also if Ctrl-C comes once more
            for process in self._processes:
                process.kill()
            self._threads.shutdown()  # each thread reads that its process has ended
            for process in self._processes:
                with process:
                    pass  # frees the pipes

    def _done(self, work: Callable[[Task], T], task: Task) -> T:
        process = self._idle.get()  # there are as many processes as threads
        requests, results = _pipes(process)
        try:
            pickle.dump((work, task), requests)
            requests.flush()
            result, failure = pickle.load(results)  # noqa: S301 -- a child of ours wrote it
        except (EOFError, OSError) as error:
            raise RuntimeError("a process has ended in the midst of its work") from error
        finally:
            self._idle.put(process)
        if failure:
            raise RuntimeError(failure)
        return cast("T", result)


def in_order(
    work: Callable[[Task], T],
    tasks: Iterable[Task],
    executor: Executor | None = None,
    *,
    many: int = MANY,
    together: int = 1,
) -> Generator[T]:
    """Yield ``work(task)`` for each task, in order.

    executor: does all the work, and stays open. Without an executor, each core has a process if
    there are ``many`` tasks; else this process works. At any moment few tasks are begun, so
    memory does not grow with their number. together: how many tasks go to an executor at once,
    for tasks that take less time than the way to another machine and back.
    """
    rest = iter(tasks)
    if executor is not None:
        parts = iter(lambda: list(islice(rest, together)), [])
        done = _ahead(
            lambda part: executor.submit(_all_done, work, part), parts, _AHEAD_ELSEWHERE
        )
        yield from chain.from_iterable(done)
        return
    first = list(islice(rest, max(many, cores())))
    count, tasks = min(cores(), len(first)), chain(first, rest)
    if len(first) < many or count == 1:
        yield from map(work, tasks)
        return
    workers = Workers(count)
    try:
        yield from _ahead(lambda task: workers.submit(work, task), tasks, _AHEAD * count)
    finally:
        workers.close()


def _ahead(begin: Callable[[Task], Future[T]], tasks: Iterator[Task], most: int) -> Iterator[T]:
    """Yield the results in order, with up to ``most`` tasks begun; cancel what is left."""
    begun = deque[Future[T]]()
    try:
        while True:
            for task in islice(tasks, most - len(begun)):
                begun.append(begin(task))
            if not begun:
                break
            yield begun.popleft().result()
    finally:
        for future in begun:
            future.cancel()


def _all_done(work: Callable[[Task], T], tasks: Iterable[Task]) -> list[T]:
    return list(map(work, tasks))


def _here(work: Callable[[Task], T], task: Task) -> T:
    return work(task)


def _started() -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 -- the command is our own
        own_program("worker"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def serve(requests: IO[bytes], results: IO[bytes]) -> None:
    """Do the parent's requests, until the parent closes ``requests`` or is gone."""
    # Ctrl-C reaches every process of a terminal; the parent ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, BrokenPipeError):
        while True:
            work, task = pickle.load(requests)  # noqa: S301 -- the parent wrote it
            try:
                answer = work(task), ""
            except Exception:  # noqa: BLE001 -- the parent raises it
                answer = None, traceback.format_exc()
            pickle.dump(answer, results)
            results.flush()


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    """Return where requests are written, and where results are read."""
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("a worker is started with pipes")
    return process.stdin, process.stdout
