"""Verifies many transcripts, on all cores if worthwhile, and yields the results in order."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from matcha_p2p.app.library.transcripts import (
    read_transcript,
    see_game_is_installed,
    table_of,
    unreadable,
)
from matcha_p2p.app.workers import in_order
from matcha_p2p.chain.compare import copy_of
from matcha_p2p.chain.verify import CheckResult, Failure, Verdict, verify_transcript
from matcha_p2p.errors import Check, TranscriptError, UnknownGameError
from matcha_p2p.games import game_of
from matcha_p2p.games.game import End
from matcha_p2p.seats import Seat
from matcha_p2p.wire.statements import Claim

TOGETHER: Final = 16
"""How many files go to an executor at once: a part of a second of work."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """The results of verifying a file.

    claims: the seats that claim to have waited, with the seconds. game, names, edition: None if
    the players have not greeted each other. sets: how many were begun. group: as of a
    Copy. digest: the hash of the file's content.
    """

    verdict: Verdict
    failure: Failure | None
    game: str | None
    names: tuple[str, ...] | None
    edition: str | None
    sets: int
    entries: int
    records: int
    result: End | None
    waiting: Seat | None
    claims: tuple[tuple[Seat, int], ...]
    checks: dict[Check, CheckResult]
    group: bytes | None
    digest: bytes

    @property
    def is_no_game(self) -> bool:
        """Whether the file lacks even the first entry of a game."""
        return self.failure is not None and not self.entries


def check_file(data: bytes) -> CheckedFile:
    """Verify the file ``data``; the result drops the game's states, which take much memory.

    Raises:
        UnknownGameError: the game in the file is not installed.
    """
    report = verify_transcript(data)
    if report.failure is not None:
        see_game_is_installed(data)
    claims = (
        (record.seat, record.statement.seconds)
        for record in report.records
        if isinstance(record.statement, Claim)
    )
    table = table_of(report)
    game = None if report.game is None else game_of(report.game).rules
    return CheckedFile(
        report.verdict,
        report.failure,
        report.game,
        None if table is None else tuple(hello.name for hello in table.hellos),
        None if table is None or game is None else game.called(table.hellos[0].variant),
        0 if table is None or game is None else game.begun(table),
        len(report.accepted),
        len(report.records),
        report.result,
        report.waiting,
        tuple(claims),
        report.checks(),
        copy_of(report).group,
        sha256(data).digest(),
    )


def check_files(
    files: Iterable[Path], executor: Executor | None = None
) -> Iterator[tuple[Path, CheckedFile | TranscriptError]]:
    """Yield for each file, in order, the result, or why the file cannot be read.

    executor: any executor of ``concurrent.futures``, which reads and verifies the files, and
    stays open. Without an executor, this process verifies few files; for many files, each core
    has a process.
    """
    for file, found in in_order(_read_and_check, files, executor, together=TOGETHER):
        yield file, found if isinstance(found, CheckedFile) else unreadable(file, found)


def _read_and_check(file: Path) -> tuple[Path, CheckedFile | OSError | UnknownGameError]:
    """Return what the file shows; the error of another process is told in our language."""
    try:
        return file, check_file(read_transcript(file))
    except (OSError, UnknownGameError) as error:
        return file, error
