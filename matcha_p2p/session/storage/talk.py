"""Keeps the talk of the players, in a file beside the journal of their game.

Talk is no part of the game, and no evidence (PEER#talk), so nobody waits for the disk. A
failing disk, or a file with foreign content, costs talk and no game. The file is deleted with
the folder of the game.
"""

from collections.abc import Container
from contextlib import suppress
from os import O_APPEND, O_CREAT, O_WRONLY, close, write
from pathlib import Path
from typing import Final

from matcha_p2p.errors import EncodingError
from matcha_p2p.seats import Seat
from matcha_p2p.session.storage.files import open_safely, read_file, write_whole
from matcha_p2p.wire.talk import Phrase, Say, Spoken, decode_spoken, encode_spoken

MOST_TALK: Final = 200
"""How many pieces of talk are kept: the latest."""

_MOST: Final = 2**20
"""Bytes of a file: twice MOST_TALK of the longest pieces are less."""


class TalkOfAGame:
    """Keeps the talk of the game whose journal is at ``path``.

    Each line of the file holds the digit of a seat, then the words in hexadecimal.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path.with_name("talk")
        self._lines = 0
        self.spoken: tuple[Spoken, ...] = ()

    def recall(self, seats: Container[Seat]) -> None:
        """Read the kept talk, without lines that are not talk of ``seats``."""
        content = b""
        with suppress(OSError):
            content = read_file(self._path, _MOST + 1, follow=False)
        lines = content.split() if len(content) <= _MOST else []
        spoken = [said for said in map(_parsed, lines) if said is not None and said[0] in seats]
        self.spoken = tuple(spoken[-MOST_TALK:])
        self._lines = len(lines) if len(content) <= _MOST else 2 * MOST_TALK

    def keep(self, seat: Seat, said: Say | Phrase) -> None:
        """Keep the latest words of ``seat``."""
        self.spoken = (*self.spoken, (seat, said))[-MOST_TALK:]
        self._lines += 1
        with suppress(OSError):
            if self._lines > 2 * MOST_TALK:
                write_whole(self._path, b"".join(map(_line, self.spoken)), mode=0o600)
                self._lines = len(self.spoken)
            else:
                self._append(_line((seat, said)))

    def _append(self, line: bytes) -> None:
        file = open_safely(self._path, O_WRONLY | O_APPEND | O_CREAT)
        try:
            write(file, line)
        finally:
            close(file)


def _line(spoken: Spoken) -> bytes:
    """Return a line, with a line end in front: a crash may have cut the line before."""
    seat, said = spoken
    return f"\n{seat}{encode_spoken(said).hex()}\n".encode()


def _parsed(line: bytes) -> Spoken | None:
    try:
        seat, said = Seat(int(line[:1])), decode_spoken(bytes.fromhex(line[1:].decode("ascii")))
    except (ValueError, EncodingError):
        return None
    return seat, said
