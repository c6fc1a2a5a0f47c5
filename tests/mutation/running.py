"""Run a test suite against mutants, each in a process of its own, forked from a warm one.

Three kinds of pytest sessions run in forked processes, so the main process never imports the
package. The first session runs the whole suite, and notes the lines and the cost of each test.
The second collects the suite once and forks for every mutant of code that runs only inside
tests: the fork replaces the function's code in memory, and imports nothing again. If a mutant
changes code that runs at import (a constant, a table, an enum), a session of its own imports
the changed module.

A mutant meets the tests that run its lines, the cheapest first, then all other tests. The first
failing test has killed the mutant. A survivor has passed the whole suite: the order costs time,
but changes no verdict. A test may use ten times its earlier CPU time and ``SPARE`` seconds
more. Beyond this limit the mutant is taken to loop, and counts as killed.
"""

import functools
import gc
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType

import coverage
import hypothesis
import pytest

from tests.mutation.operators import Mutant
from tests.rewriting import PACKAGE, import_changed

if sys.platform != "win32":  # where tests import this module, and run none of it
    import resource

SPARE = 5
MEMORY = 6 << 30  # bytes of address space
STUCK = 900  # seconds on the clock, for a mutant that waits and uses no CPU time
OPTIONS = (
    "--assert=plain",
    "--tb=no",
    "-q",
    "-p",
    "no:randomly",
    "-p",
    "no:xdist",
    "-p",
    "no:cov",
)

SURVIVED, KILLED, NOT_FOUND = 0, 1, 100


