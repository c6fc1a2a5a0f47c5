"""Judge the decisions of a finished game: the loss of each, and how well the seats played."""

from collections.abc import Mapping, Sequence
from typing import Final

from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.output import Output
from matcha_p2p.chain.verify import Report
from matcha_p2p.games.front import OpenedGame
from matcha_p2p.games.matcha.bots.judge import judge
from matcha_p2p.games.matcha.review.analysis import Accuracy, Analysis, Judged
from matcha_p2p.games.matcha.review.decisions import decisions
from matcha_p2p.games.matcha.review.sets import with_own_key
from matcha_p2p.games.matcha.rules.judgement import Decision, HandsBySet
from matcha_p2p.games.matcha.rules.notation import move_text
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.screen.analysis import decision_sentence, summary
from matcha_p2p.table.table import Table

ITERATIONS: Final = 10_000
"""Iterations of the search behind a judgement: three times those of the strong bot."""
_CLOSED: Final = (
    "No cards are known in {file}, so no decision can be judged. Your own cards are known if "
    "your home has the key of the game; another player's cards, if the player opened the "
    "book after the game."
)


def analysis_of(report: Report, seen: Mapping[Seat, HandsBySet]) -> Analysis:
    """Return the decisions of a verified game, all still without a judgement.

    seen: known hands that the file does not show.
    """
    return Analysis(_names(report), tuple(decisions(report, seen)))


def judged(decision: Decision) -> Judged:
    """Return the worth of the moves of a decision."""
    return Judged(decision, judge(decision.observation, ITERATIONS, decision.made))


def run(out: Output, game: OpenedGame) -> int:
    """Judge the decisions of each seat whose cards are known; return the exit code.

    Raises:
        CommandError: the cards of both seats are unknown.
    """
    analysis = analysis_of(with_own_key(game.report, game.own), {})
    if not analysis.decisions:
        raise CommandError(Exit.USAGE, _CLOSED, code="closed", file=game.file)
    for decision in analysis.decisions:
        found = judged(decision)
        analysis = analysis.with_judged(found)
        _tell(out, analysis.names, found)
    for seat, accuracy in analysis.accuracies():
        _tell_accuracy(out, analysis.names[seat], seat, accuracy)
    for chance in analysis.chances(SEATS[0]):
        number, played = chance.round
        out.fact("chance", set=number, round=played, by=chance.by, value=chance.value)
    for sentence in summary(analysis):
        out.say(sentence)
    return Exit.DONE


def _names(report: Report) -> tuple[str, str]:
    for sound in reversed(report.accepted):
        if isinstance(sound.state, Table):
            first, second = sound.state.hellos
            return first.name, second.name
    return "", ""


def _tell(out: Output, names: Sequence[str], found: Judged) -> None:
    number, played = found.round
    out.fact(
        "decision",
        set=number,
        round=played,
        seat=found.seat,
        move=move_text(found.decision.made),
        exact=found.judgement.exact,
        loss=found.loss,
        gap=found.gap,
        moves=[
            {"move": move_text(it.move), "value": it.value, "error": it.error}
            for it in found.judgement.moves
        ],
    )
    out.say(decision_sentence(found, names))


def _tell_accuracy(out: Output, name: str, seat: Seat, found: Accuracy) -> None:
    out.fact(
        "accuracy",
        seat=seat,
        name=name,
        accuracy=found.accuracy,
        decisions=found.count,
        mistakes=found.mistakes,
        blunders=found.blunders,
    )
