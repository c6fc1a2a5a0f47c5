"""Check transcripts of the game Matcha: python protocol/verifier FILE... [--json].

Written from SPEC.md alone, with the standard library alone. Exit code 0: all files are valid; 1:
one is not; 8: one cannot be read.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from codec import Refused
from game import Game

MAGIC = b"matcha transcript 1\n"
LARGEST_FILE = 67_108_864
MOST_ITEMS = 65_536
LARGEST_FRAME = 16_384
ENTRY, RECORD = 1, 2
KINDS = range(1, 7)


@dataclass(frozen=True)
class Verdict:
    """What a transcript proves (SPEC#verdicts)."""

    verdict: str
    check: str | None = None
    item: int | None = None
    seat: int | None = None

    @property
    def valid(self) -> bool:
        """Whether nothing in the transcript was refused."""
        return self.check is None


def judge(data: bytes) -> Verdict:
    """Return the verdict on the bytes of a transcript; never raises, whatever they are."""
    game = Game()
    item = 0
    try:
        if not data.startswith(MAGIC):
            raise Refused("E_ENCODING")
        if len(data) > LARGEST_FILE:
            raise Refused("E_LIMIT")
        at, kind = len(MAGIC), ENTRY
        while at < len(data):
            kind, payload, at = _read_frame(data, at, item, kind)
            if kind == ENTRY:
                game.accept_entry(payload)
            else:
                game.accept_record(payload)
            item += 1
    except Refused as refusal:
        verdict = "FORK" if refusal.check == "E_FORK" else "INVALID"
        return Verdict(verdict, refusal.check, item, refusal.seat)
    return _conclude(game)


def _read_frame(data: bytes, at: int, item: int, last_kind: int) -> tuple[int, bytes, int]:
    """Return kind and payload of the frame at a place, and the place after it (SPEC#transcript)."""
    if at + 2 > len(data):
        raise Refused("E_ENCODING")
    length = int.from_bytes(data[at : at + 2])
    if length > LARGEST_FRAME:
        raise Refused("E_LIMIT")
    frame = data[at + 2 : at + 2 + length]
    if not frame or frame[0] not in KINDS:
        raise Refused("E_ENCODING")
    if item >= MOST_ITEMS:
        raise Refused("E_LIMIT")
    if frame[0] not in (ENTRY, RECORD) or frame[0] < last_kind or len(frame) < length:
        raise Refused("E_ENCODING")
    return frame[0], frame[1:], at + 2 + length


def _conclude(game: Game) -> Verdict:
    """Return the verdict on a game of which nothing was refused."""
    if game.phase == "Over":
        return Verdict("COMPLETE")
    if game.resigned and not game.decided:
        return Verdict("RESIGNED")
    speaker, _ = game.due()
    return Verdict("DECIDED" if game.decided else "UNFINISHED", seat=speaker)


def _as_json(file: str, verdict: Verdict) -> str:
    report = {"v": 1, "event": "verdict", "file": file}
    report |= {"verdict": verdict.verdict, "valid": verdict.valid}
    if not verdict.valid:
        report |= {"check": verdict.check, "entry": verdict.item, "seat": verdict.seat}
    return json.dumps(report)


def _as_text(file: str, verdict: Verdict) -> str:
    text = f"{file}: {verdict.verdict}"
    if not verdict.valid:
        text += f", {verdict.check} at item {verdict.item}"
        text += ", nobody to blame" if verdict.seat is None else f", by seat {verdict.seat}"
    elif verdict.seat is not None:
        text += f", seat {verdict.seat} has to speak"
    return text


def main() -> int:
    """Judge the files of the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="verifier", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--json", action="store_true", help="one object a line")
    arguments = parser.parse_args()
    code = 0
    for file in arguments.files:
        try:
            with Path(file).open("rb") as stream:
                data = stream.read(LARGEST_FILE + 1)
        except OSError as problem:
            print(f"{file}: {problem.strerror}", file=sys.stderr)
            code = 8
            continue
        verdict = judge(data)
        print((_as_json if arguments.json else _as_text)(file, verdict), flush=True)
        if not verdict.valid:
            code = max(code, 1)
    return code


if __name__ == "__main__":
    sys.exit(main())
