"""Files that a stranger may have made: pipes, devices, links, and files without end."""

import errno
import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from matcha_p2p.session.storage import files
from matcha_p2p.session.storage.files import open_safely, read_file

posix = pytest.mark.skipif(os.name != "posix", reason="Windows has none of these")


@pytest.fixture(params=["pipe", "folder", "device"])
def odd(request, tmp_path) -> Path:
    """Return a pipe, a folder or a device."""
    path = tmp_path / "odd"
    match request.param:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "device":
            path = Path("/dev/zero")
    return path


@posix
def test_special_file_is_neither_read_nor_waited_for(odd, tmp_path):
    (tmp_path / "link").symlink_to(odd)
    for path in (odd, tmp_path / "link"):
        with pytest.raises(OSError, match=r"plain file|directory"):
            read_file(path, 10)


@posix
@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_WRONLY | os.O_APPEND])
def test_special_file_is_not_opened(odd, flags):
    with pytest.raises(OSError, match=r"plain file|directory|No such device"):
        open_safely(odd, flags)


@posix
def test_endless_file_is_read_only_at_its_beginning(tmp_path):
    with (tmp_path / "huge").open("wb") as huge:
        huge.truncate(2**40)
    assert read_file(tmp_path / "huge", 70_000) == bytes(70_000)
    assert read_file(Path("/proc/self/status"), 5) == b"Name:"


@posix
def test_a_link_is_followed_only_where_that_is_asked_for(tmp_path):
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_file(tmp_path / "link", 100) == b"content"
    with pytest.raises(OSError, match="symbolic links"):
        read_file(tmp_path / "link", 100, follow=False)
    with pytest.raises(OSError, match="symbolic links"):
        open_safely(tmp_path / "link", os.O_WRONLY)
    assert (tmp_path / "file").read_bytes() == b"content"


@pytest.fixture
def windows(monkeypatch):
    """Return a stand-in for msvcrt and the pauses, with the files of this system otherwise."""
    pauses = list[float]()
    msvcrt = SimpleNamespace(LK_LOCK=1, LK_NBLCK=2, pauses=pauses)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(files, "msvcrt", msvcrt, raising=False)
    monkeypatch.setattr(time, "sleep", pauses.append)
    return msvcrt


def test_lock_of_windows_waits_longer_than_ten_seconds(windows):
    """LK_LOCK gives up after ten tries, a second apart."""
    answers = [OSError(errno.EDEADLOCK, "ten tries"), OSError(errno.EDEADLOCK, "again"), None]

    def locking(*_):
        if (answer := answers.pop(0)) is not None:
            raise answer

    windows.locking = locking
    files.lock(3, wait=True)
    assert answers == []
    for error, wait in ((errno.EDEADLOCK, False), (errno.EACCES, False), (errno.EBADF, True)):
        answers[:] = [OSError(error, "no")]
        with pytest.raises(OSError, match="no"):
            files.lock(3, wait=wait)


@pytest.mark.parametrize("refusals", [0, 1, 7, 8])
def test_file_that_another_program_reads_is_replaced_a_little_later(
    windows, monkeypatch, tmp_path, refusals
):
    replace, left = Path.replace, [PermissionError(errno.EACCES, "in use")] * refusals

    def busy(new, path):
        if left:
            raise left.pop()
        return replace(new, path)

    path = tmp_path / "file"
    path.write_bytes(b"old")
    monkeypatch.setattr(Path, "replace", busy)
    if refusals > len(files._PAUSES):
        with pytest.raises(PermissionError):
            files.write_whole(path, b"new")
        assert [each.name for each in tmp_path.iterdir()] == ["file"]
    else:
        files.write_whole(path, b"new")
    assert path.read_bytes() == (b"old" if refusals > len(files._PAUSES) else b"new")
    assert sum(windows.pauses) <= 1


def test_disk_of_macos_without_a_full_sync_has_the_plain_sync(monkeypatch, tmp_path):
    asked = list[object]()

    def fcntl(_, command):
        asked.append(command)
        raise OSError(errno.ENOTSUP, "not supported")

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(
        files, "fcntl", SimpleNamespace(fcntl=fcntl, F_FULLFSYNC=51), raising=False
    )
    monkeypatch.setattr(os, "fsync", lambda _: asked.append("fsync"))
    with (tmp_path / "file").open("wb") as opened:
        files.sync_file(opened.fileno())
    assert asked == [51, "fsync"]


def test_second_holder_waits_for_the_first(tmp_path):
    with files.locked(tmp_path / "file"):
        file = open_safely(files.lock_of(tmp_path / "file"), os.O_RDWR)
        with pytest.raises(OSError):  # noqa: PT011 -- systems differ
            files.lock(file, wait=False)
        os.close(file)
