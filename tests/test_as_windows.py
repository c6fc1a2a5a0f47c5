"""On a system without POSIX every test can be imported, and files are kept all the same."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="plays Windows on Linux"),
]

ROOT = Path(__file__).parents[1]
KEPT = (
    "tests/session/storage",
    "tests/store",
    "tests/transport/local",
    "tests/transport/router",
)


def as_on_windows(*words: str) -> str:
    """Collect, or run, tests as on Windows; return the output if all went well."""
    command = [sys.executable, "-m", "tests.as_windows", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:]
    return done.stdout


def test_every_test_is_imported_as_on_windows():
    assert "tests collected" in as_on_windows()


def test_files_are_kept_and_locked_as_on_windows():
    """The programs of the system are asked for Windows' answers, too."""
    assert " passed" in as_on_windows("-q", *KEPT, "tests/test_programs.py")


def test_our_modules_alone_see_windows():
    from tests.as_windows import _as_on_windows  # not on Windows itself

    for importer in ("tests.test_it", "matcha_p2p.it"):
        with pytest.raises(ModuleNotFoundError, match="'fcntl' on Windows"):
            _as_on_windows("fcntl", {"__name__": importer})
        assert _as_on_windows("sys", {"__name__": importer}).platform == "win32"
        assert not hasattr(_as_on_windows("os", {"__name__": importer}), "mkfifo")
    assert _as_on_windows("sys", {"__name__": "trio.socket"}) is sys
