"""The first messages heard at a door, so that no message is answered twice.

An eavesdropper on the line can repeat a message, also to a restarted program. Source:
PEER#listening.
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
    """Remembers the first messages of one key in the file at ``path``.

    The holder of the key can fill the file. The file then begins anew, and only recordings of
    that key's messages are answered again.

    A message lost from the file is answered once more, with 48 bytes that are useless without
    the secret. So nobody waits for the disk, and a disk that fails ends no game.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._heard: set[bytes] | None = None

    def remember(self, knock: bytes) -> bool:
        """Take a first message; return whether the message is new."""
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
        """Return the digests in the file, without half a digest at the end."""
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
