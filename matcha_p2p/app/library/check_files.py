"""Verifies many transcripts, on all cores if worthwhile, and yields the results in order."""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from matcha_p2p.app.library.transcripts import read_file, table_of
from matcha_p2p.app.workers import Workers, cores
from matcha_p2p.chain.compare import Copy, copy_of
from matcha_p2p.chain.verify import CheckResult, Failure, Verdict, verify_transcript
from matcha_p2p.errors import Check, TranscriptError
from matcha_p2p.games import seated
from matcha_p2p.games.game import End
from matcha_p2p.seats import Seat
from matcha_p2p.wire.statements import Claim

MANY: Final = 16
"""From this many files on, starting other processes saves time."""

_AHEAD: Final = 4
"""How many files are read ahead for each process, to save memory."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """The results of verifying a file.

    claims: the seats that claim to have waited, with the seconds. game, names, edition: None if
    the players have not greeted each other. sets: how many were begun. copy: for the comparison
    with other files of the same game.
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
    copy: Copy

    @property
    def is_no_game(self) -> bool:
        """Whether the file lacks even the first entry of a game."""
        return self.failure is not None and not self.entries


def check_file(data: bytes) -> CheckedFile:
    """Verify the file ``data``; the result drops the game's states, which take much memory."""
    report = verify_transcript(data)
    claims = (
        (record.seat, record.statement.seconds)
        for record in report.records
        if isinstance(record.statement, Claim)
    )
    table = table_of(report)
    game = None if report.game is None else seated(report.game)
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
        copy_of(report),
    )


def check_files(files: Sequence[Path]) -> Iterator[tuple[Path, CheckedFile | TranscriptError]]:
    """Yield for each file, in order, the result, or why the file cannot be read.

    This process verifies few files; for many files, each core has a process.
    """
    count = min(cores(), len(files))
    if len(files) < MANY or count == 1:
        for file in files:
            yield file, _read_and_check(file)
        return
    workers = Workers(count)
    try:
        rest, begun = iter(files), deque[tuple[Path, Future[CheckedFile] | TranscriptError]]()
        while True:
            for file in islice(rest, _AHEAD * count - len(begun)):
                begun.append((file, _begun(workers, file)))
            if not begun:
                break
            file, found = begun.popleft()
            yield file, found if isinstance(found, TranscriptError) else found.result()
    finally:
        workers.close()


def _read_and_check(file: Path) -> CheckedFile | TranscriptError:
    try:
        return check_file(read_file(file))
    except TranscriptError as error:
        return error


def _begun(workers: Workers, file: Path) -> Future[CheckedFile] | TranscriptError:
    try:
        return workers.submit(check_file, read_file(file))
    except TranscriptError as error:
        return error
