"""Files that a stranger may have made: pipes, devices, links, and files without end."""

import os
from pathlib import Path

import pytest

from matcha_p2p.session.storage.files import open_safely, read_file

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has none of these")


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


def test_special_file_is_neither_read_nor_waited_for(odd, tmp_path):
    (tmp_path / "link").symlink_to(odd)
    for path in (odd, tmp_path / "link"):
        with pytest.raises(OSError, match=r"plain file|directory"):
            read_file(path, 10)


@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_WRONLY | os.O_APPEND])
def test_special_file_is_not_opened(odd, flags):
    with pytest.raises(OSError, match=r"plain file|directory|No such device"):
        open_safely(odd, flags)


def test_endless_file_is_read_only_at_its_beginning(tmp_path):
    with (tmp_path / "huge").open("wb") as huge:
        huge.truncate(2**40)
    assert read_file(tmp_path / "huge", 70_000) == bytes(70_000)
    assert read_file(Path("/proc/self/status"), 5) == b"Name:"


def test_a_link_is_followed_only_where_that_is_asked_for(tmp_path):
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_file(tmp_path / "link", 100) == b"content"
    with pytest.raises(OSError, match="symbolic links"):
        read_file(tmp_path / "link", 100, follow=False)
    with pytest.raises(OSError, match="symbolic links"):
        open_safely(tmp_path / "link", os.O_WRONLY)
    assert (tmp_path / "file").read_bytes() == b"content"
