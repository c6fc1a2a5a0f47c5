"""Judges the decisions of a finished game: what each has cost."""

from collections.abc import Iterator, Mapping

from matcha_p2p.chain.verify import Report, verified_transcript
from matcha_p2p.games.front import OpenedGame, Told
from matcha_p2p.games.tichu.review.analysis import Analysis, Judged, decisions, of_round
from matcha_p2p.games.tichu.review.analysis import judged as judge
from matcha_p2p.games.tichu.review.asked import Analyse, AnalyseRound, Exchanged
from matcha_p2p.games.tichu.review.rounds import played_rounds
from matcha_p2p.games.tichu.rules.notation import text_of
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.games.tichu.words.analysis_sentences import UNKNOWN, summary
from matcha_p2p.language import Sentence
from matcha_p2p.review.told import Count, counted
from matcha_p2p.seats import Seat

__all__ = ["analysis_of", "begin", "judge", "judgements"]


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


def begin(asked: Analyse | AnalyseRound) -> Analysis:
    """Return the decisions of the game or of the round, all still without a judgement."""
    if isinstance(asked, AnalyseRound):
        return of_round(asked)
    report = verified_transcript(asked.transcript)
    exchanged = {number: {asked.seat: it} for number, it in asked.exchanged.items()}
    return analysis_of(report, (asked.seat,), exchanged)


def judgements(game: OpenedGame, count: Count) -> Iterator[Told] | Sentence:
    """Yield the decisions of our own seat, or of all if it is unknown, and a summary."""
    if not any(played.hands for played in played_rounds(game.report)):
        return UNKNOWN
    seats = SEATS if game.seat is None else (game.seat,)
    return _told(analysis_of(game.report, seats, {}, game.own), game.seat, count)


def _told(analysis: Analysis, own: Seat | None, count: Count) -> Iterator[Told]:
    for decision in counted(analysis.decisions, count):
        found = judge(decision)
        analysis = analysis.with_judged(found)
        yield Told("decision", _fields(found))
    for sentence in summary(analysis, own):
        yield Told("", {}, sentence)


def _fields(found: Judged) -> dict[str, object]:
    seen, made = found.decision.seen, found.decision.made
    return {
        "round": seen.number,
        "seat": seen.seat,
        "move": text_of(seen, made),
        "value": found.value,
        "loss": found.loss,
        "moves": [
            {"move": text_of(seen, it.move), "value": it.points} for it in found.judgement.moves
        ],
    }
