"""Judge transcripts."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from matcha_p2p.cli.outcomes import Exit
from matcha_p2p.cli.output import Output
from matcha_p2p.errors import Check
from matcha_p2p.machine.events import Met
from matcha_p2p.verify import Failure, Report, Standing, Verdict, verify_transcript
from matcha_p2p.wire.records import Claim

_MEANING: Final = {
    Verdict.COMPLETE: "both players have signed the result",
    Verdict.DECIDED: "the game is decided, though a signature under the result is missing",
    Verdict.RESIGNED: "a player has conceded",
    Verdict.UNFINISHED: "all that is there is sound, but the game has not come to an end",
    Verdict.INVALID: "not valid",
    Verdict.FORK: "not valid: a player has signed two different messages for one place",
}
_NUMBERS: Final = {check: number for number, check in enumerate(Check, start=1)}


def run(out: Output, files: Sequence[Path]) -> int:
    """Judge every file; 0 if all are valid, 1 if one is not, 8 if one cannot be read."""
    codes = [_judge(out, file) for file in files]
    return Exit.INVALID if Exit.INVALID in codes else max(codes)


def _judge(out: Output, file: Path) -> Exit:
    try:
        report = verify_transcript(file.read_bytes())
    except OSError as error:
        reason = error.strerror or type(error).__name__
        out.fail(f"{file} cannot be read: {reason}. [file-unreadable]", Exit.UNREADABLE)
        return Exit.UNREADABLE
    _tell(out, file, report)
    for sentence in _sentences(file, report):
        out.say(sentence)
    return Exit.DONE if report.valid else Exit.INVALID


def _tell(out: Output, file: Path, report: Report) -> None:
    fields: dict[str, object] = {
        "file": str(file),
        "verdict": report.verdict.value,
        "valid": report.valid,
    }
    if report.failure is not None:
        failure = report.failure
        fields |= {
            "check": failure.check.value,
            "entry": failure.entry,
            "seat": failure.seat,
            "message": failure.sentence,
        }
    checks = {check.value: standing.value for check, standing in report.checks().items()}
    out.fact("verdict", **fields, waiting=report.waiting, checks=checks)


def _sentences(file: Path, report: Report) -> Iterator[str]:
    names = _names(report)
    yield f"{file}: {report.verdict.value}: {_MEANING[report.verdict]}."
    if names:
        yield f"  Seat 0 is {names[0]}, seat 1 is {names[1]}."
    yield f"  {len(report.accepted)} entries and {len(report.records)} records are sound."
    if report.result is not None:
        ended = report.result.ended
        won = "Nobody wins" if ended.winner is None else f"Seat {ended.winner} wins"
        yield f"  {won} ({ended.how.value})."
    if report.waiting is not None and report.valid:
        yield f"  The next word is seat {report.waiting}'s."
    for record in report.records:
        if isinstance(record.statement, Claim):
            silent = f"the other was silent for {record.statement.seconds} s"
            yield f"  Seat {record.seat} claims, and nobody can check, that {silent}."
    if report.failure is not None:
        yield f"  {_breach(report.failure)}"
    for check, standing in report.checks().items():
        if standing is not Standing.NOT_REACHED:
            yield f"  {_NUMBERS[check]:2} {check.value:<12} {standing.value}"


def _breach(failure: Failure) -> str:
    number, code = _NUMBERS[failure.check], failure.check.value
    if failure.seat is None:
        whose = "No signature shows whose it is"
    else:
        whose = f"Seat {failure.seat} has signed it"
    return f"Item {failure.entry} breaks check {number}, {code}. {whose}: {failure.sentence}"


def _names(report: Report) -> tuple[str, str] | None:
    for sound in report.accepted:
        for event in sound.events:
            if isinstance(event, Met):
                return event.names
    return None
