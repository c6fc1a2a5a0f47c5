"""Judge the decisions of a finished game: what each has cost."""

from collections.abc import Mapping

from matcha_p2p.app.library.transcripts import Progress
from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.output import Output
from matcha_p2p.chain.verify import Report
from matcha_p2p.games.front import OpenedGame
from matcha_p2p.games.tichu.review.analysis import Analysis, Judged, decisions, judged
from matcha_p2p.games.tichu.review.asked import Exchanged
from matcha_p2p.games.tichu.review.rounds import played_rounds
from matcha_p2p.games.tichu.rules.notation import text_of
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.games.tichu.words.analysis_sentences import summary
from matcha_p2p.review.told import counted
from matcha_p2p.seats import Seat


def analysis_of(
    report: Report,
    seats: tuple[Seat, ...],
    exchanged: Mapping[int, Mapping[Seat, Exchanged]],
    own: tuple[Seat, int] | None = None,
) -> Analysis:
    """Return the decisions of ``seats`` in a verified game, all still without a judgement.

    exchanged: what seats are known to have given and received, by round. own: our seat and our
    game key.
    """
    names = tuple(hello.name for hello in report.accepted[-1].state.hellos)
    found = [
        decision
        for number, played in enumerate(played_rounds(report, own), 1)
        for decision in decisions(
            played, seats, {**played.exchanged(), **exchanged.get(number, {})}
        )
    ]
    return Analysis(names, tuple(found))


def run(out: Output, game: OpenedGame) -> int:
    """Judge the decisions of our own seat, or of all if it is unknown; return the exit code.

    Raises:
        CommandError: no round is over.
    """
    seats = SEATS if game.seat is None else (game.seat,)
    if not any(played.hands for played in played_rounds(game.report)):
        raise CommandError(
            Exit.USAGE, "No round of {file} is over.", code="closed", file=game.file
        )
    analysis = analysis_of(game.report, seats, {}, game.own)
    for decision in counted(analysis.decisions, Progress(out).judged):
        found = judged(decision)
        analysis = analysis.with_judged(found)
        _tell(out, found)
    for sentence in summary(analysis, game.seat):
        out.say(sentence)
    return Exit.DONE


def _tell(out: Output, found: Judged) -> None:
    seen, made = found.decision.seen, found.decision.made
    out.fact(
        "decision",
        round=seen.number,
        seat=seen.seat,
        move=text_of(seen, made),
        value=found.value,
        loss=found.loss,
        moves=[
            {"move": text_of(seen, it.move), "value": it.points} for it in found.judgement.moves
        ],
    )
