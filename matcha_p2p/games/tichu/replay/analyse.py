"""Judges the decisions of a finished game: what each has cost."""

from collections.abc import Mapping

from matcha_p2p.chain.verify import Report, verified_transcript
from matcha_p2p.games.tichu.review.analysis import (
    Analysis,
    JudgedDecision,
    decisions,
    of_round,
)
from matcha_p2p.games.tichu.review.analysis import judged as judge
from matcha_p2p.games.tichu.review.mistakes import Analyse, AnalyseRound, Exchanged
from matcha_p2p.games.tichu.review.rounds import played_rounds
from matcha_p2p.games.tichu.rules.notation import text_of
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.games.tichu.words.analysis_sentences import UNKNOWN, mistake, notes
from matcha_p2p.review.steps import names_of
from matcha_p2p.seats import Seat

__all__ = ["UNKNOWN", "analysis_of", "begin", "fields", "judge", "mistake", "notes"]


def analysis_of(
    report: Report, own: tuple[Seat, int] | None = None, seat: Seat | None = None
) -> Analysis:
    """Return the decisions of our own seat, or of all if it is unknown."""
    return _analysis(report, SEATS if seat is None else (seat,), own, {})


def begin(asked: Analyse | AnalyseRound) -> Analysis:
    """Return the decisions of the game or of the round, all still without a judgement."""
    if isinstance(asked, AnalyseRound):
        return of_round(asked)
    report = verified_transcript(asked.transcript)
    exchanged = {number: {asked.seat: it} for number, it in asked.exchanged.items()}
    return _analysis(report, (asked.seat,), None, exchanged)


def _analysis(
    report: Report,
    seats: tuple[Seat, ...],
    own: tuple[Seat, int] | None,
    exchanged: Mapping[int, Mapping[Seat, Exchanged]],
) -> Analysis:
    """Return decisions. exchanged: what seats have given and received, by round, if known."""
    found = [
        decision
        for number, played in enumerate(played_rounds(report, own), 1)
        for decision in decisions(
            played, seats, {**played.exchanged(), **exchanged.get(number, {})}
        )
    ]
    return Analysis(names_of(report), tuple(found))


def fields(found: JudgedDecision) -> dict[str, object]:
    """Return the fields of the fact about a decision."""
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
