"""Opens files that a stranger may have made, and makes durable files and folders.

Every function here blocks, but never on a pipe or a device.
"""

import errno
import os
import stat
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from matcha_p2p.errors import NotPlainError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# A pipe does not hold us up and a terminal does not become ours. Windows has neither, but would
# translate line ends.
_SAFELY: Final[int] = (
    getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)

_PAUSES: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.3)
"""Seconds between tries to replace a file."""


def is_folder(path: Path) -> bool:
    """Return whether ``path`` is a folder; False if the system does not let us know.

    Before Python 3.14, ``Path.is_dir`` and its like raise an error instead, for example at a
    name that is too long.
    """
    return os.path.isdir(path)  # noqa: PTH112 -- see above


def is_file(path: Path) -> bool:
    """Return whether ``path`` is a file; False if the system does not let us know."""
    return os.path.isfile(path)  # noqa: PTH113 -- as in ``is_folder``


def read_file(path: Path, most: int, *, follow: bool = True) -> bytes:
    """Return the first ``most`` bytes of the file at ``path``.

    To see whether the file is too long, ask for one byte more than is allowed. follow: whether
    ``path`` may be a link to the file.

    Raises:
        OSError: the system refuses.
        NotPlainError: ``path`` is a folder, a pipe or a device.
    """
    file = open_safely(path, os.O_RDONLY, follow=follow)
    with os.fdopen(file, "rb") as opened:
        return opened.read(most)


def open_safely(path: Path, flags: int, mode: int = 0o600, *, follow: bool = False) -> int:
    """Open the plain file at ``path``, or make the file with ``mode``; return the descriptor.

    Raises:
        OSError: the system refuses.
        NotPlainError: ``path`` is a folder, a pipe or a device.
    """
    links = 0 if follow else getattr(os, "O_NOFOLLOW", 0)
    file = os.open(path, flags | _SAFELY | links, mode)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise NotPlainError(errno.EINVAL, "the file is not a plain file", str(path))
    return file


def lock(file: int, *, wait: bool) -> None:
    """Lock ``file``, a descriptor, until its close.

    wait: whether to wait for another holder of the lock; if not, a held lock is an error.

    Raises:
        OSError: the system refuses.
    """
    if sys.platform == "win32":
        while True:
            try:
                msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError as error:
                if not wait or error.errno != errno.EDEADLOCK:  # given up, after ten seconds
                    raise
            else:
                return
    else:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_of(path: Path) -> Path:
    """Return the file whose lock stands for ``path``, because ``path`` gets replaced.

    Never delete the lock file: one program could lock the deleted file, and another the new
    file.
    """
    return path.with_name(f"{path.name}.lock")


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Wait for the lock that stands for ``path``, and hold the lock.

    Raises:
        OSError: the system refuses.
    """
    file = open_safely(lock_of(path), os.O_RDWR | os.O_CREAT)
    try:
        lock(file, wait=True)
        yield
    finally:
        os.close(file)


def replace(new: Path, path: Path) -> None:
    """Give the file ``new`` the name ``path``, in place of an earlier file.

    Windows refuses while another program, such as a search for viruses, has the earlier file
    open. So a second is waited there.

    Raises:
        OSError: the system refuses.
    """
    for pause in _PAUSES if sys.platform == "win32" else ():
        with suppress(PermissionError):
            new.replace(path)
            return
        time.sleep(pause)
    new.replace(path)


def sync_file(file: int) -> None:
    """Wait until the disk has the content of ``file``, a descriptor."""
    if sys.platform == "darwin":
        try:
            fcntl.fcntl(file, fcntl.F_FULLFSYNC)  # its fsync stops at the disk's own cache
        except OSError:  # not every file system of macOS can do that
            os.fsync(file)
    elif sys.platform == "win32":
        os.fsync(file)
    else:
        os.fdatasync(file)


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the list of ``folder``."""
    if sys.platform == "win32":
        return  # Windows keeps its folders itself
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def make_folder(folder: Path) -> None:
    """Make ``folder`` and missing folders above, for our eyes only and durably."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)  # another program of ours may be quicker
        sync_folder(folder.parent)


def write_whole(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Replace the content of ``path`` durably; a crash leaves the old or the new content.

    mode: by default anybody may read the file. If ``path`` is a link, the target is not
    touched.

    Raises:
        OSError: the system refuses.
    """
    new = write_beside(path, content)
    try:
        new.chmod(mode)
        replace(new, path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_beside(path: Path, content: bytes) -> Path:
    """Return a new file beside ``path`` with ``content``, for our eyes only.

    Raises:
        OSError: the system refuses.
    """
    file, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    new = Path(name)
    try:
        with os.fdopen(file, "wb") as opened:
            opened.write(content)
            opened.flush()
            sync_file(opened.fileno())
    except OSError:
        new.unlink(missing_ok=True)
        raise
    return new
