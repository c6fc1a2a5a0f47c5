"""Transcripts that a command is given: read, and judged while somebody waits."""

import time
from pathlib import Path
from typing import Final

from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.output import Output
from matcha_p2p.errors import TranscriptError
from matcha_p2p.language import Sentence
from matcha_p2p.review.verify import Report, verified_transcript
from matcha_p2p.session.files import read_file as read
from matcha_p2p.transcript.archive import SIZE_LIMIT

CHECKING: Final = Sentence("Checking the game: {count} messages are sound so far.")

_QUIET_FOR: Final = 2.0
"""Seconds between two words about how far the checks are."""


def read_file(file: Path) -> bytes:
    """Return what is in ``file``; of more than any transcript has, enough to be refused.

    Raises:
        TranscriptError: it cannot be read.
    """
    try:
        return read(file, SIZE_LIMIT + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise TranscriptError(
            "{file} cannot be read: {reason}.", code="file-unreadable", file=file, reason=reason
        ) from error


def read_game(out: Output, file: Path) -> Report:
    """Return the report on the game in ``file``; if that takes long, say how far it is.

    Raises:
        TranscriptError: it cannot be read.
        CommandError: its transcript is not valid.
    """
    transcript = read_file(file)
    try:
        return verified_transcript(transcript, Progress(out).watch)
    except TranscriptError as error:
        raise CommandError(
            Exit.INVALID, "{file}: {why}", code="not-valid", file=file, why=error
        ) from error


class Progress:
    """Says now and then how far the checks are, a line a time."""

    def __init__(self, out: Output) -> None:
        self._out: Final = out
        self._said = time.monotonic()

    def watch(self, count: int) -> None:
        """Count the messages of one game."""
        self.say(CHECKING, count=count)

    def say(self, sentence: Sentence, **fields: object) -> None:
        """Say ``sentence``, unless something was said a moment ago."""
        now = time.monotonic()
        if now - self._said >= _QUIET_FOR:
            self._said = now
            self._out.murmur(sentence(**fields))
