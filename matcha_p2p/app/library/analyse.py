"""Judge the decisions of a finished game: what each gave away, and how well seats played."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from matcha_p2p.app.library.transcripts import read_file
from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.output import Output
from matcha_p2p.bots.judge import judge
from matcha_p2p.errors import TranscriptError
from matcha_p2p.language import Sentence
from matcha_p2p.machine.table import Table
from matcha_p2p.narration.words import card_words
from matcha_p2p.review.decisions import Decision, decisions
from matcha_p2p.review.verify import Report, verified_transcript
from matcha_p2p.rules.judgement import Judgement
from matcha_p2p.rules.moves import Move, Play
from matcha_p2p.rules.notation import MATS, move_text
from matcha_p2p.rules.seats import SEATS, Seat

ITERATIONS: Final = 10_000
"""Of the search behind a judgement: three times as many as the strong bot takes."""
MISTAKE: Final = 0.05
BLUNDER: Final = 0.10
"""How much of the chance to win a decision gives away that is called so."""

_LAYING: Final = Sentence("{card} on mat {mat}")
_PASSING: Final = Sentence("passing")
_FINE: Final = Sentence("Set {number}, round {round}, {name}: {made}, {value:.0%}.")
_BETTER: Final = Sentence(
    "Set {number}, round {round}, {name}: {made}, {value:.0%}; {best} had {most:.0%}."
)
_MISTAKEN: Final = Sentence(
    "Set {number}, round {round}, {name}: {made}, {value:.0%}; {best} had {most:.0%}: "
    "a mistake."
)
_BLUNDERED: Final = Sentence(
    "Set {number}, round {round}, {name}: {made}, {value:.0%}; {best} had {most:.0%}: "
    "a blunder."
)
_ACCURACY: Final = Sentence(
    "{name}: accuracy {accuracy:.1f} of 100. Decisions: {count}, mistakes: {mistakes}, "
    "blunders: {blunders}."
)
_ESTIMATES: Final = Sentence(
    "The percentages are chances to win: estimates, but in round 3, as if nobody had given "
    "anything away before. A loss counts only beyond twice its uncertainty."
)
_CLOSED: Final = (
    "Nobody's cards are known in {file}, so no decision can be judged. Open your books after a "
    "game, by o or open, and its file can be analysed."
)


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision, and what its moves were worth."""

    decision: Decision
    judgement: Judgement

    @property
    def seat(self) -> Seat:
        """Return who decided."""
        return self.decision.observation.seat

    @property
    def loss(self) -> float:
        """Return what the move gave away of the chance to win."""
        return self.judgement.loss(self.decision.made)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How well a seat has decided. accuracy: 100 if nothing was given away."""

    accuracy: float
    count: int
    mistakes: int
    blunders: int


def accuracy_of(judged: Sequence[Judged]) -> Accuracy:
    """Return how well these decisions, at least one, were made."""
    losses = [it.loss for it in judged]
    return Accuracy(
        100 * (1 - sum(losses) / len(losses)),
        len(losses),
        sum(MISTAKE < loss <= BLUNDER for loss in losses),
        sum(loss > BLUNDER for loss in losses),
    )


def run(out: Output, file: Path) -> int:
    """Judge the decisions in ``file`` of all whose cards are open; return the exit code.

    Raises:
        TranscriptError: the file cannot be read.
        CommandError: its transcript is not valid, or nobody's cards are open.
    """
    transcript = read_file(file)
    try:
        report = verified_transcript(transcript)
    except TranscriptError as error:
        raise CommandError(
            Exit.INVALID, "{file}: {why}", code="not-valid", file=file, why=error
        ) from error
    names = _names(report)
    by_seat: dict[Seat, list[Judged]] = {}
    for decision in decisions(report):
        judgement = judge(decision.observation, ITERATIONS, decision.made)
        judged = Judged(decision, judgement)
        by_seat.setdefault(judged.seat, []).append(judged)
        _tell(out, names, judged)
    if not by_seat:
        raise CommandError(Exit.USAGE, _CLOSED, code="closed", file=file)
    for seat, all_judged in sorted(by_seat.items()):
        _tell_accuracy(out, names, seat, accuracy_of(all_judged))
    out.say(_ESTIMATES())
    return Exit.DONE


def _names(report: Report) -> tuple[str, ...]:
    for sound in reversed(report.accepted):
        if isinstance(sound.state, Table):
            return tuple(sound.state.hellos[seat].name for seat in SEATS)
    return ()


def _tell(out: Output, names: Sequence[str], judged: Judged) -> None:
    seen, made = judged.decision.observation, judged.decision.made
    best, own = judged.judgement.moves[0], judged.judgement.of(made)
    game = seen.game
    out.fact(
        "decision",
        set=game.number,
        round=len(game.rounds),
        seat=judged.seat,
        move=move_text(made),
        exact=judged.judgement.exact,
        loss=judged.loss,
        moves=[
            {"move": move_text(it.move), "value": it.value, "error": it.error}
            for it in judged.judgement.moves
        ],
    )
    sentence = (
        _BLUNDERED
        if judged.loss > BLUNDER
        else _MISTAKEN
        if judged.loss > MISTAKE
        else _BETTER
        if judged.loss
        else _FINE
    )
    out.say(
        sentence(
            number=game.number,
            round=len(game.rounds),
            name=names[judged.seat],
            made=_words(judged, made),
            value=own.value,
            best=_words(judged, best.move),
            most=best.value,
        )
    )


def _words(judged: Judged, move: Move) -> str:
    match move:
        case Play(mat, slot):
            card = card_words(judged.decision.observation.hand[slot])
            return _LAYING(card=card, mat=MATS[mat])
        case _:
            return _PASSING()


def _tell_accuracy(out: Output, names: Sequence[str], seat: Seat, found: Accuracy) -> None:
    out.fact(
        "accuracy",
        seat=seat,
        name=names[seat],
        accuracy=found.accuracy,
        decisions=found.count,
        mistakes=found.mistakes,
        blunders=found.blunders,
    )
    out.say(
        _ACCURACY(
            name=names[seat],
            accuracy=found.accuracy,
            count=found.count,
            mistakes=found.mistakes,
            blunders=found.blunders,
        )
    )
