"""Notes which threads a program starts, from inside that program."""

import os
from pathlib import Path

OF_TRIO = "trio._core._thread_cache"
"""The module of the threads that trio starts for blocking functions."""

_NOTING = """
import threading
_start = threading.Thread.start

def _noted(thread):
    whose = getattr(thread, "_target", None) or type(thread).run
    with open({path!r}, "a") as file:
        print(whose.__module__, file=file)
    _start(thread)

threading.Thread.start = _noted
"""


class StartedThreads:
    """The threads of programs whose PYTHONPATH is ``path``. folder: for our files."""

    def __init__(self, folder: Path) -> None:
        self._list = folder / "threads"
        self._list.touch()
        (folder / "sitecustomize.py").write_text(_NOTING.format(path=str(self._list)))
        paths = [str(folder), os.environ.get("PYTHONPATH", "")]
        self.path = os.pathsep.join(filter(None, paths))

    @property
    def modules(self) -> set[str]:
        """The modules of the functions that run in threads."""
        return set(self._list.read_text().split())
