"""Compiles the C of the bots as an installation does, and loads all C with sanitizers."""

import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from matcha_p2p.games.matcha.bots.solving import native

ROOT = Path(__file__).parent.parent
FOLDER = native.FOLDER
SANITIZED = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def compiled_bots(folder: Path, *more: str) -> Path:
    """Compile the C of Matcha's bots into a folder, and return the folder."""
    return compiled_into(folder, [FOLDER / f"{name}.c" for name in native.SOURCES], *more)


def compiled_into(folder: Path, sources: Iterable[Path], *more: str) -> Path:
    """Compile C files into a folder, with ``more`` options, and return the folder.

    The test is skipped where no compiler is.
    """
    hook = runpy.run_path(str(ROOT / ".build" / "libraries.py"))
    for original in sources:
        source = Path(shutil.copy(original, folder))
        options = hook["SOURCES"][original.relative_to(ROOT).as_posix()]
        if not hook["compiled"](source, hook["library_of"](source), *options, *more):
            pytest.skip("no C compiler here")
    return folder


def quickest_path() -> str:
    """Return the path that fast.c is to take, by the instructions that Linux lists.

    The test is skipped on other systems.
    """
    if sys.platform != "linux":
        pytest.skip("only Linux lists the instructions of the processor")
    flags = re.search(r"(?m)^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text())
    lanes = {"avx2", "avx512f", "avx512vl", "avx512ifma"}
    return "fast, AVX-512" if flags and lanes <= {*flags[1].split()} else "fast"


def sanitizer() -> dict[str, str]:
    """Return the variables with which Python loads what is ``SANITIZED``: a way of Linux.

    Python's own allocator would hide from the sanitizer where a small array ends.

    The test is skipped where the address sanitizer has no library.
    """
    asked = subprocess.run(
        ["cc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    )
    runtime = asked.stdout.strip()
    if not Path(runtime).is_absolute():
        pytest.skip("no library of the address sanitizer")
    return {
        "LD_PRELOAD": runtime,
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
    }
