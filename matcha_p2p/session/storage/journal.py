"""An append-only file that survives crashes and tells damage; bytes only (PEER#journal).

    file    = MAGIC (16 bytes) ‖ salt (16) ‖ commit ...
    commit  = MARK (4) ‖ sequence (4) ‖ size (4) ‖ content ‖ chain (16) ‖ crc (4)
    content = the header in commit 0, else items
    item    = kind (1) ‖ size (4) ‖ body

Integers are big-endian; a size counts the bytes of the content, and of the body. A commit is
what one ``append`` makes durable: it survives whole or not at all. ``chain`` is the SHA-256,
cut to 16 bytes, of the chain before and the commit up to ``chain``; before commit 0 it is the
salt. ``crc`` covers the salt and all of the commit before it; the peer never learns the salt,
so that no bytes he sends can pass for a commit.

Every function here blocks: an event loop calls them in a thread.
"""

import errno
import hashlib
import os
import secrets
import struct
import sys
import zlib
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

from matcha_p2p.errors import JournalError, OlderJournalError
from matcha_p2p.language import reason_of
from matcha_p2p.session.storage import files

MAGIC: Final = b"matcha journal 1"
MARK: Final = b"\xf1MJ\n"

_SALT_SIZE: Final = 16
_START_SIZE: Final = len(MAGIC) + _SALT_SIZE
_HEAD: Final = struct.Struct(">4sII")
_TAIL: Final = struct.Struct(">16sI")
_ITEM_HEAD: Final = struct.Struct(">BI")
_MARK_SIZE: Final = 8

_OLDER: Final = (
    "{path} is an older copy of this game: messages that you signed later are missing. Going "
    "on from here can make you look like a cheat and show your cards."
)

MOST_MARKS: Final = 4096
"""The most marks kept. Beyond this number, the fourth part with the oldest writes is forgotten.

Nobody restores a game from thousands of games ago by mistake.
"""

_MOST: Final = 2**27
"""Bytes of a file, at most: far more than any game needs."""


@dataclass(frozen=True, slots=True)
class JournalItem:
    """One thing to remember. kind: 0 .. 255, the caller's to choose. body: any bytes."""

    kind: int
    body: bytes


class Journal:
    """The open journal of one game; nobody else can open the journal meanwhile.

    Made by ``create`` or ``open``. The first failure to write ends the journal for good. After
    a failed fsync nobody knows the content of the disk, and the next fsync may succeed without
    a warning.

    marks: a folder elsewhere that remembers the length of each journal, or None. A player who
    restores an older copy of a game's folder, and goes on, would sign places of the game twice.
    So a journal shorter than its mark is not opened. A mark outlives the journal until
    thousands of newer marks exist, because a backup may bring back the folder of a finished
    game.
    """

    def __init__(
        self, path: Path, header: bytes, end: "_End", held: ExitStack, mark: Path | None
    ) -> None:
        self.path: Final = path
        self.header: Final = header
        self._mark: Final = mark
        self._end = end
        self._file: int | None = _open_file(path, os.O_WRONLY | os.O_APPEND, held)
        self._held: Final = held.pop_all()

    @classmethod
    def create(cls, path: Path, header: bytes, marks: Path | None = None) -> Self:
        """Start a journal at ``path``; on return the file and ``header`` are durable.

        Missing folders are made, for our eyes only.

        Raises:
            JournalError: a journal exists already, or the system refuses.
        """
        with _told(path), ExitStack() as held:
            files.make_folder(path.parent)
            _lock(path, held)
            if os.path.lexists(path):
                raise JournalError("{path} already exists.", code="journal-exists", path=path)
            salt = secrets.token_bytes(_SALT_SIZE)
            commit, end = _End(salt, 0, salt).extend(header)
            _put(path, MAGIC + salt + commit)
            _prune(marks)
            return cls(path, header, end, held, _mark_of(salt, marks))

    @classmethod
    def open(
        cls, path: Path, marks: Path | None = None, *, older: bool = False
    ) -> tuple[Self, tuple[JournalItem, ...]]:
        """Open the journal at ``path``; return the journal and all items.

        A commit torn by a crash is cut off. The file is written anew, so the returned items are
        durable: the old file may hold bytes that never left the page cache. older: whether to
        open a journal shorter than its mark.

        Raises:
            JournalError: the journal is missing, damaged, open elsewhere, not for our eyes
                only, or shorter than its mark.
        """
        with _told(path), ExitStack() as held:
            _lock(path, held)
            content = _content(path)
            recovered = _recover(path, content)
            mark = _mark_of(recovered.end.salt, marks)
            if not older and recovered.end.sequence < _read_mark(mark):
                raise OlderJournalError(_OLDER, code="journal-older", path=path)
            _put(path, content[: recovered.size])
            # Nobody waits for a durable mark: after a power failure the mark may be older.
            _write_mark(mark, recovered.end.sequence)
            return cls(path, recovered.header, recovered.end, held, mark), recovered.items

    def append(self, items: Sequence[JournalItem]) -> None:
        """Make ``items`` durable, all or none, in one write and one fdatasync.

        Raises:
            JournalError: the system refuses, or this journal has ended. Nothing that depends on
                ``items`` may be sent.
        """
        if self._file is None:
            raise JournalError(
                "{path} cannot grow any more.", code="journal-closed", path=self.path
            )
        commit, end = self._end.extend(b"".join(_encode(item) for item in items))
        try:
            with _told(self.path):
                _write(self._file, commit)
        except BaseException:  # after any error, nobody knows how much of the commit is on disk
            self.close()
            raise
        self._end = end
        _write_mark(self._mark, end.sequence)

    def close(self) -> None:
        """Let others open the journal; all appended items stay."""
        self._file = None
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def is_older(path: Path, marks: Path) -> bool:
    """Tell whether the journal at ``path`` is shorter than its mark.

    If the journal cannot be read, return False: opening the journal gives the reason.
    """
    try:
        with _told(path):
            end = _recover(path, _content(path)).end
    except JournalError:
        return False
    return end.sequence < _read_mark(_mark_of(end.salt, marks))


