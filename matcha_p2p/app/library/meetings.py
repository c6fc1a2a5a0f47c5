"""Which files hold copies of one game, and whether the copies contradict each other."""

import os
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from pathlib import Path
from struct import Struct
from typing import Final

from matcha_p2p.app.library.check_files import CheckedFile
from matcha_p2p.app.library.transcripts import read_transcript, unreadable
from matcha_p2p.app.workers import in_order
from matcha_p2p.chain.compare import Contradiction, Copy, contradictions, copy_of
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.errors import TranscriptError

_SEEN: Final = Struct("!32s32sQ")
"""Of a checked file the group, the digest, and the place in the order of the files."""

_GAME: Final = slice(0, 32)
_DIGEST: Final = slice(32, 64)
_PLACE: Final = slice(64, 72)


class Meetings:
    """Remembers which games the checked files hold, in some hundred bytes a file."""

    def __init__(self) -> None:
        self._seen: Final[list[bytes]] = []

    def add(self, file: Path, checked: CheckedFile) -> None:
        """Remember a checked file, in the order of the command line."""
        if checked.group is not None:
            head = _SEEN.pack(checked.group, checked.digest, len(self._seen))
            self._seen.append(head + os.fsencode(file))

    def contradictions(self) -> Iterator[tuple[list[Path], Contradiction | TranscriptError]]:
        """Yield the files of a game and each contradiction between them, the first game first.

        Different files of one game are read again, one game
        after the other. If a file can no longer be read, yield the file and the error.
        """
        games = self._games()
        files = (file for game in games for file in _different(game))
        read = in_order(_copy, files)
        for game in games:
            copies: list[Copy] = []
            for file, found in islice(read, len(_different(game))):
                if isinstance(found, Copy):
                    copies.append(found)
                else:
                    yield [file], unreadable(file, found)
            for contradiction in contradictions(copies):
                yield list(map(_file, game)), contradiction

    def _games(self) -> list[list[bytes]]:
        """Return what is remembered of each game that has different files, in order."""
        met: list[list[bytes]] = []
        for _, same in groupby(sorted(self._seen), lambda seen: seen[_GAME]):
            game = list(same)
            if len(set(map(_digest, game))) > 1:
                met.append(sorted(game, key=_place))
        return sorted(met, key=lambda game: _place(game[0]))


def _different(game: Iterable[bytes]) -> list[Path]:
    """Return a file for each content of the files of a game, the first file that has it."""
    first: dict[bytes, bytes] = {}
    for seen in game:
        first.setdefault(_digest(seen), seen)
    return list(map(_file, first.values()))


def _digest(seen: bytes) -> bytes:
    return seen[_DIGEST]


def _place(seen: bytes) -> bytes:
    return seen[_PLACE]


def _file(seen: bytes) -> Path:
    return Path(os.fsdecode(seen[_SEEN.size :]))


def _copy(file: Path) -> tuple[Path, Copy | OSError]:
    try:
        return file, copy_of(verify_transcript(read_transcript(file)))
    except OSError as error:
        return file, error
