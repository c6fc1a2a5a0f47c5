"""The results of matches in a file, so that a match goes on after a stop.

A line is a JSON object: the match, some of its units, and their result. A line that was written
in part is played again.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Final, NamedTuple, cast

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.games import json_values
from matcha_p2p.games.json_values import JsonObject
from matcha_p2p.language import reason_of

VERSION: Final = 1

MatchKey = Mapping[str, object]
"""All that decides the course of a match, ready for JSON: game, variant, seats, seed, bots."""


class _Line(NamedTuple):
    match: JsonObject
    units: tuple[int, int]
    result: JsonObject


class MatchRecord:
    """The results in the file at ``path``, which need not exist.

    Raises:
        CommandError: the file cannot be read, or holds something else.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        try:
            lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        except OSError as error:
            raise _refused(path, error) from error
        self._lines: Final = list(_read(lines))
        if lines and not (self._lines and _is_line(lines[0])):
            raise CommandError(
                Exit.UNREADABLE,
                "{file} is no record of matches; the file stays as it is.",
                code="no-record",
                file=path,
            )
        self._cut: bool = bool(lines) and not lines[-1].endswith(b"\n")

    def seed_of(self, wanted: MatchKey) -> int | None:
        """Return the seed of the latest match that is like ``wanted`` but for its seed."""
        for line in reversed(self._lines):
            seed = line.match.get("seed")
            if isinstance(seed, int) and line.match == {**wanted, "seed": seed}:
                return seed
        return None

    def results_of(self, match: MatchKey) -> dict[tuple[int, int], JsonObject]:
        """Return the known results of a match, by the first number and the number after it."""
        return {line.units: line.result for line in self._lines if line.match == match}

    def keep(self, match: MatchKey, units: range, result: JsonObject) -> None:
        """Add the result of ``units``.

        Raises:
            CommandError: the file cannot be written.
        """
        kept = {
            "v": VERSION,
            "match": match,
            "units": [units.start, units.stop],
            "result": result,
        }
        try:
            with self._path.open("ab") as file:
                _write(file, json.dumps(kept), cut=self._cut)
        except OSError as error:
            raise _refused(self._path, error) from error
        self._cut = False


def _write(file: IO[bytes], line: str, *, cut: bool) -> None:
    file.write((b"\n" if cut else b"") + line.encode() + b"\n")


def _read(lines: list[bytes]) -> Iterator[_Line]:
    for line in lines:
        if _is_line(line):
            plain = cast("dict[str, JsonObject]", json.loads(line))
            first, after = json_values.as_numbers(plain["units"])
            yield _Line(plain["match"], (first, after), plain["result"])


def _is_line(line: bytes) -> bool:
    """Tell whether ``line`` is a line of a record."""
    try:
        plain = json_values.as_object(json.loads(line))
        json_values.as_object(plain["match"])
        json_values.as_object(plain["result"])
        return plain["v"] == VERSION and len(json_values.as_numbers(plain["units"])) == 2
    except (ValueError, TypeError, KeyError, RecursionError):
        return False


def _refused(path: Path, error: OSError) -> CommandError:
    return CommandError(
        Exit.UNREADABLE,
        "The record {file} cannot be read or written: {reason}.",
        code="record-refused",
        file=path,
        reason=reason_of(error),
    )
