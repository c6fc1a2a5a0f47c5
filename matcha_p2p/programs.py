"""How programs are started: by a full path, and apart from Ctrl-C.

By default Windows looks for a program in the current folder first, and so does a PATH with a
relative folder. People run commands in folders where they download files of strangers.
"""

import errno
import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final, TypedDict

_NEW_GROUP: Final = 0x200  # CREATE_NEW_PROCESS_GROUP of Windows


class ProcessOptions(TypedDict, total=False):
    """Options of ``subprocess.Popen``."""

    creationflags: int
    start_new_session: bool


def of_system(name: str) -> str:
    """Return the path of a program of the system; only the system's own folders are searched.

    Raises:
        FileNotFoundError: the system has no such program.
    """
    if sys.platform == "win32":
        return _found(name, [Path(os.environ.get("SYSTEMROOT", "C:\\Windows"), "System32")])
    return _found(name, (os.confstr("CS_PATH") or os.defpath).split(os.pathsep))


def of_user(name: str) -> str:
    """Return the path of a program that a person names; PATH's full paths are searched.

    A name that has a folder is returned as it is.

    Raises:
        FileNotFoundError: no folder of PATH has such a program.
    """
    if os.path.dirname(name):  # noqa: PTH120 -- a Path forgets "./"
        return name
    return _found(name, os.get_exec_path())


def apart() -> ProcessOptions:
    """Return the options of a process that Ctrl-C at our terminal does not reach."""
    if sys.platform == "win32":
        return {"creationflags": _NEW_GROUP}
    return {"start_new_session": True}


def _found(name: str, folders: Iterable[str | Path]) -> str:
    endings = (".exe", "") if sys.platform == "win32" else ("",)
    for folder in folders:
        for ending in endings:
            program = Path(folder, f"{name}{ending}")
            if program.is_absolute() and shutil.which(program):  # a full path: PATH is not read
                return str(program)
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