def read(path: Path) -> tuple[bytes, tuple[JournalItem, ...]]:
    """Return the header and the items of the journal at ``path``, which may be in use.

    The file is not changed, and the items need not be durable yet.

    Raises:
        JournalError: the journal is missing, damaged, or not for our eyes only.
    """
    with _told(path):
        recovered = _recover(path, _content(path))
    return recovered.header, recovered.items


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a journal, for the next commit: sequence, and the chain before."""

    salt: bytes
    sequence: int
    chain: bytes

    def extend(self, content: bytes) -> tuple[bytes, Self]:
        """Return the commit of ``content``, and the end after the commit."""
        linked = _HEAD.pack(MARK, self.sequence, len(content)) + content
        after = self._after(linked)
        return linked + _TAIL.pack(after.chain, _crc(self.salt, linked + after.chain)), after

    def accept(self, commit: "_Commit") -> Self | None:
        """Return the end after ``commit``, or None unless ``commit`` comes next."""
        after = self._after(commit.linked)
        is_next = commit.sequence == self.sequence and commit.chain == after.chain
        return after if is_next else None

    def _after(self, linked: bytes) -> Self:
        chain = hashlib.sha256(self.chain + linked).digest()[:16]
        return replace(self, sequence=self.sequence + 1, chain=chain)


@dataclass(frozen=True, slots=True)
class _Commit:
    """A commit with the right crc. linked: the bytes up to the chain. size: of all bytes."""

    sequence: int
    linked: bytes
    chain: bytes

    @property
    def content(self) -> bytes:
        return self.linked[_HEAD.size :]

    @property
    def size(self) -> int:
        return len(self.linked) + _TAIL.size


@dataclass(frozen=True, slots=True)
class _Recovered:
    """The content of a file. size: the bytes up to a torn tail, or to the end."""

    header: bytes
    items: tuple[JournalItem, ...]
    end: _End
    size: int


def _mark_of(salt: bytes, marks: Path | None) -> Path | None:
    return None if marks is None else marks / salt.hex()


def _prune(marks: Path | None) -> None:
    """If there are too many marks, forget the oldest; a failure only costs disk space."""
    with suppress(OSError):
        known = [] if marks is None else list(marks.iterdir())
        if len(known) > MOST_MARKS:
            known.sort(key=lambda mark: mark.stat().st_mtime)
            for mark in known[: -MOST_MARKS * 3 // 4]:
                mark.unlink(missing_ok=True)


def _read_mark(mark: Path | None) -> int:
    """Return the number of commits a journal has had; 0 if unknown."""
    if mark is None:
        return 0
    try:
        with ExitStack() as held:
            known = os.read(_open_file(mark, os.O_RDONLY, held), _MARK_SIZE)
    except (OSError, JournalError):
        return 0
    return int.from_bytes(known, "big") if len(known) == _MARK_SIZE else 0


def _write_mark(mark: Path | None, sequence: int) -> None:
    """Remember the number of commits of a journal.

    Nobody waits for the disk. A failure costs the warning and no game: a lost or older mark
    only warns less.
    """
    if mark is None:
        return
    with suppress(OSError, JournalError), ExitStack() as held:
        files.make_folder(mark.parent)
        file = _open_file(mark, os.O_WRONLY | os.O_CREAT, held)
        os.write(file, sequence.to_bytes(_MARK_SIZE, "big"))


def _recover(path: Path, content: bytes) -> _Recovered:
    salt = content[len(MAGIC) : _START_SIZE]
    if content[: len(MAGIC)] != MAGIC or len(salt) < _SALT_SIZE:
        raise JournalError("{path} is not a journal.", code="journal-foreign", path=path)
    end = _End(salt, 0, salt)
    at = _START_SIZE
    contents: list[bytes] = []
    while (commit := _commit_at(content, at, salt)) and (after := end.accept(commit)):
        contents.append(commit.content)
        end = after
        at += commit.size
    if not contents or _follows(content, at, end):
        raise JournalError(
            "{path} is damaged at byte {place}.", code="journal-damaged", path=path, place=at
        )
    header, *rest = contents
    items = tuple(item for part in rest for item in _decode(path, part))
    return _Recovered(header, items, end, at)


def _follows(content: bytes, at: int, end: _End) -> bool:
    """Tell whether a whole commit follows at or after ``at``, beyond a torn tail.

    An earlier sequence is no damage: the disk may show old blocks in place of lost new blocks.
    """
    while (at := content.find(MARK, at)) >= 0:
        commit = _commit_at(content, at, end.salt)
        if commit is not None and commit.sequence >= end.sequence:
            return True
        at += 1
    return False


def _commit_at(content: bytes, at: int, salt: bytes) -> _Commit | None:
    """Return the whole commit that starts at ``at``, or None."""
    if len(content) - at < _HEAD.size + _TAIL.size:
        return None
    mark, sequence, size = _HEAD.unpack_from(content, at)
    tail = at + _HEAD.size + size
    if mark != MARK or len(content) - tail < _TAIL.size:
        return None
    chain, crc = _TAIL.unpack_from(content, tail)
    linked = content[at:tail]
    return _Commit(sequence, linked, chain) if crc == _crc(salt, linked + chain) else None


def _crc(salt: bytes, covered: bytes) -> int:
    return zlib.crc32(covered, zlib.crc32(salt))


def _encode(item: JournalItem) -> bytes:
    return _ITEM_HEAD.pack(item.kind, len(item.body)) + item.body


def _decode(path: Path, content: bytes) -> Generator[JournalItem]:
    at = 0
    while at < len(content):
        body = at + _ITEM_HEAD.size  # half a head is filled up, so that its body is too long
        kind, size = _ITEM_HEAD.unpack(content[at:body].ljust(_ITEM_HEAD.size, b"\xff"))
        at = body + size
        if at > len(content):
            raise JournalError(
                "{path} is damaged: an item in the middle is cut short.",
                code="journal-damaged",
                path=path,
            )
        yield JournalItem(kind, content[body:at])


@contextmanager
def _told(path: Path) -> Generator[None]:
    """Turn an error of the system into a JournalError."""
    try:
        yield
    except OSError as error:
        reason = reason_of(error)
        raise JournalError(
            "{path} cannot be used: {reason}.", code="journal-disk", path=path, reason=reason
        ) from error


def _put(path: Path, content: bytes) -> None:
    """Replace the content of ``path`` durably; a crash leaves the old or the new content."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)  # left by a crash
    with ExitStack() as held:
        _write(_open_file(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, held), content)
    files.replace(new, path)
    files.sync_folder(path.parent)


