"""Reads and verifies the transcripts that a command is given, and reports the progress."""

import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final

from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.output import Output
from matcha_p2p.chain.archive import SIZE_LIMIT
from matcha_p2p.chain.verify import Report, verified_transcript
from matcha_p2p.errors import TranscriptError
from matcha_p2p.games import FOLDERS, USUAL, part
from matcha_p2p.language import Sentence, reason_of
from matcha_p2p.seats import Seat
from matcha_p2p.session.storage.files import read_file as read
from matcha_p2p.store.home import Home, Note
from matcha_p2p.table.table import Table

CHECKING: Final = Sentence("Checking the game: {count} messages are valid so far.")

_QUIET_FOR: Final = 1.0
"""Seconds before the first report of progress, and between two."""


def read_file(file: Path) -> bytes:
    """Return the content of ``file``; of a file too long for a transcript, enough to refuse it.

    Raises:
        TranscriptError: it cannot be read.
    """
    try:
        return read(file, SIZE_LIMIT + 1)
    except OSError as error:
        reason = reason_of(error)
        raise TranscriptError(
            "{file} cannot be read: {reason}.", code="file-unreadable", file=file, reason=reason
        ) from error


@dataclass(frozen=True, slots=True)
class OpenedGame:
    """A verified game, and what this home knows of it.

    seat: which was ours. own: our seat and our game key. Each is None if it is not known.
    """

    file: Path
    report: Report
    seat: Seat | None
    own: tuple[Seat, int] | None


def open_game(out: Output, home: Home, file: Path) -> OpenedGame:
    """Return the game in ``file``; raises what ``read_game`` does."""
    report, note = read_game(out, file), home.notes().get(file.name, Note(None, None))
    return OpenedGame(file, report, note.seat, home.own_key(file))


def read_game(out: Output, file: Path) -> Report:
    """Return the report on the game in ``file``; if it takes long, print the progress.

    Raises:
        TranscriptError: it cannot be read.
        CommandError: its transcript is not valid.
    """
    transcript = read_file(file)
    try:
        return verified_transcript(transcript, Progress(out).tell)
    except TranscriptError as error:
        raise CommandError(
            Exit.INVALID, "{file}: {why}", code="not-valid", file=file, why=error
        ) from error


def table_of(report: Report) -> Table | None:
    """Return the last sound table; None if the players have not greeted each other."""
    for sound in reversed(report.accepted):
        if isinstance(sound.state, Table):
            return sound.state
    return None


def command_of(report: Report, name: str) -> ModuleType:
    """Return what the command ``name`` does in the game that was played.

    Raises:
        CommandError: that game lacks it.
    """
    game = report.game or USUAL
    try:
        return part(game, f"commands.{name}")
    except ModuleNotFoundError as error:
        if not str(error.name).startswith(FOLDERS[game]):
            raise
        raise CommandError(
            Exit.USAGE, "{game} has no such command.", code="not-of-game", game=game
        ) from error


class Progress:
    """Prints the progress of a verification now and then, a line a time."""

    def __init__(self, out: Output) -> None:
        self._out: Final = out
        self._said = time.monotonic()

    def tell(self, count: int) -> None:
        """Tell that ``count`` messages of a game are sound, if it is time to."""
        self.say(CHECKING, count=count)

    def say(self, sentence: Sentence, **fields: object) -> None:
        """Say ``sentence``, unless something was said a moment ago."""
        now = time.monotonic()
        if now - self._said >= _QUIET_FOR:
            self._said = now
            self._out.murmur(sentence(**fields))
