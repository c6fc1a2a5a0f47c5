"""Finds the transcripts that a command names: as files, in folders, and on standard input."""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.language import Sentence
from matcha_p2p.session.storage.files import is_folder
from matcha_p2p.store.game_list import latest_game
from matcha_p2p.store.home import Home

SUFFIXES: Final = (".matcha", ".dispute")
NO_FILES: Final = Sentence("No transcripts found: in a folder they end in .matcha or .dispute.")
NO_FILES_CODE: Final = "no-files"
LATEST: Final = Sentence("The latest finished game: {file}")
STDIN: Final = Path("-")


def named_files(names: Iterable[Path]) -> Iterator[Path]:
    """Yield the files of ``names``: of a folder, the transcripts in the folder and below.

    ``-`` stands for the names on standard input, one a line. An unreadable folder is yielded
    itself, so that reading the folder tells the reason.

    Raises:
        CommandError: a name on standard input is impossible.
    """
    for name in names:
        for each in _listed() if name == STDIN else (name,):
            if is_folder(each):
                yield from _transcripts(each)
            else:
                yield each


def named_or_latest(out: Output, home: Home, file: Path | None) -> Path:
    """Return ``file``, by default the file of the latest finished game, and say which.

    Raises:
        HomeError: ``file`` is None, and the home has no finished game.
    """
    if file is not None:
        return file
    latest = latest_game(home)
    out.murmur(LATEST(file=latest))
    return latest


def _listed() -> Iterator[Path]:
    for line in sys.stdin.buffer:
        name = os.fsdecode(line.rstrip(b"\r\n"))
        if "\0" in name:
            raise CommandError(
                Exit.USAGE,
                "{name!r} on standard input is no name of a file. Give one name a line.",
                code="no-name",
                name=name,
            )
        if name:
            yield Path(name)


def _transcripts(folder: Path) -> Iterator[Path]:
    """Yield the transcripts in ``folder`` and below, by name; links to folders stay closed."""
    refused: list[OSError] = []
    for place, folders, names in os.walk(folder, onerror=refused.append):
        folders.sort()
        for name in sorted(names):
            if name.endswith(SUFFIXES):
                yield Path(place, name)
    yield from (Path(str(error.filename)) for error in refused)