def _write(file: int, content: bytes) -> None:
    """Append ``content`` in one write, and wait for the disk."""
    if os.write(file, content) != len(content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    files.sync_file(file)


def _content(path: Path) -> bytes:
    with ExitStack() as held:
        file = _open_file(path, os.O_RDONLY, held)
        with os.fdopen(file, "rb", closefd=False) as opened:
            content = opened.read(_MOST + 1)
    if len(content) > _MOST:
        raise JournalError("{path} is not a journal.", code="journal-foreign", path=path)
    return content


def _open_file(path: Path, flags: int, held: ExitStack) -> int:
    """Open ``path``, until ``held`` closes; refuse a file or folder that others may read."""
    file = files.open_safely(path, flags)
    held.callback(os.close, file)
    if sys.platform == "win32":
        return file  # Windows closes a user's folders to other users
    status = os.fstat(file)
    if status.st_nlink != 1:
        raise JournalError(
            "{path} is a link, but has to be a file.", code="journal-perm", path=path
        )
    _check_private(path, status)
    _check_private(path.parent, path.parent.stat())
    return file


def _check_private(path: Path, status: os.stat_result) -> None:
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise JournalError(
            "Other users can read {path}. If the file is yours: chmod go= {path}",
            code="journal-perm",
            path=path,
        )


def _lock(path: Path, held: ExitStack) -> None:
    """Keep all processes, also this one, from opening ``path`` until ``held`` closes."""
    file = _open_file(files.lock_of(path), os.O_RDWR | os.O_CREAT, held)
    try:
        files.lock(file, wait=False)
    except OSError:
        raise JournalError(
            "{path} is open in another matcha.", code="journal-locked", path=path
        ) from None
