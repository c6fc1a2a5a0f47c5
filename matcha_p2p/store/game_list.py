"""The games of a home, and the score, from the files and the index."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeAlias

from matcha_p2p import errors
from matcha_p2p.chain.archive import SIZE_LIMIT
from matcha_p2p.language import reason_of, sentence_of
from matcha_p2p.narration.breaches import BREACHES
from matcha_p2p.narration.sentences import listed
from matcha_p2p.review.summary import (
    GameSummary,
    JournalSummary,
    summarize_journal,
    summarize_transcript,
)
from matcha_p2p.seats import Seat
from matcha_p2p.session.storage.files import is_file, read_file
from matcha_p2p.store.home import Home, Note

_DATE: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NO_NOTE: Final = Note(None, None)


@dataclass(frozen=True, slots=True)
class UnfinishedGame:
    """A game that can be resumed. name: its name for ``matcha resume``."""

    name: str
    summary: JournalSummary


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A stored game.

    date: the date in the file's name. disputed: a player broke the protocol. time: when the
    file was last changed, in seconds since 1970. size: its bytes.
    """

    file: Path
    date: str
    summary: GameSummary
    note: Note
    disputed: bool
    time: float
    size: int

    @property
    def when(self) -> str:
        """Return the day, and if the file was last changed on that day, also the time."""
        changed = _moment(self.time)
        same = changed.strftime("%Y-%m-%d") == self.date
        return changed.strftime("%Y-%m-%d %H:%M") if same else self.date

    @property
    def seat(self) -> Seat | None:
        """Return our seat, or None if it is unknown."""
        seat = self.note.seat
        return None if seat is None or seat >= len(self.summary.names) else seat

    @property
    def opponent(self) -> str | None:
        """Return the names of all in other teams, or None if our seat is unknown."""
        seat, summary = self.seat, self.summary
        return None if seat is None else listed(summary.against(summary.side(seat)))


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An unreadable file among the games. why: a sentence."""

    file: Path
    why: str


Listed: TypeAlias = UnfinishedGame | StoredGame | Unreadable


@dataclass(slots=True)
class Score:
    """The results of all games against opponents with one name."""

    won: int = 0
    lost: int = 0
    drawn: int = 0


def unfinished_games(home: Home) -> Iterator[UnfinishedGame | Unreadable]:
    """Yield the unfinished games, the latest first.

    Raises:
        HomeError: the system refuses.
    """
    for journal in reversed(home.unfinished_journals()):
        try:
            yield UnfinishedGame(journal.parent.name, summarize_journal(journal))
        except (errors.JournalError, errors.CheckError, errors.UnknownGameError) as error:
            yield Unreadable(journal, _reason(error))


def stored_games(home: Home) -> Iterator[StoredGame | Unreadable]:
    """Yield the stored games, the latest first; of several files of a game only the fullest.

    A .dispute file is listed beside its game, never as a replacement. So a loser who signs a
    breach after the game does not erase the winner's win.

    Raises:
        HomeError: the system refuses.
    """
    notes = home.notes()
    best: dict[tuple[bytes, bool], StoredGame] = {}
    rest: list[Unreadable] = []
    for file in home.stored_files():
        if file.suffix not in (".matcha", ".dispute"):
            continue
        try:
            stored = _stored(file, notes.get(file.name, _NO_NOTE))
        except (
            OSError,
            errors.TranscriptError,
            errors.CheckError,
            errors.UnknownGameError,
        ) as error:
            rest.append(Unreadable(file, _reason(error)))
            continue
        name = (stored.summary.game, stored.disputed)
        if name not in best or _rank(stored) > _rank(best[name]):
            best[name] = stored
    yield from sorted(best.values(), key=_age, reverse=True)
    yield from rest


def latest_game(home: Home) -> Path:
    """Return the file of the latest finished game, by the day in its name and its last change.

    Raises:
        HomeError: no game is stored, or the system refuses.
    """
    files = [each for each in home.stored_files() if each.suffix == ".matcha" and is_file(each)]
    if not files:
        raise errors.HomeError(
            "There are no finished games in {folder}. Name a FILE.",
            code="stored-none",
            folder=home.games,
        )
    return max(files, key=lambda file: (day_of(file), file.stat().st_mtime))


def day_of(file: Path) -> str:
    """Return the day of a stored game, from the file name, or else from the last change."""
    dated = _DATE.match(file.name)
    if dated is not None:
        return dated[0]
    return _moment(file.stat().st_mtime).strftime("%Y-%m-%d")


def _moment(seconds: float) -> datetime:
    """Return the local time of a file's ``seconds``; 1970 if the time is out of range."""
    try:
        return datetime.fromtimestamp(seconds).astimezone()
    except (OSError, OverflowError, ValueError):
        return datetime.fromtimestamp(0, UTC)


def _stored(file: Path, note: Note) -> StoredGame:
    content = read_file(file, SIZE_LIMIT + 1)
    status = file.stat()
    return StoredGame(
        file,
        day_of(file),
        summarize_transcript(content),
        note,
        disputed=file.suffix == ".dispute",
        time=status.st_mtime,
        size=status.st_size,
    )


def _reason(error: Exception) -> str:
    match error:
        case OSError():
            return reason_of(error)
        case errors.CheckError(check=check):
            return BREACHES[check]()
        case errors.MatchaError():
            return sentence_of(error)
        case _:
            return str(error)


def _rank(stored: StoredGame) -> tuple[bool, bool, int]:
    return stored.summary.over, stored.note.seat is not None, stored.size


def _age(stored: StoredGame) -> tuple[str, float]:
    return stored.date, stored.time


def scores(games: Iterable[StoredGame]) -> dict[str, Score]:
    """Return the score against each opponent, by name; only games with known seats count."""
    found: dict[str, Score] = {}
    for stored in games:
        summary, seat, opponent = stored.summary, stored.seat, stored.opponent
        if opponent is None or stored.disputed or not summary.over:
            continue
        score = found.setdefault(opponent, Score())
        if not summary.winners:
            score.drawn += 1
        elif seat in summary.winners:
            score.won += 1
        else:
            score.lost += 1
    return found
