"""Verify transcripts."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from matcha_p2p.app.library.transcripts import read_file
from matcha_p2p.app.outcomes import Exit
from matcha_p2p.app.output import Output
from matcha_p2p.errors import Check, TranscriptError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.machine.events import Met
from matcha_p2p.narration.breaches import BREACHES
from matcha_p2p.review.compare import Contradiction, contradictions
from matcha_p2p.review.verify import Failure, Report, Standing, Verdict, verify_transcript
from matcha_p2p.wire.records import Claim

_MEANING: Final = {
    Verdict.COMPLETE: Sentence("both players have signed the result"),
    Verdict.DECIDED: Sentence(
        "the game is decided, though a signature under the result is missing"
    ),
    Verdict.RESIGNED: Sentence("a player has conceded"),
    Verdict.UNFINISHED: Sentence(
        "all that is there is sound, but the game has not come to an end"
    ),
    Verdict.INVALID: Sentence("not valid"),
    Verdict.FORK: Sentence(
        "not valid: a player has signed two different messages for one place"
    ),
}
_VERDICT: Final = Sentence("{file}: {verdict}: {meaning}.")
_SEATS: Final = Sentence("Seat 0 is {first}, seat 1 is {second}.")
_SOUND: Final = Sentence("Sound entries: {entries}; sound records: {records}.")
_DRAWN: Final = Sentence("Nobody wins ({how}).")
_WON: Final = Sentence("Seat {seat} wins ({how}).")
_WAITING: Final = Sentence("The next message is due from seat {seat}.")
_CLAIM: Final = Sentence(
    "Seat {seat} claims, and nobody can check, that the other was silent for {seconds} s."
)
_UNSIGNED: Final = Sentence(
    "Item {item} breaks check {number}, {check}: {breach}. No signature shows whose it is."
)
_SIGNED: Final = Sentence(
    "Item {item} breaks check {number}, {check}: {breach}. Seat {seat} has signed it."
)
_CONTRADICTION: Final = Sentence(
    "{files} are of one game and contradict each other, by check {number}, {check}: {breach}. "
    "Seat {seat} has signed both."
)
_DETAIL: Final = Sentence("In the terms of the protocol: {detail}")
_STANDINGS: Final = {
    Standing.PASSED: Sentence("passed"),
    Standing.FAILED: Sentence("failed"),
    Standing.NOT_REACHED: Sentence("not reached"),
}
_NUMBERS: Final = {check: number for number, check in enumerate(Check, start=1)}


def run(out: Output, files: Sequence[Path]) -> int:
    """Verify every file, and compare files of the same game.

    Return 0 if all are valid and none contradicts another, 1 if not, 8 if one cannot be read.
    """
    judged = [(file, report) for file in files if (report := _judge(out, file)) is not None]
    reports = [report for _, report in judged]
    found = list(contradictions(reports))
    for contradiction in found:
        _tell_contradiction(
            out, [judged[place][0] for place in contradiction.copies], contradiction
        )
    if found or not all(report.valid for report in reports):
        return Exit.INVALID
    return Exit.DONE if len(judged) == len(files) else Exit.UNREADABLE


def _judge(out: Output, file: Path) -> Report | None:
    try:
        report = verify_transcript(read_file(file))
    except TranscriptError as error:
        out.fail(sentence_of(error), Exit.UNREADABLE, error.code)
        return None
    _tell(out, file, report)
    for sentence in _sentences(file, report):
        out.say(sentence)
    return report


def _tell_contradiction(out: Output, files: Sequence[Path], found: Contradiction) -> None:
    check, seat = found.failure.check, found.failure.seat
    out.fact("contradiction", files=list(map(str, files)), check=check.value, seat=seat)
    place = {"number": _NUMBERS[check], "check": check.value, "breach": BREACHES[check]()}
    out.say(_CONTRADICTION(files=tuple(files), seat=seat, **place))


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
    meaning = _MEANING[report.verdict]()
    yield _VERDICT(file=file, verdict=report.verdict.value, meaning=meaning)
    found = [_SEATS(first=names[0], second=names[1])] if names else []
    found.append(_SOUND(entries=len(report.accepted), records=len(report.records)))
    if report.result is not None:
        ended = report.result.ended
        won = _DRAWN if ended.winner is None else _WON
        found.append(won(seat=ended.winner, how=ended.how.value))
    if report.waiting is not None and report.valid:
        found.append(_WAITING(seat=report.waiting))
    found += [
        _CLAIM(seat=record.seat, seconds=record.statement.seconds)
        for record in report.records
        if isinstance(record.statement, Claim)
    ]
    if report.failure is not None:
        found += _breach(report.failure)
    found += [
        f"{_NUMBERS[check]:2} {check.value:<12} {_STANDINGS[standing]()}"
        for check, standing in report.checks().items()
        if standing is not Standing.NOT_REACHED
    ]
    for sentence in found:
        yield f"  {sentence}"


def _breach(failure: Failure) -> Iterator[str]:
    place = {"item": failure.entry, "number": _NUMBERS[failure.check]}
    breach = BREACHES[failure.check]()
    if failure.seat is None:
        yield _UNSIGNED(**place, check=failure.check.value, breach=breach)
    else:
        yield _SIGNED(**place, check=failure.check.value, breach=breach, seat=failure.seat)
    yield _DETAIL(detail=failure.sentence)


def _names(report: Report) -> tuple[str, str] | None:
    for sound in report.accepted:
        for event in sound.events:
            if isinstance(event, Met):
                return event.names
    return None
