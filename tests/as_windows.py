"""Imports or runs tests as on Windows: ``python -m tests.as_windows [WORDS OF PYTEST]``.

The libraries see the real system. Our own modules alone see another platform, without the
modules, functions and signals that Windows lacks.
"""

import builtins
import fcntl
import os
import signal
import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

OURS = ("matcha_p2p", "tests", "protocol")
MISSING_MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
MISSING = {
    "os": {
        *("confstr", "fchmod", "fdatasync", "fork", "getegid", "geteuid", "getgid", "getpgid"),
        *("getuid", "killpg", "mkfifo", "mknod", "openpty", "sched_getaffinity", "setsid"),
        *("uname", "waitid", "O_DIRECTORY", "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK", "WNOHANG"),
    },
    "signal": {each.name for each in signal.Signals}
    - {"SIGABRT", "SIGBREAK", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM"},
    "socket": {"AF_UNIX", "SO_REUSEPORT", "TCP_INFO"},
    "pexpect": {"run", "spawn"},
    "sys": set[str](),
}
OTHER: Mapping[str, Mapping[str, object]] = {
    "os": {"name": "nt", "O_BINARY": 0},
    "sys": {"platform": "win32"},
}


class Seen(ModuleType):
    """A module as on Windows."""

    def __getattr__(self, name: str) -> object:
        """Return what Windows has, too."""
        own = self.__name__
        if name in MISSING[own]:
            raise AttributeError(f"module {own!r} has no attribute {name!r} on Windows")
        return OTHER.get(own, {}).get(name, getattr(sys.modules[own], name))


class Msvcrt(ModuleType):
    """The locks of Windows, by those of this system."""

    LK_LOCK = fcntl.LOCK_EX
    LK_NBLCK = fcntl.LOCK_EX | fcntl.LOCK_NB

    def locking(self, file: int, mode: int, _size: int) -> None:
        """Lock a file."""
        fcntl.flock(file, mode)


SHOWN = {name: Seen(name) for name in MISSING} | {"msvcrt": Msvcrt("msvcrt")}
"""What a test changes in a module, all of ours see."""


_import = builtins.__import__


def _as_on_windows(
    name: str,
    globals: Mapping[str, Any] | None = None,  # noqa: A002 -- the name that Python gives
    *words: Any,
    **named: Any,
) -> Any:
    """Import for our own modules what Windows has, and for others what is here."""
    importer = str((globals or {}).get("__name__", ""))
    if importer.partition(".")[0] in OURS and importer != __name__:
        if name in MISSING_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r} on Windows", name=name)
        if name in SHOWN:
            return SHOWN[name]
    return _import(name, globals, *words, **named)


def main() -> int:
    """Collect, or run, tests; return pytest's exit code."""
    for library in ("asyncio", "multiprocessing.pool", "pexpect", "prompt_toolkit", "trio"):
        import_module(library)
    builtins.__import__ = _as_on_windows
    words = sys.argv[1:] or ["--collect-only", "-q", "-m", "slow or not slow", "--no-header"]
    return pytest.main(["-p", "no:xdist", "-p", "no:randomly", *words])


if __name__ == "__main__":
    os.environ.pop("PYTEST_CURRENT_TEST", None)
    sys.exit(main())
