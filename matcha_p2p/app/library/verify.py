"""Verify transcripts."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.library.check_files import CheckedFile, check_files
from matcha_p2p.app.library.games import how_said
from matcha_p2p.app.library.meetings import Meetings
from matcha_p2p.app.library.named_files import NO_FILES, NO_FILES_CODE, named_files
from matcha_p2p.app.library.transcripts import CHECKED, Progress
from matcha_p2p.chain.compare import Contradiction
from matcha_p2p.chain.verify import CheckResult, Failure, Verdict
from matcha_p2p.errors import Check, TranscriptError
from matcha_p2p.games import game_of
from matcha_p2p.games.game import End
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.narration.breaches import BREACHES
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import number_of

_MEANING: Final = {
    Verdict.COMPLETE: Sentence("all players have signed the result"),
    Verdict.DECIDED: Sentence("the game is decided; one signature under the result is missing"),
    Verdict.RESIGNED: Sentence("a player conceded"),
    Verdict.UNFINISHED: Sentence("everything in the file is valid, but the game is unfinished"),
    Verdict.INVALID: Sentence("a message or signature in the file is wrong"),
    Verdict.FORK: Sentence("a player signed two different messages for one place"),
}
_VERDICT: Final = Sentence("{file}: {verdict}: {meaning}.")
_SEAT: Final = Sentence("Seat {seat} is {name}.")
_SOUND: Final = Sentence("Valid entries: {entries}; valid records: {records}.")
_DRAWN: Final = Sentence("There is no winner.")
_WON: Final = Sentence("Seat {seat} wins ({how}).")
_POINTS: Final = Sentence("Points of {names}: {points}.")
_WAITING: Final = Sentence("The next message is due from seat {seat}.")
_CLAIM: Final = Sentence(
    "Seat {seat} claims to have waited {seconds} s for the next message. This cannot be "
    "checked."
)
_UNSIGNED: Final = Sentence(
    "Item {item} breaks check {number}, {check}: {breach}. No signature shows who sent the "
    "item."
)
_SIGNED: Final = Sentence(
    "Item {item} breaks check {number}, {check}: {breach}. Seat {seat} signed the item."
)
_STANDS: Final = Sentence(
    "All players had signed the result before this item, and the result stands."
)
_CONTRADICTION: Final = Sentence(
    "{files} belong to one game and contradict each other at entry {entry}, by check "
    "{number}, {check}: {breach}. Seat {seat} signed both."
)
_DETAIL: Final = Sentence("In the terms of the protocol: {detail}")
_RESULTS: Final = {
    CheckResult.PASSED: Sentence("passed"),
    CheckResult.FAILED: Sentence("failed"),
    CheckResult.NOT_REACHED: Sentence("not reached"),
}
_NUMBERS: Final = {check: number for number, check in enumerate(Check, start=1)}


def run(
    out: Output,
    names: Sequence[Path],
    *,
    verbose: bool = False,
) -> int:
    """Verify every file, and compare files of the same game; return the exit code.

    names: as for ``named_files``. verbose: also tell the
    players, the ending and the checks passed. Return 0 if all files are valid and
    agree, 1 if not, 8 if a file cannot be read.
    """
    progress, meetings = Progress(out), Meetings()
    codes = {Exit.DONE}
    number = 0
    checked_files = check_files(named_files(names))
    for number, (file, checked) in enumerate(checked_files, start=1):
        if isinstance(checked, TranscriptError):
            codes.add(_tell_unreadable(out, checked))
            continue
        progress.say(CHECKED, count=number)
        codes.add(Exit.DONE if checked.failure is None else Exit.INVALID)
        meetings.add(file, checked)
        _tell(out, file, checked)
        for sentence in _sentences(file, checked, verbose=verbose):
            out.say(sentence)
    if not number:
        out.fail(NO_FILES(), Exit.UNREADABLE, NO_FILES_CODE)
        return Exit.UNREADABLE
    for files, found in meetings.contradictions():
        if isinstance(found, TranscriptError):
            codes.add(_tell_unreadable(out, found))
        else:
            codes.add(Exit.INVALID)
            _tell_contradiction(out, files, found)
    return Exit.INVALID if Exit.INVALID in codes else max(codes)


def _tell_unreadable(out: Output, error: TranscriptError) -> Exit:
    out.fail(sentence_of(error), Exit.UNREADABLE, error.code)
    return Exit.UNREADABLE


def _tell_contradiction(out: Output, files: Sequence[Path], found: Contradiction) -> None:
    check, entry, seat = found.check, found.entry, found.seat
    told = list(map(str, files))
    out.fact("contradiction", files=told, check=check.value, entry=entry, seat=seat)
    breach = {"number": _NUMBERS[check], "check": check.value, "breach": BREACHES[check]()}
    place = {"entry": entry, "seat": number_of(seat)}
    out.say(_CONTRADICTION(files=tuple(files), **place, **breach))


def _tell(out: Output, file: Path, checked: CheckedFile) -> None:
    fields: dict[str, object] = {
        "file": str(file),
        "verdict": checked.verdict.value,
        "valid": checked.failure is None,
    }
    if checked.failure is not None:
        failure = checked.failure
        fields |= {
            "check": failure.check.value,
            "entry": failure.entry,
            "seat": failure.seat,
            "message": failure.sentence,
        }
    checks = {check.value: result.value for check, result in checked.checks.items()}
    won = None if checked.result is None else list(checked.result.winners)
    out.fact("verdict", **fields, waiting=checked.waiting, winners=won, checks=checks)


def _sentences(file: Path, checked: CheckedFile, *, verbose: bool) -> Iterator[str]:
    meaning = _MEANING[checked.verdict]()
    yield _VERDICT(file=file, verdict=checked.verdict.value, meaning=meaning)
    breach = [] if checked.failure is None else list(_breach(checked.failure))
    if checked.failure is not None and checked.result is not None:
        breach.append(_STANDS())
    for sentence in _found(checked) + breach + _checks(checked) if verbose else breach:
        yield f"  {sentence}"


def _found(checked: CheckedFile) -> list[str]:
    """Return sentences about the players, the size and the ending."""
    names = checked.names or ()
    found = [_SEAT(seat=number_of(seat), name=name) for seat, name in enumerate(names)]
    found.append(_SOUND(entries=checked.entries, records=checked.records))
    if checked.result is not None and checked.game is not None:
        how = how_said(checked.game, checked.result.how)
        winners = map(number_of, checked.result.winners)
        found += [_WON(seat=number, how=how) for number in winners] or [_DRAWN()]
        found += _points(checked.game, names, checked.result)
    if checked.waiting is not None and checked.failure is None:
        found.append(_WAITING(seat=number_of(checked.waiting)))
    found += [_CLAIM(seat=number_of(seat), seconds=seconds) for seat, seconds in checked.claims]
    return found


def _points(game: str, names: Sequence[str], result: End) -> list[str]:
    """Return the points of each seat or team, or [] for a game without points."""
    if not result.points:
        return []
    teams = game_of(game).rules.teams(len(names))
    return [
        _POINTS(names=listed(names[seat] for seat in team), points=points)
        for team, points in zip(teams, result.points, strict=True)
    ]


def _checks(checked: CheckedFile) -> list[str]:
    """Return each check that was reached, with the result."""
    return [
        f"{_NUMBERS[check]:2} {check.value:<12} {_RESULTS[result]()}"
        for check, result in checked.checks.items()
        if result is not CheckResult.NOT_REACHED
    ]


def _breach(failure: Failure) -> Iterator[str]:
    place = {"item": failure.entry, "number": _NUMBERS[failure.check]}
    breach = BREACHES[failure.check]()
    if failure.seat is None:
        yield _UNSIGNED(**place, check=failure.check.value, breach=breach)
    else:
        seat = number_of(failure.seat)
        yield _SIGNED(**place, check=failure.check.value, breach=breach, seat=seat)
    yield _DETAIL(detail=failure.sentence)
