"""Files that a stranger may have made: how they are read, and how their names are shown.

What reads here blocks, but never for a pipe or a device, and not without end.
"""

import errno
import os
import re
import stat
from pathlib import Path, PurePath, PureWindowsPath
from typing import Final

# A pipe does not hold us up and a terminal does not become ours; Windows has none of these, but
# would translate line ends.
_SAFELY: Final[int] = (
    getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)


class NotPlainError(OSError):
    """What there is under a name is no plain file."""


def read_file(path: Path, most: int, *, follow: bool = True) -> bytes:
    """Return the first ``most`` bytes of the file at ``path``.

    Whoever asks for one more than fits sees that there are too many.
    follow: whether ``path`` may be a link to the file.

    Raises:
        OSError: the system refuses.
        NotPlainError: it is a folder, a pipe or a device.
    """
    file = open_safely(path, os.O_RDONLY, follow=follow)
    with os.fdopen(file, "rb") as opened:
        return opened.read(most)


def open_safely(path: Path, flags: int, mode: int = 0o600, *, follow: bool = False) -> int:
    """Open the plain file at ``path``, or make it with ``mode``; return its descriptor.

    Raises:
        OSError: the system refuses.
        NotPlainError: it is a folder, a pipe or a device.
    """
    links = 0 if follow else getattr(os, "O_NOFOLLOW", 0)
    file = os.open(path, flags | _SAFELY | links, mode)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise NotPlainError(errno.EINVAL, "it is no plain file", str(path))
    return file


def shown(path: PurePath) -> str:
    """Return ``path`` fit for a terminal: one line, quoted unless it is plain.

    A file is called what a stranger likes. Whatever is not printable is escaped, and so are
    spaces in a row, with which a name could reach the next line of a terminal. The quotes are
    those of a shell: a path stands in commands that people copy.
    """
    windows = isinstance(path, PureWindowsPath)
    plain = "/._-~+@,=:\\" if windows else "/._-~+@,=:"
    if all(character.isalnum() or character in plain for character in str(path)):
        return str(path)
    text = re.sub("(?<= ) ", r"\\x20", str(path))
    text = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
    return f'"{text}"' if windows else "'" + text.replace("'", r"'\''") + "'"
