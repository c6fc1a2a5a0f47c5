"""A disk in memory for each machine, under the very code of ``session.storage.journal``.

The disk keeps written and durable apart: bytes until a sync of their file, names until a sync
of their folder. After a failed sync bytes look written and never become durable, whatever is
synced later.
"""
# ruff: noqa: ARG002 -- the signatures are those of os, fcntl and pathlib

import errno
import os
import random
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Protocol


class Died(BaseException):
    """The program is dead; only the supervisor may catch this error."""


class Program(Protocol):
    """The user of a disk, who may die at every ``point``."""

    dead: bool

    def point(self, name: str) -> None: ...


@dataclass(eq=False)
class File:
    disk: "Disk"
    content: bytearray = field(default_factory=bytearray)
    durable: bytes = b""
    spoiled: bool = False
    holder: "Handle | None" = None
    matters: bool = True  # whether a game ends when it cannot be written


def _matters(path: str) -> bool:
    """Tell whether the file is no mark: an unwritten mark costs a warning at most."""
    return not path.startswith("/marks")


@dataclass(eq=False)
class Handle:
    file: File
    program: Program
    appends: bool = True


class Disk:
    """The files of one machine. error_in: how many changes from now one fails, with ``errno``.

    After a failure for want of room every change fails, until ``mend``.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.names: dict[str, File] = {}
        self._durable_names: dict[str, File] = {}
        self._changes: list[tuple[str, File | None]] = []
        self.error_in: int | None = None
        self.errno = errno.EIO
        self.failures = 0

    def change(self) -> None:
        """Fail, if the time has come."""
        if self.error_in is None:
            return
        self.error_in -= 1
        if self.error_in < 0:
            self.failures += 1
            if self.errno != errno.ENOSPC:
                self.error_in = None
            raise OSError(self.errno, os.strerror(self.errno))

    def mend(self) -> None:
        self.error_in = None

    def name(self, path: str, file: File | None) -> None:
        """Let ``path`` be ``file``, or nothing; durable with the next sync of the folder."""
        if file is None:
            self.names.pop(path, None)
        else:
            self.names[path] = file
        self._changes.append((path, file))

    def waiting_names(self) -> list[str]:
        """Return the names whose change is not durable yet."""
        return [path for path, _ in self._changes]

    def sync_names(self) -> None:
        self._settle(len(self._changes))

    def _settle(self, count: int) -> None:
        for path, file in self._changes[:count]:
            if file is None:
                self._durable_names.pop(path, None)
            else:
                self._durable_names[path] = file
        del self._changes[:count]

    def lose_power(self) -> None:
        """Forget all but the durable bytes and the bytes that the disk wrote by itself."""
        self._settle(self._rng.randint(0, len(self._changes)))
        self._changes.clear()
        self.names = dict(self._durable_names)
        for file in self.names.values():
            file.content = bytearray(file.durable + self._torn(file))
            file.durable = bytes(file.content)
            file.spoiled = False

    def _torn(self, file: File) -> bytes:
        """Return the surviving part of the bytes on their way."""
        pending = bytes(file.content[len(file.durable) :])
        whole = self._rng.randint(0, len(pending))
        if self._rng.random() < 0.3:  # a later block was written, and the first was not
            return bytes(whole) + pending[whole:]
        return pending[:whole]

    def image(self) -> dict[str, bytes]:
        """Return a backup: what is durable."""
        return {path: file.durable for path, file in self._durable_names.items()}

    def restore(self, image: dict[str, bytes]) -> None:
        self._changes.clear()
        self.names = {
            path: File(self, bytearray(content), content, matters=_matters(path))
            for path, content in image.items()
        }
        self._durable_names = dict(self.names)

    def holds(self, content: bytes) -> bool:
        """Tell whether ``content`` is durable, in some file."""
        return any(content in file.durable for file in self._durable_names.values())


@dataclass(frozen=True)
class DiskPath:
    """As much of a ``pathlib.Path`` as the journal and the commands ask for."""

    disk: Disk
    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def parent(self) -> "DiskPath":
        return DiskPath(self.disk, self.text.rpartition("/")[0])

    @property
    def name(self) -> str:
        return self.text.rpartition("/")[2]

    def __truediv__(self, name: str) -> "DiskPath":
        return DiskPath(self.disk, f"{self.text}/{name}")

    def with_name(self, name: str) -> "DiskPath":
        return DiskPath(self.disk, f"{self.parent.text}/{name}")

    def is_dir(self) -> bool:
        return not self.text or self.text in self.disk.names

    def exists(self) -> bool:
        return self.text in self.disk.names

    def iterdir(self) -> "Iterator[DiskPath]":
        inside = [path for path in self.disk.names if path.rpartition("/")[0] == self.text]
        return (DiskPath(self.disk, path) for path in inside)

    def stat(self) -> SimpleNamespace:
        return SimpleNamespace(st_uid=0, st_mode=stat.S_IFDIR | 0o700, st_mtime=0)

    def mkdir(self, mode: int, exist_ok: bool) -> None:
        matters = _matters(self.text)
        folder = File(self.disk, matters=matters)
        FS.change(
            self.disk, "mkdir", lambda: self.disk.name(self.text, folder), matters=matters
        )

    def unlink(self, missing_ok: bool) -> None:
        if self.text in self.disk.names:
            FS.change(self.disk, "unlink", lambda: self.disk.name(self.text, None))

    def replace(self, target: "DiskPath") -> None:
        def rename() -> None:
            self.disk.name(target.text, self.disk.names[self.text])
            self.disk.name(self.text, None)

        FS.change(self.disk, "rename", rename)

    def remove(self) -> None:
        """Remove the folder and all files below."""
        for path in [p for p in self.disk.names if p.startswith(self.text)]:
            self.disk.name(path, None)
        self.disk.sync_names()


class FileSystem:
    """Stands for the modules ``os`` and ``fcntl`` in ``journal``. program: the caller."""

    LOCK_EX = LOCK_NB = 0

    def __init__(self) -> None:
        self.program: Callable[[], Program] = lambda: None
        self._open: dict[int, Handle | DiskPath] = {}
        self._next = 1000
        self.path = SimpleNamespace(  # other parts of the program ask for paths of our own disk
            lexists=DiskPath.exists,
            isfile=lambda path: path.exists(),
            isdir=lambda path: path.is_dir(),
        )

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)  # constants, strerror

    def change(
        self, disk: Disk, name: str, work: Callable[[], None], *, matters: bool = True
    ) -> None:
        """Do ``work``, unless the disk fails; the program may die before and after."""
        program = self.program()
        program.point(name)
        if matters:
            disk.change()
        work()
        program.point(f"after {name}")

    def geteuid(self) -> int:
        return 0

    def open(self, path: DiskPath, flags: int, mode: int = 0) -> int:
        self._next += 1
        if flags & os.O_DIRECTORY:
            self._open[self._next] = path
            return self._next
        if path.text not in path.disk.names:
            if not flags & os.O_CREAT:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            matters = _matters(path.text)
            made = File(path.disk, matters=matters)
            create = lambda: path.disk.name(path.text, made)  # noqa: E731
            self.change(path.disk, "create", create, matters=matters)
        appends = bool(flags & (os.O_APPEND | os.O_EXCL))
        self._open[self._next] = Handle(path.disk.names[path.text], self.program(), appends)
        return self._next

    def fstat(self, number: int) -> SimpleNamespace:
        return SimpleNamespace(st_uid=0, st_mode=stat.S_IFREG | 0o600, st_nlink=1)

    def _handle(self, number: int) -> Handle:
        handle = self._open[number]
        assert isinstance(handle, Handle)
        return handle

    def _file(self, number: int) -> File:
        if self.program().dead:
            raise Died
        return self._handle(number).file

    def write(self, number: int, content: bytes) -> int:
        file = self._file(number)
        written = len(content)
        start = len(file.content) if self._handle(number).appends else 0

        def append() -> None:
            file.content[start : start + len(content)] = content

        try:
            self.change(file.disk, "write", append, matters=file.matters)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            written //= 2
            file.content[start : start + written] = content[:written]
        return written

    def read(self, number: int, size: int) -> bytes:
        return bytes(self._file(number).content[:size])

    def fdatasync(self, number: int) -> None:
        file = self._file(number)

        def sync() -> None:
            if not file.spoiled:
                file.durable = bytes(file.content)

        try:
            self.change(file.disk, "fdatasync", sync)
        except OSError:
            file.spoiled = True
            raise

    def fsync(self, number: int) -> None:
        folder = self._open[number]
        assert isinstance(folder, DiskPath)
        disk = folder.disk
        waiting = disk.waiting_names()
        matters = not waiting or any(map(_matters, waiting))
        self.change(disk, "fsync", disk.sync_names, matters=matters)

    @contextmanager
    def fdopen(
        self, number: int, mode: str, *, closefd: bool = True
    ) -> Iterator[SimpleNamespace]:
        yield SimpleNamespace(read=lambda most: self.read(number, most))
        if closefd:
            self.close(number)

    def flock(self, number: int, how: int) -> None:
        handle = self._handle(number)
        if handle.file.holder is not None:
            raise BlockingIOError(errno.EWOULDBLOCK, os.strerror(errno.EWOULDBLOCK))
        handle.file.holder = handle

    def close(self, number: int) -> None:
        closed = self._open.pop(number, None)
        if isinstance(closed, Handle) and closed.file.holder is closed:
            closed.file.holder = None

    def release(self, program: Program) -> None:
        """Close all files left open by ``program``, which has died."""
        for number, handle in list(self._open.items()):
            if isinstance(handle, Handle) and handle.program is program:
                self.close(number)


FS = FileSystem()
