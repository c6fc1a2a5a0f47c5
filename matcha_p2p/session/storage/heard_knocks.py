"""The first messages that were heard at a door, so that none is answered twice.

Whoever watches the line can repeat one, also to a program that was started again.
Source: SPEC#listening.
"""

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from matcha_p2p.session.storage.files import make_folder, open_safely, read_file
from matcha_p2p.transport.listen import MOST_KNOCKS

_SIZE: Final = 32


class StoredKnocks:
    """Remembers first messages in the file at ``path``, each key's in one of its own.

    Who holds the key can fill the file, so that it begins anew, and recordings of that key's
    messages alone are answered again.

    What the file should lose is answered once more, with 48 bytes that are of no use to whoever
    does not hold the secret. So nobody waits for the disk, and a disk that fails ends no game.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._heard: set[bytes] | None = None

    def remember(self, knock: bytes) -> bool:
        """Take a first message; return whether it is new."""
        if self._heard is None:
            self._heard = self._read()
        digest = sha256(knock).digest()
        if digest in self._heard:
            return False
        if len(self._heard) >= MOST_KNOCKS:
            self._heard = set()
        self._heard.add(digest)
        self._append(digest)
        return True

    def _read(self) -> set[bytes]:
        """Return what the file holds; half an item at its end is none."""
        with suppress(OSError):
            content = read_file(self._path, _SIZE * MOST_KNOCKS, follow=False)
            whole = range(0, len(content) - _SIZE + 1, _SIZE)
            return {content[at : at + _SIZE] for at in whole}
        return set()

    def _append(self, digest: bytes) -> None:
        begins = len(self._heard or ()) <= 1
        flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if begins else os.O_APPEND)
        with suppress(OSError):
            make_folder(self._path.parent)
            file = open_safely(self._path, flags)
            try:
                os.write(file, digest)
            finally:
                os.close(file)
