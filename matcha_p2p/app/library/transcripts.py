"""Reads and verifies a command's transcripts, and reports the progress."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.chain.archive import SIZE_LIMIT, parse_archive
from matcha_p2p.chain.verify import Report, verified_transcript
from matcha_p2p.errors import CheckError, TranscriptError, UnknownGameError
from matcha_p2p.games import USUAL, game_of
from matcha_p2p.games.game import Game
from matcha_p2p.language import Sentence, reason_of
from matcha_p2p.seats import Seat
from matcha_p2p.session.storage.files import read_file as read
from matcha_p2p.store.home import Home, Note
from matcha_p2p.table.table import Table
from matcha_p2p.wire.roster import parse_roster

CHECKING: Final = Sentence("Checking the game: {count} messages are valid so far.")
JUDGED: Final = Sentence("Decisions judged so far: {done} of {all}.")
CHECKED: Final = Sentence("Files checked: {count}.")

_QUIET_FOR: Final = 1.0
"""Seconds before the first report of progress, and between two."""


def read_transcript(file: Path) -> bytes:
    """Return the content of ``file``; of a file too long for a transcript, enough to refuse it.

    Raises:
        OSError: the file cannot be read.
    """
    return read(file, SIZE_LIMIT + 1)


def read_file(file: Path) -> bytes:
    """Return what ``read_transcript`` returns.

    Raises:
        TranscriptError: the file cannot be read.
    """
    try:
        return read_transcript(file)
    except OSError as error:
        raise unreadable(file, error) from error


def unreadable(file: Path, error: OSError | UnknownGameError) -> TranscriptError:
    """Return the error of a command that cannot read ``file``, in the spoken language."""
    if isinstance(error, UnknownGameError):
        return TranscriptError("{file}: {why}", code=error.code, file=file, why=error)
    return TranscriptError(
        "{file} cannot be read: {reason}.",
        code="file-unreadable",
        file=file,
        reason=reason_of(error),
    )


class OpenedGame(NamedTuple):
    """A verified game, our seat, and our seat with our game key; each None if unknown."""

    report: Report
    seat: Seat | None
    own: tuple[Seat, int] | None


def open_game(out: Output, home: Home, file: Path) -> OpenedGame:
    """Return the game in ``file``; raise the errors of ``read_game``."""
    note = home.notes().get(file.name, Note(None, None))
    return OpenedGame(read_game(out, file), note.seat, home.own_key(file))


def read_game(out: Output, file: Path) -> Report:
    """Return the report on the game in ``file``; if reading takes long, print the progress.

    Raises:
        TranscriptError: the file cannot be read, or its game is not installed.
        CommandError: the transcript is not valid.
    """
    return _verified(out, file, read_file(file))


def _verified(out: Output, file: Path, transcript: bytes) -> Report:
    try:
        return verified_transcript(transcript, Progress(out).tell)
    except TranscriptError as error:
        try:
            see_game_is_installed(transcript)
        except UnknownGameError as unknown:
            raise unreadable(file, unknown) from unknown
        raise CommandError(
            Exit.INVALID, "{file}: {why}", code="not-valid", file=file, why=error
        ) from error


def see_game_is_installed(transcript: bytes) -> None:
    """Do nothing if the game in ``transcript``, which is not valid, is installed, or not named.

    Raises:
        UnknownGameError: nobody can judge the transcript without the game.
    """
    with suppress(TranscriptError, CheckError):
        game_of(parse_roster(next(parse_archive(transcript)).payload).game.name)


def table_of(report: Report) -> Table | None:
    """Return the last sound table, or None if the players have not greeted each other."""
    for sound in reversed(report.accepted):
        if isinstance(sound.state, Table):
            return sound.state
    return None


def game_in(report: Report) -> Game:
    """Return the game of a report; the usual game before the players have met."""
    return game_of(report.game or USUAL)


class Progress:
    """Prints the progress of slow work now and then, a line a time."""

    def __init__(self, out: Output) -> None:
        self._out: Final = out
        self._said = time.monotonic()

    def tell(self, count: int) -> None:
        """Now and then, tell how many messages of a game are sound."""
        self.say(CHECKING, count=count)

    def judged(self, done: int, decisions: int) -> None:
        """Now and then, tell how many of a game's decisions are judged."""
        self.say(JUDGED, done=done, all=decisions)

    def say(self, sentence: Sentence, **fields: object) -> None:
        """Say ``sentence``, unless another sentence was said a moment ago."""
        now = time.monotonic()
        if now - self._said >= _QUIET_FOR:
            self._said = now
            self._out.murmur(sentence(**fields))
