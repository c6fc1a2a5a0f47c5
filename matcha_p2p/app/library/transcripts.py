"""Reads and verifies the transcripts that a command is given, and reports the progress."""

import time
from pathlib import Path
from typing import Final

from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.output import Output
from matcha_p2p.chain.archive import SIZE_LIMIT
from matcha_p2p.chain.verify import Report, verified_transcript
from matcha_p2p.errors import TranscriptError
from matcha_p2p.language import Sentence, reason_of
from matcha_p2p.session.storage.files import read_file as read

CHECKING: Final = Sentence("Checking the game: {count} messages are sound so far.")

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
