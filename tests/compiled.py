"""What the bots have in C, compiled for tests as an installation does."""

import runpy
import shutil
from pathlib import Path

import pytest

from matcha_p2p.bots.solving import native

ROOT = Path(__file__).parent.parent
FOLDER = native.FOLDER


def compiled_bots(folder: Path, *more: str) -> Path:
    """Compile the C of the bots into a folder, with ``more`` options, and return the folder.

    The test is skipped where no compiler is.
    """
    hook = runpy.run_path(str(ROOT / ".build" / "libraries.py"))
    for name in native.SOURCES:
        source = Path(shutil.copy(FOLDER / f"{name}.c", folder))
        options = hook["SOURCES"][f"matcha_p2p/bots/solving/{name}.c"]
        if not hook["compiled"](source, hook["library_of"](source), *options, *more):
            pytest.skip("no C compiler here")
    return folder
