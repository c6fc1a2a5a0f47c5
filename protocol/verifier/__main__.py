"""Check transcripts of games: python protocol/verifier FILE... [--json].

Written from SPEC.md alone, with the standard library alone. Exit code 0: all files are valid.
1: a file is not valid. 8: a file cannot be read, and all readable files are valid.
"""

import argparse
import errno
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from codec import CheckError, require
from comparing import Conviction, compare
from games import FOR_TESTS
from records import accept_record
from roster import parse_roster
from table import Table

MAGIC = b"matcha transcript 1\n"
LARGEST_FILE = 67_108_864
MOST_ITEMS = 65_536
LARGEST_FRAME = 16_384
ENTRY, RECORD, ROSTER = 1, 2, 7
KINDS = range(1, 9)


@dataclass(frozen=True)
class Verdict:
    """The verdict on a transcript (SPEC#verdicts)."""

    verdict: str
    check: str | None = None
    item: int | None = None
    seat: int | None = None
    waiting: int | None = None
    winners: list[int] | None = None

    @property
    def valid(self) -> bool:
        """Whether the transcript was accepted."""
        return self.check is None


def judge(data: bytes) -> Verdict:
    """Return the verdict on the bytes of a transcript; never raises."""
    return read(data)[0]


def read(data: bytes) -> tuple[Verdict, Table]:
    """Return the verdict, and the table after all sound items; never raises."""
    table, item = Table(), 0
    stands: list[int] | None = None  # the winners of a complete game
    try:
        require(data.startswith(MAGIC), "E_ENCODING")
        require(len(data) <= LARGEST_FILE, "E_LIMIT")
        _, payload, at = _read_frame(data, len(MAGIC), item, (ROSTER,))
        table.roster = parse_roster(payload)
        follows: tuple[int, ...] = (ENTRY, RECORD)
        while at < len(data):
            kind, payload, at = _read_frame(data, at, item, follows)
            if kind == ENTRY:
                table.accept_entry(payload)
            else:
                accept_record(table, payload)
                follows = (RECORD,)
            item += 1
            if not table.step.owing:
                stands = table.winners()
    except CheckError as refusal:
        verdict = "FORK" if refusal.check == "E_FORK" else "INVALID"
        return Verdict(verdict, refusal.check, item, refusal.seat, winners=stands), table
    return _conclude(table), table


def _read_frame(
    data: bytes, at: int, item: int, follows: tuple[int, ...]
) -> tuple[int, bytes, int]:
    """Return kind and payload of a frame, and the place of the next (SPEC#transcript).

    follows: the kinds that may stand here.
    """
    start = at + 2
    length = int.from_bytes(data[at:start])
    require(length <= LARGEST_FRAME, "E_LIMIT")
    frame = data[start : start + length]
    require(0 < len(frame) == length and frame[0] in KINDS, "E_ENCODING")
    require(item < MOST_ITEMS, "E_LIMIT")
    require(frame[0] in follows, "E_ENCODING")
    return frame[0], frame[1:], start + length


def _conclude(table: Table) -> Verdict:
    """Return the verdict on a sound game."""
    won = table.winners()
    if not table.step.owing:
        return Verdict("COMPLETE", winners=won)
    if table.given_up and not table.decided:
        return Verdict("RESIGNED", winners=won)
    verdict = "DECIDED" if table.decided else "UNFINISHED"
    return Verdict(verdict, waiting=table.waiting(), winners=won)


def _as_json(file: str, verdict: Verdict) -> str:
    report = {"v": 1, "event": "verdict", "file": file}
    report |= {"verdict": verdict.verdict, "valid": verdict.valid}
    if not verdict.valid:
        report |= {"check": verdict.check, "entry": verdict.item, "seat": verdict.seat}
    report |= {"waiting": verdict.waiting, "winners": verdict.winners}
    return json.dumps(report, separators=(",", ":"))


def _as_text(file: str, verdict: Verdict) -> str:
    text = f"{file!a}: {verdict.verdict}"
    if not verdict.valid:
        text += f": item {verdict.item} breaks {verdict.check}"
        text += ", nobody is to blame" if verdict.seat is None else f", by seat {verdict.seat}"
    elif verdict.waiting is not None:
        text += f": seat {verdict.waiting} has to speak"
    if verdict.winners is not None:
        text += f", won by seats {verdict.winners}" if verdict.winners else ", won by nobody"
    return text


def main() -> int:
    """Judge the files of the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="verifier", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--json", action="store_true", help="one object a line")
    parser.add_argument("--toy", action="store_true", help="accept the toy game too (TOY#toy)")
    arguments = parser.parse_args()
    FOR_TESTS.update(["toy"] if arguments.toy else [])
    code, names, tables = 0, [], []
    for file in arguments.files:
        try:
            data = _content(Path(file))
        except OSError as problem:
            print(f"{file!a}: {problem.strerror}", file=sys.stderr)  # noqa: T201 - the report
            code = code or 8
            continue
        verdict, table = read(data)
        names.append(file)
        tables.append(table)
        report = (_as_json if arguments.json else _as_text)(file, verdict)
        print(report, flush=True)  # noqa: T201 - the report
        if not verdict.valid:
            code = 1
    for found in compare(tables):
        files = [names[place] for place in found.places]
        report = (_conviction_as_json if arguments.json else _conviction_as_text)(files, found)
        print(report, flush=True)  # noqa: T201 - the report
        code = 1
    return code


def _content(file: Path) -> bytes:
    """Return the content of a plain file, or enough to refuse it; a pipe might never end."""
    if file.exists() and not file.is_file():
        raise OSError(errno.EINVAL, "no plain file")
    with file.open("rb") as stream:
        return stream.read(LARGEST_FILE + 1)


def _conviction_as_text(files: list[str], found: Conviction) -> str:
    excluded = f"exclude each other at entry {found.entry} by {found.check}"
    return f"{', '.join(map(ascii, files))}: {excluded}, both signed by seat {found.seat}"


def _conviction_as_json(files: list[str], found: Conviction) -> str:
    report = {"v": 1, "event": "contradiction", "files": files}
    report |= {"check": found.check, "entry": found.entry, "seat": found.seat}
    return json.dumps(report, separators=(",", ":"))


if __name__ == "__main__":
    sys.exit(main())
