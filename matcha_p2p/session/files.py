"""How a file is read that a stranger may have made: a plain one, and not without end.

Every function here blocks, but never for a pipe or a device.
"""

import errno
import os
import stat
from pathlib import Path
from typing import Final

from matcha_p2p.errors import NotPlainError

# A pipe does not hold us up and a terminal does not become ours; Windows has none of these, but
# would translate line ends.
_SAFELY: Final[int] = (
    getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)


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