@dataclass(frozen=True)
class Suite:
    """The notes of the first run of a suite.

    seconds: CPU time of each test. runs: for a module, the tests that run a line. imports: for
    a module, the lines run at import.
    """

    seconds: dict[str, float]
    runs: dict[str, dict[int, set[str]]]
    imports: dict[str, set[int]]

    def covering(self, mutant: Mutant) -> set[str]:
        """Return the tests that run the statement of ``mutant``."""
        runs = self.runs.get(str(mutant.module), {})
        first, last = mutant.lines
        return {test for line in range(first, last + 1) for test in runs.get(line, ())}

    def is_imported(self, mutant: Mutant) -> bool:
        """Tell whether the statement of ``mutant`` runs before any test."""
        first, last = mutant.lines
        lines = self.imports.get(str(mutant.module), set())
        return not mutant.function or not lines.isdisjoint(range(first, last + 1))

    def order(self, mutant: Mutant, items: list[pytest.Item]) -> list[pytest.Item]:
        """Return the tests in the order for ``mutant``."""
        covering = self.covering(mutant)
        return sorted(
            items,
            key=lambda item: (item.nodeid not in covering, self.seconds.get(item.nodeid, 0)),
        )


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant. looped: a test was stopped."""

    mutant: Mutant
    killed: bool
    looped: bool


def watch(arguments: Iterable[str]) -> Suite:
    """Run a suite once.

    Raises:
        SystemExit: a test fails without any mutant.
    """
    reports = list(_said(lambda say: _watch(arguments, say)))
    if not reports:
        raise SystemExit("The tests fail as it is. Mutants can tell nothing until they pass.")
    seconds, lines = reports[0]
    runs = {
        module: {int(line): set(tests) - {""} for line, tests in table.items()}
        for module, table in lines.items()
    }
    imports = {
        module: {int(line) for line, tests in table.items() if "" in tests}
        for module, table in lines.items()
    }
    return Suite(seconds, runs, imports)


def judge(arguments: Iterable[str], suite: Suite, mutants: list[Mutant]) -> Iterator[Verdict]:
    """Yield the verdict on each mutant."""
    cold = [mutant for mutant in mutants if suite.is_imported(mutant)]
    warm = [mutant for mutant in mutants if not suite.is_imported(mutant)]
    plugin = functools.partial(_WarmSession, suite, warm)
    for index, code in _said(lambda say: _session(arguments, plugin(say))):
        if code == NOT_FOUND:
            cold.append(warm[index])
        else:
            yield Verdict(warm[index], code != SURVIVED, code < 0)
    for mutant in cold:
        code = _forked(functools.partial(_cold, arguments, suite, mutant))
        yield Verdict(mutant, code != SURVIVED, code < 0)


def _session(arguments: Iterable[str], plugin: object) -> int:
    hypothesis.settings.register_profile(
        "mutants",
        derandomize=True,
        database=None,
        deadline=None,
        phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
    )
    hypothesis.settings.load_profile("mutants")
    return int(pytest.main([*OPTIONS, *arguments], plugins=[plugin]))


def _cold(arguments: Iterable[str], suite: Suite, mutant: Mutant) -> int:
    tree = mutant.changed()
    import_changed(lambda module: tree if module == mutant.module else None)
    _be_silent()
    _allow(SPARE)
    return _session(arguments, _ColdSession(suite, mutant))


class _ColdSession:
    """Meet one mutant with the suite."""

    def __init__(self, suite: Suite, mutant: Mutant) -> None:
        self.suite = suite
        self.mutant = mutant

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        _meet(session, self.suite, self.mutant)
        return True


class _WarmSession:
    """Collect a suite, then fork for every mutant, and say its index and exit code."""

    def __init__(
        self, suite: Suite, mutants: list[Mutant], say: Callable[[object], None]
    ) -> None:
        self.suite = suite
        self.mutants = mutants
        self.say = say

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        _clear_caches()
        for index, mutant in enumerate(self.mutants):
            self.say((index, _forked(functools.partial(self._meet, session, mutant))))
        return True

    def _meet(self, session: pytest.Session, mutant: Mutant) -> int:
        if not _replace_function(mutant):
            return NOT_FOUND
        return _meet(session, self.suite, mutant)


def _meet(session: pytest.Session, suite: Suite, mutant: Mutant) -> int:
    """Run the tests up to the first failure."""
    for item in suite.order(mutant, session.items):
        _allow(SPARE + 10 * suite.seconds.get(item.nodeid, 0))
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        if session.testsfailed:
            return KILLED
    return SURVIVED


def _replace_function(mutant: Mutant) -> bool:
    """Give the function its changed code, wherever known; tell whether a function was found."""
    module = ".".join(mutant.module.relative_to(PACKAGE.parent).with_suffix("").parts)
    compiled = compile(mutant.changed(), str(mutant.module), "exec")
    (code,) = [code for code in _codes(compiled) if code.co_qualname == mutant.function]
    functions = [
        function
        for function in gc.get_objects()
        if isinstance(function, FunctionType)
        and function.__module__ == module
        and function.__code__.co_qualname == mutant.function
    ]
    for function in functions:
        function.__code__ = code
    return bool(functions)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield all functions of a module and of its classes."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _clear_caches() -> None:
    """Forget results computed while the tests were collected."""
    for cached in gc.get_objects():
        if isinstance(cached, functools._lru_cache_wrapper):
            package = cached.__module__.partition(".")[0]
            if package in ("matcha_p2p", "tests"):
                cached.cache_clear()


class _WatchingSession:
    """Note the lines and the cost of each test."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self.measured = measured
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.measured.switch_context(item.nodeid)
        started = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - started
        return result


def _watch(arguments: Iterable[str], say: Callable[[object], None]) -> None:
    measured = coverage.Coverage(data_file=None, config_file=False, source=[str(PACKAGE)])
    watching = _WatchingSession(measured)
    with measured.collect():
        failed = _session(arguments, watching)
    if failed:
        return
    found = measured.get_data()
    modules = found.measured_files()
    say((watching.seconds, {module: found.contexts_by_lineno(module) for module in modules}))


def _allow(seconds: float) -> None:
    """Limit the CPU time of this process to so many seconds from now on."""
    limit = int(time.process_time() + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def _forked(work: Callable[[], int]) -> int:
    """Do ``work`` in a forked process; return its exit code, or minus its last signal."""
    child = os.fork()
    if not child:
        code = KILLED
        try:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            signal.alarm(STUCK)
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _said(work: Callable[[Callable[[object], None]], object]) -> Iterator[list]:
    """Do ``work`` in a silent forked process; yield its messages, as JSON has them."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            _be_silent()
            with os.fdopen(writing, "w") as out:
                work(lambda said: print(json.dumps(said), file=out, flush=True))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as lines:
        yield from map(json.loads, lines)
    os.waitpid(child, 0)


def _be_silent() -> None:
    with Path(os.devnull).open("wb") as nothing:
        for stream in (1, 2):
            os.dup2(nothing.fileno(), stream)
